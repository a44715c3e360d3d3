use std::fs;

use serde_json::json;

use crate::harness::{TestBox, call};

fn recorded() -> TestBox {
    let test = TestBox::new();
    let calls = [
        call("1", "write_file", json!({"path": "a", "content": "x"})),
        call("2", "delete_file", json!({"path": "a"})),
    ];
    test.run(&["call", "-"], calls.concat()).assert_code(1);
    test
}

#[test]
fn what_was_decided_and_what_came_of_it_is_shown() {
    let test = recorded();
    let shown = test.run(&["log", "show"], "");
    shown.assert_code(0);
    let words = ["permitted", "done", "asked", "refused"];
    assert_eq!(shown.stdout.lines().count(), words.len(), "{}", shown.stdout);
    for (line, word) in shown.stdout.lines().zip(words) {
        assert!(line.contains(word), "{word}: {line}");
    }
    let raw = test.run(&["log", "show", "--json"], "");
    raw.assert_code(0);
    let records = raw.json();
    assert_eq!(records[3]["refusal"], "no_approver");
    let lines: Vec<serde_json::Value> = fs::read_to_string(test.log())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records, lines);
}

#[test]
fn a_whole_log_verifies_and_a_changed_one_does_not() {
    let test = recorded();
    test.spoil_log();
    let whole = test.run(&["log", "verify"], "");
    whole.assert_code(0);
    assert!(whole.stdout.starts_with("whole: 4 records"), "{}", whole.stdout);

    let text = fs::read_to_string(test.log()).unwrap();
    fs::write(test.log(), text.replacen("no_approver", "policy", 1)).unwrap();
    let broken = test.run(&["log", "verify"], "");
    broken.assert_code(1);
    assert!(
        broken
            .stdout
            .starts_with("broken: 3 records are good, then line 4: "),
        "{}",
        broken.stdout
    );
    let data = test.run(&["log", "verify", "--json"], "");
    data.assert_code(1);
    assert_eq!(data.json()[0]["fault"]["line"], 4);
    assert_eq!(data.json()[0]["whole"], false);
    test.run(&["log", "show"], "").assert_code(1);
}

#[test]
fn open_decisions_and_torn_ends_are_told() {
    let test = recorded();
    test.spoil_log();
    let text = fs::read_to_string(test.log()).unwrap();
    let first = text.lines().next().unwrap();
    fs::write(test.log(), format!("{first}\n{{\"v\":1,")).unwrap();
    let outcome = test.run(&["log", "verify"], "");
    assert!(outcome.stdout.contains("\nopen: "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\ntorn: "), "{}", outcome.stdout);
}

#[test]
fn a_log_can_be_named_and_a_missing_one_is_an_error() {
    let test = recorded();
    fs::rename(test.log(), test.work().join("kept.jsonl")).unwrap();
    test.run(&["log", "verify", "kept.jsonl"], "").assert_code(0);
    let missing = test.run(&["log", "verify"], "");
    missing.assert_code(3);
    assert!(missing.stderr.contains("\nhint: "), "{}", missing.stderr);
    assert!(!test.log().exists(), "looking makes no log");
}

#[test]
fn records_are_chosen_by_what_they_say() {
    let test = recorded();
    let shown = |flags: &[&str]| -> Vec<String> {
        let outcome = test.run(&[&["log", "show", "--json"], flags].concat(), "");
        outcome.assert_code(0);
        let word = |record: &serde_json::Value| {
            let member = ["outcome", "decision", "kind"]
                .into_iter()
                .find_map(|member| record[member].as_str());
            member.unwrap().to_owned()
        };
        outcome.json().iter().map(word).collect()
    };
    let place = test.work().join("a");
    let place = place.to_str().unwrap();
    for (flags, words) in [
        (&["--tool", "write_file"][..], &["permitted", "done"][..]),
        (&["--call", "2"], &["asked", "refused"]),
        (&["--decision", "permitted"], &["permitted", "done"]),
        (&["--decision", "no_approver"], &["refused"]),
        (&["--decision", "asked"], &["asked"]),
        (&["--resource", place], &["permitted", "done", "asked", "refused"]),
        (&["--resource", "."], &["permitted", "done", "asked", "refused"]),
        (&["--resource", "elsewhere"], &[]),
        (&["--since", "1h"], &["permitted", "done", "asked", "refused"]),
        (&["--until", "2020-01-01"], &[]),
        (&["--session", "none"], &[]),
        (&["--last", "1"], &["refused"]),
        (&["--tool", "write_file", "--decision", "refused"], &[]),
    ] {
        assert_eq!(shown(flags), words, "{flags:?}");
    }
    for (flags, said) in [
        (&["--since", "yesterday"][..], "`yesterday` is not a time"),
        (
            &["--since", "1h", "--until", "2h"],
            "nothing is from `--since` on",
        ),
        (&["--decision", "denied"], "`denied` is no decision"),
    ] {
        let wrong = test.run(&[&["log", "show"], flags].concat(), "");
        wrong.assert_code(2);
        assert!(wrong.stderr.contains(said), "{}", wrong.stderr);
        assert!(wrong.stderr.contains("\nhint: "), "{}", wrong.stderr);
    }
    let none = test.run(&["log", "show", "--tool", "none"], "");
    none.assert_code(0);
    assert_eq!(
        (none.stdout.as_str(), none.stderr.as_str()),
        ("", "note: the log has no such record\n")
    );
}

#[test]
fn the_log_is_handed_on_in_other_forms() {
    let test = recorded();
    let export = |format: &str| {
        let outcome = test.run(&["log", "export", "--format", format], "");
        outcome.assert_code(0);
        outcome
    };
    let records: serde_json::Value = serde_json::from_str(&export("json").stdout).unwrap();
    assert_eq!(records.as_array().unwrap().len(), 4);
    let csv = export("csv").stdout;
    assert_eq!(csv.matches("\r\n").count(), 5);
    assert!(csv.starts_with("seq,time,kind,"), "{csv}");
    let otel = export("otel").json();
    let sent = &otel[0]["resourceLogs"][0]["scopeLogs"][0]["logRecords"];
    assert_eq!(sent.as_array().unwrap().len(), 4);
    assert_eq!(sent[0]["eventName"], "portcullis.decided");
    assert!(sent[0]["timeUnixNano"].is_string());
    let ocsf = export("ocsf").json();
    assert_eq!(ocsf.len(), 4);
    for event in &ocsf {
        let activity = event["activity_id"].as_u64().unwrap();
        assert_eq!(event["type_uid"], 600_300 + activity);
    }
    assert_eq!(
        (&ocsf[0]["action_id"], &ocsf[3]["action_id"]),
        (&json!(1), &json!(2))
    );
    let none = test.run(&["log", "export", "--format", "json", "--tool", "none"], "");
    assert_eq!(none.stdout, "[]\n");
}

#[test]
fn the_log_is_counted_and_reconciled() {
    let test = recorded();
    let stats = test.run(&["log", "stats", "--json"], "");
    stats.assert_code(0);
    let stats = &stats.json()[0];
    assert_eq!(stats["decisions"], json!({"permitted": 1, "refused": 1}));
    assert_eq!(stats["refusals"], json!({"no_approver": 1}));
    assert_eq!(stats["outcomes"], json!({"done": 1}));
    test.run(&["log", "stats"], "").assert_code(0);
    let books = test.run(&["log", "reconcile"], "");
    books.assert_code(0);
    let said = "2 calls: 1 permitted and finished, 0 permitted and unfinished, 1 refused\n";
    assert!(books.stdout.starts_with(said), "{}", books.stdout);
}

#[test]
fn a_sealed_log_proves_itself_to_whoever_kept_the_checkpoint() {
    let test = recorded();
    let sealed = test.run(&["log", "seal"], "");
    sealed.assert_code(0);
    fs::write(test.work().join("kept.json"), &sealed.stdout).unwrap();
    let key = sealed.json()[0]["key"].as_str().unwrap().to_owned();
    test.run(&["call", "-"], call("3", "read_file", json!({"path": "a"})))
        .assert_code(0);
    let against = ["log", "verify", "--against", "kept.json", "--key", &key];
    let proved = test.run(&against, "");
    proved.assert_code(0);
    assert!(
        proved.stdout.contains("\nsealed: 2 checkpoints fit\n"),
        "{}",
        proved.stdout
    );
    test.run(&["log", "verify", "--against", "-"], &sealed.stdout)
        .assert_code(0);
    let other = test.run(
        &[
            "log",
            "verify",
            "--against",
            "kept.json",
            "--key",
            &"0".repeat(64),
        ],
        "",
    );
    other.assert_code(3);
    test.run(&["log", "verify", "--against", "-"], "{}")
        .assert_code(3);
    test.run(&["log", "verify", "--against", "-"], "").assert_code(3);

    // Someone with all of the directory makes the log anew.
    for name in [
        "audit.jsonl",
        "audit.jsonl.key",
        "audit.jsonl.head",
        "audit.jsonl.seals",
    ] {
        fs::remove_file(test.log().with_file_name(name)).unwrap();
    }
    test.run(&["call", "-"], call("1", "read_file", json!({"path": "a"})))
        .assert_code(0);
    test.run(&["log", "verify"], "").assert_code(0);
    let forged = test.run(&against, "");
    forged.assert_code(1);
    assert!(
        forged.stdout.contains("a checkpoint knows record 4"),
        "{}",
        forged.stdout
    );
}

#[test]
fn the_log_goes_over_to_a_new_file() {
    let test = recorded();
    test.spoil_log();
    test.run(&["log", "rotate"], "").assert_code(0);
    let shown = test.run(&["log", "show"], "");
    assert_eq!(shown.stdout.lines().count(), 5, "{}", shown.stdout);
    let whole = test.run(&["log", "verify"], "");
    assert!(whole.stdout.starts_with("whole: 5 records"), "{}", whole.stdout);
    // The oldest file was moved away: that is seen, and may be meant.
    fs::remove_file(test.log().with_file_name("audit.jsonl.d").join("from-1.jsonl")).unwrap();
    let cut = test.run(&["log", "verify"], "");
    cut.assert_code(1);
    assert!(
        cut.stdout.starts_with("cut: 1 records are good"),
        "{}",
        cut.stdout
    );
    test.run(&["log", "verify", "--from", "5"], "").assert_code(0);
}

#[test]
fn a_log_that_lost_its_end_runs_nothing_more() {
    let test = recorded();
    test.spoil_log();
    let text = fs::read_to_string(test.log()).unwrap();
    let cut: String = text.split_inclusive('\n').take(3).collect();
    fs::write(test.log(), cut).unwrap();
    test.run(&["log", "verify"], "").assert_code(1);
    let outcome = test.run(
        &["call", "-"],
        call("3", "write_file", json!({"path": "b", "content": "x"})),
    );
    outcome.assert_code(5);
    assert!(
        outcome.stderr.contains("its end was cut off"),
        "{}",
        outcome.stderr
    );
    assert!(!test.work().join("b").exists());
}
