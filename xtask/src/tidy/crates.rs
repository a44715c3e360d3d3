//! Every crate says what it is: a description, a README, the workspace's licence.

use super::Finding;
use crate::tree::File;

/// Crates without their papers.
pub(super) fn papers(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        let Some(folder) = file.path.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let text = file.text.as_deref().unwrap_or_default();
        let says = |key: &str| text.lines().any(|line| line.starts_with(key));
        if !says("description = \"") {
            findings.push(Finding::new(&file.path, 0, "no description"));
        }
        if !says("license") {
            findings.push(Finding::new(&file.path, 0, "no licence"));
        }
        // A crate that stands alone is read alone.
        let readme = format!("{folder}/README.md");
        if folder.starts_with("crates/") && !files.iter().any(|file| file.path == readme) {
            findings.push(Finding::new(&readme, 0, "missing"));
        }
        if folder != "fuzz" && !text.contains("[lints]\nworkspace = true") {
            findings.push(Finding::new(&file.path, 0, "the workspace's lints do not apply"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::papers;

    const GOOD: &str = "description = \"x\"\nlicense.workspace = true\n[lints]\nworkspace = true\n";

    #[test]
    fn a_crate_needs_its_papers() {
        assert_eq!(papers(&[file("crates/a/Cargo.toml", "[package]")]).len(), 4);
        assert_eq!(papers(&[file("crates/a/Cargo.toml", GOOD)]).len(), 1);
        let whole = [file("crates/a/Cargo.toml", GOOD), file("crates/a/README.md", "a")];
        assert!(papers(&whole).is_empty());
        assert!(papers(&[file("benches/Cargo.toml", GOOD)]).is_empty());
    }
}
