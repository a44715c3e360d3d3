use std::io::{self, Write};

use serde_json::Value;

use crate::Entry;

/// The members that get a column, in order.
const COLUMNS: [&str; 21] = [
    "seq",
    "time",
    "kind",
    "session",
    "call",
    "agent",
    "tool",
    "operations",
    "resources",
    "risk",
    "causes",
    "decision",
    "by",
    "refusal",
    "policy",
    "args",
    "summary",
    "deadline_ms",
    "decision_seq",
    "outcome",
    "reason",
];

pub(super) fn head(out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}\r\n", COLUMNS.join(","))
}

pub(super) fn row(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    for (at, column) in COLUMNS.iter().enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        out.write_all(cell(&text(entry.value.get(column))).as_bytes())?;
    }
    out.write_all(b"\r\n")
}

fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let items: Vec<String> = items.iter().map(|item| text(Some(item))).collect();
            items.join("; ")
        }
        Some(Value::Object(members)) => {
            let members: Vec<String> = members.values().map(|member| text(Some(member))).collect();
            members.join(" ")
        }
        Some(other) => other.to_string(),
    }
}

/// Quoted where RFC 4180 wants it. Names and paths are chosen by whoever is judged: none may become a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r']);
    let text = if is_formula {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\n', '\r', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("plain", "plain")]
    #[case("", "")]
    #[case("a,b", "\"a,b\"")]
    #[case("say \"no\"", "\"say \"\"no\"\"\"")]
    #[case("a\nb", "\"a\nb\"")]
    #[case("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"")]
    #[case("-1+2", "'-1+2")]
    #[case("@sum", "'@sum")]
    #[case("+1", "'+1")]
    #[case("＝1", "'＝1")]
    fn cells_are_quoted_and_no_formulas(#[case] text: &str, #[case] written: &str) {
        assert_eq!(cell(text), written);
    }
}
