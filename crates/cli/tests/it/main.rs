//! The program as its users meet it: built, started with a private home and an empty environment, and looked at from
//! outside.
#![expect(
    clippy::disallowed_methods,
    reason = "tests build their own trees and start the program"
)]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails is a failed test"
)]

mod browser;
mod call;
mod check;
mod config;
mod desk;
mod desk_forged;
mod desk_hook;
mod desk_killed;
mod desk_page;
mod desk_screen;
mod grants;
mod harness;
mod help;
mod hook;
mod hook_runs;
mod init;
mod log;
mod runner;
mod secrets;
mod session;
mod subject;
mod terminal;
mod trust;
mod words;

#[test]
fn no_test_file_is_forgotten() {
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(main.contains(&format!("mod {module};")), "{name} is not declared");
        }
    }
}
