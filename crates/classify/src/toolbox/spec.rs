use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::params::Builtin;
use super::schema::Schema;
use super::{ArgumentFault, Operand, Role, ToolError};
use crate::EffectKind;
use crate::call::quoted;

/// Longest tool name in bytes.
const NAME_BYTES: usize = 256;

/// A registered tool: name, JSON Schema, operands, and the effects it always has.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    name: Cow<'static, str>,
    parameters: Parameters,
    operands: Vec<Operand>,
    inherent: Cow<'static, [EffectKind]>,
}

#[derive(Debug, Clone)]
enum Parameters {
    /// Our own typed table: nothing to compile at start.
    Table(&'static Builtin),
    /// A schema that others wrote.
    Schema(Arc<Schema>),
}

impl ToolSpec {
    /// A tool of the host's own, with its JSON Schema (draft 2020-12). The schema is compiled when the tool is
    /// first called; one that then cannot be compiled makes every call of the tool bad arguments.
    ///
    /// # Errors
    /// An empty or overlong name; a schema without `"type": "object"` at the top, with an unknown keyword or
    /// with a reference that leaves it; an operand that the schema does not declare as a string or an array of
    /// strings; a flag that it does not declare as a boolean.
    pub fn new(name: &str, schema: Value, operands: Vec<Operand>) -> Result<Self, ToolError> {
        if name.is_empty() || name.len() > NAME_BYTES {
            return Err(ToolError(format!(
                "a tool's name has between 1 and {NAME_BYTES} bytes, and this one has {}",
                name.len()
            )));
        }
        let in_tool =
            |error: ToolError| ToolError(format!("tool `{}`: {}", quoted(name, NAME_BYTES), error.0));
        let schema = Schema::new(schema).map_err(in_tool)?;
        for operand in &operands {
            schema.declares_text(&operand.member).map_err(in_tool)?;
            match &operand.role {
                Role::Path { when: Some(when), .. } => schema.declares_flag(&when.flag).map_err(in_tool)?,
                Role::Glob { base: Some(base), .. } => schema.declares_text(base).map_err(in_tool)?,
                _ => {}
            }
        }
        Ok(Self {
            name: Cow::Owned(name.to_owned()),
            parameters: Parameters::Schema(Arc::new(schema)),
            operands,
            inherent: Cow::Borrowed(&[]),
        })
    }

    pub(super) fn builtin(table: &'static Builtin) -> Self {
        Self {
            name: Cow::Borrowed(table.name),
            parameters: Parameters::Table(table),
            operands: table.operands(),
            inherent: Cow::Borrowed(table.inherent),
        }
    }

    /// The same tool, with effects that every call of it has, whatever its arguments.
    #[must_use]
    pub fn with_inherent(mut self, effects: Vec<EffectKind>) -> Self {
        self.inherent = Cow::Owned(effects);
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The JSON Schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> Value {
        match &self.parameters {
            Parameters::Table(table) => table.schema(),
            Parameters::Schema(schema) => schema.text().clone(),
        }
    }

    /// The operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Effects that every call of the tool has besides those of its operands. Each kind that no operand of a
    /// call yields is added once, without a target; so a tool with neither operands nor inherent effects does
    /// nothing that the gate watches.
    #[must_use]
    pub fn inherent(&self) -> &[EffectKind] {
        &self.inherent
    }

    /// Whether the arguments fit: as the schema says, without any coercion, and every required operand there.
    ///
    /// # Errors
    /// The first place that does not fit.
    pub fn check(&self, arguments: &Value) -> Result<(), ArgumentFault> {
        match &self.parameters {
            Parameters::Table(table) => table.check(arguments)?,
            Parameters::Schema(schema) => schema.check(arguments)?,
        }
        for operand in &self.operands {
            operand.texts(arguments)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Parameters;
    use crate::Toolbox;

    /// Their calls never touch the schema validator.
    #[test]
    fn built_in_tools_are_judged_by_their_tables() {
        let toolbox = Toolbox::standard();
        for name in toolbox.names() {
            let tool = toolbox.get(name).unwrap();
            assert!(matches!(tool.parameters, Parameters::Table(_)), "{name}");
        }
    }
}
