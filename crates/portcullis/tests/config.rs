//! Configuration files: what is read, what is refused, and where the finger points.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is a failed test"
)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use portcullis::config::{
    ConfigError, ConfigErrorKind as Kind, HookAllow, PROJECT_POLICY, WhoIsAsked, load_project, load_user,
    parse_user,
};
use portcullis::{Decision, Layer, Override, Preset, Risk, ZoneKind, decide_trust};
use rstest::rstest;

fn refused(body: &str) -> ConfigError {
    parse_user(body, "policy.toml").unwrap_err()
}

#[test]
fn a_full_file_is_read() {
    let config = parse_user(
        r#"
version = 1
preset = "careful"
[approval]
deadline_seconds = 90
approver = "desk"
[zones]
deny_read = ["~/.ssh", { path = "/etc/keys", id = "keys", because = "they open doors" }]
confirm_write = ["/srv"]
[[rule]]
id = "publish-is-visible"
command = ["git", "push"]
risk = "confirm"
because = "others will see it"
matches = ["git push origin main", "git push"]
spares = ["git status", "git pushx"]
[[rule]]
id = "vendored"
operation = "write"
under = "/srv/vendor"
risk = "deny"
because = "generated"
matches = ["/srv/vendor", "/srv/vendor/a/b"]
spares = ["/srv/vendored"]
[catalogue]
off = ["private.environment"]
[hook.claude-code]
allow = "allow"
[audit]
path = "~/audit.jsonl"
"#,
        "policy.toml",
    )
    .unwrap();
    assert_eq!(config.rules.layer, Layer::User);
    assert_eq!(config.rules.preset, Some(Preset::Careful));
    assert_eq!(config.rules.broken, None);
    let zones: Vec<_> = config
        .rules
        .zones
        .iter()
        .map(|zone| (zone.id.as_str(), zone.kind, zone.path.to_str().unwrap()))
        .collect();
    assert_eq!(
        zones,
        [
            ("user.deny_read:~/.ssh", ZoneKind::DenyRead, "~/.ssh"),
            ("keys", ZoneKind::DenyRead, "/etc/keys"),
            ("user.confirm_write:/srv", ZoneKind::ConfirmWrite, "/srv"),
        ]
    );
    let rules: Vec<_> = config
        .rules
        .rules
        .iter()
        .map(|rule| (rule.id.as_str(), rule.risk))
        .collect();
    assert_eq!(
        rules,
        [("publish-is-visible", Risk::Confirm), ("vendored", Risk::Deny)]
    );
    assert_eq!(config.rules.reasons["keys"], "they open doors");
    assert_eq!(config.settings.deadline, Some(Duration::from_secs(90)));
    assert_eq!(config.settings.approver, Some(WhoIsAsked::Desk));
    assert_eq!(config.settings.claude_code_allow, HookAllow::Allow);
    assert_eq!(config.settings.audit.as_deref(), Some(Path::new("~/audit.jsonl")));
    assert_eq!(config.rules.off, ["private.environment"]);
}

#[rstest]
#[case::empty("", Kind::Version, 1, 1, "`version` is missing", "version = 1")]
#[case::future("version = 2\nnew = 1", Kind::Version, 1, 11, "version 2", "version = 1")]
#[case::typo(
    "version = 1\npresett = \"careful\"",
    Kind::Syntax,
    2,
    1,
    "unknown key `presett`",
    "`preset`"
)]
#[case::typo_inside(
    "version = 1\n[zones]\ndeny_raed = []",
    Kind::Syntax,
    3,
    1,
    "unknown key `deny_raed`",
    "`deny_read`"
)]
#[case::typo_in_rule(
    "version = 1\n[[rule]]\nid = \"a\"\nrisc = \"deny\"",
    Kind::Syntax,
    4,
    1,
    "unknown key `risc`",
    "`risk`"
)]
#[case::typo_in_zone(
    "version = 1\n[zones]\ndeny_read = [{ path = \"/a\", becuase = \"x\" }]",
    Kind::Syntax,
    3,
    29,
    "unknown key `becuase`",
    "`because`"
)]
#[case::far_from_everything(
    "version = 1\nxyzzy = 1",
    Kind::Syntax,
    2,
    1,
    "unknown key `xyzzy`",
    "known here: version, preset"
)]
#[case::word(
    "version = 1\npreset = \"carefull\"",
    Kind::Syntax,
    2,
    10,
    "unknown word `carefull`",
    "`careful`"
)]
#[case::not_toml("version = 1\npreset = ", Kind::Syntax, 2, 10, "", "")]
#[case::duplicate_key("version = 1\nversion = 1", Kind::Syntax, 2, 1, "duplicate", "")]
#[case::wrong_type("version = 1\npreset = 3", Kind::Syntax, 2, 10, "", "")]
#[case::missing_key(
    "version = 1\n[[rule]]\nid = \"a\"\nrisk = \"deny\"",
    Kind::Syntax,
    2,
    1,
    "missing field `because`",
    "add `because"
)]
#[case::loosening(
    "version = 1\n[[rule]]\nid = \"a\"\ntool = \"t\"\nrisk = \"allow\"\nbecause = \"x\"",
    Kind::Meaning,
    5,
    8,
    "a rule can only tighten",
    "`confirm` or `deny`"
)]
#[case::no_subject(
    "version = 1\n[[rule]]\nid = \"a\"\nrisk = \"deny\"\nbecause = \"x\"",
    Kind::Meaning,
    3,
    6,
    "the rule `a` is about nothing",
    "at least one"
)]
#[case::no_reason(
    "version = 1\n[[rule]]\nid = \"a\"\ntool = \"t\"\nrisk = \"deny\"\nbecause = \" \"",
    Kind::Meaning,
    6,
    11,
    "the reason is empty",
    "because"
)]
#[case::no_words(
    "version = 1\n[[rule]]\nid = \"a\"\ncommand = []\nrisk = \"deny\"\nbecause = \"x\"",
    Kind::Meaning,
    4,
    11,
    "a command needs words",
    "first words"
)]
#[case::twice(
    "version = 1\n[zones]\ndeny_read = [{ path = \"/a\", id = \"a\" }]\n[[rule]]\nid = \"a\"\ntool = \"t\"\nrisk = \"deny\"\nbecause = \"x\"",
    Kind::Meaning,
    5,
    6,
    "the id `a` is used twice",
    "line 3"
)]
#[case::zone_twice(
    "version = 1\n[zones]\ndeny_read = [\"/a\",\n\"/a\"]",
    Kind::Meaning,
    4,
    1,
    "the id `user.deny_read:/a` is used twice",
    "line 3"
)]
#[case::built_in_id(
    "version = 1\n[[rule]]\nid = \"delete\"\ntool = \"t\"\nrisk = \"deny\"\nbecause = \"x\"",
    Kind::Meaning,
    3,
    6,
    "built-in",
    "another id"
)]
#[case::own_id(
    "version = 1\n[zones]\ndeny_read = [{ path = \"/a\", id = \"own.audit\" }]",
    Kind::Meaning,
    3,
    34,
    "the id `own.audit` belongs",
    "`own.`"
)]
#[case::never_matches(
    "version = 1\n[[rule]]\nid = \"a\"\ncommand = [\"a b\"]\nrisk = \"deny\"\nbecause = \"x\"",
    Kind::Meaning,
    3,
    6,
    "no plain command",
    "one word per element"
)]
#[case::bad_id(
    "version = 1\n[[rule]]\nid = \"a b\"\ntool = \"t\"\nrisk = \"deny\"\nbecause = \"x\"",
    Kind::Meaning,
    3,
    6,
    "`a b` cannot be an id",
    "letters"
)]
#[case::relative_zone(
    "version = 1\n[zones]\ndeny_read = [\"keys\"]",
    Kind::Meaning,
    3,
    14,
    "`keys` is not an absolute place",
    "~/"
)]
#[case::other_home(
    "version = 1\n[zones]\ndeny_read = [\"~root/x\"]",
    Kind::Meaning,
    3,
    14,
    "`~root/x` is not",
    "~/"
)]
#[case::steps_back(
    "version = 1\n[zones]\ndeny_read = [\"/a/../b\"]",
    Kind::Meaning,
    3,
    14,
    "does not name one place",
    "without `..`"
)]
#[case::zero_deadline(
    "version = 1\n[approval]\ndeadline_seconds = 0",
    Kind::Meaning,
    3,
    20,
    "a deadline of 0 seconds",
    "1 to"
)]
#[case::example_not_matched(
    "version = 1\n[[rule]]\nid = \"a\"\ncommand = [\"git\", \"push\"]\nrisk = \"deny\"\nbecause = \"x\"\nmatches = [\"git pull\"]",
    Kind::Example,
    7,
    12,
    "the rule `a` does not match `git pull`",
    "`matches`"
)]
#[case::example_not_spared(
    "version = 1\n[[rule]]\nid = \"a\"\ncommand = [\"git\", \"push\"]\nrisk = \"deny\"\nbecause = \"x\"\nspares = [\"git push -n\"]",
    Kind::Example,
    7,
    11,
    "the rule `a` matches `git push -n`",
    "`spares`"
)]
#[case::example_of_nothing(
    "version = 1\n[[rule]]\nid = \"a\"\ntool = \"t\"\nrisk = \"deny\"\nbecause = \"x\"\nmatches = [\"t\"]",
    Kind::Example,
    7,
    12,
    "cannot be tried",
    "command lines"
)]
#[case::escapes(
    "version = 1\n\"\\u001b[2J\" = 1",
    Kind::Syntax,
    2,
    1,
    r"unknown key `\u{1b}[2J`",
    ""
)]
fn a_mistake_is_shown_where_it_stands(
    #[case] body: &str,
    #[case] kind: Kind,
    #[case] line: usize,
    #[case] column: usize,
    #[case] message: &str,
    #[case] hint: &str,
) {
    let error = refused(body);
    let first = &error.diagnostics()[0];
    let at = first.position.as_ref().unwrap();
    assert_eq!(
        (error.kind(), at.line, at.column),
        (kind, line, column),
        "{error}"
    );
    assert!(first.message.contains(message), "{:?}", first.message);
    assert!(
        !first.message.contains('\n') && !first.message.ends_with('.'),
        "{:?}",
        first.message
    );
    assert!(
        first.hint.as_deref().unwrap_or_default().contains(hint),
        "{:?}",
        first.hint
    );
    assert!(
        error
            .broken()
            .starts_with(&format!("configuration broken at line {line}: "))
    );
    assert!(
        error.render().contains(&format!("policy.toml:{line}:{column}")),
        "{}",
        error.render()
    );
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let error = refused(
        "version = 1\n[[rule]]\nid = \"a\"\nrisk = \"allow\"\nbecause = \"\"\n[zones]\ndeny_read = [\"x\"]\n",
    );
    let lines: Vec<_> = error
        .diagnostics()
        .iter()
        .map(|one| one.position.as_ref().unwrap().line)
        .collect();
    assert_eq!(lines, [3, 4, 5, 7]);
    assert!(error.to_string().ends_with("(and 3 more)"), "{error}");
}

#[rstest]
#[case::approval("[approval]\ndeadline_seconds = 1\n", "approval")]
#[case::hook("[hook.claude-code]\nallow = \"allow\"\n", "hook")]
#[case::catalogue("catalogue.off = [\"private.keys\"]\n", "catalogue.off")]
#[case::audit("[audit]\npath = \"/tmp/x\"\n", "audit")]
fn a_project_may_not_make_the_users_settings(#[case] section: &str, #[case] key: &str) {
    let project = Project::with(&format!("version = 1\n{section}"));
    let error = project.load().unwrap_err();
    assert_eq!(error.kind(), Kind::Meaning);
    assert!(
        error
            .to_string()
            .contains(&format!("a project may not set `{key}`")),
        "{error}"
    );
    assert_eq!(error.diagnostics()[0].position.as_ref().unwrap().line, 2);
}

#[test]
fn a_projects_relative_places_are_below_its_root() {
    let project = Project::with(
        "version = 1\n[zones]\ndeny_write = [\"vendor\", \"/abs\"]\n[[rule]]\nid = \"a\"\nunder = \"gen/x\"\nrisk = \"deny\"\nbecause = \"b\"\nmatches = [\"gen/x/y\"]\nspares = [\"gen/y\", \"~/gen/x\"]\n",
    );
    let rules = project.load().unwrap().unwrap();
    assert_eq!(rules.layer, Layer::Project);
    let root = project.0.path();
    assert_eq!(rules.zones[0].path, root.join("vendor"));
    assert_eq!(rules.zones[1].path, Path::new("/abs"));
    assert_eq!(
        rules.rules[0].subject.under.as_deref(),
        Some(root.join("gen/x").as_path())
    );
}

#[rstest]
#[case::the_file(PROJECT_POLICY)]
#[case::its_directory(".portcullis")]
fn a_link_in_the_place_of_a_projects_policy_is_not_followed(#[case] linked: &str) {
    let project = Project::with("version = 1\n");
    let (link, elsewhere) = (project.0.path().join(linked), project.0.path().join("elsewhere"));
    fs::rename(&link, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
    assert_eq!(project.load().unwrap_err().kind(), Kind::Unreadable);
    fs::remove_dir_all(&elsewhere)
        .or_else(|_| fs::remove_file(&elsewhere))
        .unwrap();
    assert_eq!(
        project.load().unwrap_err().kind(),
        Kind::Unreadable,
        "dangling is not missing"
    );
}

#[test]
fn a_project_without_a_policy_says_nothing() {
    let project = Project::with("version = 1\n");
    fs::remove_file(project.0.path().join(PROJECT_POLICY)).unwrap();
    assert_eq!(project.load().unwrap(), None);
    fs::remove_dir(project.0.path().join(".portcullis")).unwrap();
    assert_eq!(project.load().unwrap(), None);
}

#[test]
fn what_is_not_a_plain_file_is_an_error_and_what_is_missing_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    assert_eq!(load_user(&at("missing")).unwrap(), None);

    std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
    fs::create_dir(at("dir")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        at("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    fs::write(at("latin1"), b"version = 1 # \xe9").unwrap();
    fs::write(at("large"), vec![b'\n'; (1 << 20) + 1]).unwrap();
    for name in ["dangling", "dir", "fifo", "latin1", "large", "latin1/below"] {
        let error = load_user(&at(name)).unwrap_err();
        assert_eq!(error.kind(), Kind::Unreadable, "{name}: {error}");
        assert!(error.diagnostics()[0].hint.is_some());
        assert!(
            error.broken().starts_with("configuration broken: "),
            "{}",
            error.broken()
        );
    }
}

struct Project(tempfile::TempDir);

impl Project {
    fn with(policy: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".portcullis")).unwrap();
        fs::write(dir.path().join(PROJECT_POLICY), policy).unwrap();
        Self(dir)
    }

    fn load(&self) -> Result<Option<portcullis::LayerRules>, ConfigError> {
        let Decision::Trusted(project) = decide_trust(self.0.path(), Some(Override::Yes)) else {
            panic!("an override decides");
        };
        load_project(&project).map(|config| config.map(|config| config.rules))
    }
}

#[test]
fn a_group_of_names_that_does_not_exist_is_shown_where_it_stands() {
    let text = "version = 1\n[catalogue]\noff = [\"private.keys\", \"private.kyes\"]\n";
    let error = parse_user(text, "policy.toml").unwrap_err();
    assert!(
        error.to_string().contains("`private.kyes` is no group"),
        "{error}"
    );
    assert_eq!(error.diagnostics()[0].position.as_ref().unwrap().line, 3);
}
