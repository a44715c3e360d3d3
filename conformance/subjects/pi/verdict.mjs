// What happened to a call in Pi, in the suite's words.

/** What Pi says of a tool that it does not have, or has switched off. */
const NOT_FOUND = /^Tool .* not found/s;

/**
 * The result of a call that was to be performed.
 *
 * `seen`: `tool` (whether Pi has a tool for it), `reached` (the gates were asked), `ran` (Pi ran the tool), `isError`, `text`, `exited` (a command ended
 * with a status), `dialogs` (how each ended: a verdict or a cause), `resolutions` (what the gate said of its decisions), `cancelled`.
 */
export function result(seen, profile) {
    if (seen.ran) {
        const executed = !seen.isError || seen.exited;
        return { decision: "allow", reason: allowed(seen), executed, output: seen.text };
    }
    return { decision: "deny", reason: denied(seen, profile), executed: false, output: seen.text };
}

/** The verdict of a call that was only judged; `passed` says that it came to the end of the line of gates. */
export function judged(seen, profile) {
    if (seen.dialogs.length > 0) return { decision: "ask", reason: "policy" };
    if (seen.passed) return { decision: "allow", reason: allowed(seen) };
    return { decision: "deny", reason: denied(seen, profile) };
}

function allowed(seen) {
    const yes = seen.dialogs.some((end) => end === "allow_once" || end === "allow_always");
    const earlier = seen.resolutions.includes("session_approved");
    return yes || earlier ? "approved" : "policy";
}

function denied(seen, profile) {
    if (seen.cancelled) return "cancelled";
    const last = seen.dialogs.at(-1);
    if (last === "deny") return "denied_by_human";
    if (["timeout", "no_approver", "fault", "cancelled"].includes(last)) return last;
    if (seen.text === null) return "fault";
    if (!seen.reached) return refusedByPi(seen);
    if (seen.resolutions.includes("confirmation_unavailable")) return "no_approver";
    return profile.reason?.(seen.text) ?? "policy";
}

/** Pi ends some calls before any gate is asked. A tool that Pi has and does not find was taken away by the gate. */
function refusedByPi(seen) {
    if (!NOT_FOUND.test(seen.text)) return "bad_arguments";
    return seen.tool ? "policy" : "unknown_tool";
}
