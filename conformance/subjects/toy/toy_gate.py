"""A toy gate: decides, asks, records and performs three tools."""

import json
import os
import secrets
import socket
import stat
import sys
import time

TOOLS = {"read": {"path"}, "write": {"path", "content"}, "make_dir": {"path"}}
WORDS = ["policy.path", "policy.under", "approver.socket", "audit"]
CAPABILITIES = [f"{kind}.{tool}" for kind in ("tool", "allow") for tool in TOOLS] + WORDS


def say(kind, body):
    print(json.dumps({kind: body}), flush=True)


def identity(path):
    try:
        found = os.stat(path, follow_symlinks=False)
        return (found.st_dev, found.st_ino)
    except FileNotFoundError:
        return None


def chain(path):
    """The identities of a real path and of everything above it."""
    found = [identity(path)]
    while path != "/":
        path = os.path.dirname(path)
        found.append(identity(path))
    return found


def matches(entry, tool, path, by_name):
    """By identity; what tightens also by name, in any case, so that it holds for what is not there (any more)."""
    if entry["tool"] not in (tool, "*"):
        return False
    if by_name and ("under" in entry or "path" in entry):
        place = os.path.realpath(entry.get("under") or entry["path"]).lower()
        if path.lower() == place or ("under" in entry and path.lower().startswith(place + "/")):
            return True
    if "under" in entry:
        place = identity(os.path.realpath(entry["under"]))
        return place is not None and place in chain(path)
    if "path" in entry:
        place = os.path.realpath(entry["path"])
        return place == path or (identity(place) is not None and identity(place) == identity(path))
    return "command" not in entry


class Session:
    def __init__(self, opened):
        self.opened = opened
        self.log = os.open(opened["audit"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def record(self, event, call, **members):
        line = {"event": event, "call": call["id"], "session": call["session"], **members}
        held, named = os.fstat(self.log), os.stat(self.opened["audit"], follow_symlinks=False)
        if (held.st_dev, held.st_ino) != (named.st_dev, named.st_ino):
            raise OSError("the log is not where it was")
        os.write(self.log, (json.dumps(line) + "\n").encode())
        os.fsync(self.log)

    def verdict(self, tool, path):
        policy = self.opened["policy"]
        for word in ("deny", "ask", "allow"):
            if any(matches(entry, tool, path, word != "allow") for entry in policy[word]):
                return word
        return policy["otherwise"]

    def ask(self, call, path):
        until = time.monotonic() + self.opened["ask_timeout_ms"] / 1000
        name = secrets.token_hex(16)
        text = f"{call['tool']} {ascii(path)}?"
        question = {"id": name, "call": call["id"], "tool": call["tool"], "args": call["args"], "paths": [path], "text": text}
        try:
            with socket.socket(socket.AF_UNIX) as channel:
                channel.connect(self.opened["approver"] or "")
                channel.sendall((json.dumps({"ask": question}) + "\n").encode())
                seen = b""
                while len(seen) < 4096:
                    channel.settimeout(max(0.001, until - time.monotonic()))
                    more = channel.recv(4096)
                    if not more:
                        return "no_approver"
                    seen += more
                    while b"\n" in seen:
                        line, _, seen = seen.partition(b"\n")
                        try:
                            answer = json.loads(line)["answer"]
                            if answer["ask"] == name and answer["verdict"] in ("allow_once", "deny"):
                                return "approved" if answer["verdict"] == "allow_once" else "denied_by_human"
                        except (ValueError, KeyError, TypeError):
                            pass
                return "fault"
        except TimeoutError:
            return "timeout"
        except OSError:
            return "no_approver"

    def decide(self, call):
        """The reason, and for what is allowed the real path with the identities that it had."""
        tool, args = call["tool"], call["args"]
        if tool not in TOOLS:
            return "unknown_tool", None
        if set(args) != TOOLS[tool] or not all(isinstance(value, str) for value in args.values()):
            return "bad_arguments", None
        if not args["path"] or "\0" in args["path"]:
            return "bad_arguments", None
        try:
            written = os.path.join(call["cwd"], args["path"])
            path = os.path.realpath(written)
            before = chain(path)
            if before[0]:
                os.stat(written)
            if before[0] and not stat.S_IFMT(os.lstat(path).st_mode) in (stat.S_IFREG, stat.S_IFDIR):
                return "policy", None
        except OSError:
            return "policy", None
        reason = {"allow": "policy", "deny": None}.get(self.verdict(tool, path), "ask")
        if reason is None:
            return "policy", None
        if reason == "ask":
            reason = self.ask(call, path)
            if reason != "approved":
                return reason, None
        try:
            if chain(path) != before or os.path.realpath(path) != path:
                return "changed", None
        except OSError:
            return "changed", None
        return reason, path

    def call(self, call):
        reason, path = self.decide(call)
        decision = "allow" if path else "deny"
        try:
            self.record("decided", call, tool=call["tool"], decision=decision, reason=reason)
        except OSError:
            decision, reason, path = "deny", "fault", None
        executed, output = False, None
        if path:
            try:
                output, executed = perform(call["tool"], call["args"], path), True
            except (OSError, UnicodeError) as error:
                output = type(error).__name__
            self.record("finished", call, outcome="done" if executed else "failed")
        say("result", {"id": call["id"], "decision": decision, "reason": reason, "executed": executed, "output": output})


def perform(tool, args, path):
    if tool == "make_dir":
        os.makedirs(path, exist_ok=True)
        return "done"
    if tool == "read":
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW)) as file:
            return file.read()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644), "w") as file:
        file.write(args["content"])
    return "done"


def main():
    session = None
    for line in sys.stdin:
        ((kind, body),) = json.loads(line).items()
        if kind == "hello":
            subject = {"name": "toy", "version": "1"}
            say("hello", {"protocol": 1, "subject": subject, "kind": "executes", "capabilities": CAPABILITIES, "audit_export": None})
        elif kind == "open":
            session = Session(body)
            say("opened", {"session": body["session"]})
        elif kind == "call":
            session.call(body)
        elif kind == "close":
            say("closed", body)
        elif kind == "bye":
            return


main()
