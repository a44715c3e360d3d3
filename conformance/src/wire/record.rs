use serde::{Deserialize, Serialize};

/// One neutral record of a log (PROTOCOL.md section 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum Event {
    /// A question was put.
    Asked {
        /// The call.
        call: String,
        /// The session.
        session: String,
        /// The tool.
        tool: String,
    },
    /// A decision.
    Decided {
        /// The call.
        call: String,
        /// The session.
        session: String,
        /// The tool.
        tool: String,
        /// `allow` or `deny`.
        decision: String,
        /// Why.
        reason: String,
        /// The version of the policy that judged it, by a subject with `audit.version`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<String>,
    },
    /// An end.
    Finished {
        /// The call.
        call: String,
        /// The session.
        session: String,
        /// `done`, `failed`, `changed`, `unused`.
        outcome: String,
    },
    /// Whether decisions and ends add up.
    Books {
        /// They do.
        balanced: bool,
    },
    /// Whether the log proves to be unaltered.
    Chain {
        /// It does.
        intact: bool,
        /// How many lines prove to be unaltered, from the first, by a subject with `audit.where`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        good: Option<u64>,
    },
}

/// A record.
pub type Record = Event;

impl Event {
    /// The call it is about.
    #[must_use]
    pub fn call(&self) -> Option<&str> {
        match self {
            Self::Asked { call, .. } | Self::Decided { call, .. } | Self::Finished { call, .. } => Some(call),
            Self::Books { .. } | Self::Chain { .. } => None,
        }
    }

    /// Whether it counts among `audit.records`.
    #[must_use]
    pub fn counts(&self) -> bool {
        matches!(self, Self::Decided { .. } | Self::Finished { .. })
    }

    /// Whether it meets a condition such as `decided decision=deny`.
    #[must_use]
    pub fn meets(&self, condition: &str) -> bool {
        let Ok(serde_json::Value::Object(members)) = serde_json::to_value(self) else {
            return false;
        };
        let mut words = condition.split_whitespace();
        let event = members.get("event").and_then(|event| event.as_str());
        words.next() == event
            && words.all(|word| {
                let (key, value) = word.split_once('=').unwrap_or((word, ""));
                members.get(key).is_some_and(|member| match member {
                    serde_json::Value::String(text) => text == value,
                    serde_json::Value::Bool(yes) => value == if *yes { "true" } else { "false" },
                    _ => false,
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Event;

    #[test]
    fn conditions_are_whole_words() {
        let line = r#"{"event":"decided","call":"c","session":"s","tool":"write","decision":"deny","reason":"policy"}"#;
        let event: Event = serde_json::from_str(line).unwrap();
        assert!(event.meets("decided decision=deny reason=policy"));
        assert!(!event.meets("decided decision=den"));
        assert!(!event.meets("finished"));
        assert!(!event.meets("decided other=x"));
        assert!(
            Event::Chain {
                intact: true,
                good: None
            }
            .meets("chain intact=true")
        );
        assert!(serde_json::from_str::<Event>(&line.replace("reason", "raisin")).is_err());
    }
}
