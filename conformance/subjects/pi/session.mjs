// One session of the suite in one session of Pi.

import { lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import { shownPaths, shownText } from "./dialog.mjs";
import { ask } from "./people.mjs";
import { KNOWN, translate } from "./tools.mjs";
import { judged, result } from "./verdict.mjs";
import { JUDGED, PERFORMED } from "./words.mjs";

/** How long a call may take with everything, in milliseconds; less than the runner's own patience. */
const CALL = 50_000;

export class Session {
    constructor(open, pi, profile) {
        this.open = open;
        this.pi = pi;
        this.profile = profile;
        this.isTakenUp = false;
        this.underWay = new Map();
    }

    /** Writes what the gate is configured by, and takes up the session where somebody can be asked. */
    async begin() {
        const { open, profile } = this;
        if (profile.mount !== undefined) link(join(this.pi.agent, profile.mount), open.config);
        if (!open.resume) {
            for (const [name, text] of Object.entries(profile.configure?.(open) ?? {})) {
                const file = join(open.config, name);
                mkdirSync(dirname(file), { recursive: true });
                writeFileSync(file, text);
            }
        }
        if (open.approver !== null) await this.#takeUp();
    }

    /** A call to be decided and performed. */
    async call(message) {
        const controller = new AbortController();
        this.underWay.set(message.id, controller);
        const seen = await this.#attempt(() => this.#perform(message, controller.signal));
        this.underWay.delete(message.id);
        seen.cancelled = controller.signal.aborted;
        seen.tool = KNOWN.includes(message.tool);
        return { id: message.id, ...result(seen, this.profile) };
    }

    /** A call to be decided only: no person is asked, and the last of the line stops what the gates let through. */
    async judge(message) {
        const { signal } = new AbortController();
        const call = { id: JUDGED + message.id, ...this.#translated(message), judged: true };
        const seen = await this.#attempt(async () => {
            await this.#takeUp();
            return this.pi.call(call, { limitMs: CALL, signal, dialog: () => Promise.resolve("no_approver") });
        });
        seen.tool = KNOWN.includes(message.tool);
        return { id: message.id, ...judged(seen, this.profile) };
    }

    cancel(id) {
        this.underWay.get(id)?.abort();
    }

    async #perform(message, signal) {
        const call = { id: PERFORMED + message.id, ...this.#translated(message), judged: false };
        if (this.open.approver === null) return this.pi.callAlone(call, this.#inPi("alone"), CALL);
        await this.#takeUp();
        const dialog = (request) => this.#put(request, message, signal);
        return this.pi.call(call, { limitMs: CALL, signal, dialog });
    }

    /** Puts a dialog of Pi to the person. */
    #put(request, message, signal) {
        const text = shownText(request);
        const { id: call, tool, args, cwd } = message;
        const question = { id: request.id, call, tool, args, paths: shownPaths(text, args, cwd), text };
        return ask(this.open.approver, question, this.open.ask_timeout_ms, signal);
    }

    /** Has Pi in this session; it has left it when it had to be ended. */
    async #takeUp() {
        if (this.pi.isUp && this.isTakenUp) return;
        this.isTakenUp = false;
        await this.pi.begin(this.#inPi("session"));
        this.isTakenUp = true;
    }

    #inPi(name) {
        const { home, workspace, state } = this.open;
        return { home, cwd: workspace, file: join(state, "pi", `${name}.jsonl`) };
    }

    #translated({ tool, args, cwd }) {
        return translate(tool, args, relative(this.open.workspace, cwd));
    }

    /** What fails before or beside Pi is a fault, not a verdict. */
    async #attempt(work) {
        try {
            return await work();
        } catch (error) {
            console.error(`driver: ${error.message}`);
            return { reached: false, passed: false, ran: false, text: null, dialogs: [], resolutions: [] };
        }
    }
}

/** Puts a link to the folder in place of what stands there. */
function link(path, folder) {
    mkdirSync(dirname(path), { recursive: true });
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) rmSync(path, { recursive: true });
    symlinkSync(folder, path);
}
