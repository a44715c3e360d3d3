import assert from "node:assert/strict";
import { test } from "node:test";

import { permission } from "../policy.mjs";

const told = (policy, real = (path) => path) =>
    permission({ workspace: "/w", policy: { otherwise: "ask", allow: [], ask: [], deny: [], ...policy } }, real);
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

test("a place that is named by a link is written down with both names", () => {
    const real = (path) => (path === "/w/alias" ? "/w/real" : path);
    const { write } = told({ deny: [{ tool: "write", under: "/w/alias" }] }, real);
    assert.deepEqual(order(write), ["*=ask", "/w/alias=deny", "/w/alias/*=deny", "/w/real=deny", "/w/real/*=deny"]);
});

test("a tool that is denied but for some places is not taken away as a whole", () => {
    const policy = { otherwise: "deny", allow: [{ tool: "write", path: "/w/a" }, { tool: "run", command: ["ls"] }] };
    assert.deepEqual(order(told(policy).write), ["*=ask", "/=deny", "??*=deny", "/w/a=allow"]);
    assert.deepEqual(order(told(policy).bash), ["*=ask", "/=deny", "??*=deny", "ls *=allow"]);
    assert.deepEqual(order(told(policy).read), ["*=deny"]);
    assert.deepEqual(order(told({ otherwise: "deny", allow: [{ tool: "run" }] }).bash), ["*=allow"]);
});
