// The suite's neutral policy as a configuration of @gotgenes/pi-permission-system.
//
// Within one surface the last pattern that matches wins; across surfaces the strictest does. So each surface lists what allows
// before what asks before what denies, and the strictest entry that matches wins, as the suite's policy wants it.

import { sep } from "node:path";

const SURFACES = { read: "read", write: "write", edit: "edit", list: "ls" };
const WORDS = ["allow", "ask", "deny"];

/** The value of `permission` for a policy in a workspace. */
export function permission({ policy, workspace }) {
    const { otherwise } = policy;
    const permission = {
        "*": otherwise,
        // Cuts across all tools and commands, and can only tighten: its own rule for the rest is to let through.
        path: surface("allow", policy, (entry, word) => (entry.tool === "*" && word !== "allow" ? places(entry) : [])),
        external_directory: surface(otherwise, policy, (entry, word) =>
            word === "deny" ? [] : places(entry).filter((pattern) => !isWithin(workspace, pattern)),
        ),
        bash: surface(otherwise, policy, commands),
    };
    for (const [tool, name] of Object.entries(SURFACES)) {
        permission[name] = surface(otherwise, policy, (entry) => (concerns(entry, tool) ? patterns(entry) : []));
    }
    return permission;
}

/** One surface: the rule for the rest, then the patterns that each entry stands for, the strictest last. */
function surface(rest, policy, patternsOf) {
    const rules = new Map([["*", rest]]);
    for (const word of WORDS) {
        for (const entry of policy[word]) {
            for (const pattern of patternsOf(entry, word)) {
                // Anew, so that it stands behind what is weaker.
                rules.delete(pattern);
                rules.set(pattern, word);
            }
        }
    }
    return Object.fromEntries(rules);
}

function concerns(entry, tool) {
    return entry.tool === tool || entry.tool === "*";
}

function isAboutPlaces(entry) {
    return entry.path !== undefined || entry.under !== undefined;
}

/** The patterns of the places that an entry names. */
function places(entry) {
    if (entry.path !== undefined) return [entry.path];
    if (entry.under !== undefined) return [entry.under, `${entry.under}${sep}*`];
    return [];
}

function patterns(entry) {
    if (isAboutPlaces(entry)) return places(entry);
    return entry.command === undefined ? ["*"] : [];
}

/** The patterns of commands; a command has no place of its own, so entries about places say nothing about it here. */
function commands(entry) {
    if (!concerns(entry, "run") || isAboutPlaces(entry)) return [];
    // A blank and a star at the end match the words alone, too.
    return entry.command === undefined ? ["*"] : [`${entry.command.join(" ")} *`];
}

function isWithin(folder, path) {
    return path === folder || path.startsWith(folder + sep);
}
