use std::collections::{BTreeMap, BTreeSet};

use crate::Entry;

/// Numbers about the records of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Records in all.
    pub records: u64,
    /// The earliest and the latest time that a record has, as it stands there.
    pub times: Option<(String, String)>,
    /// Questions that went out.
    pub asked: u64,
    /// Decisions by their word: `permitted`, `handed_to_host`, `refused`.
    pub decisions: BTreeMap<String, u64>,
    /// Decisions by who made them.
    pub deciders: BTreeMap<String, u64>,
    /// Refusals by their code.
    pub refusals: BTreeMap<String, u64>,
    /// Outcomes by their word.
    pub outcomes: BTreeMap<String, u64>,
    /// Decisions by tool.
    pub tools: BTreeMap<String, u64>,
    /// Decisions by risk.
    pub risks: BTreeMap<String, u64>,
    /// Decisions by the rules that caused them.
    pub rules: BTreeMap<String, u64>,
    sessions: BTreeSet<String>,
}

/// Most different names that are counted apart; what comes after is counted as one.
const MOST: usize = 1000;
/// Under which that is.
const OTHERS: &str = "(others)";

impl Stats {
    /// Counts one record.
    pub fn add(&mut self, entry: &Entry) {
        self.records += 1;
        if let Some(time) = entry.text("time") {
            match &mut self.times {
                None => self.times = Some((time.to_owned(), time.to_owned())),
                Some((first, _)) if time < first.as_str() => time.clone_into(first),
                Some((_, last)) if time > last.as_str() => time.clone_into(last),
                Some(_) => {}
            }
        }
        if let Some(session) = entry.text("session")
            && self.sessions.len() < MOST
        {
            self.sessions.insert(session.to_owned());
        }
        match entry.text("kind") {
            Some("asked") => self.asked += 1,
            Some("finished") => count(&mut self.outcomes, entry.text("outcome")),
            Some("decided") => {
                count(&mut self.decisions, entry.text("decision"));
                count(&mut self.deciders, entry.text("by"));
                count(&mut self.refusals, entry.text("refusal"));
                count(&mut self.tools, entry.text("tool"));
                count(&mut self.risks, entry.text("risk"));
                for rule in entry.rules() {
                    count(&mut self.rules, Some(rule));
                }
            }
            _ => {}
        }
    }

    /// Different sessions; at most a thousand are told apart.
    #[must_use]
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }
}

fn count(numbers: &mut BTreeMap<String, u64>, name: Option<&str>) {
    let Some(name) = name else { return };
    let name = if numbers.len() < MOST || numbers.contains_key(name) {
        name
    } else {
        OTHERS
    };
    *numbers.entry(name.to_owned()).or_default() += 1;
}
