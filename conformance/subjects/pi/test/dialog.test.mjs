import assert from "node:assert/strict";
import { test } from "node:test";

import { choice, shownPaths, shownText, waits } from "../dialog.mjs";
import { verdictOf } from "../people.mjs";

const SESSION = 'Yes, allow bash "echo *" for this session';
const FOUR = { method: "select", options: ["Yes", SESSION, "No", "No, provide reason"] };
const TWO = { method: "select", options: ["Yes", "No"] };

test("a verdict is the choice that says so", () => {
    assert.deepEqual(choice(FOUR, "allow_once"), { value: "Yes" });
    assert.deepEqual(choice(FOUR, "allow_always"), { value: SESSION });
    assert.deepEqual(choice(FOUR, "deny"), { value: "No" });
    assert.deepEqual(choice(TWO, "allow_always"), { value: "Yes" });
    assert.deepEqual(choice({ method: "confirm" }, "allow_once"), { confirmed: true });
    assert.deepEqual(choice({ method: "confirm" }, "deny"), { confirmed: false });
});

test("what is no verdict chooses nothing, in any dialog", () => {
    for (const request of [FOUR, TWO, { method: "confirm" }, { method: "input" }, { method: "editor" }]) {
        for (const end of ["timeout", "no_approver", "fault", "cancelled", "yes", "toString", undefined]) {
            assert.equal(choice(request, end), undefined);
        }
    }
});

test("a dialog without a word for it, or for text, is answered by no yes", () => {
    assert.equal(choice({ method: "input" }, "allow_once"), undefined);
    assert.equal(choice({ method: "select", options: ["Later", 7] }, "allow_once"), undefined);
    assert.equal(choice({ method: "select", options: ["No, never in this session"] }, "allow_always"), undefined);
    assert.equal(choice({ method: "select" }, "deny"), undefined);
});

test("notifications wait for nobody", () => {
    assert.ok(waits(FOUR) && waits({ method: "input" }));
    assert.ok(!waits({ method: "notify" }) && !waits({ method: "setStatus" }));
});

test("the person sees the title, the message and the choices", () => {
    assert.equal(shownText({ ...TWO, title: "Allow?", message: "ls" }), "Allow?\nls\nYes\nNo");
});

test("only places that stand in the text are shown", () => {
    assert.deepEqual(shownPaths("write for 'src/a'?", { path: "src/a" }, "/w"), ["/w/src/a"]);
    assert.deepEqual(shownPaths("write for f.", { path: "f" }, "/w"), ["/w/f"]);
    assert.deepEqual(shownPaths("write for a file of src/f?", { path: "f" }, "/w"), []);
    assert.deepEqual(shownPaths("anything", { path: "" }, "/w"), []);
    assert.deepEqual(shownPaths("write something?", { path: "src/a" }, "/w"), []);
    assert.deepEqual(shownPaths("'in/a' (resolves to '/out/a')", { path: "in/a" }, "/w"), ["/w/in/a", "/out/a"]);
    assert.deepEqual(shownPaths("run 'ls'", { command: "ls" }, "/w"), []);
    assert.deepEqual(shownPaths("anything", null, "/w"), []);
});

test("an answer counts when it is whole and names this question", () => {
    const line = (ask, verdict) => JSON.stringify({ answer: { ask, verdict } });
    assert.equal(verdictOf(line("a", "allow_once"), "a"), "allow_once");
    for (const bad of [
        line("b", "allow_once"),
        line("a", "maybe"),
        line("a", true),
        JSON.stringify({ answer: { ask: "a", verdict: "deny", more: 1 } }),
        JSON.stringify({ answer: { ask: "a", verdict: "deny" }, more: 1 }),
        JSON.stringify({ answer: null }),
        '{"answer":{"ask":"a","verdict":"allow_on',
        "[]",
        "null",
    ]) {
        assert.equal(verdictOf(bad, "a"), undefined, bad);
    }
});
