//! What bash really ran, command by command. Each line of `corpus/` holds a text, the commands that bash ran for it
//! (`null` for a word that is known only then), and why the text must be opaque, if it must.

use portcullis_classify::shell;
use rstest::rstest;
use serde_json::Value;

use crate::plain::{Plain, plain};

/// How a text was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Exactly what bash ran, and opaque where it must be.
    Exact,
    /// Opaque, and not read to the end.
    Opaque,
}

/// The least number of lines that are read exactly: it only grows.
#[rstest]
#[case("typical", include_str!("corpus/typical.jsonl"), 35)]
#[case("quoting", include_str!("corpus/quoting.jsonl"), 33)]
#[case("substitution", include_str!("corpus/substitution.jsonl"), 30)]
#[case("grouping", include_str!("corpus/grouping.jsonl"), 32)]
#[case("redirect", include_str!("corpus/redirect.jsonl"), 22)]
#[case("wrapper", include_str!("corpus/wrapper.jsonl"), 44)]
#[case("hostile-bytes", include_str!("corpus/hostile-bytes.jsonl"), 6)]
#[case("syntax-error", include_str!("corpus/syntax-error.jsonl"), 1)]
#[case("mixed", include_str!("corpus/mixed.jsonl"), 25)]
#[case("found-by-fuzzing", include_str!("corpus/found-by-fuzzing.jsonl"), 8)]
#[case("value-evaluated-as-code", include_str!("corpus/value-evaluated-as-code.jsonl"), 8)]
fn is_read_as_bash_ran_it(#[case] part: &str, #[case] lines: &str, #[case] exact_at_least: usize) {
    let mut exact = 0;
    let mut opaque = 0;
    let mut wrong = Vec::new();
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        match judge(&case) {
            Ok(Reading::Exact) => exact += 1,
            Ok(Reading::Opaque) => opaque += 1,
            Err(why) => wrong.push(format!("{}: {why}", case["text"])),
        }
    }
    println!("{part}: {exact} exact, {opaque} opaque, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(exact >= exact_at_least, "{exact} of {part} are read exactly");
}

fn judge(case: &Value) -> Result<Reading, String> {
    let expected = expected(case);
    let read = shell::read(case["text"].as_str().unwrap_or_default().as_bytes());
    let must_doubt = case.get("doubt").is_some();
    match read {
        Ok(script) if plain(&script) != expected => {
            Err(format!("{:#?} instead of {expected:#?}", plain(&script)))
        }
        Ok(_) if must_doubt => Err("is not opaque".to_owned()),
        Ok(_) => Ok(Reading::Exact),
        Err(opaque) if opaque.is_read_to_the_end() => {
            let seen = plain(opaque.seen());
            if seen == expected {
                println!("  doubt about {}: {opaque}", case["text"]);
                Ok(Reading::Exact)
            } else {
                Err(format!("{opaque}, but {seen:#?} instead of {expected:#?}"))
            }
        }
        Err(opaque) => {
            println!("  opaque {}: {opaque}", case["text"]);
            Ok(Reading::Opaque)
        }
    }
}

fn expected(case: &Value) -> Vec<Plain> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let runs = case["runs"].as_array().into_iter().flatten();
    let mut expected: Vec<_> = runs
        .map(|run| Plain {
            argv: run["argv"].as_array().into_iter().flatten().map(text).collect(),
            opens: run["opens"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|open| (text(&open[0]).unwrap_or_default(), text(&open[1])))
                .collect(),
        })
        .collect();
    expected.sort();
    expected
}
