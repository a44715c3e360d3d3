"""A toy gate: decides, asks, records and performs three tools. One process, one session at a time, one call at a time."""

import json, os, secrets, socket, stat, sys, time
from pathlib import PurePath

TOOLS = {"read": {"path"}, "write": {"path", "content"}, "make_dir": {"path"}}
PROMISES = [f"{kind}.{tool}" for kind in ("tool", "allow") for tool in TOOLS]
PROMISES += ["policy.path", "policy.under", "approver.socket", "audit"]


def say(kind, body):
    print(json.dumps({kind: body}), flush=True)


def names(path):
    return [path, *map(str, PurePath(path).parents)]


def objects(path):
    """What stands at a real path and at everything above it: a device and an inode each, or None."""
    found = []
    for name in names(path):
        try:
            seen = os.lstat(name)
            found.append((seen.st_dev, seen.st_ino))
        except FileNotFoundError:
            found.append(None)
    return found


def holds(directory, thing):
    """Whether a file below a directory is this object under another name."""
    files = (os.path.join(top, name) for top, _, below in os.walk(directory) for name in below)
    return any(objects(file)[0] == thing for file in files)


def matches(entry, tool, path, tightens):
    """By object, whatever its name; and by name, for what is not there yet. What tightens holds in any case of letters."""
    if entry["tool"] not in (tool, "*"):
        return False
    if not entry.keys() & {"path", "under"}:
        return True
    place = os.path.realpath(entry.get("under") or entry["path"])
    reach = None if "under" in entry else 1  # the path itself, or everything above it too
    fold = str.lower if tightens else str
    here = objects(path)[:reach]
    if fold(place) in map(fold, names(path)[:reach]) or objects(place)[0] in filter(None, here):
        return True
    return tightens and "under" in entry and here[0] is not None and holds(place, here[0])


def verdict(policy, tool, path):
    for word in ("deny", "ask", "allow"):  # the strictest wins
        if any(matches(entry, tool, path, word != "allow") for entry in policy[word]):
            return word
    return policy["otherwise"]


def heard(line, question):
    """The reason that an answer gives; None for what is no answer to this question."""
    try:
        answer = json.loads(line)["answer"]
        reason = {"allow_once": "approved", "deny": "denied_by_human"}[answer["verdict"]]
        return reason if answer["ask"] == question else None
    except (ValueError, KeyError, TypeError):
        return None


def ask(session, call, path):
    question, until = secrets.token_hex(16), time.monotonic() + session["ask_timeout_ms"] / 1000
    shown = {"paths": [path], "text": f"{call['tool']} {ascii(path)}?"}
    body = {"id": question, "call": call["id"], "tool": call["tool"], "args": call["args"], **shown}
    try:
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(session["approver"] or "")
            channel.sendall(json.dumps({"ask": body}).encode() + b"\n")
            rest = b""
            while len(rest) < 4096:
                channel.settimeout(max(0.001, until - time.monotonic()))
                more = channel.recv(4096)
                if not more:
                    return "no_approver"
                *lines, rest = (rest + more).split(b"\n")
                for reason in filter(None, (heard(line, question) for line in lines)):
                    return reason
            return "fault"
    except TimeoutError:
        return "timeout"
    except OSError:
        return "no_approver"


def decide(session, call):
    """The reason; for an allow, also the real path of what was judged."""
    tool, args = call["tool"], call["args"]
    if tool not in TOOLS:
        return "unknown_tool", None
    texts = all(isinstance(value, str) for value in args.values())
    if set(args) != TOOLS[tool] or not texts or not args["path"] or "\0" in args["path"]:
        return "bad_arguments", None
    try:
        written = os.path.join(call["cwd"], args["path"])
        path = os.path.realpath(written)
        before = objects(path)
        if before[0] and stat.S_IFMT(os.stat(written).st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            return "policy", None
    except OSError:  # cannot be resolved
        return "policy", None
    word = verdict(session["policy"], tool, path)
    reason = ask(session, call, path) if word == "ask" else "policy"
    if word == "deny" or reason not in ("policy", "approved"):
        return reason, None
    try:
        same = objects(path) == before and os.path.realpath(path) == path
    except OSError:
        same = False
    return (reason, path) if same else ("changed", None)


def record(session, event, call, **members):
    line = json.dumps({"event": event, "call": call["id"], "session": call["session"], **members})
    with open(session["audit"], "a") as log:
        print(line, file=log, flush=True)
        os.fsync(log.fileno())


def perform(tool, args, path):
    def no_link(name, flags):
        return os.open(name, flags | os.O_NOFOLLOW, 0o644)

    if tool == "read":
        with open(path, newline="", opener=no_link) as file:
            return file.read()
    os.makedirs(path if tool == "make_dir" else os.path.dirname(path), exist_ok=True)
    if tool == "write":
        with open(path, "w", newline="", opener=no_link) as file:
            file.write(args["content"])
    return "done"


def handle(session, call):
    reason, path = decide(session, call)
    decision, executed, output = "allow" if path else "deny", False, None
    try:
        record(session, "decided", call, tool=call["tool"], decision=decision, reason=reason)
    except OSError:  # no record, no effect
        decision, reason, path = "deny", "fault", None
    if path:
        try:
            output, executed = perform(call["tool"], call["args"], path), True
        except (OSError, UnicodeError) as error:
            output = type(error).__name__
        record(session, "finished", call, outcome="done" if executed else "failed")
    return {"id": call["id"], "decision": decision, "reason": reason, "executed": executed, "output": output}


HELLO = {"protocol": 1, "subject": {"name": "toy", "version": "1"}, "kind": "executes", "audit_export": None}
session = None
for line in sys.stdin:
    ((kind, body),) = json.loads(line).items()
    if kind == "hello":
        say("hello", {**HELLO, "capabilities": PROMISES})
    elif kind == "open":
        session = body
        say("opened", {"session": body["session"]})
    elif kind == "call":
        say("result", handle(session, body))
    elif kind == "close":
        say("closed", body)
    elif kind == "bye":
        break
