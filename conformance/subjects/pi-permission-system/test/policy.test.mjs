import assert from "node:assert/strict";
import { test } from "node:test";

import { permission } from "../policy.mjs";

const told = (policy) =>
    permission({ workspace: "/w", policy: { otherwise: "ask", allow: [], ask: [], deny: [], ...policy } });
const order = (surface) => Object.entries(surface).map(([pattern, word]) => `${pattern}=${word}`);

test("nothing told is the rule for the rest, and the cross-cutting surface tightens only", () => {
    const { path, ...others } = told({ otherwise: "deny" });
    assert.deepEqual(path, { "*": "allow" });
    assert.equal(others["*"], "deny");
    for (const surface of ["read", "write", "edit", "ls", "bash", "external_directory"]) {
        assert.deepEqual(others[surface], { "*": "deny" }, surface);
    }
});

test("the strictest entry stands last, where the last one wins", () => {
    const policy = {
        deny: [{ tool: "write", path: "/w/a" }],
        allow: [
            { tool: "write", under: "/w" },
            { tool: "write", path: "/w/a" },
        ],
        ask: [{ tool: "write", under: "/w/b" }],
    };
    assert.deepEqual(order(told(policy).write), [
        "*=ask",
        "/w=allow",
        "/w/*=allow",
        "/w/b=ask",
        "/w/b/*=ask",
        "/w/a=deny",
    ]);
    assert.deepEqual(order(told(policy).read), ["*=ask"]);
});

test("entries for every tool reach each tool, and tighten commands too", () => {
    const policy = { allow: [{ tool: "*", under: "/w" }], deny: [{ tool: "*", path: "/w/.env" }] };
    for (const surface of ["read", "write", "edit", "ls"]) {
        assert.deepEqual(order(told(policy)[surface]), ["*=ask", "/w=allow", "/w/*=allow", "/w/.env=deny"]);
    }
    assert.deepEqual(order(told(policy).path), ["*=allow", "/w/.env=deny"]);
    assert.deepEqual(order(told(policy).bash), ["*=ask"]);
});

test("an entry of one tool does not cut across", () => {
    assert.deepEqual(told({ deny: [{ tool: "read", path: "/w/a" }] }).path, { "*": "allow" });
});

test("commands are their first words", () => {
    const policy = {
        allow: [{ tool: "run", command: ["git", "status"] }],
        deny: [{ tool: "run", command: ["rm"] }, { tool: "write" }],
    };
    assert.deepEqual(order(told(policy).bash), ["*=ask", "git status *=allow", "rm *=deny"]);
    assert.deepEqual(order(told({ allow: [{ tool: "run" }] }).bash), ["*=allow"]);
    assert.deepEqual(order(told({ ask: [{ tool: "*" }], allow: [{ tool: "run" }] }).bash), ["*=ask"]);
});

test("places outside are let through at the border only when an entry leads there", () => {
    const policy = { allow: [{ tool: "read", under: "/o" }], deny: [{ tool: "*", path: "/x" }] };
    assert.deepEqual(order(told(policy).external_directory), ["*=ask", "/o=allow", "/o/*=allow"]);
    assert.deepEqual(order(told({ allow: [{ tool: "read", under: "/w" }] }).external_directory), ["*=ask"]);
    assert.deepEqual(order(told({ allow: [{ tool: "read", under: "/wide" }] }).external_directory).length, 3);
});
