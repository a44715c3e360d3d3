//! Two calls of which the same has to be told: what exists outside is not to be found out by asking.

use std::path::Path;

use serde_json::Value;

use super::{Check, Finding};
use crate::run::{Seen, StepSeen};

pub(super) fn grade(before: &StepSeen, own: &StepSeen) -> Option<Finding> {
    let (one, other) = (told(before), told(own));
    (one != other).then(|| {
        Finding::new(
            Check::Containment,
            format!("what was told of the call before: {}", one.join("; ")),
            other.join("; "),
        )
    })
}

/// Decision, reason and output, without the last names of the call's own paths. What a person is shown is not told.
fn told(step: &StepSeen) -> Vec<String> {
    let answer = match &step.seen {
        Seen::Result(answer) => vec![
            format!("{} {}", answer.decision, answer.reason),
            answer.output.clone().unwrap_or_default(),
        ],
        _ => vec!["no answer".to_owned()],
    };
    answer
        .iter()
        .map(|text| without_names(text, &step.args))
        .collect()
}

fn without_names(text: &str, args: &Value) -> String {
    let paths = ["path", "from", "to"]
        .iter()
        .filter_map(|name| args.get(*name)?.as_str());
    paths
        .filter_map(|path| Path::new(path).file_name()?.to_str())
        .fold(text.to_owned(), |text, name| text.replace(name, "*"))
}
