// The suite's tools in Pi's words.

const NAMES = { read: "read", write: "write", edit: "edit", list: "ls", run: "bash" };

/** Pi's tools that are switched on; Pi leaves `ls` out by itself. */
export const ENABLED = Object.values(NAMES);

/** The suite's tools that Pi has. */
export const KNOWN = Object.keys(NAMES);

/** Names that mean something to Pi. */
const PIS_OWN = ["read", "write", "edit", "bash", "ls", "grep", "find", "powershell"];

/** A call as Pi's model would make it. A tool that the suite does not know has to be one that Pi does not know either. */
export function translate(tool, args) {
    const name = Object.hasOwn(NAMES, tool) ? NAMES[tool] : strange(tool);
    if (tool !== "edit" || !isObject(args)) return { name, args };
    const { old, new: replacement, ...others } = args;
    const edit = {};
    if (old !== undefined) edit.oldText = old;
    if (replacement !== undefined) edit.newText = replacement;
    return { name, args: { ...others, edits: [edit] } };
}

function strange(tool) {
    return PIS_OWN.includes(tool) ? `unknown_${tool}` : tool;
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
