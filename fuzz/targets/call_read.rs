//! No bytes make the reader of calls panic, and a call that it reads is read again from its own canonical form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_classify::{Call, Limits, Shape};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    for shape in [Shape::Portcullis, Shape::ClaudeCode, Shape::Pi] {
        let Ok(call) = Call::read(bytes, shape, &limits) else {
            continue;
        };
        let again =
            Call::read(call.canonical(), Shape::Portcullis, &limits).expect("the canonical form is a call");
        assert_eq!(again.canonical(), call.canonical());
        assert_eq!(again.digest(), call.digest());
        assert_eq!(again.canonical_arguments(), call.canonical_arguments());
    }
});
