//! What a file says in the form of the built-in data: levels, names, programs.

use portcullis::config::{self, ConfigErrorKind as Kind, parse_user};
use portcullis::{Level, Risk};
use rstest::rstest;

use crate::{Tree, command, read, write};

const SHEETTOOL: &str = r#"version = 1
[[program]]
names = ["sheettool"]
matches = ["sheettool set data.xlsx /Sheet1/B1 --value 95"]
spares = ["sheettool drop data.xlsx"]
[[program.sub]]
names = ["set"]
options = { "--value" = "text" }
operands = ["write", "text"]

[[rule]]
id = "no-set"
command = ["sheettool", "set", "--value"]
risk = "confirm"
because = "look at it"
matches = ["sheettool set a.xlsx /A --value=1"]
spares = ["sheettool set a.xlsx /A"]
"#;

/// A rule's example is read with what the same file says of programs.
#[test]
fn a_file_explains_its_own_programs() {
    let tree = Tree::new();
    let user = parse_user(SHEETTOOL, "policy.toml").unwrap();
    assert_eq!(user.origins.shown("program.sheettool").unwrap(), "policy.toml:3");
    let classifier = tree.builder().user(user).classifier().unwrap();
    let risk = |text: &str| {
        let (tool, args) = command(text);
        tree.judge(&classifier, tool, &args).verdict.risk()
    };
    assert_eq!(risk("sheettool set a.xlsx /Sheet1/B1"), Risk::Allow);
    assert_eq!(risk("sheettool set a.xlsx /Sheet1/B1 --value 95"), Risk::Confirm);
    assert_eq!(risk("sheettool drop a.xlsx"), Risk::Confirm);
    assert_eq!(
        risk("sheettool set ~/.config/portcullis/policy.toml /A"),
        Risk::Deny
    );
}

#[rstest]
#[case::level(
    "[review.levels]\nbash.command = \"alway\"",
    Kind::Syntax,
    3,
    16,
    "unknown word `alway`",
    "`always`"
)]
#[case::tool(
    "[review.levels]\nbsh.command = \"off\"",
    Kind::Meaning,
    3,
    1,
    "unknown tool `bsh`",
    "`bash`"
)]
#[case::parameter(
    "[review.levels]\nRead.file_pth = \"off\"",
    Kind::Meaning,
    3,
    6,
    "`Read` has no parameter `file_pth`",
    "`file_path`"
)]
#[case::profile(
    "[review]\nprofile = \"gardian\"",
    Kind::Syntax,
    3,
    11,
    "unknown word `gardian`",
    "`guardian`"
)]
#[case::key(
    "[review]\nlevel.bash.command = \"off\"",
    Kind::Syntax,
    3,
    1,
    "unknown key `level`",
    "`levels`"
)]
#[case::member(
    "[[catalogue.add]]\nid = \"x\"\nwhy = \"w\"\ndirectory = [\"a\"]",
    Kind::Syntax,
    5,
    1,
    "unknown key `directory`",
    "`directories`"
)]
#[case::no_names(
    "[[catalogue.add]]\nid = \"x\"\nwhy = \"w\"",
    Kind::Meaning,
    3,
    6,
    "group `x` names nothing",
    "catalogue"
)]
#[case::no_reason(
    "[[catalogue.add]]\nid = \"x\"\nfiles = [\"a\"]",
    Kind::Meaning,
    3,
    6,
    "does not say why",
    "why"
)]
#[case::house_id(
    "[[catalogue.add]]\nid = \"private.x\"\nwhy = \"w\"\nfiles = [\"a\"]",
    Kind::Meaning,
    3,
    6,
    "built-in",
    "another id"
)]
#[case::name_example(
    "[[catalogue.add]]\nid = \"x\"\nwhy = \"w\"\nfiles = [\"a\"]\nmatches = [\"/b\"]",
    Kind::Example,
    6,
    12,
    "does not mean `/b`",
    "`matches`"
)]
#[case::name_counterexample(
    "[[catalogue.add]]\nid = \"x\"\nwhy = \"w\"\nhome = [\"a\"]\nspares = [\"~/A/b\"]",
    Kind::Example,
    6,
    11,
    "means `~/A/b`",
    "`spares`"
)]
#[case::group(
    "[[catalogue.remove]]\nid = \"private.key\"\nends = [\".pem\"]",
    Kind::Meaning,
    3,
    6,
    "`private.key` is no group",
    "`private.keys`"
)]
#[case::not_there(
    "[[catalogue.remove]]\nid = \"private.directory\"\ndirectories = [\"vaul\"]",
    Kind::Meaning,
    4,
    16,
    "has no `vaul` under `directories`",
    "`vault`"
)]
#[case::role(
    "[[program]]\nnames = [\"a\"]\noperands = [\"rad...\"]",
    Kind::Meaning,
    4,
    13,
    "`rad` is no role",
    "`read`"
)]
#[case::fact(
    "[[program]]\nnames = [\"a\"]\ndoes = [\"publish\"]",
    Kind::Syntax,
    4,
    9,
    "unknown word `publish`",
    "`publishes`"
)]
#[case::program_key(
    "[[program]]\nnames = [\"a\"]\noperand = [\"read\"]",
    Kind::Syntax,
    4,
    1,
    "unknown key `operand`",
    "`operands`"
)]
#[case::twice(
    "[[program]]\nnames = [\"a\"]\n[[program]]\nnames = [\"a\"]",
    Kind::Meaning,
    5,
    10,
    "`a` stands there twice",
    "page"
)]
#[case::understood(
    "[[program]]\nnames = [\"a\"]\nspares = [\"a\"]",
    Kind::Example,
    4,
    11,
    "understands `a`",
    "`spares`"
)]
#[case::not_understood(
    "[[program]]\nnames = [\"a\"]\nmatches = [\"a -x\"]",
    Kind::Example,
    4,
    12,
    "does not understand `a -x`",
    "`matches`"
)]
fn a_slip_is_shown_where_it_stands(
    #[case] body: &str,
    #[case] kind: Kind,
    #[case] line: usize,
    #[case] column: usize,
    #[case] message: &str,
    #[case] hint: &str,
) {
    let error = parse_user(&format!("version = 1\n{body}"), "policy.toml").unwrap_err();
    let first = &error.diagnostics()[0];
    let at = first.position.as_ref().unwrap();
    assert_eq!(
        (error.kind(), at.line, at.column),
        (kind, line, column),
        "{error}"
    );
    assert!(first.message.contains(message), "{}", first.message);
    assert!(
        first.hint.as_deref().unwrap_or_default().contains(hint),
        "{:?}",
        first.hint
    );
}

/// A host's own tools are not known here; what is like no name that is known is taken for one.
#[test]
fn a_level_may_be_about_a_tool_of_the_host() {
    let text =
        "version = 1\n[review.levels]\nmcp__files__fetch.path = \"always\"\n\"*\".target = \"private-only\"";
    let levels = parse_user(text, "policy.toml").unwrap().rules.levels;
    let key = |tool: &str, member: &str| (tool.to_owned(), member.to_owned());
    assert_eq!(
        levels.named.get(&key("mcp__files__fetch", "path")),
        Some(&Level::Always)
    );
    assert_eq!(levels.named.get(&key("*", "target")), Some(&Level::PrivateOnly));
}

/// A file with a slip in it is not in force in part: what its levels would have lifted asks.
#[test]
fn a_slip_in_a_level_opens_nothing() {
    let tree = Tree::new();
    let (tool, args) = read("../outside/x");
    let judged = |text: &str| {
        let builder = match parse_user(text, "policy.toml") {
            Ok(user) => tree.builder().user(user),
            Err(error) => tree.builder().broken_user(&error),
        };
        tree.judge(&builder.classifier().unwrap(), tool, &args)
            .verdict
            .risk()
    };
    let lifted = "version = 1\n[review.levels]\nread_file.path = \"private-only\"\n";
    assert_eq!(judged(lifted), Risk::Allow);
    for slip in [
        "write_file.path = \"of\"",
        "write_fil.path = \"off\"",
        "write_file.pat = \"off\"",
        "read_file.path = \"off\"",
    ] {
        assert_eq!(judged(&format!("{lifted}{slip}\n")), Risk::Confirm, "{slip}");
    }
}

#[rstest]
#[case::off("[catalogue]\noff = [\"private.keys\"]", false)]
#[case::remove("[[catalogue.remove]]\nid = \"private.keys\"\nends = [\".pem\"]", false)]
#[case::review_off("[review.levels]\nbash.command = \"off\"", false)]
#[case::add(
    "[[catalogue.add]]\nid = \"x\"\nwhy = \"w\"\nplaces = [\"papers\"]\nmatches = [\"papers/a\"]\nspares = [\"a\"]",
    true
)]
#[case::review(
    "[review]\nprofile = \"guardian\"\n[review.levels]\nRead.file_path = \"always\"",
    true
)]
#[case::program(
    "[[program]]\nnames = [\"tool\"]\noperands = [\"write\"]\nmatches = [\"tool a\"]\nspares = [\"tool a b\"]",
    true
)]
fn what_a_project_may_say(#[case] body: &str, #[case] may: bool) {
    let tree = Tree::new();
    let text = format!("version = 1\n{body}\n");
    let checked = config::check_project(&text, "policy.toml", &tree.at("work"));
    assert_eq!(checked.is_ok(), may, "{checked:?}");
    assert!(
        parse_user(
            &text.replace("papers", "/papers").replace("[\"a\"]", "[\"/a\"]"),
            "policy.toml"
        )
        .is_ok()
    );
}

#[test]
fn a_projects_names_are_below_its_root() {
    let tree = Tree::new();
    let text =
        "version = 1\n[[catalogue.add]]\nid = \"papers\"\nwhy = \"they are drafts\"\nplaces = [\"SRC\"]\n";
    let project = tree.project(text);
    let classifier = tree.builder().trusted_project(&project).classifier().unwrap();
    for ((tool, args), risk) in [
        (read("src/a.rs"), Risk::Confirm),
        (command("cat src/a.rs"), Risk::Confirm),
        (read("vendor/b.rs"), Risk::Allow),
    ] {
        assert_eq!(
            tree.judge(&classifier, tool, &args).verdict.risk(),
            risk,
            "{tool} {args}"
        );
    }
    let (tool, args) = write("src/new");
    let judged = tree.judge(&classifier, tool, &args);
    assert!(
        judged
            .verdict
            .causes()
            .iter()
            .any(|cause| cause.text == "they are drafts")
    );
}

#[rstest]
#[case::one("bash.command=always", "bash", "command", Level::Always)]
#[case::several(
    "bash.command=always, read_file.path=private-only",
    "read_file",
    "path",
    Level::PrivateOnly
)]
#[case::the_stricter(
    "bash.command=always,bash.command=private-only",
    "bash",
    "command",
    Level::Always
)]
fn a_run_says_levels(#[case] said: &str, #[case] tool: &str, #[case] member: &str, #[case] level: Level) {
    let run = config::parse_run([("PORTCULLIS_REVIEW", said)]).unwrap();
    let key = (tool.to_owned(), member.to_owned());
    assert_eq!(run.rules.levels.named.get(&key), Some(&level));
}

#[rstest]
#[case("bash.command=off", "`off` cannot be a level here", "")]
#[case("bash.command=alway", "`alway` cannot be", "`always`")]
#[case("bsh.command=always", "unknown tool `bsh`", "`bash`")]
#[case("bash=always", "names no parameter", "bash.command")]
#[case("gardian", "`gardian` is no profile", "guardian")]
#[case("", "`` is no profile", "guardian")]
fn what_a_run_says_is_checked(#[case] said: &str, #[case] message: &str, #[case] hint: &str) {
    let error = config::parse_run([("--review", said)]).unwrap_err();
    let first = &error.diagnostics()[0];
    assert!(first.message.contains(message), "{}", first.message);
    assert!(
        first.hint.as_deref().unwrap_or_default().contains(hint),
        "{:?}",
        first.hint
    );
}
