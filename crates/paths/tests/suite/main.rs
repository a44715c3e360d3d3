//! The resolver against real trees, on both ways of asking the kernel.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a broken case has to stop the test"
)]

mod agree;
mod drift;
mod globs;
mod model;
mod moves;
mod scene;
mod system;
mod vectors;
mod windows;
mod zones;

/// A file that nobody declares would hold tests that never run.
#[test]
fn every_file_is_declared() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let main = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let module = name.strip_suffix(".rs").unwrap_or(&name);
        assert!(
            module == "main" || main.contains(&format!("mod {module};")),
            "{name}"
        );
    }
}
