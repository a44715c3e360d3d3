//! Names, and what changes the shell itself.

use portcullis_classify::shell::Reason;

use super::check;

#[test]
fn names() {
    let dynamic = [
        "$x y",
        "\"$x\" y",
        "r${y}m z",
        "$(a) b",
        "`a` b",
        "*/x y",
        "{a,b} c",
        "~/x",
        "a | $x",
        "$\"rm\" x",
        "command $x",
        "builtin \"$x\"",
        "eval \\$x",
        "<(a) b",
    ];
    check(
        Reason::DynamicName,
        &dynamic,
        &["rm $x", "\\rm x", "'r'\"m\" x", "{ls x", "[ a ]"],
    );
    check(Reason::EmptyName, &["'' a", "\"\"", "x=1 ''"], &["a ''"]);
    check(
        Reason::NameNotAscii,
        &[
            "echo\u{a0}rm x",
            "rm\u{2003}x",
            "ｒm x",
            "$'\\x72\\xc3\\xbc'",
            "$'a\\nb'",
        ],
        &["rm ü"],
    );
}

#[test]
fn the_state_of_the_shell() {
    check(
        Reason::Function,
        &[
            "f() { rm a; }",
            "function f { rm a; }",
            "f () (a) > b",
            "f()\nif a; then b; fi",
        ],
        &["f"],
    );
    check(
        Reason::Coprocess,
        &["coproc a", "coproc N { a; }", "coproc (a)"],
        &["echo coproc"],
    );
    let state = [
        "alias a=b",
        "unalias a",
        "shopt -s extglob",
        "set -o posix",
        "set -k",
        "set -H",
        "set $x",
        "set -o $x",
        "enable -n a",
        "hash -p /bin/rm ls",
        "trap 'rm x' EXIT",
        "bind -x a",
        "complete -C a b",
        "compgen -C a",
        "jobs -x a",
        "fc -s a",
        "command alias a=b",
        "builtin trap a EXIT",
        "command -- shopt",
        "command -z a",
        "\\alias a=b",
        "'trap' a EXIT",
        "eval 'alias a=b'",
        "hash $x",
        "history -s a",
        "mapfile -C 'rm x' a < f; trap",
    ];
    let plain = [
        "set -euo pipefail",
        "set -x",
        "set +e",
        "set -- $x",
        "hash -r",
        "jobs",
        "command -v $x",
        "command rm a",
        "echo trap",
        "set -o errexit -o pipefail",
        "set",
    ];
    check(Reason::ShellState, &state, &plain);
    check(
        Reason::Eval,
        &["eval \"$x\"", "eval a $(b)", "command eval *.c", "eval -x a"],
        &["eval 'a; b'", "eval", "eval -- a"],
    );
    check(
        Reason::Source,
        &[". a", "source a", "source <(b)", "builtin . a", "eval '. a'"],
        &["./a", "echo . source"],
    );
}
