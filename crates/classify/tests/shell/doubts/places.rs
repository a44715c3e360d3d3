//! Variables and files.

use portcullis_classify::shell::Reason;

use super::check;

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
        "PAGER=cat PAGER+=x git log",
        "export NODE_OPTIONS='--no-warnings -r x'",
        "PAGER=$x git log",
    ];
    let plain = [
        "RUST_LOG=debug a",
        "x=1 y=2",
        "CI=1 npm test",
        "LC_ALL=C sort a",
        "A=1 b",
        "for x in a; do b; done",
        "echo ${x:=y}",
        "GIT_PAGER=cat git log",
        "export NODE_OPTIONS=--max-old-space-size=4096",
        "CGO_ENABLED=0 GOOS=linux go build",
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
