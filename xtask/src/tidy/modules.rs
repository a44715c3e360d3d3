//! Every source file is part of a crate: a file that no `mod` names is never compiled, and its tests never run.

use super::{Finding, rust};
use crate::tree::File;

/// Files that nothing declares.
pub(super) fn forgotten(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, _) in rust(files) {
        if !is_root(path) && !is_declared(files, path) && !is_a_compiled_case(files, path) {
            findings.push(Finding::new(
                path,
                0,
                "no `mod` declares it, so it is never compiled",
            ));
        }
    }
    findings
}

/// Crate roots that cargo finds by itself, and those that a manifest names.
fn is_root(path: &str) -> bool {
    let parts: Vec<&str> = path.rsplit('/').collect();
    matches!(
        parts.as_slice(),
        ["lib.rs" | "main.rs", "src", ..]
            | ["build.rs", ..]
            | ["main.rs", _, "tests", ..]
            | [_, "tests" | "examples" | "benches" | "bin" | "targets", ..]
    )
}

fn is_declared(files: &[File], path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else {
        return false;
    };
    let (parent, stem) = match name.strip_suffix(".rs") {
        Some("mod") => folder.rsplit_once('/').unwrap_or_default(),
        Some(stem) => (folder, stem),
        None => return false,
    };
    let declaration = format!("mod {stem};");
    let declares = |file: &File| {
        let text = file.text.as_deref().unwrap_or_default();
        text.lines().any(|line| line.trim_start().ends_with(&declaration))
    };
    let parents = [
        format!("{parent}/mod.rs"),
        format!("{parent}/lib.rs"),
        format!("{parent}/main.rs"),
        format!("{parent}.rs"),
    ];
    files.iter().any(|file| {
        // A helper of integration tests is declared by any of them.
        let test = parent.ends_with("/tests")
            && file
                .path
                .rsplit_once('/')
                .is_some_and(|(place, _)| place == parent);
        (test || parents.contains(&file.path)) && declares(file)
    })
}

/// Cases of a compile-fail test are named by the pattern that the test hands to trybuild, and a source that a program
/// compiles by itself is named by its place in the package.
fn is_a_compiled_case(files: &[File], path: &str) -> bool {
    let Some((folder, _)) = path.rsplit_once('/') else {
        return false;
    };
    if let Some((package, cases)) = folder.split_once("/tests/") {
        let pattern = format!("\"tests/{cases}/");
        let tests = format!("{package}/tests/");
        return rust(files).any(|(test, text)| test.starts_with(&tests) && text.contains(&pattern));
    }
    path.split_once('/').is_some_and(|(package, file)| {
        let name = format!("\"{file}\"");
        rust(files).any(|(source, text)| source.starts_with(package) && text.contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::forgotten;

    #[test]
    fn finds_a_forgotten_file() {
        let files = [
            file("crates/a/src/lib.rs", "mod one;\npub(crate) mod two;\n"),
            file("crates/a/src/one.rs", "mod deep;"),
            file("crates/a/src/one/deep.rs", ""),
            file("crates/a/src/two/mod.rs", ""),
            file("crates/a/src/three.rs", ""),
            file("crates/a/tests/laws.rs", "mod common;"),
            file("crates/a/tests/common/mod.rs", ""),
            file("crates/a/tests/spare/mod.rs", ""),
            file("crates/a/tests/whole/main.rs", "mod part;"),
            file("crates/a/tests/whole/part.rs", ""),
            file("crates/a/tests/ui.rs", "t.compile_fail(\"tests/ui/*.rs\")"),
            file("crates/a/tests/ui/forge.rs", ""),
            file("crates/a/tests/other/forge.rs", ""),
            file("speed/floor/nothing.rs", ""),
            file("speed/floor/forgotten.rs", ""),
            file("speed/src/main.rs", "compile(\"floor/nothing.rs\")"),
        ];
        let found: Vec<_> = forgotten(&files)
            .into_iter()
            .map(|finding| finding.path)
            .collect();
        assert_eq!(
            found,
            [
                "crates/a/src/three.rs",
                "crates/a/tests/spare/mod.rs",
                "crates/a/tests/other/forge.rs",
                "speed/floor/forgotten.rs"
            ]
        );
    }
}
