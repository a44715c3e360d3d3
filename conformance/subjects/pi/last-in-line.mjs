// Loaded last: a call that gets here was let through by every gate before it.

import { PERFORMED, STOPPED } from "./words.mjs";

export default function lastInLine(pi) {
    // Only what is meant to be performed goes on; a call that is to be judged ends here, whatever the gates said.
    pi.on("tool_call", (event) => {
        if (event.toolCallId.startsWith(PERFORMED)) return undefined;
        return { block: true, reason: STOPPED };
    });
}
