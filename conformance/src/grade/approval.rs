//! Questions: how many, about what, and whether the answer was obeyed.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Check, Finding};
use crate::fixture::Expect;
use crate::os::perform::path_bytes;
use crate::run::{Asked, StepSeen};
use crate::wire::{Ask, Kind};

pub(super) fn grade(seen: &StepSeen, expect: &Expect, kind: Kind, root: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut fault =
        |expected: &str, seen: String| findings.push(Finding::new(Check::Approval, expected, seen));
    let count = u32::try_from(seen.asks.len()).unwrap_or(u32::MAX);
    if !expect.asks.accepts(&count) {
        fault(&format!("{} questions", expect.asks), count.to_string());
    }
    for Asked { ask, early, .. } in &seen.asks {
        for change in early {
            fault("nothing before the answer", change.to_string());
        }
        match ask {
            Err(what) => fault("a well-formed question", what.clone()),
            Ok(ask) => question(seen, ask, &mut fault),
        }
    }
    let allowed = seen.asks.iter().any(|asked| asked.verb.allows());
    let happened = seen.changes.iter().any(crate::sandbox::Change::is_inside) || !seen.ran.is_empty();
    if !seen.asks.is_empty() && !allowed && happened {
        fault("nothing without an allow", "something changed".to_owned());
    }
    for asked in seen
        .asks
        .iter()
        .filter(|asked| !asked.is_the_hosts() && !asked.at_desk)
    {
        if let (Ok(ask), true) = (&asked.ask, allowed && kind == Kind::Executes) {
            unshown(seen, ask, root, &mut fault);
        }
    }
    findings
}

fn question(seen: &StepSeen, ask: &Ask, fault: &mut impl FnMut(&str, String)) {
    if ask.call != seen.id {
        fault(
            "a question about this call",
            format!("about `{}`", ask.call.escape_debug()),
        );
    }
    let tool = seen.tool.strip_prefix("raw:");
    if ask.tool != tool.unwrap_or(&seen.tool) {
        fault(
            "the tool that was called",
            format!("`{}`", ask.tool.escape_debug()),
        );
    }
    if tool.is_none() && ask.args != seen.args {
        fault("the arguments of the call", "other arguments".to_owned());
    }
    if ask.id.is_empty() {
        fault("an id of the question", "an empty one".to_owned());
    }
    if let Some(bad) = ask.text.chars().find(|char| is_unsafe(*char)) {
        fault(
            "a text that is safe to show",
            format!("it holds {}", bad.escape_unicode()),
        );
    }
}

/// Control characters, and those that reorder or hide text.
fn is_unsafe(char: char) -> bool {
    (char.is_control() && char != '\n')
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Every place that changed was shown, or is below one that was, or is a directory that had to be made on the way.
fn unshown(seen: &StepSeen, ask: &Ask, root: &Path, fault: &mut impl FnMut(&str, String)) {
    let shown: Vec<PathBuf> = ask
        .paths
        .iter()
        .filter_map(path_bytes)
        .map(|bytes| PathBuf::from(OsStr::from_bytes(&bytes)))
        .collect();
    if shown.len() != ask.paths.len() {
        fault(
            "paths as text or `b64`",
            Value::Array(ask.paths.clone()).to_string(),
        );
    }
    for change in seen.changes.iter().filter(|change| change.is_inside()) {
        let place = root.join(OsStr::from_bytes(&change.name));
        let is_shown = shown
            .iter()
            .any(|path| place.starts_with(path) || (change.is_new_directory() && path.starts_with(&place)));
        if !is_shown {
            fault("every place that changes in the question", change.to_string());
        }
    }
}
