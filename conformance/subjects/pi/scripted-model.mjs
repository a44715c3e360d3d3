// Loaded first: a model that says what it is told, and the surroundings of the session.

import { readFileSync } from "node:fs";
import { fauxAssistantMessage, fauxProvider, fauxToolCall } from "@earendil-works/pi-ai";

import { NOTE } from "./words.mjs";

/** The largest token and context, so that no call is cut into pieces or brings a summary about. */
const HUGE = 1e9;

export default function scriptedModel(pi) {
    surroundings();
    const faux = fauxProvider({
        provider: "faux",
        models: [{ id: "faux-1", contextWindow: HUGE, maxTokens: HUGE }],
        tokenSize: { min: HUGE, max: HUGE },
    });
    pi.registerProvider(faux.provider);
    const turn = (context) => {
        faux.appendResponses([turn]);
        const last = context.messages.at(-1);
        if (last.role !== "user") return fauxAssistantMessage("done");
        const { id, name, args } = JSON.parse(text(last.content));
        return fauxAssistantMessage([fauxToolCall(name, args, { id })], { stopReason: "toolUse" });
    };
    faux.setResponses([turn]);
    // Being the first, it sees every call that Pi lets through to the gates.
    pi.on("tool_call", (event) => {
        pi.appendEntry(NOTE, { note: "reached", id: event.toolCallId });
    });
    // What a gate says about its own decisions, where it follows this public channel.
    pi.events.on("permissions:decision", (decision) => {
        pi.appendEntry(NOTE, { note: "decision", resolution: String(decision?.resolution) });
    });
}

/** One process of Pi serves many sessions: home and working directory are those of the one that begins. */
function surroundings() {
    const { home, cwd } = JSON.parse(readFileSync(process.env.CONFORMANCE_SESSION, "utf8"));
    process.env.HOME = home;
    process.chdir(cwd);
}

function text(content) {
    return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}
