//! No bytes make the reader of commands panic or answer twice in two ways, and nothing that is put around a text or
//! behind it makes a command disappear.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_classify::shell::{self, Script};

fuzz_target!(|bytes: &[u8]| {
    let read = shell::read(bytes);
    assert_eq!(shell::read(bytes), read);
    let Ok(script) = read else { return };
    for number in 0..script.commands().len() {
        let _ = script.input(number);
    }
    // A wrapper stays, whatever is found behind it.
    let known = match shell::unwrap(script.clone()) {
        Ok(unwrapped) => unwrapped,
        Err(opaque) => opaque.seen().clone(),
    };
    assert!(argvs(&known) >= argvs(&script));
    for (before, after) in [
        ("( ", "\n)"),
        ("x=$( ", "\n)"),
        ("{ ", "\n}\na"),
        ("a | { ", "\n} &"),
    ] {
        let whole = [before.as_bytes(), bytes, after.as_bytes()].concat();
        if let Ok(outer) = shell::read(&whole) {
            assert_eq!(
                argvs(&outer),
                argvs(&script) + before.matches('a').count() + after.matches('a').count()
            );
        }
    }
});

/// How many commands have words.
fn argvs(script: &Script) -> usize {
    script
        .commands()
        .iter()
        .filter(|command| !command.words.is_empty())
        .count()
}
