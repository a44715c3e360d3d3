//! The one home of `jsonschema`. Nothing here is touched before a tool that somebody else described is called:
//! the validator costs milliseconds to build, and a hook process lives for less.

mod keywords;
mod survey;

use std::fmt;
use std::sync::OnceLock;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Value};

use super::{ArgumentFault, ToolError};
use crate::call::quoted;

/// Longest keyword, reference or member name, in characters, that an error shows.
const SHOWN: usize = 80;

/// A schema that others wrote, checked for misspellings and compiled on first use.
pub(super) struct Schema {
    text: Value,
    compiled: OnceLock<Option<Validator>>,
}

impl Schema {
    /// # Errors
    /// See [`ToolSpec::new`](super::ToolSpec::new).
    pub(super) fn new(text: Value) -> Result<Self, ToolError> {
        let top = text
            .as_object()
            .ok_or_else(|| ToolError("the schema is not an object".to_owned()))?;
        if top.get("type").and_then(Value::as_str) != Some("object") {
            return Err(ToolError(
                "the schema does not say `\"type\": \"object\"` at its top".to_owned(),
            ));
        }
        check_draft(top)?;
        survey::check(top)?;
        Ok(Self {
            text,
            compiled: OnceLock::new(),
        })
    }

    pub(super) fn text(&self) -> &Value {
        &self.text
    }

    /// # Errors
    /// The member is not declared as a string or an array of strings.
    pub(super) fn declares_text(&self, member: &str) -> Result<(), ToolError> {
        let declared = self.property(member);
        let is_text = |schema: Option<&Value>| {
            schema
                .and_then(|schema| schema.get("type"))
                .and_then(Value::as_str)
                == Some("string")
        };
        let is_list = declared
            .and_then(|schema| schema.get("type"))
            .and_then(Value::as_str)
            == Some("array");
        if is_text(declared) || is_list && is_text(declared.and_then(|schema| schema.get("items"))) {
            return Ok(());
        }
        Err(ToolError(format!(
            "the schema does not declare operand `{}` as a string or an array of strings",
            quoted(member, SHOWN)
        )))
    }

    /// # Errors
    /// The member is not declared as a boolean.
    pub(super) fn declares_flag(&self, member: &str) -> Result<(), ToolError> {
        let declared = self.property(member).and_then(|schema| schema.get("type"));
        if declared.and_then(Value::as_str) == Some("boolean") {
            return Ok(());
        }
        Err(ToolError(format!(
            "the schema does not declare flag `{}` as a boolean",
            quoted(member, SHOWN)
        )))
    }

    /// # Errors
    /// The first place that does not fit, or a schema that cannot be compiled.
    pub(super) fn check(&self, arguments: &Value) -> Result<(), ArgumentFault> {
        let compiled = self.compiled.get_or_init(|| compile(&self.text));
        let validator = compiled
            .as_ref()
            .ok_or_else(|| ArgumentFault::new("the tool's schema cannot be compiled, so nothing fits it"))?;
        validator.validate(arguments).map_err(|error| {
            let keyword = error.kind().keyword().to_owned();
            let fault = ArgumentFault::new(format!(
                "keyword `{}` of the schema is not met",
                quoted(&keyword, SHOWN)
            ));
            fault.at_pointer(error.instance_path().as_str())
        })
    }

    fn property(&self, member: &str) -> Option<&Value> {
        self.text.get("properties")?.get(member)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Schema")
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

fn compile(text: &Value) -> Option<Validator> {
    let mut text = text.clone();
    if let Some(top) = text.as_object_mut() {
        // Judged as 2020-12 whatever it says: `check_draft` let only drafts through that this reads no looser.
        top.remove("$schema");
        top.remove("$id");
    }
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .build(&text)
        .ok()
}

/// Draft 7 is let in because most tools in the field name it; what it has and 2020-12 has not is refused as an
/// unknown keyword.
fn check_draft(top: &Map<String, Value>) -> Result<(), ToolError> {
    let Some(draft) = top.get("$schema") else {
        return Ok(());
    };
    let known = [
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema",
    ];
    let named = draft.as_str().map(|name| name.trim_end_matches('#'));
    if named.is_some_and(|name| known.contains(&name)) {
        return Ok(());
    }
    Err(ToolError(
        "the schema names a draft other than 2020-12 and 7".to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Schema;

    /// Building the validator costs more than a hook process may take, so it waits for the first call.
    #[test]
    fn nothing_is_compiled_before_the_first_call() {
        let schema = Schema::new(json!({"type": "object", "properties": {"a": {"type": "string"}}})).unwrap();
        schema.declares_text("a").unwrap();
        assert!(schema.compiled.get().is_none());
        schema.check(&json!({"a": "x"})).unwrap();
        assert!(schema.compiled.get().is_some());
    }
}
