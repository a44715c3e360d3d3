// The approver's socket (PROTOCOL.md, section 5).

import { connect } from "node:net";

import { eachLine, parsed } from "./lines.mjs";
import { VERDICTS } from "./words.mjs";

/** Longest line of an answer, in bytes. */
const MOST = 1 << 16;

/**
 * Puts a question and waits. Gives a verdict, or why there is none: `timeout`, `no_approver`, `fault`, `cancelled`.
 * What cannot be read, or answers another question, is no answer.
 */
export function ask(socket, question, timeoutMs, signal) {
    if (socket === null) return Promise.resolve("no_approver");
    return new Promise((resolve) => {
        const talk = connect(socket);
        const end = (how) => {
            clearTimeout(timer);
            signal.removeEventListener("abort", withdrawn);
            talk.destroy();
            resolve(how);
        };
        const withdrawn = () => end("cancelled");
        const timer = setTimeout(() => end("timeout"), timeoutMs);
        signal.addEventListener("abort", withdrawn, { once: true });
        if (signal.aborted) return end("cancelled");
        talk.on("connect", () => talk.write(`${JSON.stringify({ ask: question })}\n`));
        talk.on("error", () => end("no_approver"));
        talk.on("close", () => end("no_approver"));
        eachLine(
            talk,
            (line) => {
                const verdict = verdictOf(line, question.id);
                if (verdict !== undefined) end(verdict);
            },
            { most: MOST, over: () => end("fault") },
        );
    });
}

/** The verdict of a line, if it is a well-formed answer to this question. */
export function verdictOf(line, id) {
    const message = parsed(line);
    if (message === undefined || !hasExactly(message, ["answer"])) return undefined;
    const answer = message.answer;
    if (typeof answer !== "object" || answer === null || !hasExactly(answer, ["ask", "verdict"])) return undefined;
    return answer.ask === id && VERDICTS.includes(answer.verdict) ? answer.verdict : undefined;
}

function hasExactly(object, names) {
    const keys = Object.keys(object);
    return keys.length === names.length && names.every((name) => keys.includes(name));
}
