// The suite's tools in Pi's words.

const NAMES = { read: "read", write: "write", edit: "edit", list: "ls", run: "bash" };

/** Pi's tools that are switched on; Pi leaves `ls` out by itself. */
export const ENABLED = Object.values(NAMES);

/** The suite's tools that Pi has. */
export const KNOWN = Object.keys(NAMES);

/** Names that mean something to Pi. */
const PIS_OWN = ["read", "write", "edit", "bash", "ls", "grep", "find", "powershell"];

/**
 * A call as Pi's model would make it. A tool that the suite does not know has to be one that Pi does not know either.
 * `from` is the call's working directory as seen from Pi's, which a model has to say with each call: in front of a path, or by going there.
 */
export function translate(tool, args, from = "") {
    const name = Object.hasOwn(NAMES, tool) ? NAMES[tool] : strange(tool);
    if (!isObject(args) || !Object.hasOwn(NAMES, tool)) return { name, args };
    const { old, new: replacement, ...given } = args;
    const others = from === "" ? given : { ...given, ...placed(given, from) };
    if (tool !== "edit") return { name, args: { ...args, ...others } };
    const edit = {};
    if (old !== undefined) edit.oldText = old;
    if (replacement !== undefined) edit.newText = replacement;
    return { name, args: { ...others, edits: [edit] } };
}

/** The operands that a working directory changes. */
function placed({ path, command }, from) {
    const changed = {};
    if (typeof path === "string" && isRelative(path)) changed.path = `${from}/${path}`;
    if (typeof command === "string") changed.command = `cd '${from.replaceAll("'", "'\\''")}' && ${command}`;
    return changed;
}

/** Whether Pi takes a path from its working directory, as it stands. */
function isRelative(path) {
    return path !== "" && !/^(\/|@|~$|~\/|file:\/\/)/.test(path);
}

function strange(tool) {
    return PIS_OWN.includes(tool) ? `unknown_${tool}` : tool;
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
