import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";

import { eachLine } from "../lines.mjs";
import { KNOWN, translate } from "../tools.mjs";
import { Turn } from "../turn.mjs";
import { STOPPED } from "../words.mjs";

test("tools of the suite are tools of Pi", () => {
    assert.deepEqual(translate("list", { path: "a" }), { name: "ls", args: { path: "a" } });
    assert.deepEqual(translate("run", { command: "ls" }), { name: "bash", args: { command: "ls" } });
    assert.deepEqual(translate("edit", { path: "a", old: "x", new: "y" }), {
        name: "edit",
        args: { path: "a", edits: [{ oldText: "x", newText: "y" }] },
    });
});

test("another working directory is said with the call", () => {
    assert.deepEqual(translate("write", { path: "../a" }, "src").args, { path: "src/../a" });
    assert.deepEqual(translate("run", { command: "ls" }, "it's").args, { command: "cd 'it'\\''s' && ls" });
    assert.deepEqual(translate("edit", { path: "a", old: "x", new: "y" }, "src").args.path, "src/a");
    for (const path of ["/a", "~", "~/a", "@a", "file:///a", "", 7]) {
        assert.deepEqual(translate("read", { path }, "src").args, { path });
    }
    assert.deepEqual(translate("tool_1", { path: "a" }, "src").args, { path: "a" });
});

test("what lacks or is of a wrong type stays so, for Pi to judge", () => {
    assert.deepEqual(translate("edit", { path: 7, old: null }).args, { path: 7, edits: [{ oldText: null }] });
    assert.deepEqual(translate("edit", null).args, null);
    assert.deepEqual(translate("write", { path: "a", content: "b", more: 1 }).args, { path: "a", content: "b", more: 1 });
});

test("no other name reaches a tool of Pi", () => {
    const reached = new Set(KNOWN.map((tool) => translate(tool, {}).name));
    for (const name of ["bash", "ls", "grep", "find", "delete", "constructor", "toString", "READ", "tool_1"]) {
        assert.ok(!reached.has(translate(name, {}).name), name);
    }
});

test("a tool ran when Pi measured it, and passed when it ran or the last of the line stopped it", () => {
    const end = (more) => {
        const turn = new Turn("call_1");
        turn.take({ type: "tool_execution_end", toolCallId: "call_1", isError: true, ...more });
        return turn.seen;
    };
    const said = (text) => ({ result: { content: [{ type: "text", text }] } });
    assert.deepEqual([end({ ...said("x"), durationMs: 0 }).ran, end(said("x")).ran], [true, false]);
    assert.deepEqual([end(said(STOPPED)).passed, end(said("no")).passed], [true, false]);
    assert.equal(end({ ...said("x"), toolCallId: "call_2", durationMs: 1 }).ran, false);
});

test("lines end at line feeds alone, and may come in pieces", () => {
    const stream = new EventEmitter();
    const lines = [];
    let over = 0;
    eachLine(stream, (line) => lines.push(line), { most: 8, over: () => (over += 1) });
    for (const piece of ["a\u2028b\r", "\nc\nd", "e\n", "0123456789"]) stream.emit("data", Buffer.from(piece));
    assert.deepEqual(lines, ["a\u2028b\r", "c", "de"]);
    assert.equal(over, 1);
});
