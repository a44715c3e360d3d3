use std::collections::HashSet;

use jiff::Timestamp;

use crate::{Entry, Redacted};

/// Which records are wanted: those that fit everything that is set. An outcome is wanted when its decision is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// Of this session.
    pub session: Option<String>,
    /// Of this call.
    pub call: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// `asked`, `permitted`, `handed_to_host`, `refused`, or a refusal's code.
    pub decision: Option<String>,
    /// About this path or anything below it.
    pub resource: Option<String>,
    /// From this moment on, in milliseconds since the Unix epoch.
    pub since_ms: Option<i64>,
    /// Before this moment.
    pub until_ms: Option<i64>,
}

/// A filter at work on one log, from its first record to its last.
#[derive(Debug, Default)]
pub struct Selection {
    filter: Filter,
    decisions: HashSet<u64>,
}

impl Filter {
    /// A filter that lets everything through.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Begins to select.
    #[must_use]
    pub fn select(self) -> Selection {
        let masked = |text: Option<String>| text.map(|text| Redacted::id(&text).to_string());
        Selection {
            // Records hold masked text, and so has to be what is looked for.
            filter: Self {
                session: masked(self.session),
                call: masked(self.call),
                tool: self.tool.map(|text| Redacted::text(&text).to_string()),
                resource: self.resource.map(|text| {
                    let whole = text.trim_end_matches('/');
                    Redacted::text(if whole.is_empty() { "/" } else { whole }).to_string()
                }),
                ..self
            },
            decisions: HashSet::new(),
        }
    }

    /// Reads a moment: RFC 3339, a day (its beginning in UTC), or a time before now (`30m`, `12h`, `7d`).
    #[must_use]
    pub fn moment(text: &str, now_ms: i64) -> Option<i64> {
        if let Ok(moment) = text.parse::<Timestamp>() {
            return Some(moment.as_millisecond());
        }
        if let Ok(beginning) = format!("{text}T00:00:00Z").parse::<Timestamp>() {
            return Some(beginning.as_millisecond());
        }
        let unit = match text.chars().last()? {
            's' => 1_000,
            'm' => 60_000,
            'h' => 3_600_000,
            'd' => 86_400_000,
            _ => return None,
        };
        let number: i64 = text.get(..text.len() - 1)?.parse().ok()?;
        (number >= 0).then(|| now_ms.saturating_sub(number.saturating_mul(unit)))
    }
}

impl Selection {
    /// Whether this record is wanted. Has to see every record, in order.
    pub fn takes(&mut self, entry: &Entry) -> bool {
        let kind = entry.text("kind");
        let decision = entry
            .value
            .get("decision_seq")
            .and_then(serde_json::Value::as_u64);
        if let (Some("finished"), Some(decision)) = (kind, decision) {
            return self.decisions.remove(&decision);
        }
        let takes = self.fits(entry);
        if takes
            && entry.text("decision") == Some("permitted")
            && let Some(sequence) = entry.sequence()
        {
            self.decisions.insert(sequence);
        }
        takes
    }

    fn fits(&self, entry: &Entry) -> bool {
        let Filter {
            session,
            call,
            tool,
            decision,
            resource,
            since_ms,
            until_ms,
        } = &self.filter;
        let is = |wanted: &Option<String>, member| {
            wanted
                .as_deref()
                .is_none_or(|wanted| entry.text(member) == Some(wanted))
        };
        let decided = |wanted: &str| {
            let words = [entry.text("decision"), entry.text("refusal"), entry.text("kind")];
            words.contains(&Some(wanted))
        };
        is(session, "session")
            && is(call, "call")
            && is(tool, "tool")
            && decision.as_deref().is_none_or(decided)
            && resource
                .as_deref()
                .is_none_or(|wanted| entry.list("resources").any(|found| is_at_or_below(found, wanted)))
            && (since_ms.is_none() && until_ms.is_none()
                || entry.time_ms().is_some_and(|time| {
                    since_ms.is_none_or(|since| time >= since) && until_ms.is_none_or(|until| time < until)
                }))
    }
}

fn is_at_or_below(path: &str, top: &str) -> bool {
    match path.strip_prefix(top) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || top.ends_with('/'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("2026-11-30T10:00:00Z", Some(1_796_032_800_000))]
    #[case("2026-11-30T11:00:00+01:00", Some(1_796_032_800_000))]
    #[case("2026-11-30", Some(1_795_996_800_000))]
    #[case("90s", Some(10_000))]
    #[case("1m", Some(40_000))]
    #[case("1d", Some(100_000 - 86_400_000))]
    #[case("9999999999999999d", None)]
    #[case("-1d", None)]
    #[case("yesterday", None)]
    #[case("d", None)]
    #[case("", None)]
    #[case("ä", None)]
    fn moments_are_read(#[case] text: &str, #[case] moment: Option<i64>) {
        match text.starts_with("9999") {
            true => assert!(Filter::moment(text, 100_000).is_some_and(|moment| moment < 0)),
            false => assert_eq!(Filter::moment(text, 100_000), moment),
        }
    }

    #[rstest]
    #[case("/a/b", "/a/b", true)]
    #[case("/a/b/c", "/a/b", true)]
    #[case("/a/bc", "/a/b", false)]
    #[case("/a", "/a/b", false)]
    #[case("/a", "/", true)]
    fn below_is_by_whole_names(#[case] path: &str, #[case] top: &str, #[case] below: bool) {
        assert_eq!(is_at_or_below(path, top), below);
    }
}
