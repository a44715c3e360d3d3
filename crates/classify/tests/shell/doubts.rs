//! Every reason to be opaque, each with a text next to it that is not.

use portcullis_classify::shell::{self, Reason};
use rstest::rstest;

/// Every reason found in a text.
fn reasons(text: &str) -> Vec<Reason> {
    match shell::read(text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(opaque) => opaque.doubts().map(|doubt| doubt.reason).collect(),
    }
}

#[track_caller]
fn check(reason: Reason, doubtful: &[&str], plain: &[&str]) {
    for text in doubtful {
        assert!(reasons(text).contains(&reason), "{text:?}: {:?}", reasons(text));
    }
    for text in plain {
        assert_eq!(reasons(text), [], "{text:?}");
    }
}

#[rstest]
#[case::nul("echo a\0; rm b")]
#[case::carriage_return("echo a\r\nrm b\r\n")]
#[case::vertical_tab("rm\u{b}x")]
#[case::form_feed("rm\u{c}x")]
#[case::escape("echo \u{1b}[0m")]
#[case::delete("echo \u{7f}")]
#[case::c1("rm\u{85}x")]
fn control_characters(#[case] text: &str) {
    check(Reason::ControlCharacter, &[text], &["echo\ta\nls"]);
}

#[rstest]
#[case::line_separator("ls\u{2028}y")]
#[case::paragraph_separator("ls\u{2029}y")]
#[case::override_("rm \u{202e}cod.x")]
#[case::isolate("rm \u{2066}x")]
#[case::mark("rm \u{200f}x")]
#[case::zero_width_space("rm\u{200b} x")]
#[case::joiner("rm a\u{200d}")]
#[case::byte_order_mark("\u{feff}rm x")]
#[case::soft_hyphen("rm a\u{ad}b")]
#[case::made_by_an_escape("echo $'\\xe2\\x80\\xae'")]
fn hidden_characters(#[case] text: &str) {
    check(
        Reason::HiddenCharacter,
        &[text],
        &["echo grüße 日本", "echo 'no\u{a0}break'"],
    );
}

#[test]
fn bytes_that_are_no_text() {
    let opaque = shell::read(b"echo \xff").unwrap_err();
    assert_eq!(opaque.reason(), Reason::NotText);
    assert_eq!(opaque.place(), shell::Place { start: 5, end: 6 });
    check(Reason::NotText, &["echo $'\\xff'"], &["echo $'\\xc3\\xbc'"]);
}

#[test]
fn syntax() {
    let wrong = [
        "rm a\n)",
        "ls ;; rm a",
        "| rm a",
        "ls > > a",
        "fi",
        "function { rm a; }",
        "{ls;}",
        "ls &; rm a",
        "echo a (rm b)",
        "rm a)",
        "echo a=(b)",
        "a | ! b",
        "for in x; do a; done",
        "{ a; } b",
        "if a; then fi",
        "( )",
        "! ;",
        "time;",
        "a && || b",
        "[[ a ]] }",
        "case x in a b) c;; esac",
        "ls > 2>a",
        "time -x ls",
        "in a",
        "a[1]=(b)",
        "[[ a == ]]",
    ];
    check(
        Reason::Syntax,
        &wrong,
        &["{ (a) }", "! ! a", "if (a) then b; fi", "case x in (a) b;; esac"],
    );
    let open = [
        "rm a\nif",
        "echo 'a",
        "rm a\necho \"a",
        "echo $(rm a",
        "echo `rm b",
        "(rm a",
        "{ rm a }",
        "a=(b",
        "[[ a",
        "ls >",
        "echo \\",
        "echo ${x",
        "echo $'a",
        "for x in a",
        "for x in a; do b",
        "case x in a) b;;",
        "a &&",
        "a |",
        "echo ${x:-a",
        "while a; do b",
        "echo \"${x:-$(a\"",
    ];
    check(Reason::Unterminated, &open, &[]);
}

#[test]
fn heredocs() {
    let doubtful = [
        "cat <<A\nunterminated",
        "cat <<A",
        "cat <<A\nx\n A",
        "cat <<$x\na\n$x",
        "cat <<A'B'\nx\nAB",
        "cat <<''\n\n",
        "cat <<A\nx\\\nA\nrm a\nA",
        "echo $(cat <<A\nx\nA)",
        "echo $(cat <<A\nA b)\nA\n)",
        "cat <<A $(b\nc)\nx\nA",
        "cat <<A 'b\nc'\nx\nA",
        "echo $(cat <<A)\nx\nA",
        "echo `cat <<A`\nx\nA",
        "cat <<-A\n\t$(rm 'x\n\ty')\n\tA",
    ];
    let plain = [
        "cat <<A\nx\nA",
        "cat <<'A'\nx\\\nA\n",
        "cat <<\\A\n$(b)\nA",
        "cat <<\"A B\"\n$(b)\nA B\nc",
        "echo \"$(cat <<A\nx\nA\n)\"",
        "cat <<-A\n\t$(rm x) ${y}\n\tA",
        "cat <<A | wc\nA b)\nA",
    ];
    check(Reason::HereDocument, &doubtful, &plain);
}

#[test]
fn continued_lines() {
    let doubtful = [
        "a &\\\n& b",
        "a |\\\n| b",
        "a >\\\n> b",
        "a <\\\n(b)",
        "a ;\\\n; b",
        "i\\\nf a; then b; fi",
        "a\\\n=1 b",
        "echo 2\\\n>a",
        "echo $\\\n(a)",
        "echo \"$\\\n(a)\"",
        "echo $a\\\nb",
        "echo $(\\\n(1))",
        "(\\\n(1))",
    ];
    let plain = [
        "a && \\\n b",
        "a |\\\n  b",
        "ec\\\nho a",
        "rm \\\n -r \\\n x",
        "echo \"a\\\nb\"",
    ];
    check(Reason::Continuation, &doubtful, &plain);
}

#[test]
fn patterns_and_braces() {
    let extended = [
        "ls !(a|b)",
        "ls @(a)",
        "ls a+(b)",
        "ls *(b)",
        "ls ?(b)",
        "[[ a == @(b|c) ]]",
        "!(a)",
    ];
    check(Reason::ExtendedGlob, &extended, &["ls *.c ?[ab]", "! (a)"]);
    let braces = [
        "echo {a,$(b)}",
        "echo {$x,b}",
        "echo $x{a,b}",
        "echo {1..3}`b`",
        "echo {a,${x}}",
    ];
    check(
        Reason::BraceExpansion,
        &braces,
        &["echo {a,b}", "echo {} $x", "echo {$(b)}", "echo '{a,'$(b)}"],
    );
}

#[test]
fn arithmetic_and_subscripts() {
    check(
        Reason::OldArithmetic,
        &["echo $[1]", "echo \"$[1]\"", "cat <<A\n$[1]\nA"],
        &["echo $ [1]"],
    );
    let arithmetic = [
        "echo $((x))",
        "((a))",
        "((rm a); rm b)",
        "echo $(( 1 + $(a) ))",
        "echo ${x:y}",
        "echo ${x:$y}",
        "for ((i=0;i<3;i++)); do a; done",
        "(( a[\\$(rm x)] ))",
        "echo $((1) )",
        "((1) )",
        "echo $((rm a) )",
        "x=1; echo $(('x'))",
    ];
    let plain = [
        "echo $((1 + 2 * (0x1f - 3)))",
        "((1))",
        "for ((;;)); do a; break; done",
        "echo ${x:1} ${x: -2:1}",
    ];
    check(Reason::Arithmetic, &arithmetic, &plain);
    let subscripts = [
        "echo ${a[$(rm a)]}",
        "a[x]=1",
        "a[$(rm a)]=1",
        "echo ${a[i]}",
        "a=([x]=1)",
        "a[ls]",
        "ls {a[1]}>f",
    ];
    check(
        Reason::Subscript,
        &subscripts,
        &["echo ${a[0]} ${a[@]} ${#a[*]}", "a[3]=x", "a=([5]=x y)"],
    );
}

#[test]
fn parameters() {
    let forms = [
        "echo ${ rm a; }",
        "echo ${| rm a; }",
        "echo ${x@P}",
        "echo ${!x}",
        "echo ${x@A}",
        "echo ${x:-(a)}",
        "echo ${x:-{}",
        "echo \"${x:-\\}}\"",
        "echo ${x:-<(rm a)}",
        "echo ${x:-a\nb}",
        "echo ${}",
    ];
    let plain = [
        "echo ${x:-y} ${x#a} ${x%%b*} ${x/a/b} ${x^^} ${x@Q} ${!x@} ${!a[@]} ${#x} ${#}",
        "echo ${x:-$(a)} ${x:-\\}} ${x//\\//_} ${x:-'}'}",
    ];
    check(Reason::Expansion, &forms, &plain);
    let quotes = [
        "echo \"${x:-'$(rm y)'}\"",
        "echo \"${x:-\"a b\"}\"",
        "cat <<A\n${x:-'a'}\nA",
        "echo ${x:-$'a'}",
    ];
    check(
        Reason::QuotesInExpansion,
        &quotes,
        &["echo ${x:-'$(rm y)'} ${x:-\"}\"}", "echo \"${x:-a b}\""],
    );
}

#[test]
fn backquotes_and_escapes() {
    let doubtful = [
        "echo `echo \\`id\\``",
        "echo `echo \\$(id)`",
        "echo `a\\\nb`",
        "echo \"`a \"b\"`\"",
        "cat <<A\n`a \"b\"`\nA",
    ];
    check(
        Reason::Backquotes,
        &doubtful,
        &["echo `a \"b\" 'c'`", "echo \"`a b`\"", "echo `# a`b"],
    );
    let escapes = [
        "echo $'a\\0b'",
        "echo $'\\q'",
        "echo $'\\u00e9'",
        "echo $'\\c1'",
        "echo $'\\x'",
        "echo $'\\777'",
    ];
    check(
        Reason::Escape,
        &escapes,
        &["$'\\x72\\x6d' $'\\101\\e\\cA\\n\\u0041'"],
    );
    let closing = ["rm -rf <&-/home", "rm >&-x y", "echo a<&-$(rm x)", "echo >&-<(a)"];
    check(
        Reason::TextAfterClosing,
        &closing,
        &["a >&- b", "a 2>&-;b", "a >&->c"],
    );
}

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

#[test]
fn words_that_are_evaluated() {
    let doubtful = [
        "[ -v 'a[$(rm x)]' ]",
        "test -v 'a[$(rm x)]'",
        "[ -R 'a[1]' ]",
        "[ -v $x ]",
        "[ ! -v 'a[1]' ]",
        "[ $x a ]",
        "[ \"$x\" 'a[$(rm x)]' ]",
        "[ $x = y ]",
        "test $(a)",
        "[[ -v 'a[$(rm x)]' ]]",
        "[[ 'a[$(rm x)]' -eq 0 ]]",
        "[[ $x -lt 3 ]]",
        "[[ 1 -gt $x ]]",
        "[[ -R $x ]]",
        "printf -v 'a[$(rm x)]' x",
        "printf -v'a[1]' x",
        "printf $x a",
        "printf \"$x\" a",
        "printf -v $x a",
        "read 'a[$(rm x)]'",
        "read $x",
        "read -r -a 'a[1]'",
        "read -z a",
        "read -p $x a",
        "declare 'a[$(rm x)]=1'",
        "declare -i a=b",
        "declare -n a=b",
        "declare $x",
        "typeset -i a",
        "local 'a[1]'",
        "export $x",
        "export -f a",
        "readonly 'a[1]=b'",
        "let 'a[$(rm x)]=1'",
        "let a=1",
        "unset 'a[$(rm x)]'",
        "unset -f a",
        "mapfile -C 'rm x' -c 1 a",
        "mapfile 'a[1]'",
        "readarray -O x a",
        "getopts ab 'a[1]'",
        "wait -p 'a[1]'",
        "command unset 'a[1]'",
        "builtin printf -v 'a[1]' x",
        "eval \"unset 'a[1]'\"",
        "declare -\"$x\" a",
        "read \"-$x\" a",
    ];
    let plain = [
        "[ -v a ]",
        "[ -f \"$x\" ]",
        "[ \"$x\" = y -a -n \"$y\" ]",
        "[ $# -eq 0 ]",
        "test -e x",
        "[ ! -d \"$x\" ]",
        "[ $? != 0 ]",
        "[ a = b -o c = d ]",
        "[[ -v a ]]",
        "[[ $x == y* ]]",
        "[[ 1 -eq 1 && ! ( -f $x || -n $y ) ]]",
        "[[ $x ]]",
        "printf -v a '%s' b",
        "printf '%s\\n' $x",
        "printf -- '%s' a",
        "read -r line",
        "read -rp 'a b' x y",
        "read -a list",
        "declare -a list",
        "declare -r x=$y",
        "export X=$(a)",
        "export -n x",
        "local x y=1",
        "unset x",
        "mapfile -t lines",
        "getopts ab: x",
        "wait -n",
        "wait $!",
        "typeset -f",
        "read",
    ];
    check(Reason::EvaluatedWord, &doubtful, &plain);
}

#[test]
fn the_environment() {
    let doubtful = [
        "PATH=/x ls",
        "LD_PRELOAD=./e.so ls",
        "LD_LIBRARY_PATH=. ls",
        "IFS=/; a",
        "BASH_ENV=./x bash -c ls",
        "ENV=x sh",
        "PS4='$(rm x)'; set -x",
        "PROMPT_COMMAND='rm x' bash -i",
        "SHELLOPTS=x a",
        "BASHOPTS=x a",
        "GIT_SSH_COMMAND='rm x' git fetch",
        "GIT_DIR=x git status",
        "PAGER=x git log",
        "EDITOR=x git commit",
        "PYTHONPATH=. python3 a",
        "NODE_OPTIONS=x node a",
        "CC=x make",
        "RUSTC_WRAPPER=x cargo build",
        "CXX=x make",
        "export PATH=x",
        "declare -x PATH=x",
        "readonly IFS=x",
        "read PATH",
        "printf -v PATH a",
        "for PATH in a; do b; done",
        "echo ${PATH:=x}",
        "echo ${IFS=x}",
        "a {PATH}>b",
        "PATH+=:x",
        "PATH[1]=x",
        "PATH=(a)",
        "unset PATH",
        "mapfile PATH",
        "getopts a PATH",
        "read -a PATH",
        "http_proxy=x curl a",
        "npm_config_registry=x npm i",
        "select PATH in a; do b; done",
        "wait -p PATH",
        "builtin export PATH=x",
        "HOME=x git status",
        "MAKEFLAGS=x make",
        "AWS_PROFILE=x aws s3 ls",
    ];
    let plain = [
        "RUST_LOG=debug a",
        "x=1 y=2",
        "CI=1 npm test",
        "LC_ALL=C sort a",
        "A=1 b",
        "for x in a; do b; done",
        "echo ${x:=y}",
    ];
    check(Reason::Environment, &doubtful, &plain);
}

#[test]
fn redirections() {
    let dynamic = [
        "a > $x",
        "a >~/b",
        "a > *.c",
        "a < $(b)",
        "a >& $x",
        "a <& $x",
        "a <> \"$x\"",
        "a &> $x",
        "a >> {b,c}",
        "{ a; } > $x",
        "> $x",
        "a <&b",
    ];
    let plain = [
        "a > b", "a <<< $x", "a 2>&1", "a < <(b)", "a > >(b)", "a >&b", "a <&0", "a >|b",
    ];
    check(Reason::DynamicRedirection, &dynamic, &plain);
    let network = [
        "a > /dev/tcp/h/80",
        "a < '/dev/udp/h/1'",
        "exec 3<>/dev/tcp/h/80",
        "{ a; } >&/dev/tcp/h/1",
    ];
    check(
        Reason::NetworkRedirection,
        &network,
        &["a > /dev/null", "a > x/dev/tcp"],
    );
}
