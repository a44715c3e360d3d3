"""A toy gate that lets an agent look: it judges what it holds open, and reads by that handle, never by name again."""

import json, os, secrets, socket, stat, sys

TOOLS = ("read", "list", "load")
PROMISES = [f"{kind}.{tool}" for kind in ("tool", "allow") for tool in TOOLS]
PROMISES += ["policy.path", "policy.under", "trust", "approver.socket", "audit"]
ME = {"protocol": 1, "subject": {"name": "toy", "version": "2"}, "kind": "executes", "audit_export": None}
ANSWERS = {"allow_once": ("allow", "approved"), "deny": ("deny", "denied_by_human")}


def say(kind, body):
    print(json.dumps({kind: body}), flush=True)


def matches(entry, tool, place):
    named = os.path.realpath(entry.get("path") or entry.get("under") or "/")
    reached = place if "path" in entry else os.path.commonpath([named, place])
    return entry["tool"] in (tool, "*") and reached == named


def ask(session, call, place):
    body = {"id": secrets.token_hex(16), "call": call["id"], "tool": call["tool"], "args": call["args"]}
    body |= {"paths": [place], "text": f"{call['tool']} {ascii(place)}?"}
    try:
        with socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(session["ask_timeout_ms"] / 1000)
            channel.connect(session["approver"] or "")
            channel.sendall(json.dumps({"ask": body}).encode() + b"\n")
            heard = channel.recv(4096)
        if not heard:
            return "deny", "no_approver"
        answer = json.loads(heard.split(b"\n")[0])["answer"]
        return ANSWERS[answer["verdict"]] if answer["ask"] == body["id"] else ("deny", "fault")
    except OSError as error:
        return "deny", "timeout" if isinstance(error, TimeoutError) else "no_approver"
    except (ValueError, KeyError, TypeError):  # an answer that cannot be understood is none
        return "deny", "fault"


def decide(session, call, held):
    tool, args, policy = call["tool"], call["args"], session["policy"]
    if tool not in TOOLS:
        return "deny", "unknown_tool"
    if set(args) != {"path"} or not isinstance(args["path"], str) or not args["path"]:
        return "deny", "bad_arguments"
    try:
        written = os.path.join(call["cwd"], args["path"])
        held.append(os.open(written, os.O_PATH))  # nothing is read yet
        place = os.readlink(f"/proc/self/fd/{held[0]}".encode()).decode()  # the kernel knows where the links led
        seen = os.fstat(held[0])
        one_name = stat.S_ISREG(seen.st_mode) and seen.st_nlink == 1  # no rule can mean it by another
        distrusted = tool == "load" and session["trust"]["workspace"] != "trusted"
        if distrusted or not (one_name or stat.S_ISDIR(seen.st_mode)):
            return "deny", "policy"
        words = (word for word in ("deny", "ask", "allow") for entry in policy[word] if matches(entry, tool, place))
        word = next(words, policy["otherwise"])  # the strictest wins
        decision = ask(session, call, place) if word == "ask" else (word, "policy")
        same = os.path.exists(written) and os.path.samestat(seen, os.stat(written))
        return ("deny", "changed") if decision[1] == "approved" and not same else decision
    except (OSError, ValueError):  # cannot be resolved, or not in words
        return "deny", "policy"


def record(session, event, call, **members):
    entry = {"event": event, "call": call["id"], "session": call["session"], **members}
    with open(session["audit"], "a") as log:
        print(json.dumps(entry), file=log, flush=True)
        os.fsync(log.fileno())


def answer(session, call):
    held, executed, output = [], False, None
    decision, reason = decide(session, call, held)
    record(session, "decided", call, tool=call["tool"], decision=decision, reason=reason)
    if decision == "allow":
        name = f"/proc/self/fd/{held[0]}"
        try:
            output, executed = "\n".join(os.listdir(name)) if call["tool"] == "list" else open(name).read(), True
        except (OSError, ValueError) as error:
            output = type(error).__name__
        record(session, "finished", call, outcome="done" if executed else "failed")
    for handle in held:
        os.close(handle)
    say("result", {"id": call["id"], "decision": decision, "reason": reason, "executed": executed, "output": output})


for line in sys.stdin:
    ((kind, body),) = json.loads(line).items()
    if kind == "hello":
        say("hello", {**ME, "capabilities": PROMISES})
    elif kind == "call":
        answer(session, body)
    elif kind in ("open", "close"):
        session = body
        say({"open": "opened", "close": "closed"}[kind], {"session": body["session"]})
