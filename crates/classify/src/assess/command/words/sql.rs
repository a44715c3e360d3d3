//! Whether statements of SQL only read.

/// Words with which nothing else is done than to read.
const READS: &[&str] = &["select", "with", "explain", "values", "pragma"];
/// Words that change something, or reach out of the database, wherever they stand.
const CHANGES: &[&str] = &[
    "alter",
    "analyze",
    "attach",
    "begin",
    "commit",
    "copy",
    "create",
    "delete",
    "detach",
    "drop",
    "edit",
    "exec",
    "execute",
    "fsdir",
    "fts3_tokenizer",
    "grant",
    "insert",
    "into",
    "load",
    "load_extension",
    "lsmode",
    "readfile",
    "reindex",
    "release",
    "replace",
    "rollback",
    "savepoint",
    "set",
    "sqlar_compress",
    "sqlar_uncompress",
    "truncate",
    "update",
    "vacuum",
    "writefile",
    "zipfile",
];
/// Pragmas that only tell something, without a value of their own.
const PRAGMAS: &[&str] = &[
    "application_id",
    "collation_list",
    "compile_options",
    "database_list",
    "encoding",
    "foreign_key_check",
    "foreign_key_list",
    "foreign_keys",
    "freelist_count",
    "function_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "journal_mode",
    "page_count",
    "page_size",
    "quick_check",
    "schema_version",
    "table_info",
    "table_list",
    "table_xinfo",
    "user_version",
];
/// Pragmas that tell something about what stands in parentheses.
const ASKS: &[&str] = &[
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "quick_check",
    "table_info",
    "table_xinfo",
];
/// What `sqlite3` itself is told that only shows something.
const DOTS: &[&str] = &[
    ".databases",
    ".dbinfo",
    ".dump",
    ".explain",
    ".fullschema",
    ".headers",
    ".help",
    ".indexes",
    ".indices",
    ".mode",
    ".nullvalue",
    ".schema",
    ".show",
    ".stats",
    ".tables",
    ".timer",
    ".version",
    ".width",
];

pub(super) fn only_reads(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with('.') {
        return tells(text);
    }
    let words = words(text);
    if words.is_empty() || words.iter().any(|word| CHANGES.contains(&word.as_str())) {
        return false;
    }
    // Each begins behind a semicolon; one within a text only makes another part to look at.
    text.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .all(begins_reading)
}

fn begins_reading(statement: &str) -> bool {
    let words = words(statement);
    let mut words = words.iter().map(String::as_str);
    match words.next() {
        Some("pragma") => {
            let name = words.next().unwrap_or_default();
            // A value in parentheses is set as one behind `=` is, unless the pragma asks about what it names.
            let sets = statement.contains('=') || statement.contains('(') && !ASKS.contains(&name);
            !sets && PRAGMAS.contains(&name)
        }
        Some(first) => {
            READS.contains(&first) && statement.starts_with(|char: char| char.is_ascii_alphabetic())
        }
        None => false,
    }
}

/// A line for `sqlite3` itself.
fn tells(line: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_%-* .".contains(char);
    let first = line.split(' ').next().unwrap_or_default();
    DOTS.contains(&first) && line.chars().all(plain)
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let parts = lower.split(|char: char| !char.is_alphanumeric() && char != '_');
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn only_what_reads_is_let_through() {
        for text in [
            "SELECT id, name FROM users LIMIT 5;",
            "select count(*) from t; select max(x) from u",
            "WITH a AS (SELECT 1) SELECT * FROM a",
            "EXPLAIN QUERY PLAN SELECT 1",
            "PRAGMA table_info(users)",
            ".tables",
            ".schema users",
            ".headers on",
            "select * from t where day > '2026-01-01'",
        ] {
            assert!(only_reads(text), "{text}");
        }
        for text in [
            "",
            ";",
            "DELETE FROM users",
            "WITH a AS (SELECT 1) DELETE FROM b",
            "select 1; drop table users",
            "select load_extension('x')",
            "select writefile('a', 'b')",
            "SELECT readfile('/etc/passwd')",
            "select 1 into outfile 'x'",
            "PRAGMA journal_mode=WAL",
            "pragma journal_mode(wal)",
            "pragma user_version(5)",
            "pragma main.user_version(5)",
            "PRAGMA temp_store_directory('/x')",
            "ATTACH '/x' AS y",
            "/* x */ select 1",
            ".shell ls",
            ".system ls",
            ".once |sh",
            ".read x.sql",
            ".output x",
            ".tables; .shell ls",
            ".tables\n.shell ls",
            "!ls",
            "\\! ls",
        ] {
            assert!(!only_reads(text), "{text}");
        }
    }
}
