// Pi's process: a real one, over RPC, for many sessions; or one for a single call where nobody can be asked.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { choice, waits } from "./dialog.mjs";
import { eachLine, parsed } from "./lines.mjs";
import { ENABLED } from "./tools.mjs";
import { Turn } from "./turn.mjs";
import { VERDICTS } from "./words.mjs";

/** How long Pi may take to start or to change the session, and to end, in milliseconds. */
const STARTS = 60_000;
const ENDS = 1_000;

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

export class Pi {
    /** `setup`: `name`, `cli` (Pi's program), `extensions` (paths), `place` (a private folder), `labels` (of dialogs). */
    constructor(setup) {
        this.setup = setup;
        this.agent = join(setup.place, "agent");
        this.surroundings = join(setup.place, "session.json");
        this.lock = join(setup.place, "judging");
        this.waiting = new Map();
        this.turn = undefined;
        this.child = undefined;
        this.alone = undefined;
        this.children = new Set();
        this.dying = new Set();
        this.#furnish();
    }

    get isUp() {
        return this.child !== undefined;
    }

    /** Whether Pi has been started before with these packages, so that it starts quickly. */
    get isWarm() {
        return existsSync(this.#warm);
    }

    /** Starts Pi ahead of its first session, and leaves behind what the next start is quicker for. */
    async warmUp() {
        this.#surround({ home: this.setup.place, cwd: process.cwd() });
        await this.#command({ type: "get_state" });
        writeFileSync(this.#warm, "");
    }

    /** Takes up a session: the one in the file, or a new one. */
    async begin({ home, cwd, file }) {
        this.#surround({ home, cwd });
        prepare(file, cwd);
        const answer = await this.#command({ type: "switch_session", sessionPath: file });
        if (answer?.success !== true || answer.data?.cancelled) {
            this.kill();
            throw new Error(`Pi does not take up the session: ${answer?.error ?? "no answer"}`);
        }
    }

    /** Makes one call. `dialog` is handed each dialog, and gives a verdict or a cause. */
    async call({ id, name, args, judged }, { limitMs, signal, dialog }) {
        const turn = new Turn(id, signal);
        if (judged) writeFileSync(this.lock, "");
        try {
            await new Promise((resolve) => {
                const over = () => {
                    clearTimeout(timer);
                    resolve();
                };
                const timer = setTimeout(() => {
                    this.kill();
                    over();
                }, limitMs);
                this.turn = { turn, dialog, over };
                signal.addEventListener("abort", () => this.#send({ type: "abort" }), { once: true });
                this.#command({ type: "prompt", message: JSON.stringify({ id, name, args }) }).then((answer) => {
                    if (answer?.success !== true) over();
                });
            });
        } finally {
            this.turn = undefined;
            rmSync(this.lock, { force: true });
        }
        return turn.seen;
    }

    /** One call in a Pi without an interface: nobody can be asked. */
    async callAlone({ id, name, args }, { home, cwd, file }, limitMs) {
        this.#surround({ home, cwd });
        prepare(file, cwd);
        const turn = new Turn(id);
        const child = this.#spawn(["--mode", "json", "--session", file], { home, cwd });
        child.stdin.on("error", () => {});
        child.stdin.end(JSON.stringify({ id, name, args }));
        this.alone = child;
        eachLine(child.stdout, (line) => turn.take(parsed(line) ?? {}));
        await ended(child, limitMs);
        return turn.seen;
    }

    /** Ends it in order, and then for certain. */
    async stop() {
        const child = this.child;
        if (child !== undefined) {
            child.stdin.end();
            await ended(child, ENDS);
        }
        this.kill();
        await Promise.all(this.dying);
    }

    kill() {
        const children = [this.child, this.alone].filter((child) => child !== undefined);
        this.child = undefined;
        this.alone = undefined;
        for (const child of children) this.#bury(child);
        for (const over of this.waiting.values()) over(undefined);
        this.waiting.clear();
        this.turn?.over();
    }

    /** At the driver's own end there is no time left for an end in order. */
    cut() {
        for (const child of this.children) child.kill("SIGKILL");
    }

    /** Ends a process for certain, and remembers it until it is gone: none outlives the driver. */
    #bury(child) {
        const gone = ended(child, 0).then(() => this.dying.delete(gone));
        this.dying.add(gone);
    }

    get #warm() {
        return join(this.#cache, `warm-${this.setup.name}`);
    }

    get #cache() {
        const packages = this.setup.cli.lastIndexOf("/node_modules/@");
        return join(this.setup.cli.slice(0, packages), "cache");
    }

    /** A folder for Pi's own files, a shell that rests while a call is judged, and the caches next to the packages. */
    #furnish() {
        mkdirSync(this.agent, { recursive: true });
        mkdirSync(join(this.#cache, "jiti"), { recursive: true });
        const shell = join(this.setup.place, "shell");
        writeFileSync(shell, `#!/bin/sh\n[ -e '${this.lock}' ] && exit 126\nexec /bin/bash "$@"\n`);
        chmodSync(shell, 0o755);
        const settings = { shellPath: shell, compaction: { enabled: false }, retry: { enabled: false } };
        writeFileSync(join(this.agent, "settings.json"), JSON.stringify(settings));
        const temporary = process.env.TMPDIR;
        if (temporary !== undefined && !existsSync(join(temporary, "jiti"))) {
            symlinkSync(join(this.#cache, "jiti"), join(temporary, "jiti"));
        }
    }

    #surround(session) {
        writeFileSync(this.surroundings, JSON.stringify(session));
    }

    #spawn(words, { home, cwd }) {
        const extensions = [beside("scripted-model.mjs"), ...this.setup.extensions, beside("last-in-line.mjs")];
        const all = [
            this.setup.cli,
            ...words,
            "--no-extensions",
            ...extensions.flatMap((path) => ["-e", path]),
            "--no-approve",
            "--tools",
            ENABLED.join(","),
            "--model",
            "faux/faux-1",
        ];
        const env = {
            PATH: process.env.PATH,
            LANG: process.env.LANG,
            TMPDIR: process.env.TMPDIR,
            HOME: home,
            PI_CODING_AGENT_DIR: this.agent,
            PI_OFFLINE: "1",
            NODE_COMPILE_CACHE: join(this.#cache, "node"),
            CONFORMANCE_SESSION: this.surroundings,
        };
        const child = spawn(process.execPath, all, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
        child.on("error", () => child.kill("SIGKILL"));
        this.children.add(child);
        child.on("exit", () => this.children.delete(child));
        return child;
    }

    #started() {
        if (this.child !== undefined) return this.child;
        const child = this.#spawn(["--mode", "rpc", "--no-session"], { home: this.setup.place, cwd: process.cwd() });
        child.stdin.on("error", () => {});
        child.on("exit", () => {
            if (this.child === child) this.kill();
        });
        eachLine(child.stdout, (line) => {
            if (this.child === child) this.#take(parsed(line) ?? {});
        });
        this.child = child;
        return child;
    }

    #send(message) {
        this.#started().stdin.write(`${JSON.stringify(message)}\n`);
    }

    /** Sends a command and waits for its response; nothing when none comes. */
    #command(command) {
        const id = randomUUID();
        return new Promise((resolve) => {
            const timer = setTimeout(() => this.kill(), STARTS);
            this.waiting.set(id, (answer) => {
                clearTimeout(timer);
                this.waiting.delete(id);
                resolve(answer);
            });
            this.#send({ id, ...command });
        });
    }

    #take(event) {
        if (event.type === "response") {
            this.waiting.get(event.id)?.(event);
        } else if (event.type === "extension_ui_request") {
            if (waits(event)) this.#answer(event);
        } else if (this.turn?.turn.take(event)) {
            this.turn.over();
        }
    }

    /** Has the dialog answered; one without an answer is dismissed, as by a person who closes it. */
    async #answer(request) {
        const turn = this.turn;
        const end = turn === undefined ? "no_approver" : await turn.dialog(request);
        const answer = choice(request, end, this.setup.labels) ?? { cancelled: true };
        // A yes that the dialog has no word for did not reach the gate.
        const isLost = answer.cancelled === true && VERDICTS.includes(end) && end !== "deny";
        turn?.turn.seen.dialogs.push(isLost ? "fault" : end);
        this.#send({ type: "extension_ui_response", id: request.id, ...answer });
    }
}

/** A file of a session that Pi can take up in this working directory, unless it stands there. */
function prepare(file, cwd) {
    if (existsSync(file)) return;
    mkdirSync(dirname(file), { recursive: true });
    const header = { type: "session", version: 3, id: randomUUID(), timestamp: new Date().toISOString(), cwd };
    writeFileSync(file, `${JSON.stringify(header)}\n`);
}

function end(child) {
    // Pi ends the commands that it started when it is asked to; a process that does not react is ended for certain.
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), ENDS).unref();
}

/** Waits for the end of a process, and brings it about when it takes too long. */
function ended(child, limitMs) {
    return new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        const timer = setTimeout(() => end(child), limitMs);
        child.on("close", () => {
            clearTimeout(timer);
            resolve();
        });
    });
}
