//! No bytes make the reader of the trust store panic, and what is read decides about every directory without one.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use portcullis_trust::Saved;

fuzz_target!(|bytes: &[u8]| {
    let Ok(saved) = Saved::read(bytes) else { return };
    for (directory, is_trusted) in saved.iter() {
        assert!(directory.is_absolute());
        let nearest = saved.nearest(directory).expect("it is saved");
        // Another name of the same directory may say no; nothing makes a no a yes.
        assert!(is_trusted || !nearest.is_trusted || nearest.at != directory);
    }
    let _nowhere = saved.nearest(Path::new("/nowhere/at/all"));
});
