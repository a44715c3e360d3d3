//! Which test binaries have to run something, read from the sources.

use super::rust;
use crate::tree::File;

/// How a test begins.
const TESTS: &[&str] = &["#[test]", "#[rstest]", "proptest! {"];

/// The binaries of the workspace that hold tests, as the runner names them: crate name and source file.
pub(crate) fn test_binaries(files: &[File]) -> Vec<String> {
    let mut binaries = Vec::new();
    for manifest in files {
        let Some(folder) = manifest.path.strip_suffix("/Cargo.toml") else {
            continue;
        };
        if folder == "fuzz" || folder.contains("/tests/") {
            continue;
        }
        let Some(names) = manifest.text.as_deref().map(Names::read) else {
            continue;
        };
        let library = files
            .iter()
            .any(|file| file.path == format!("{folder}/src/lib.rs"));
        let main = format!("{folder}/src/main.rs");
        let holds = |wanted: &dyn Fn(&str) -> bool| {
            rust(files).any(|(path, text)| {
                path.starts_with(&format!("{folder}/src/")) && wanted(path) && has_tests(text)
            })
        };
        if library && holds(&|path| path != main) {
            binaries.push(format!("{} src/lib.rs", names.library));
        }
        if holds(&|path| path == main || !library) {
            binaries.push(format!("{} src/main.rs", names.binary));
        }
        for (path, _) in rust(files) {
            let test = path
                .strip_prefix(folder)
                .and_then(|rest| rest.strip_prefix("/tests/"));
            if let Some((name, test)) = test.and_then(|test| Some((test_name(test)?, test))) {
                binaries.push(format!("{} tests/{test}", name.replace('-', "_")));
            }
        }
    }
    binaries
}

/// The libraries of the product, as the runner names their documentation: each shows how it is used.
pub(crate) fn libraries(files: &[File]) -> Vec<String> {
    let manifest = |folder: &str| {
        files
            .iter()
            .find(|file| file.path == format!("{folder}/Cargo.toml"))
    };
    let folders = files
        .iter()
        .filter_map(|file| file.path.strip_suffix("/src/lib.rs"));
    let ours = folders.filter(|folder| folder.starts_with("crates/"));
    let texts = ours.filter_map(|folder| manifest(folder)?.text.as_deref());
    texts.map(|text| Names::read(text).library).collect()
}

/// `laws.rs` and `laws/main.rs` are both the test `laws`; any other file belongs to one of these.
fn test_name(file: &str) -> Option<&str> {
    let name = file
        .strip_suffix("/main.rs")
        .or_else(|| file.strip_suffix(".rs"))?;
    (!name.contains('/')).then_some(name)
}

/// Whether a source holds a test.
fn has_tests(text: &str) -> bool {
    text.lines().any(|line| TESTS.contains(&line.trim()))
}

struct Names {
    library: String,
    binary: String,
}

impl Names {
    fn read(manifest: &str) -> Self {
        let package = name_after(manifest, "[package]").unwrap_or_default();
        let binary = name_after(manifest, "[[bin]]").unwrap_or(package);
        Self {
            library: package.replace('-', "_"),
            binary: binary.replace('-', "_"),
        }
    }
}

fn name_after<'a>(manifest: &'a str, table: &str) -> Option<&'a str> {
    let mut lines = manifest.lines().skip_while(|line| line.trim() != table);
    lines.find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::{libraries, test_binaries};

    #[test]
    fn names_binaries_as_the_runner_does() {
        let files = [
            file(
                "crates/cli/Cargo.toml",
                "[package]\nname = \"house-cli\"\n\n[[bin]]\nname = \"house\"\n",
            ),
            file("crates/cli/src/main.rs", ""),
            file("crates/cli/src/hook.rs", "    #[test]\n"),
            file("crates/cli/tests/hook-shape.rs", ""),
            file("crates/cli/tests/common/mod.rs", ""),
            file("crates/cli/tests/whole/main.rs", ""),
            file("crates/cli/tests/whole/part.rs", ""),
            file("crates/one/Cargo.toml", "[package]\nname = \"house-one\"\n"),
            file("crates/one/src/lib.rs", "no tests"),
        ];
        let expected = [
            "house src/main.rs",
            "hook_shape tests/hook-shape.rs",
            "whole tests/whole/main.rs",
        ];
        assert_eq!(test_binaries(&files), expected);
        assert_eq!(libraries(&files), ["house_one"]);
    }
}
