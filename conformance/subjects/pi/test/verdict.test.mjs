import assert from "node:assert/strict";
import { test } from "node:test";

import { judged, result } from "../verdict.mjs";

const PLAIN = {
    tool: true,
    reached: true,
    passed: false,
    ran: false,
    isError: false,
    exited: false,
    text: "no",
    dialogs: [],
    resolutions: [],
    cancelled: false,
};
const RAN = { ...PLAIN, passed: true, ran: true, text: "done" };
const reasonOf = (seen, profile = {}) => result({ ...PLAIN, ...seen }, profile).reason;

test("what ran was allowed, by a person or by a rule", () => {
    assert.deepEqual(result(RAN, {}), { decision: "allow", reason: "policy", executed: true, output: "done" });
    assert.equal(result({ ...RAN, dialogs: ["allow_once"] }, {}).reason, "approved");
    assert.equal(result({ ...RAN, dialogs: ["allow_always"] }, {}).reason, "approved");
    assert.equal(result({ ...RAN, resolutions: ["session_approved"] }, {}).reason, "approved");
});

test("what failed by itself was allowed and not executed, but a command with a status was", () => {
    assert.equal(result({ ...RAN, isError: true }, {}).executed, false);
    assert.equal(result({ ...RAN, isError: true }, {}).decision, "allow");
    assert.equal(result({ ...RAN, isError: true, exited: true }, {}).executed, true);
});

test("each cause of a refusal has its own reason", () => {
    assert.equal(reasonOf({}), "policy");
    assert.equal(reasonOf({ dialogs: ["deny"] }), "denied_by_human");
    assert.equal(reasonOf({ dialogs: ["timeout"] }), "timeout");
    assert.equal(reasonOf({ dialogs: ["no_approver"] }), "no_approver");
    assert.equal(reasonOf({ dialogs: ["fault"] }), "fault");
    assert.equal(reasonOf({ dialogs: ["timeout"], cancelled: true }), "cancelled");
    assert.equal(reasonOf({ resolutions: ["confirmation_unavailable"] }), "no_approver");
    assert.equal(reasonOf({ text: "gate broke" }, { reason: () => "fault" }), "fault");
    assert.equal(reasonOf({ text: "rule" }, { reason: () => undefined }), "policy");
});

test("the last question counts: a rule may refuse what a person allowed", () => {
    assert.equal(reasonOf({ dialogs: ["allow_once"] }), "policy");
    assert.equal(reasonOf({ dialogs: ["allow_once", "deny"] }), "denied_by_human");
});

test("what Pi ends before any gate is asked", () => {
    const before = { reached: false };
    assert.equal(reasonOf({ ...before, tool: false, text: "Tool x\ny not found" }), "unknown_tool");
    assert.equal(reasonOf({ ...before, text: "Tool write not found" }), "policy");
    assert.equal(reasonOf({ ...before, text: "Validation failed" }), "bad_arguments");
    assert.equal(reasonOf({ ...before, text: null }), "fault");
    assert.equal(reasonOf({ text: null }), "fault");
});

test("nothing but what ran is executed or allowed", () => {
    for (const dialogs of [[], ["allow_once"], ["timeout"]]) {
        const { decision, executed } = result({ ...PLAIN, dialogs, passed: true }, {});
        assert.deepEqual([decision, executed], ["deny", false]);
    }
});

test("a judged call is asked about, let through, or refused", () => {
    assert.deepEqual(judged({ ...PLAIN, dialogs: ["no_approver"] }, {}), { decision: "ask", reason: "policy" });
    assert.deepEqual(judged({ ...PLAIN, passed: true }, {}), { decision: "allow", reason: "policy" });
    assert.deepEqual(judged(PLAIN, {}), { decision: "deny", reason: "policy" });
    assert.deepEqual(judged({ ...PLAIN, text: null }, {}), { decision: "deny", reason: "fault" });
});
