//! The scan for working directories never panics, says the same as a plain walk, and gives up on exactly what is too
//! deep for it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_classify::subagents::{DEPTH_LIMIT, Unscannable, scan};
use serde_json::Value;

const CWD: &str = "/w";

fuzz_target!(|bytes: &[u8]| {
    let Ok(arguments) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    match scan(&arguments, Some(CWD.as_bytes())) {
        Ok(found) => {
            assert!(depth(&arguments) <= DEPTH_LIMIT);
            assert_eq!(found.len(), elsewhere(&arguments));
            for finding in found {
                assert!(finding.place.starts_with('$'), "{}", finding.place);
                assert!(!finding.seen.chars().any(char::is_control));
            }
        }
        Err(Unscannable::TooDeep) => assert!(depth(&arguments) > DEPTH_LIMIT),
        Err(_) => {}
    }
});

/// The JSON reader bounds the depth, so that this may call itself.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn elsewhere(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(elsewhere).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| {
                let passes = value.is_null() || value == "" || value == CWD;
                usize::from(name == "cwd" && !passes) + elsewhere(value)
            })
            .sum(),
        _ => 0,
    }
}
