//! The example that the README judges.

use std::fs;

use crate::harness::TestBox;

const SESSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/session.jsonl");

/// Every verdict that does not depend on the machine: the workspace is a tree of the test's own.
#[test]
fn the_example_session_is_judged_as_it_says() {
    let test = TestBox::new();
    test.write("work/Cargo.toml", "");
    test.write("work/README.md", "");
    fs::create_dir_all(test.work().join("crates/gate")).unwrap();
    test.run(&["init"], "").assert_code(0);
    let outcome = test.run(&["check", SESSION, "--json"], "");
    outcome.assert_code(0);
    let judged: Vec<String> = outcome
        .json()
        .iter()
        .map(|line| {
            let word = |member: &str| line[member].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", word("call"), word("verdict"), word("refusal"))
        })
        .collect();
    let expected = [
        "toolu_01 allow -",
        "toolu_02 allow -",
        "toolu_03 allow -",
        "toolu_04 allow -",
        "toolu_05 allow -",
        "toolu_06 allow -",
        "toolu_07 confirm -",
        "toolu_08 deny policy",
        "toolu_09 confirm -",
        "toolu_10 confirm -",
        "toolu_11 allow -",
        "toolu_12 deny policy",
        "toolu_13 deny policy",
        "toolu_14 deny unknown_tool",
        "call_0 allow -",
        "call_1 allow -",
        "call_2 allow -",
        "call_3 allow -",
        "call_4 allow -",
        "call_5 allow -",
        "call_6 allow -",
        "call_7 deny policy",
        "call_8 confirm -",
        "call_9 deny policy",
        "call_10 deny bad_arguments",
        "call_11 deny bad_arguments",
    ];
    assert_eq!(judged, expected);
}
