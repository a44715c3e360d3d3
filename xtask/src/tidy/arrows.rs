//! Which crate may import which: arrows only point down.

/// The import column of ARCHITECTURE.md. Development dependencies are held to it too.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("portcullis-paths", &[]),
    ("portcullis-audit", &[]),
    ("portcullis-classify", &["portcullis-paths"]),
    ("portcullis-trust", &["portcullis-paths"]),
    (
        "portcullis-gate",
        &["portcullis-classify", "portcullis-paths", "portcullis-audit"],
    ),
    (
        "portcullis",
        &[
            "portcullis-gate",
            "portcullis-classify",
            "portcullis-trust",
            "portcullis-paths",
            "portcullis-audit",
        ],
    ),
    ("portcullis-cli", &["portcullis"]),
    // It speaks a protocol to any gate, and must not know ours.
    ("portcullis-conformance", &[]),
    ("portcullis-testing", &[]),
    ("xtask", &[]),
];

/// What only tests import, and every crate's tests may.
const OF_TESTS: &str = "portcullis-testing";

/// Crates that import what they need.
const FREE: &[&str] = &["portcullis-benches"];

/// Reads `cargo tree --prefix depth --depth 1` and names the arrows that point up, and crates without a row.
pub(crate) fn faults(tree: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut from = "";
    for line in tree.lines() {
        let Some(depth) = line.chars().next() else {
            continue;
        };
        let name = line
            .trim_start_matches(char::is_numeric)
            .split(' ')
            .next()
            .unwrap_or_default();
        let known = MAY_IMPORT.iter().find(|(row, _)| *row == name);
        let ours = name.starts_with("portcullis") || known.is_some();
        match depth {
            '0' => {
                from = name;
                if known.is_none() && !FREE.contains(&name) {
                    faults.push(format!("`{name}` has no row in `xtask/src/tidy/arrows.rs`"));
                }
            }
            _ if ours && name != OF_TESTS && !FREE.contains(&from) => {
                let may = MAY_IMPORT
                    .iter()
                    .find(|(row, _)| *row == from)
                    .is_some_and(|(_, may)| may.contains(&name));
                if !may {
                    faults.push(format!("`{from}` imports `{name}`: arrows only point down"));
                }
            }
            _ => {}
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn an_arrow_up_is_a_fault() {
        let tree = "0portcullis-paths v0.1.0 (/x)\n1cap-std v4.0.3\n\n0portcullis-audit v0.1.0 (/x)\n\
                    1portcullis-paths v0.1.0 (/x)\n";
        assert_eq!(
            faults(tree),
            ["`portcullis-audit` imports `portcullis-paths`: arrows only point down"]
        );
    }

    #[test]
    fn a_crate_without_a_row_is_a_fault() {
        assert_eq!(faults("0portcullis-new v0.1.0 (/x)\n").len(), 1);
    }

    #[test]
    fn the_facade_may_import_the_gate() {
        assert!(faults("0portcullis v0.1.0 (/x)\n1portcullis-gate v0.1.0 (/x)\n1toml v1.2.0\n").is_empty());
    }
}
