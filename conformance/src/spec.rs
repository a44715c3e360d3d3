//! The rules of SPEC.md.

use crate::Error;

/// How binding a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third, on purpose")]
pub enum Force {
    /// MUST, MUST NOT.
    Must,
    /// SHOULD, SHOULD NOT.
    Should,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Such as `PATHS-3`.
    pub id: String,
    /// How binding it is.
    pub force: Force,
    /// The sentence, from its first word.
    pub text: String,
}

/// Every rule, in the order of the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spec(Vec<Rule>);

impl Spec {
    /// Reads lines such as `- **PATHS-3** MUST ...`.
    ///
    /// # Errors
    /// A line that begins like a rule and is none; an id twice.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut rules: Vec<Rule> = Vec::new();
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("- **") else {
                continue;
            };
            let fault = || Error::fixture(format!("SPEC.md: `{line}` is no rule"));
            let (id, text) = rest.split_once("** ").ok_or_else(fault)?;
            let force = match text.split(' ').next() {
                Some("MUST") => Force::Must,
                Some("SHOULD") => Force::Should,
                _ => return Err(fault()),
            };
            let (area, number) = id.split_once('-').ok_or_else(fault)?;
            let known = crate::fixture::AREAS
                .iter()
                .any(|known| known.to_uppercase() == area);
            if !known || number.parse::<u32>().is_err() || rules.iter().any(|rule| rule.id == id) {
                return Err(fault());
            }
            rules.push(Rule {
                id: id.to_owned(),
                force,
                text: text.to_owned(),
            });
        }
        Ok(Self(rules))
    }

    /// Every rule, in the order of the page.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Force, Spec};

    #[test]
    fn reads_rules() {
        let spec = Spec::read("text\n- **PATHS-1** MUST decide.\n- **AUDIT-2** SHOULD tell.\n").unwrap();
        let rules: Vec<_> = spec
            .rules()
            .iter()
            .map(|rule| (rule.id.as_str(), rule.force))
            .collect();
        assert_eq!(rules, [("PATHS-1", Force::Must), ("AUDIT-2", Force::Should)]);
    }

    #[test]
    fn refuses_what_looks_like_a_rule() {
        for line in [
            "- **PATHS-1** decides",
            "- **PATH-1** MUST x",
            "- **PATHS-x** MUST x",
            "- **PATHS-1** MUST x\n- **PATHS-1** MUST y",
        ] {
            assert!(Spec::read(line).is_err(), "{line}");
        }
    }
}
