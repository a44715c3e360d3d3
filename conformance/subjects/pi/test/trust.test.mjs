// One trust store for a real Pi and for this workspace's gate: each understands what the other saves.
//
// Needs Pi (`PI`, its program) and the gate (`GATE`, its program); `cargo xtask conformance check pi` names both.

import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const { PI, GATE } = process.env;
const skip = PI && GATE ? false : "needs PI and GATE: run `cargo xtask conformance check pi`";
const ENDS = 60_000;

/** A home in which Pi's folder is the gate's configuration directory, so that both have the same `trust.json`. */
class Home {
    constructor(t) {
        this.place = realpathSync(mkdtempSync(join(tmpdir(), "trust-")));
        t.after(() => rmSync(this.place, { recursive: true, force: true }));
        this.agent = join(this.place, "config", "portcullis");
        this.mark = join(this.place, "mark");
        this.env = {
            PATH: process.env.PATH,
            HOME: this.place,
            XDG_CONFIG_HOME: join(this.place, "config"),
            PI_CODING_AGENT_DIR: this.agent,
            PI_OFFLINE: "1",
            MARK: this.mark,
        };
        mkdirSync(this.agent, { recursive: true, mode: 0o700 });
    }

    /** A project with an extension that leaves a mark when Pi loads it. */
    project(name) {
        const project = join(this.place, "work", name);
        mkdirSync(join(project, ".pi", "extensions"), { recursive: true });
        const leavesAMark = `import { writeFileSync } from "node:fs";\nexport default () => writeFileSync(process.env.MARK, "ran");\n`;
        writeFileSync(join(project, ".pi", "extensions", "mark.ts"), leavesAMark);
        return project;
    }

    gate(...words) {
        const ended = spawnSync(GATE, ["trust", ...words], { env: this.env, cwd: this.place, encoding: "utf8" });
        assert.equal(ended.error, undefined);
        return ended;
    }

    status(project) {
        const { trusted, step } = JSON.parse(this.gate("status", project, "--profile", "pi", "--json").stdout);
        return { trusted, step };
    }

    /** Whether a Pi that cannot ask anybody loads the project's extension. */
    async loads(project) {
        rmSync(this.mark, { force: true });
        const pi = spawn(process.execPath, [PI, "--mode", "rpc", "--no-session"], { cwd: project, env: this.env });
        const answered = new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new Error("Pi does not answer")), ENDS);
            pi.stdout.once("data", () => resolve(clearTimeout(late)));
            pi.once("exit", (code) => reject(new Error(`Pi ended with ${code}`)));
        });
        pi.stdin.write(`${JSON.stringify({ type: "get_state" })}\n`);
        await answered;
        pi.removeAllListeners("exit");
        pi.kill("SIGKILL");
        return existsSync(this.mark);
    }
}

async function storeOfPi(home) {
    const { ProjectTrustStore } = await import(pathToFileURL(join(dirname(PI), "core", "trust-manager.js")));
    return new ProjectTrustStore(home.agent);
}

test("what Pi saves is understood by the gate", { skip }, async (t) => {
    const home = new Home(t);
    const [yes, no] = [home.project("yes"), home.project("no")];
    const store = await storeOfPi(home);
    store.setMany([
        { path: yes, decision: true },
        { path: no, decision: false },
    ]);
    assert.deepEqual(home.status(yes), { trusted: true, step: "saved" });
    assert.deepEqual(home.status(no), { trusted: false, step: "saved" });
    assert.deepEqual(home.status(home.project("other")), { trusted: false, step: "no_interface" });
});

test("what the gate saves is accepted by Pi", { skip }, async (t) => {
    const home = new Home(t);
    const project = home.project("app");
    assert.equal(await home.loads(project), false, "nobody decided");
    assert.equal(home.gate("yes", project).status, 0);
    assert.equal(await home.loads(project), true);
    assert.equal((await storeOfPi(home)).get(project), true);
    assert.equal(home.gate("no", project).status, 0);
    assert.equal(await home.loads(project), false);
    assert.equal(home.gate("forget", project).status, 0);
    assert.equal((await storeOfPi(home)).get(project), null);
    assert.equal(home.gate("yes", "--parent", project).status, 0);
    assert.equal(await home.loads(project), true, "by the directory above");
});

test("what both write is the same, byte for byte", { skip }, async (t) => {
    const home = new Home(t);
    const [one, two] = [home.project("one"), home.project("two")];
    home.gate("yes", two);
    home.gate("no", one);
    const ours = readFileSync(join(home.agent, "trust.json"), "utf8");
    const store = await storeOfPi(home);
    store.set(one, false);
    assert.equal(readFileSync(join(home.agent, "trust.json"), "utf8"), ours);
});

test("both save at once and lose nothing", { skip }, async (t) => {
    const home = new Home(t);
    const store = await storeOfPi(home);
    const saving = [];
    for (let at = 0; at < 25; at += 1) {
        saving.push(promisify(execFile)(GATE, ["trust", "yes", home.project(`ours-${at}`)], { env: home.env }));
    }
    const { setImmediate: soon } = await import("node:timers/promises");
    let lost = 0;
    for (let at = 0; at < 25; at += 1) {
        try {
            store.set(home.project(`theirs-${at}`), true);
        } catch (error) {
            // Pi gives up after a fifth of a second, and says so.
            assert.equal(error.code, "ELOCKED");
            lost += 1;
        }
        await soon();
    }
    await Promise.all(saving);
    const held = Object.keys(JSON.parse(readFileSync(join(home.agent, "trust.json"), "utf8")));
    assert.equal(held.length, 50 - lost);
});
