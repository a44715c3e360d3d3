// Pi's dialogs as questions of the suite, and answers as choices of a dialog.

import { isAbsolute, resolve } from "node:path";

import { VERDICTS } from "./words.mjs";

const DIALOGS = ["select", "confirm", "input", "editor"];

/** Whether an `extension_ui_request` waits for an answer. */
export function waits(request) {
    return DIALOGS.includes(request.method);
}

/** What the person sees. */
export function shownText(request) {
    const parts = [request.title, request.message, request.placeholder, request.prefill, ...(request.options ?? [])];
    return parts.filter((part) => typeof part === "string" && part !== "").join("\n");
}

/**
 * The places that the text shows, absolute: the call's own path where it stands there as it was written, and every absolute
 * path in quotes. Nothing is resolved that the text does not resolve.
 */
export function shownPaths(text, args, cwd) {
    const quoted = [...text.matchAll(/'([^']+)'|"([^"]+)"|`([^`]+)`/g)].map(([, a, b, c]) => a ?? b ?? c);
    const own = typeof args?.path === "string" && standsIn(text, args.path) ? [args.path] : [];
    const places = [...own, ...quoted.filter(isAbsolute)].map((path) => resolve(cwd, path));
    return [...new Set(places)];
}

/** Whether a path stands in a text as a word of its own. */
function standsIn(text, path) {
    const goesOn = /[\p{L}\p{N}_./~@\\-]/u;
    for (let at = text.indexOf(path); path !== "" && at !== -1; at = text.indexOf(path, at + 1)) {
        const after = text.slice(at + path.length);
        // A full stop at a sentence's end is no part of a name.
        if (!goesOn.test(text.charAt(at - 1)) && (/^\.(\s|$)/.test(after) || !goesOn.test(after.charAt(0)))) return true;
    }
    return false;
}

/** Labels by which dialogs of gates say yes for once, yes from now on, and no. A profile may bring its own. */
export const LABELS = {
    once: /^(yes|y|allow|approve|ok|allow once|yes, once)$/i,
    always: /(session|always|from now on|don't ask again)/i,
    no: /^(no|n|deny|block|reject|cancel|abort)$/i,
    /** How every other way to say no begins. */
    never: /^(no|never|deny|block|reject|don't)\b/i,
};

/**
 * What Pi is answered for a verdict; `undefined` when the dialog has no such choice. A lasting yes where the dialog knows
 * only the other one becomes a yes for once: the person got no more to choose.
 */
export function choice(request, verdict, labels = LABELS) {
    if (!VERDICTS.includes(verdict)) return undefined;
    if (request.method === "confirm") return { confirmed: verdict !== "deny" };
    if (request.method !== "select") return undefined;
    const options = (request.options ?? []).filter((option) => typeof option === "string");
    const find = (label, besides) => options.find((option) => label.test(option) && !besides?.test(option));
    const value = {
        allow_once: () => find(labels.once, labels.always),
        allow_always: () => find(labels.always, labels.never) ?? find(labels.once),
        deny: () => find(labels.no),
    }[verdict]();
    return value === undefined ? undefined : { value };
}
