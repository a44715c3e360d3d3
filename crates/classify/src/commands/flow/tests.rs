use rstest::rstest;

use super::Flow;
use crate::commands::{Table, understand};
use crate::shell::Part;

const HOME: &str = "/home/ann";

/// What the last command that is named `it` gets, and where it runs.
fn at_it(text: &str) -> (String, String) {
    let table = Table::built_in();
    let (script, _) = understand(text, table);
    let flow = Flow::new(&script, table, Some("/w"), Some(HOME), Some("/w"));
    let mut named = script.commands().iter().enumerate();
    let (number, command) = named.rfind(|(_, command)| command.name() == Some("it")).unwrap();
    let at = Part::Command(number);
    let words = command.words.iter().skip(1);
    let words: Vec<_> = words.map(|word| flow.argument(at, word).to_string()).collect();
    let directories = flow.directories(at);
    let mut places: Vec<String> = directories.known().iter().map(|one| format!("{one:?}")).collect();
    places.extend(directories.may_be_another().then(|| "?".to_owned()));
    (
        words.join(" "),
        places.join(" ").replace("Path(\"", "").replace("\")", ""),
    )
}

#[rstest]
#[case::literal("it a", "a")]
#[case::home("it ~/x $HOME/y \"${HOME}\"", "/home/ann/x /home/ann/y /home/ann")]
#[case::other_home("it ~bob/x ~root", "/home/bob/x ~… /root ~…")]
#[case::plus("it ~+ ~+/a", "/w /w/a")]
#[case::kept(
    "it \"${HOME:-/x}\" \"${HOME%$y}\" \"${HOME#$y}\"",
    "/home/ann … /home/ann… … …"
)]
#[case::cut("it \"${HOME%/}\" \"${HOME%/*}\" \"${HOME##*/}\"", "/home/ann /home ann")]
#[case::cut_names(
    "for f in src/*.txt; do it \"${f%.txt}.md\" \"b/${f##*/}\"; done",
    "src/*.md b/*.txt"
)]
#[case::cut_loose("for f in src/*.txt; do it \"${f##*/}\"; done", "…")]
#[case::cut_unknown("for f in src/*.txt; do it \"${f%%.*}\" \"b${x%.c}\"; done", "src/*.txt … b…")]
#[case::replaced("f=a-b.c; it ${f//-/_} ${f/.c/ x}", "a_b.c …")]
#[case::named(
    "for f in d/*.md; do it \"b/$(basename \"$f\" .md).txt\" \"$(dirname \"$f\")/x\"; done",
    "b/*.txt d/x"
)]
#[case::named_loose(
    "for f in d/*.md; do it \"$(basename \"$f\")\" $(basename \"$f\")/x; done",
    "… …"
)]
#[case::named_literal("f=a/b.c; it \"$(basename \"$f\" .c)\" $(dirname $f)", "b …")]
#[case::array(
    "a=(x src/y); it \"${a[@]}\" \"${a[@]}z\" ${a[@]} \"${a[0]}\"",
    "x src/y … … …"
)]
#[case::array_in_a_loop("a=(x y); for f in \"${a[@]}\"; do it \"$f\"; done", "x y")]
#[case::array_that_grows("a=(x); a+=(y); it \"${a[@]}\"", "…")]
#[case::parameters("sh -c 'it \"$1\" \"$2\" \"$0\"' n a b", "a … b … n …")]
#[case::all_parameters("bash -c 'it \"$@\"' n a b", "a b …")]
#[case::parameters_of_input("bash -s -- a b <<< 'it \"$2\"'", "b …")]
#[case::parameters_of_a_text_in_a_text(
    "sh -c 'bash -s -- a <<< \"it \\$1\"; bash -c \"it \\$1\" n b'",
    "b …"
)]
#[case::a_text_in_a_text_sees_nothing("bash -c 'x=a; bash -c \"it \\$x\"'", "…")]
#[case::no_parameters("it $1; sh -c 'it $1'", "…")]
#[case::handed("echo a 'b c' | xargs it", "a b c …")]
#[case::handed_lines("printf 'a\\nb\\n' | xargs -n1 it", "a b …")]
#[case::handed_text("xargs it <<< /x", "/x …")]
#[case::found_in_a_home("find ~ $HOME -exec it {} +", "/home/ann… /home/ann…")]
#[case::quoted_tilde("it '~/x'", "~/x")]
#[case::assigned("x=src; it $x/a", "src/a")]
#[case::assigned_if("test -f a && x=src; it $x", "src …")]
#[case::assigned_in_a_condition("while x=src; it $x; do break; done", "src …")]
#[case::assigned_apart("(x=src); it $x", "…")]
#[case::assigned_and("test -f a && x=src && it $x", "src")]
#[case::assigned_twice("x=a; x=b; it $x", "a b")]
#[case::assigned_after("it $x; x=a", "…")]
#[case::in_a_subshell("(x=a); it $x", "…")]
#[case::in_a_pipeline("x=a | cat; it $x", "…")]
#[case::in_a_branch("if true; then x=a; fi; it $x", "…")]
#[case::read("x=a; read x; it $x", "…")]
#[case::for_this_command_alone("x=a it $x", "…")]
#[case::another_shell("x=a; sh -c 'it $x'", "…")]
#[case::words_of_a_wrapper("x=a; nice it $x", "a")]
#[case::splits("x='a b'; it $x \"$x\"", "… a b")]
#[case::home_is_set("HOME=/x; it ~ $HOME", "~… /x")]
#[case::unknown("it $y/a \"a/$y\"", "… a/…")]
#[case::loop_over_words("for f in a b; do it $f/x; done", "a/x b/x")]
#[case::loop_over_files("for f in src/*.txt; do it \"$f\"; done", "src/*.txt")]
#[case::after_a_loop("for f in a b; do true; done; it $f", "a b …")]
#[case::pattern("it src/*.rs 'a*'/*", "src/*.rs a\\*/*")]
#[case::braces("it {a,b{c,d}}.x x{1..3}", "a.x bc.x bd.x x1 x2 x3")]
#[case::braces_behind_a_name("d=x; it ${d}{a,b} \"$d\"{a,b}", "xa xb xa xb")]
#[case::braces_in_a_name("d=x; da=y; it $d{a,b}", "")]
#[case::fresh("d=$(mktemp -d) && it \"$d/\" \"$d/../x\"", "(temporary)/ /…")]
#[case::fresh_elsewhere("d=$(mktemp -d -p /home/ann) && it \"$d/\"", "…")]
#[case::here("it $PWD/x $(pwd)/y", "/w/x /w/y")]
#[case::pipe("it <(ls)", "(temporary)")]
#[case::printed("it $(ls)", "…")]
#[case::default("it ${x:-y}", "…")]
#[case::default_of_the_text("x=a; it ${x:-y}", "a …")]
fn words_become(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(at_it(text).0, expected);
}

#[rstest]
#[case::start("it", "/w")]
#[case::and("cd a && it", "/w/a")]
#[case::either("cd a; it", "/w/a /w")]
#[case::or("cd a || it", "/w")]
#[case::or_exit("cd a || exit 1; it", "/w/a")]
#[case::negated("! cd a && it", "/w")]
#[case::absolute("cd /x && cd y && it", "/x/y")]
#[case::home("cd && it", "/home/ann")]
#[case::home_by_name("cd ~/x && it", "/home/ann/x")]
#[case::up("cd a/.. && it", "/w /w/a/..")]
#[case::back("cd a && cd - && it", "?")]
#[case::unknown("cd $x && it", "?")]
#[case::subshell("(cd a && true) && it", "/w")]
#[case::in_subshell("(cd a && it)", "/w/a")]
#[case::braces("{ cd a && true; } && it", "/w/a")]
#[case::pipeline("cd a | true; it", "/w")]
#[case::background("cd a & it", "/w")]
#[case::in_the_background("cd a && it & true", "/w/a")]
#[case::behind_the_background("cd a && cd b & it", "/w")]
#[case::branch("if cd a; then it; fi", "/w/a /w")]
#[case::after_branch("if true; then cd a; fi; it", "/w /w/a")]
#[case::rounds("for i in 1 2; do it; cd ..; done", "/w / /w/.. ?")]
#[case::another_shell("cd a && sh -c 'cd b && it'", "/w/a/b")]
#[case::after_another_shell("sh -c 'cd b' && it", "/w")]
#[case::evaluated("eval 'cd a' && it", "/w/a")]
#[case::substitution("cd \"$(cd b && it)\"", "/w/b")]
#[case::wrapper("env -C /x it", "/w /x")]
#[case::wrapper_joined("sudo -nD /x it", "/w ?")]
#[case::wrapper_that_stays("sudo -n it", "/w")]
#[case::wrapper_that_always_moves("systemd-run it", "/w ?")]
#[case::wrapper_split("env -S 'it -C x'", "/w ?")]
#[case::each_directory("find . -execdir it \\;", "/w ?")]
#[case::no_directory("find . -exec it \\;", "/w")]
#[case::told_by_an_option("pnpm -C /x exec it", "/w /x")]
#[case::told_up("uv run --directory .. it", "/w / /w/..")]
#[case::told_not_literally("uv run --directory \"$x\" it", "/w ?")]
#[case::each_module("git submodule foreach 'it'", "/w ?")]
#[case::builtin("builtin cd a && it", "?")]
#[case::root("cd \"$(git rev-parse --show-toplevel)\" && it", "/w")]
#[case::root_of_another("cd a && cd \"$(git rev-parse --show-toplevel)\" && it", "?")]
#[case::root_told("GIT_DIR=x; cd \"$(git rev-parse --show-toplevel)\" && it", "?")]
#[case::root_elsewhere("cd \"$(git -C a rev-parse --show-toplevel)\" && it", "?")]
#[case::pushed("pushd a && it", "/w/a")]
#[case::fresh("cd \"$(mktemp -d)\" && it", "Fresh(\"")]
fn directories_are_followed(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(at_it(text).1, expected);
}

/// However often a text goes further down, what it says from there on costs no more than from some hundred directories down.
#[rstest]
#[case::plain("cd a && ", "")]
#[case::by_a_long_name("cd aaaaaaaaaaaaaaaaaaaa && ", "")]
#[case::by_the_stack("pushd a && ", "")]
#[case::in_a_fresh_one("cd a && ", "cd \"$(mktemp -d)\" && ")]
fn directories_are_not_followed_without_end(#[case] step: &str, #[case] before: &str) {
    for steps in [300, 2_000] {
        assert_eq!(at_it(&format!("{before}{}it", step.repeat(steps))).1, "?");
    }
}
