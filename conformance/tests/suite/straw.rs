//! A slice of the self-test; `cargo xtask conformance self-test` is the whole.

use std::process::Command;

use crate::{folder, program, straw};

#[test]
fn the_reference_passes_everything() {
    let (code, said) = program(&["run", "--jobs", "8", "--subject", &straw("none")]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(" 0 unsupported"), "{said}");
}

#[test]
fn one_process_in_another_order_passes_all_it_is_given() {
    let only = ["--only", "policy", "--only", "race", "--only", "input"];
    let one = ["--long-lived", "--jobs", "1", "--seed", "7", "--subject"];
    let (code, said) = program(&[&["run"], &one[..], &[&straw("none")], &only].concat());
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(" 0 unsupported"), "{said}");
}

#[test]
fn constant_subjects_pass_nothing() {
    for lie in ["allow-all", "deny-all", "crash", "empty-result"] {
        let only = ["--only", "policy", "--only", "subagents"];
        let (code, said) = program(&[&["run", "--subject", &straw(lie)], &only[..]].concat());
        assert_eq!(code, 1, "{lie}: {said}");
        assert!(said.contains("families: 0 passed"), "{lie}: {said}");
        assert!(said.contains(" 0 errors"), "{lie}: {said}");
    }
}

#[test]
fn a_subject_that_hangs_fails_and_is_killed() {
    let hanging = straw("hang");
    let only = ["--only", "tools/unknown-tool", "--deadline-ms", "300"];
    let (code, said) = program(&[&["run", "--subject", &hanging], &only[..]].concat());
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("no result within the deadline"), "{said}");
}

#[test]
fn a_gate_in_another_language_passes_what_it_declares() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("SKIPPED a_gate_in_another_language_passes_what_it_declares: python3 is not there");
        assert!(std::env::var_os("CI").is_none(), "CI has python3");
        return;
    }
    let toy = folder().join("subjects/toy/toy_gate.py");
    let subject = format!("python3 '{}'", toy.display());
    let (code, said) = program(&["run", "--subject", &subject, "--long-lived"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(" 0 failed, 0 failed (should), "), "{said}");
    let (_, counts) = said.rsplit_once("families: ").unwrap();
    let passed: usize = counts.split(' ').next().unwrap().parse().unwrap();
    assert!(passed >= 17, "{said}");
    for area in ["approval", "paths", "race", "tools", "trust"] {
        let row = said.lines().find(|row| row.starts_with(area)).unwrap();
        assert_ne!(row.split_whitespace().nth(1), Some("0"), "{area}: {said}");
    }
    // A fresh process each as well, where it is held open while the world changes.
    let (code, said) = program(&["run", "--subject", &subject, "--only", "race"]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn the_families_are_sound() {
    let (code, said) = program(&["lint"]);
    assert_eq!(code, 0, "{said}");
}
