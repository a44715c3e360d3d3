import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { eachLine } from "../lines.mjs";
import { ask } from "../people.mjs";

/** How long a question stays open here; each test but that of silence ends much earlier. */
const OPEN = 20_000;
const answer = (id, verdict) => `${JSON.stringify({ answer: { ask: id, verdict } })}\n`;

/** Puts one question to a person who does this with the connection, and gives what came of it. */
async function put(person, { timeoutMs = OPEN, signal = new AbortController().signal } = {}) {
    const folder = mkdtempSync(join(tmpdir(), "people-"));
    const socket = join(folder, "s");
    const server = createServer((talk) => {
        talk.on("error", () => {});
        let isFirst = true;
        eachLine(talk, (line) => {
            assert.ok(isFirst, "one line for one question");
            isFirst = false;
            person(talk, JSON.parse(line).ask.id);
        });
    });
    await new Promise((resolve) => server.listen(socket, resolve));
    try {
        return await ask(socket, { id: "a-1" }, timeoutMs, signal);
    } finally {
        await new Promise((resolve) => server.close(resolve));
        rmSync(folder, { recursive: true });
    }
}

test("the first answer that counts is the answer", async () => {
    assert.equal(await put((talk, id) => talk.write(answer(id, "allow_once"))), "allow_once");
    assert.equal(await put((talk, id) => talk.write(answer(id, "deny") + answer(id, "allow_once"))), "deny");
    assert.equal(await put((talk, id) => talk.write(`what?\n${answer("a-2", "allow_once")}${answer(id, "deny")}`)), "deny");
});

test("silence and what is no answer end with the time", async () => {
    const timeoutMs = 50;
    assert.equal(await put(() => {}, { timeoutMs }), "timeout");
    assert.equal(await put((talk) => talk.write("allow\n"), { timeoutMs }), "timeout");
    assert.equal(await put((talk) => talk.write(answer("a-2", "allow_once")), { timeoutMs }), "timeout");
    assert.equal(await put((talk, id) => talk.write(answer(id, "maybe")), { timeoutMs }), "timeout");
});

test("a connection that ends has no answer, half of one neither", async () => {
    assert.equal(await put((talk) => talk.destroy()), "no_approver");
    assert.equal(await put((talk, id) => talk.end(answer(id, "allow_once").slice(0, -4))), "no_approver");
});

test("nobody there", async () => {
    const { signal } = new AbortController();
    assert.equal(await ask(null, { id: "a-1" }, OPEN, signal), "no_approver");
    assert.equal(await ask(join(tmpdir(), "no-such-socket"), { id: "a-1" }, OPEN, signal), "no_approver");
});

test("a line without an end is a fault", async () => {
    assert.equal(await put((talk) => talk.write("x".repeat(1 << 20))), "fault");
});

test("a withdrawn question takes no answer any more", async () => {
    const controller = new AbortController();
    const person = (talk, id) => {
        controller.abort();
        talk.write(answer(id, "allow_once"));
    };
    assert.equal(await put(person, { signal: controller.signal }), "cancelled");
    assert.equal(await put(() => {}, { signal: controller.signal }), "cancelled");
});
