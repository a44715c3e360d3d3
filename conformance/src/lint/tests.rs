//! Each lint fires.

use std::path::PathBuf;

use super::lint;
use crate::fixture::{Source, read_family};
use crate::{Manifest, Spec, scaffold};

const SPEC: &str = "- **PATHS-1** MUST x.\n- **PATHS-2** MUST y.\n";

fn source(text: &str) -> Source {
    let family = read_family(text).unwrap();
    Source {
        file: PathBuf::from("cases/paths/x.toml"),
        text: text.to_owned(),
        hash: crate::hash::hex(text.as_bytes()),
        family,
    }
}

fn good() -> String {
    scaffold::family("paths/x").unwrap()
}

fn lints(text: &str) -> Vec<String> {
    let sources = [source(text)];
    let spec = Spec::read(SPEC).unwrap();
    let mut found: Vec<String> = lint(&sources, &spec, &Manifest::of(&sources), "PATHS-2\n")
        .iter()
        .map(|fault| format!("{} ({})", fault.lint, fault.what))
        .collect();
    found.sort();
    found
}

#[test]
fn a_new_family_is_sound() {
    assert_eq!(lints(&good()), [""; 0]);
}

/// What the good family expects of its denial.
const DENIAL: &str = r#"decision = "deny"
reason = ["policy", "denied_by_human"]
asks = [0, 1]
effect = []
output = []
audit = { records = 1, has = ["decided decision=deny"], lacks = ["canary:A"] }"#;

/// A replacement in the good family, and the lint that sees it.
#[rustfmt::skip]
const FAULTS: &[(&str, &str, &str)] = &[
    (r#"id = "paths/x""#, r#"id = "paths/y""#, "id"),
    (r#"id = "paths/x""#, r#"id = "elsewhere/x""#, "id"),
    ("a write inside and beside", "a write that should work beside", "title"),
    (r#"["PATHS-1"]"#, r#"["PATHS-9"]"#, "rules"),
    (r#"bug = "escape""#, r#"bug = "bad""#, "bug"),
    (r#"since = "0.1.0""#, r#"since = "soon""#, "since"),
    (r#"name = "beside""#, r#"name = "Beside""#, "variant"),
    (r#"name = "beside""#, r#"name = "inside""#, "variant"),
    (r#"otherwise = "ask""#, r#"otherwise = "allow""#, "policy"),
    (r#"allow = [{ tool = "write", under = "workspace" }]"#, r#"allow = [{ tool = "fetch", under = "workspace" }]"#, "policy"),
    ("refs = []\n", "refs = [] \n", "form"),
    (r#"decision = "deny""#, r#"decision = "none""#, "kill"),
    (r#"decision = "deny""#, r#"decision = "maybe""#, "decision"),
    (DENIAL, r#"decision = ["allow", "deny"]
reason = "policy"
asks = 0
effect = []
output = []
audit = { records = [1, 2], has = [], lacks = ["canary:A"] }"#, "idle"),
    ("effect = []", "effect = []\nor = [{ delete = \"workspace/src/\" }]", "deny-effect"),
    ("effect = []", "effect = []\nor = [{ delete = \"workspace/src/\" }]", "effect"),
    (r#"effect = [{ create = "workspace/src/a.txt", content = "hi" }]"#, "effect = []", "polarity"),
    ("effect = []", r#"effect = [{ delete = "workspace/src" }]"#, "deny-effect"),
    (r#"["policy", "denied_by_human"]"#, r#"["policy", "unlucky"]"#, "reason"),
    (r#"has = ["decided decision=deny"]"#, r#"has = ["refused"]"#, "audit"),
    (r#"approver = ["deny"]"#, r#"approver = ["stale"]"#, "approver"),
    ("asks = [0, 1]", "asks = [0, 1]\nalike = true", "alike"),
    ("asks = [0, 1]", "asks = [0, 1]\nversion = \"same\"", "version"),
    (r#"approver = ["deny"]"#, r#"approver = "absent""#, "differs"),
    (r#"approver = ["deny"]"#, r#"approver = ["deny", "deny"]"#, "apart"),
    (r#"approver = ["deny"]"#, r#"approver = ["silence"]"#, "needs"),
    (r#"differs = ["call.path"]"#, r#"differs = ["call.path", "call.content"]"#, "differs"),
    (r#"differs = ["call.path"]"#, r#"differs = []"#, "differs"),
    (r#"["tool.write", "allow.write", "#, r#"["allow.write", "#, "needs"),
    (r#"["tool.write", "allow.write", "#, r#"["tool.write", "allow.write", "tool.fly", "#, "needs"),
    (r#""workspace/src/" = "dir""#, r#""workspace/src/" = { file = "x" }"#, "tree"),
    (r#""workspace/src/" = "dir""#, r#""workspace/src/" = "dir""workspace/l" = { hardlink = "nowhere" }"#, "tree"),
    (r#""workspace/src/" = "dir""#, "\"workspace/src/\" = \"dir\"\n\"workspace/SRC\" = { file = \"x\" }", "case"),
    (r#"path = "../outside/a.txt""#, r#"path = "/etc/passwd""#, "danger"),
    (r#"path = "../outside/a.txt""#, r#"path = "../../x""#, "danger"),
    (r#"path = "../outside/a.txt""#, r#"path = "{canary:B}""#, "place"),
    (r#"path = "../outside/a.txt""#, r#"path = "{repeat:1048000:x}""#, "line"),
    (r#"lacks = ["canary:A"]"#, "lacks = []", "lacks"),
];

#[test]
fn each_lint_fires() {
    for (from, to, lint) in FAULTS {
        let good = good();
        assert!(good.contains(from), "{from}");
        let to = to.replace("\"dir\"\"", "\"dir\"\n\"");
        // The last place of those that stand in both variants: that is the denial.
        let around = if from.starts_with("lacks") {
            good.split_once(from)
        } else {
            good.rsplit_once(from)
        };
        let (before, after) = around.unwrap();
        let text = format!("{before}{to}{after}");
        let found = lints(&text);
        assert!(
            found.iter().any(|found| found.starts_with(&format!("{lint} ("))),
            "{to}: expected {lint}, found {found:?}"
        );
    }
}

#[test]
fn the_suite_is_pinned_and_covered() {
    let sources = [source(&good())];
    let spec = Spec::read(SPEC).unwrap();
    let names = |manifest: &Manifest, uncovered: &str| {
        let found = lint(&sources, &spec, manifest, uncovered);
        found.into_iter().map(|fault| fault.what).collect::<Vec<_>>()
    };
    let right = Manifest::of(&sources);
    assert_eq!(Manifest::read(&right.write()).unwrap(), right);
    assert!(names(&right, "PATHS-2").is_empty());
    // A file that the manifest does not know, one that is gone, and one that was changed.
    assert!(names(&Manifest::default(), "PATHS-2")[0].contains("not in the manifest"));
    let other = Manifest::read(&right.write().replace("paths/x", "paths/gone")).unwrap();
    assert!(names(&other, "PATHS-2")[0].contains("no file"));
    let changed = Manifest::read(&right.write().replace("variants = 2", "variants = 3")).unwrap();
    assert!(names(&changed, "PATHS-2")[0].contains("not as the manifest pins it"));
    // A rule without a family; an excuse that is no longer true; an excuse for nothing.
    assert_eq!(names(&right, ""), ["`PATHS-2` has no family"]);
    assert_eq!(names(&right, "PATHS-1\nPATHS-2\n").len(), 1);
    assert_eq!(names(&right, "PATHS-2\nPATHS-7\nlie:nobody\n").len(), 2);
}

#[test]
fn unknown_and_missing_keys_do_not_parse() {
    for (from, to) in [
        ("refs = []", "refs = []\nref = []"),
        ("refs = []\n", ""),
        ("asks = 0\n", ""),
        ("output = []\n", ""),
        ("records = 2, ", ""),
        ("approver = [\"deny\"]\n", ""),
        ("content = \"hi\" }]", "contents = \"hi\" }]"),
        ("under = \"workspace\"", "below = \"workspace\""),
        ("format = 1", "format = 2"),
        ("asks = [0, 1]", "asks = []"),
        ("{ canary = \"A\" }", "{ canary = \"A\", file = \"x\" }"),
        ("{ canary = \"A\" }", "{ canari = \"A\" }"),
        ("call = {", "act = {"),
    ] {
        assert!(good().contains(from), "{from}");
        assert!(read_family(&good().replacen(from, to, 1)).is_err(), "{to}");
    }
}

#[test]
fn a_batch_is_looked_at_call_by_call() {
    let batch = |verb: &str, path: &str, effect: &str| {
        let member = |path: &str| {
            format!(
                "[[variant.batch]]\ncall = {{ tool = \"write\", path = \"{path}\", content = \"x\" }}\n\
                 approver = [\"{verb}\"]\n[variant.batch.expect]\ndecision = \"deny\"\n\
                 reason = \"denied_by_human\"\nasks = 1\neffect = {effect}\noutput = []\n\
                 audit = {{ records = 1, has = [\"decided\"], lacks = [\"canary:A\"] }}\n"
            )
        };
        let both = format!("{}{}", member("b"), member(path));
        lints(&format!(
            "{}\n[[variant]]\nname = \"both\"\ndiffers = []\n{both}",
            good()
        ))
    };
    let has =
        |found: &[String], lint: &str| found.iter().any(|found| found.starts_with(&format!("{lint} (")));
    let sound = batch("deny", "c", "[]");
    assert!(has(&sound, "needs") && has(&sound, "differs"), "{sound:?}");
    assert_eq!(
        sound.len(),
        2,
        "a batch needs the capability, and its difference said: {sound:?}"
    );
    assert!(has(&batch("late", "c", "[]"), "approver"));
    assert!(has(&batch("deny", "../../x", "[]"), "danger"));
    assert!(has(
        &batch("deny", "c", "[{ create = \"workspace/b\", content = \"x\" }]"),
        "deny-effect"
    ));
    let one = "[[variant.batch]]\ncall = { tool = \"list\", path = \".\" }\napprover = []\n";
    assert!(read_family(&format!("{}\n[[variant]]\nname = \"one\"\n{one}", good())).is_err());
}

#[test]
fn what_is_saved_can_be_told_and_what_is_begun_is_finished() {
    let with = |act: &str| {
        let story = "[[variant]]\nname = \"story\"\ndiffers = [\"step\"]\n";
        let found = lints(&format!(
            "{}\n{story}[[variant.step]]\nact = {{ {act} }}\n",
            good()
        ));
        found.iter().filter(|fault| fault.starts_with("save (")).count()
    };
    let save = |entry: &str, how: &str| {
        with(&format!(
            "do = \"save\", how = \"{how}\", policy = {{ otherwise = \"ask\", {entry} }}"
        ))
    };
    let same = r#"allow = [{ tool = "write", under = "workspace" }]"#;
    assert_eq!(save(same, "half"), 0);
    assert_eq!(save(r#"deny = [{ tool = "write" }]"#, "replace"), 0);
    assert_eq!(
        save(r#"allow = [{ tool = "read", under = "workspace" }]"#, "replace"),
        1
    );
    assert_eq!(with("do = \"finish\""), 1);
}

#[test]
fn people_come_to_a_desk_where_there_is_one_and_a_question_too() {
    let with = |before: &str, approver: &str, during: &str| {
        let call = format!(
            "[[variant.step]]\ncall = {{ tool = \"write\", path = \"a\", content = \"x\" }}\napprover = {approver}\n\
             during = [{during}]\n[variant.step.expect]\n{DENIAL}\n"
        );
        let act = match before {
            "" => String::new(),
            before => format!("[[variant.step]]\nact = {{ {before} }}\n"),
        };
        let story = "[[variant]]\nname = \"story\"\ndiffers = [\"step\"]\n";
        let found = lints(&format!("{}\n{story}{act}{call}", good()));
        found.iter().filter(|fault| fault.starts_with("desk (")).count()
    };
    let answer = |about: &str, taken: bool| {
        format!("do = \"answer\", person = \"one\", says = \"deny\", about = \"{about}\", taken = {taken}")
    };
    let at = |moment: &str, what: &str| format!("{{ at = \"{moment}\", {what} }}");
    let look = "do = \"look\", person = \"one\", sees = 0";
    let this = answer("this", true);
    assert_eq!(with(look, "\"desk\"", &at("ask", &this)), 0);
    assert_eq!(with(&answer("guessed", false), "\"desk\"", ""), 0);
    for (before, approver, during) in [
        (look, "[\"deny\"]", String::new()),
        ("", "\"absent\"", at("ask", &this)),
        ("", "\"desk\"", at("call", &this)),
        (
            "",
            "\"desk\"",
            format!("{}, {}", at("ask", &this), at("ask", &this)),
        ),
        ("", "\"desk\"", at("ask", &answer("before", false))),
        (
            "",
            "\"desk\"",
            format!(
                "{}, {}",
                at("ask", &this),
                at("ask", "do = \"remove\", path = \"workspace/a\"")
            ),
        ),
        (&this, "\"desk\"", String::new()),
        (
            "do = \"garble\", person = \"one\", how = \"half\"",
            "\"desk\"",
            String::new(),
        ),
        (&answer("before", false), "\"desk\"", String::new()),
    ] {
        assert_eq!(with(before, approver, &during), 1, "{before} {approver} {during}");
    }
}
