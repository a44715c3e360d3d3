//! Files are short: one concept each.

use super::{Finding, rust};
use crate::tree::File;

/// More lines than this want a reason.
const MOST: usize = 600;
/// More lines than this are pointed out.
const MANY: usize = 400;
/// How a file says why it is long, within its first lines.
const REASON: &str = "// LONG: ";
const HEADER: usize = 20;

/// Files over the limit without a reason in the header.
pub(super) fn files(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in rust(files) {
        let lines = text.lines().count();
        let reason = text
            .lines()
            .take(HEADER)
            .find_map(|line| line.strip_prefix(REASON));
        if lines > MOST && reason.is_none_or(|reason| reason.trim().is_empty()) {
            findings.push(Finding::new(
                path,
                0,
                format!("{lines} lines without a `{REASON}` reason in its header"),
            ));
        } else if lines > MANY {
            println!("warning: {path}: {lines} lines; {MOST} want a reason");
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::{MOST, files};

    #[test]
    fn a_long_file_needs_a_reason() {
        let long = "//\n".repeat(MOST + 1);
        assert_eq!(files(&[file("a.rs", &long)]).len(), 1);
        assert_eq!(files(&[file("a.rs", &format!("// LONG: \n{long}"))]).len(), 1);
        assert!(files(&[file("a.rs", &format!("// LONG: one table\n{long}"))]).is_empty());
        assert!(files(&[file("a.rs", &"//\n".repeat(MOST))]).is_empty());
    }
}
