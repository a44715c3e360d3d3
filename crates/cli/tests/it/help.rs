use snapbox::{assert_data_eq, file};

use crate::harness::TestBox;

fn help(words: &[&str]) -> String {
    let args: Vec<&str> = words.iter().copied().chain(["--help"]).collect();
    let outcome = TestBox::new().run(&args, "");
    outcome.assert_code(0);
    assert_eq!(outcome.stderr, "");
    for line in outcome.stdout.lines() {
        assert!(line.chars().count() <= 100, "too wide: {line}");
    }
    outcome.stdout
}

#[test]
fn portcullis() {
    assert_data_eq!(help(&[]), file!["help/portcullis.txt"]);
}

#[test]
fn check() {
    assert_data_eq!(help(&["check"]), file!["help/check.txt"]);
}

#[test]
fn call() {
    assert_data_eq!(help(&["call"]), file!["help/call.txt"]);
}

#[test]
fn hook() {
    assert_data_eq!(help(&["hook"]), file!["help/hook.txt"]);
}

#[test]
fn hook_claude_code() {
    assert_data_eq!(help(&["hook", "claude-code"]), file!["help/hook-claude-code.txt"]);
}

#[test]
fn log() {
    assert_data_eq!(help(&["log"]), file!["help/log.txt"]);
}

#[test]
fn log_show() {
    assert_data_eq!(help(&["log", "show"]), file!["help/log-show.txt"]);
}

#[test]
fn log_verify() {
    assert_data_eq!(help(&["log", "verify"]), file!["help/log-verify.txt"]);
}

#[test]
fn log_export() {
    assert_data_eq!(help(&["log", "export"]), file!["help/log-export.txt"]);
}

#[test]
fn log_stats() {
    assert_data_eq!(help(&["log", "stats"]), file!["help/log-stats.txt"]);
}

#[test]
fn log_reconcile() {
    assert_data_eq!(help(&["log", "reconcile"]), file!["help/log-reconcile.txt"]);
}

#[test]
fn log_seal() {
    assert_data_eq!(help(&["log", "seal"]), file!["help/log-seal.txt"]);
}

#[test]
fn log_rotate() {
    assert_data_eq!(help(&["log", "rotate"]), file!["help/log-rotate.txt"]);
}

#[test]
fn init() {
    assert_data_eq!(help(&["init"]), file!["help/init.txt"]);
}

#[test]
fn subject() {
    assert_data_eq!(help(&["subject"]), file!["help/subject.txt"]);
}

#[test]
fn a_command_line_that_is_not_understood_says_what_would_be() {
    let outcome = TestBox::new().run(&["chekc"], "");
    outcome.assert_code(2);
    assert!(outcome.stderr.contains("check"), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn trust() {
    assert_data_eq!(help(&["trust"]), file!["help/trust.txt"]);
}

#[test]
fn trust_status() {
    assert_data_eq!(help(&["trust", "status"]), file!["help/trust-status.txt"]);
}

#[test]
fn trust_yes() {
    assert_data_eq!(help(&["trust", "yes"]), file!["help/trust-yes.txt"]);
}

#[test]
fn config() {
    assert_data_eq!(help(&["config"]), file!["help/config.txt"]);
}

#[test]
fn config_check() {
    assert_data_eq!(help(&["config", "check"]), file!["help/config-check.txt"]);
}

#[test]
fn desk() {
    assert_data_eq!(help(&["desk"]), file!["help/desk.txt"]);
}

#[test]
fn ask() {
    assert_data_eq!(help(&["ask"]), file!["help/ask.txt"]);
}

#[test]
fn grants() {
    assert_data_eq!(help(&["grants"]), file!["help/grants.txt"]);
}

#[test]
fn grants_list() {
    assert_data_eq!(help(&["grants", "list"]), file!["help/grants-list.txt"]);
}
