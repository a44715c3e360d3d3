// A Pi extension as a subject of the conformance suite: PROTOCOL.md on one side, a real Pi on the other.

import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { eachLine, parsed } from "./lines.mjs";
import { Pi } from "./pi.mjs";
import { Session } from "./session.mjs";

const VERSION = 1;

const { values } = parseArgs({
    options: {
        name: { type: "string" },
        version: { type: "string" },
        pi: { type: "string" },
        profile: { type: "string" },
        extension: { type: "string", short: "e", multiple: true, default: [] },
    },
});
for (const needed of ["name", "version", "pi"]) {
    if (values[needed] === undefined) fail(`--${needed} is missing`);
}
const profile = (await import(values.profile === undefined ? "./profile.mjs" : moduleOf(values.profile))).default;
const place = join(homedir(), "pi-driver");
mkdirSync(place, { recursive: true });
const pi = new Pi({
    name: values.name,
    cli: resolve(values.pi),
    extensions: values.extension.map((path) => resolve(path)),
    place,
    labels: profile.labels,
});

let session;
let warming;
let leaving = false;
// One message after the other, but for what concerns a call that is under way.
let queue = Promise.resolve();

eachLine(process.stdin, (line) => {
    const message = parsed(line);
    const [kind] = Object.keys(message ?? {});
    if (kind === "cancel") {
        session?.cancel(message.cancel.id);
        return;
    }
    queue = queue.then(() => take(kind, message?.[kind])).catch((error) => fail(error.stack));
});
// The runner ended, in whatever way: nobody waits for what is under way.
process.stdin.on("end", () => {
    if (!leaving) pi.kill();
    queue = queue.then(leave);
});
process.stdout.on("error", () => {});
process.on("exit", () => pi.cut());
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

async function take(kind, body) {
    switch (kind) {
        case "hello":
            return hello();
        case "open":
            return open(body);
        case "call":
            return say({ result: await session.call(body) });
        case "judge":
            return say({ judged: await session.judge(body) });
        case "close":
            session = undefined;
            return say({ closed: { session: body.session } });
        case "bye":
            return leave();
        default:
            return fail(`\`${kind}\` is no message`);
    }
}

function hello() {
    say({
        hello: {
            protocol: VERSION,
            subject: { name: values.name, version: values.version },
            kind: "executes",
            capabilities: profile.capabilities,
            audit_export: null,
        },
    });
    // The very first start reads and translates everything; later ones find that done.
    if (!pi.isWarm) warming = pi.warmUp();
}

async function open(body) {
    session = new Session(body, pi, profile);
    try {
        await session.begin();
        say({ opened: { session: body.session } });
    } catch (error) {
        console.error(`driver: ${error.message}`);
        session = undefined;
        say({ refused: { session: body.session, reason: "fault" } });
    }
}

async function leave() {
    leaving = true;
    await warming;
    await pi.stop();
    process.exit(0);
}

function say(message) {
    process.stdout.write(`${JSON.stringify(message)}\n`);
}

function moduleOf(path) {
    return pathToFileURL(resolve(path)).href;
}

function fail(what) {
    console.error(`driver: ${what}`);
    process.exit(2);
}
