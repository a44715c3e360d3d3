// One call in Pi's stream of events.

import { NOTE, STOPPED } from "./words.mjs";

/** Gathers what happens to the call of this id. */
export class Turn {
    constructor(id, signal) {
        this.id = id;
        this.signal = signal;
        this.seen = {
            reached: false,
            passed: false,
            ran: false,
            isError: false,
            exited: false,
            text: null,
            dialogs: [],
            resolutions: [],
        };
    }

    /** Takes one event. Whether the turn is over. */
    take(event) {
        switch (event.type) {
            case "entry_appended":
                this.note(event.entry);
                return false;
            case "tool_execution_end":
                if (event.toolCallId === this.id) this.end(event);
                return false;
            case "agent_settled":
                return true;
            default:
                return false;
        }
    }

    note(entry) {
        if (entry?.customType !== NOTE) return;
        const { note, id, resolution } = entry.data ?? {};
        if (note === "reached" && id === this.id) this.seen.reached = true;
        if (note === "decision") this.seen.resolutions.push(resolution);
    }

    end({ result, isError, durationMs }) {
        const parts = Array.isArray(result?.content) ? result.content : [];
        this.seen.text = parts.map((part) => part.text ?? "").join("\n");
        this.seen.isError = isError === true;
        // Pi measures a tool that it runs, and only that.
        this.seen.ran = durationMs !== undefined;
        this.seen.exited = typeof result?.structuredContent?.exit_code === "number";
        this.seen.passed = this.seen.ran || this.seen.text === STOPPED;
    }
}
