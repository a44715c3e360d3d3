use std::fs;

use crate::{copy, program, straw};

const ONE: [&str; 2] = ["--only", "tools/unknown-tool"];

fn run(subject: &str, more: &[&str]) -> (i32, String) {
    program(&[&["run", "--subject", subject], more].concat())
}

#[test]
fn every_exit_code() {
    let place = tempfile::tempdir().unwrap();
    let family = copy(place.path());
    let broken = place.path().to_str().unwrap();
    fs::write(family, "format = 1\n").unwrap();
    let stale = place.path().join("stale.toml");
    fs::write(&stale, "\"tools/unknown-tool#known:audit\" = \"known, 1\"\n").unwrap();
    let cases: &[(&str, &[&str], i32)] = &[
        (&straw("none"), &ONE, 0),
        (&straw("deny-all"), &ONE, 1),
        (&straw("none"), &["--no-such-flag"], 2),
        ("'/bin/true", &ONE, 2),
        (&straw("none"), &["--folder", broken], 3),
        (&straw("none"), &["--only", "tools/no-such-family"], 4),
        (
            &straw("none"),
            &["--only", "tools/unknown-tool#no-such-variant"],
            4,
        ),
        // Everything unsupported is nothing run.
        (&straw("unsupported-all"), &ONE, 4),
        ("/no/such/program", &ONE, 5),
        ("/bin/true", &ONE, 5),
        ("/bin/cat", &ONE, 5),
        (
            &straw("none"),
            &[
                "--only",
                "tools/unknown-tool",
                "--baseline",
                stale.to_str().unwrap(),
            ],
            6,
        ),
    ];
    for (subject, more, expected) in cases {
        let (code, said) = run(subject, more);
        assert_eq!(code, *expected, "{subject} {more:?}: {said}");
    }
}

#[test]
fn each_bad_wire_is_seen() {
    let place = tempfile::tempdir().unwrap();
    copy(place.path());
    let folder = place.path().to_str().unwrap();
    let wires = |subject: &str| program(&["self-test", "--folder", folder, "--subject", subject]);
    let (code, said) = wires(&straw("none"));
    assert_eq!(code, 0, "{said}");
    for way in ["flip", "drop", "delay", "duplicate", "wrong-id"] {
        assert!(said.contains(&format!("wire {way:<15} fails 1")), "{said}");
    }
    assert!(said.contains("wire untouched       fails 0"), "{said}");
    // What passes nothing shows nothing.
    assert_eq!(wires(&straw("deny-all")).0, 4);
    assert_eq!(wires("/bin/true").0, 5);
    assert_eq!(program(&["mutate", "no-such-way", "--", "/bin/cat"]).0, 2);
}

#[test]
fn a_matrix_that_is_not_what_happens_is_red() {
    let place = tempfile::tempdir().unwrap();
    copy(place.path());
    let folder = place.path().to_str().unwrap();
    let test = |more: &[&str]| program(&[&["self-test", "--folder", folder], more].concat());
    // One family does not catch every liar, and that is told, whatever the matrix says.
    let (code, said) = test(&["--write"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("`edit-first` is caught by no family"), "{said}");
    assert!(!said.contains("matrix"), "{said}");
    let matrix = place.path().join("straw.toml");
    let seen = fs::read_to_string(&matrix).unwrap();
    let one = "[\n    \"tools/unknown-tool\",\n]";
    let (known, none) = (format!("wrong-reason = {one}"), "peek = [\n]");
    assert!(seen.contains(&known) && seen.contains(none), "{seen}");
    let changed = seen
        .replace(&known, "wrong-reason = [\n]")
        .replace(none, &format!("peek = {one}"));
    fs::write(&matrix, changed).unwrap();
    let (code, said) = test(&["--whole"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("`wrong-reason` fails tools/unknown-tool, which the matrix does not say"),
        "{said}"
    );
    assert!(
        said.contains("`peek` passes tools/unknown-tool, against the matrix"),
        "{said}"
    );
}

#[test]
fn a_family_that_does_not_parse_stops_everything() {
    let place = tempfile::tempdir().unwrap();
    let family = copy(place.path());
    let folder = place.path().to_str().unwrap();
    let (code, said) = run(&straw("none"), &["--folder", folder]);
    assert_eq!(code, 0, "{said}");
    let good = fs::read_to_string(&family).unwrap();
    for spoiled in [
        good.replace("asks = 0", "ask = 0"),
        good.replace("\"new\"", "\"newer\""),
    ] {
        fs::write(&family, spoiled).unwrap();
        assert_eq!(run(&straw("none"), &["--folder", folder]).0, 3);
        assert_eq!(program(&["lint", "--folder", folder]).0, 3);
    }
    fs::write(&family, good).unwrap();
    // A file that the manifest does not know, and one that is gone.
    fs::copy(&family, place.path().join("cases/tools/other.toml")).unwrap();
    assert_eq!(run(&straw("none"), &["--folder", folder]).0, 3);
    fs::remove_file(place.path().join("cases/tools/other.toml")).unwrap();
    fs::remove_file(&family).unwrap();
    assert_eq!(run(&straw("none"), &["--folder", folder]).0, 3);
}

#[test]
fn a_new_family_runs() {
    let place = tempfile::tempdir().unwrap();
    copy(place.path());
    let folder = place.path().to_str().unwrap();
    assert_eq!(program(&["new", "paths/fresh", "--folder", folder]).0, 0);
    assert_eq!(program(&["new", "paths/fresh", "--folder", folder]).0, 2);
    assert_eq!(program(&["new", "nowhere/fresh", "--folder", folder]).0, 2);
    assert_eq!(program(&["manifest", "--folder", folder]).0, 0);
    let (code, said) = program(&["try", "paths/fresh", "--folder", folder]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("caught: follow-links") || said.contains("caught: unmatched-allow"),
        "{said}"
    );
}

#[test]
fn results_are_written_and_rendered() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (results, html, junit) = (at("r.jsonl"), at("r.html"), at("r.xml"));
    let files = ["--results", &results, "--html", &html, "--junit", &junit];
    let (code, said) = run(&straw("deny-all"), &[&ONE[..], &files].concat());
    assert_eq!(code, 1, "{said}");
    assert!(fs::read_to_string(&html).unwrap().contains("tools/unknown-tool"));
    assert!(fs::read_to_string(&junit).unwrap().contains("<failure"));
    assert_eq!(program(&["report", &results, "--html", &html]).0, 0);
    let text = fs::read_to_string(&results).unwrap();
    let (unfinished, _footer) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&results, unfinished).unwrap();
    assert_eq!(program(&["report", &results]).0, 3);
}

#[test]
fn a_baseline_excuses_and_gets_stale() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("baseline.toml");
    let with = |text: &str, lie: &str| {
        fs::write(&file, text).unwrap();
        run(
            &straw(lie),
            &[&ONE[..], &["--baseline", file.to_str().unwrap()]].concat(),
        )
    };
    let known = "\"tools/unknown-tool#unknown:reason\" = \"known, 1\"\n\
                 \"tools/unknown-tool#unknown:audit\" = \"known, 1\"\n\
                 \"tools/unknown-tool#other-case:reason\" = \"known, 1\"\n\
                 \"tools/unknown-tool#other-case:audit\" = \"known, 1\"\n";
    let (code, said) = with(known, "wrong-reason");
    assert_eq!(code, 0, "{said}");
    assert_eq!(with(known, "none").0, 6, "it passes what is listed");
    // What is not promised is told, and what is told is not promised.
    let quiet = "[undeclared]\n\"approver.socket\" = \"known, 1\"\n\"cancel\" = \"known, 1\"\n";
    let (code, said) = with(quiet, "hook");
    assert_eq!(code, 6, "{said}");
    assert!(said.contains("`grants` (not promised, and not listed)"), "{said}");
    assert!(!said.contains("`cancel`"), "{said}");
    let whole = format!("{known}\n[undeclared]\n");
    let (code, said) = with(&format!("{whole}\"trust\" = \"known, 1\"\n"), "wrong-reason");
    assert_eq!(code, 6, "{said}");
    assert!(said.contains("`trust` (listed, and promised)"), "{said}");
    for wrong in [
        "\"tools/unknown-tool#known:effect\" = \"known, 1\"\n".to_owned(),
        format!("{whole}\"tool.spawn\" = \"no capability\"\n"),
        format!("{whole}\"trust\" = \" \"\n"),
        "\"tools/unknown-tool\" = \"no check\"\n".to_owned(),
    ] {
        let (code, said) = with(&wrong, "claim-only");
        assert_eq!(code, 3, "{wrong}: {said}");
    }
}

#[test]
fn a_profile_is_run_claimed_and_pinned() {
    let place = tempfile::tempdir().unwrap();
    copy(place.path());
    let folder = place.path().to_str().unwrap();
    let file = place.path().join("profiles/core-9.toml");
    fs::create_dir_all(place.path().join("profiles")).unwrap();
    let head = "name = \"core-9\"\nabout = \"x\"\nreleased = false\nneeds = [\"tool.make_dir\", \"allow.make_dir\", \
                \"policy.under\", \"audit\"]\n\n[families]\n\n[not_scored]\n";
    fs::write(&file, head).unwrap();
    assert_eq!(program(&["lint", "--folder", folder]).0, 3);
    assert_eq!(program(&["manifest", "--folder", folder]).0, 0);
    let with = |lie: &str, name: &str| run(&straw(lie), &["--folder", folder, "--profile", name]);
    let (code, said) = with("none", "core-9");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("\nconforms to the draft of core-9\n"), "{said}");
    let (code, said) = with("deny-all", "core-9");
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("does not conform to the draft of core-9: 0 of 1 families passed"),
        "{said}"
    );
    // Where everything is unsupported nothing ran, and nothing is claimed.
    assert_eq!(with("unsupported-all", "core-9").0, 4);
    assert_eq!(with("none", "core-8").0, 2);
    // Released: written no more, and a changed family is red also when the manifest knows of it.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("released = false", "released = true")).unwrap();
    assert_eq!(
        program(&["profile", "core-9", "--write", "--folder", folder]).0,
        2
    );
    let (code, said) = with("none", "core-9");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("\nconforms to core-9\n"), "{said}");
    let family = place.path().join("cases/tools/unknown-tool.toml");
    let good = fs::read_to_string(&family).unwrap();
    fs::write(&family, good.replace("\"new\"", "\"newer\"")).unwrap();
    assert_eq!(program(&["manifest", "--folder", folder]).0, 0);
    assert_eq!(with("none", "core-9").0, 3);
}
