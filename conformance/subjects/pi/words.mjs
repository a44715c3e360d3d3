// Words that the driver and its extensions in Pi agree on.

/** How the id of a call begins that may be performed. Every other call is stopped behind the gates. */
export const PERFORMED = "call_";
/** How the id of a call begins that is only judged. */
export const JUDGED = "judge_";
/** The reason of the last extension for stopping a call. */
export const STOPPED = "conformance: every gate let this call through";
/** The custom type of the entries that the driver's extensions write. */
export const NOTE = "conformance";
/** What a person can answer (PROTOCOL.md, section 5). */
export const VERDICTS = ["allow_once", "allow_always", "deny"];
