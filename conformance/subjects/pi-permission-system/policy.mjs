// The suite's neutral policy as a configuration of @gotgenes/pi-permission-system.
//
// Within one surface the last pattern that matches wins; across surfaces the strictest does. So each surface lists what allows
// before what asks before what denies, and the strictest entry that matches wins, as the suite's policy wants it.

import { realpathSync } from "node:fs";
import { sep } from "node:path";

const SURFACES = { read: "read", write: "write", edit: "edit", list: "ls" };
const WORDS = ["allow", "ask", "deny"];

/**
 * The value of `permission` for a policy in a workspace. `real` gives the place that a path leads to: an entry is about the
 * object, and a pattern about names, so both names of a place that is named by a link are written down.
 */
export function permission({ policy, workspace }, real = realPath) {
    const { otherwise } = policy;
    const places = (entry) => placesOf(entry, real);
    const patterns = (entry) => (isAboutPlaces(entry) ? places(entry) : entry.command === undefined ? ["*"] : []);
    const permission = {
        "*": otherwise,
        // Cuts across all tools and commands, and can only tighten: its own rule for the rest is to let through.
        path: surface("allow", policy, (entry, word) => (entry.tool === "*" && word !== "allow" ? places(entry) : [])),
        external_directory: surface(otherwise, policy, (entry, word) =>
            word === "deny" ? [] : places(entry).filter((pattern) => !isWithin(workspace, pattern)),
        ),
        bash: tool(otherwise, policy, commands),
    };
    for (const [name, own] of Object.entries(SURFACES)) {
        permission[own] = tool(otherwise, policy, (entry) => (concerns(entry, name) ? patterns(entry) : []));
    }
    return permission;
}

/**
 * The surface of a tool. A tool whose `*` is `deny` is taken away from the model as a whole, exceptions or not; where there
 * are exceptions, denial is written in patterns that match whatever can be asked for and are not that star.
 */
function tool(rest, policy, patternsOf) {
    const rules = surface(rest, policy, patternsOf);
    const hasExceptions = Object.values(rules).some((word) => word !== "deny");
    if (rest !== "deny" || !hasExceptions || rules["*"] !== "deny") return rules;
    const { "*": _, ...others } = rules;
    return { "*": "ask", "/": "deny", "??*": "deny", ...others };
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
function placesOf(entry, real) {
    const named = entry.path ?? entry.under;
    if (named === undefined) return [];
    const names = [...new Set([named, real(named)])];
    return names.flatMap((name) => (entry.under === undefined ? [name] : [name, `${name}${sep}*`]));
}

function realPath(path) {
    try {
        return realpathSync(path);
    } catch {
        return path;
    }
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
