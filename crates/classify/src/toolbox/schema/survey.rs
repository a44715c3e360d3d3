//! Everything about a schema that can be seen without compiling it: keywords, depth, references.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::ToolError;
use super::SHOWN;
use super::keywords::{self, Holds};
use crate::call::quoted;

/// Schemas within schemas; the compiler recurses.
const DEPTH: usize = 32;
/// Schemas in total.
const SCHEMAS: usize = 10_000;

/// # Errors
/// An unknown keyword, a keyword with the wrong thing behind it, too many schemas, a reference that leaves the
/// schema, leads to no schema or, judging one and the same value, back to itself.
pub(super) fn check(top: &Map<String, Value>) -> Result<(), ToolError> {
    let mut survey = Survey::default();
    survey.visit(top, String::new(), 0)?;
    survey.check_references()
}

#[derive(Default)]
struct Survey {
    /// For each schema, by RFC 6901 pointer: the schemas that judge the same value because of it.
    same_value: BTreeMap<String, Vec<String>>,
    references: Vec<String>,
}

impl Survey {
    fn visit(&mut self, schema: &Map<String, Value>, place: String, depth: usize) -> Result<(), ToolError> {
        if depth > DEPTH {
            return Err(ToolError(format!("the schema nests deeper than {DEPTH}")));
        }
        if self.same_value.len() >= SCHEMAS {
            return Err(ToolError(format!("the schema holds more than {SCHEMAS} schemas")));
        }
        self.same_value.insert(place.clone(), Vec::new());
        for (keyword, value) in schema {
            if depth == 0 && matches!(keyword.as_str(), "$schema" | "$id") {
                continue;
            }
            let at = format!("{place}/{}", token(keyword));
            for (within, below) in self.held(keyword, value, &place)? {
                let below_at = format!("{at}{within}");
                if keywords::is_in_place(keyword)
                    && let Some(same_value) = self.same_value.get_mut(&place)
                {
                    same_value.push(below_at.clone());
                }
                match below {
                    Value::Object(below) => self.visit(below, below_at, depth + 1)?,
                    Value::Bool(_) => {
                        self.same_value.insert(below_at, Vec::new());
                    }
                    _ => return Err(wrong(keyword, "a schema")),
                }
            }
        }
        Ok(())
    }

    /// The schemas behind a keyword, each with the rest of its pointer.
    fn held<'v>(
        &mut self,
        keyword: &str,
        value: &'v Value,
        place: &str,
    ) -> Result<Vec<(String, &'v Value)>, ToolError> {
        let holds = keywords::holds(keyword).ok_or_else(|| {
            ToolError(format!(
                "the schema has the unknown keyword `{}`",
                quoted(keyword, SHOWN)
            ))
        })?;
        match holds {
            Holds::Data => Ok(Vec::new()),
            Holds::Schema => Ok(vec![(String::new(), value)]),
            Holds::Schemas => {
                let schemas = value
                    .as_array()
                    .ok_or_else(|| wrong(keyword, "an array of schemas"))?;
                Ok(schemas
                    .iter()
                    .enumerate()
                    .map(|(index, schema)| (format!("/{index}"), schema))
                    .collect())
            }
            Holds::Named => {
                let schemas = value
                    .as_object()
                    .ok_or_else(|| wrong(keyword, "an object of schemas"))?;
                Ok(schemas
                    .iter()
                    .map(|(name, schema)| (format!("/{}", token(name)), schema))
                    .collect())
            }
            Holds::Reference => {
                let target = value
                    .as_str()
                    .and_then(|reference| reference.strip_prefix('#'))
                    .ok_or_else(|| wrong(keyword, "a reference within the schema, beginning with `#`"))?;
                self.references.push(target.to_owned());
                if let Some(same_value) = self.same_value.get_mut(place) {
                    same_value.push(target.to_owned());
                }
                Ok(Vec::new())
            }
        }
    }

    fn check_references(mut self) -> Result<(), ToolError> {
        // Only to what was visited: data such as a `default` is no schema, and nobody looked at its keywords.
        if let Some(lost) = self
            .references
            .iter()
            .find(|target| !self.same_value.contains_key(*target))
        {
            return Err(ToolError(format!(
                "reference `#{}` of the schema leads nowhere",
                quoted(lost, SHOWN)
            )));
        }
        // Takes away, again and again, what leads to nothing that is left; a circle remains.
        let mut leads_here: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut left: BTreeMap<String, usize> = BTreeMap::new();
        for (from, targets) in &self.same_value {
            left.insert(from.clone(), targets.len());
            for target in targets {
                leads_here.entry(target.clone()).or_default().push(from.clone());
            }
        }
        let mut ready: Vec<String> = left
            .iter()
            .filter(|(_, count)| **count == 0)
            .map(|(place, _)| place.clone())
            .collect();
        while let Some(place) = ready.pop() {
            self.same_value.remove(&place);
            for from in leads_here.remove(&place).unwrap_or_default() {
                if let Some(count) = left.get_mut(&from) {
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        ready.push(from);
                    }
                }
            }
        }
        if self.same_value.is_empty() {
            return Ok(());
        }
        Err(ToolError(
            "a reference of the schema leads back to itself without a step into the value".to_owned(),
        ))
    }
}

fn wrong(keyword: &str, wanted: &str) -> ToolError {
    ToolError(format!(
        "keyword `{}` of the schema needs {wanted}",
        quoted(keyword, SHOWN)
    ))
}

/// A name as a token of an RFC 6901 pointer.
fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
