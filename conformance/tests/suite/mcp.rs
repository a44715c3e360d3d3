//! A server of a few words behind the adapter.

use std::fs;

use crate::{PROGRAM, program};

/// Answers `initialize`, after something that nobody asked for, and then every call in the same way.
const SERVER: &str = r#"
while read -r line; do
    id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"initialize"'*) echo '{"jsonrpc":"2.0","method":"notifications/x"}'
        echo '{"jsonrpc":"2.0","id":'$id',"result":{}}' ;;
    *'tools/call'*) echo '{"jsonrpc":"2.0","id":'$id',"result":ANSWER}' ;;
    esac
done
"#;

const REFUSED: &str = r#"{"isError":true,"content":[{"type":"text","text":"Access denied"}]}"#;
const CLAIMED: &str = r#"{"content":[{"type":"text","text":"done"}]}"#;

/// A server that refuses everything, one that claims everything, and one that ends pass no family.
#[test]
fn a_constant_server_passes_nothing() {
    let cases = [
        (SERVER.replace("ANSWER", REFUSED), "expected allow; seen: deny"),
        (SERVER.replace("ANSWER", CLAIMED), "it says `executed`"),
        ("exit 0".to_owned(), "seen: fault"),
    ];
    for (server, expected) in cases {
        let script = tempfile::NamedTempFile::new().unwrap();
        fs::write(script.path(), &server).unwrap();
        let subject = format!(
            "'{PROGRAM}' adapt mcp-filesystem -- /bin/sh {}",
            script.path().display()
        );
        let (code, said) = program(&["run", "--subject", &subject, "--only", "paths/symlink-dir-escape"]);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("families: 0 passed of 1"), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}
