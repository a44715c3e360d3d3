use portcullis_paths::{Dialect, Operation};
use serde_json::Value;

/// What one argument member means.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A path: what is done there and how the tool decodes it.
    Path {
        /// What is done there.
        operation: Operation,
        /// How the tool decodes it.
        dialect: &'static Dialect,
        /// A missing member means the working directory.
        cwd_when_missing: bool,
    },
    /// A shell command.
    Command,
    /// Something fetched from or sent to the network.
    Url,
    /// The working directory of a sub-agent.
    AgentCwd,
}

/// An argument member that matters to the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The member's name.
    pub member: String,
    /// What it means.
    pub role: Role,
}

/// A registered tool: name, JSON Schema, operands.
#[derive(Debug)]
pub struct ToolSpec {}

impl ToolSpec {
    /// A tool of the host's own, with its JSON Schema (draft 2020-12).
    ///
    /// # Errors
    /// A schema without `"type": "object"` at the top, with an unknown keyword, or that cannot be compiled; an
    /// operand that the schema does not declare as a string.
    pub fn new(name: &str, schema: Value, operands: Vec<Operand>) -> Result<Self, ToolError> {
        let _ = (name, schema, operands);
        todo!()
    }
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        todo!()
    }
    /// The JSON Schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> Value {
        todo!()
    }
    /// The operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        todo!()
    }
}

/// The registered tools. What is not in it does not exist.
#[derive(Debug, Default)]
pub struct Toolbox {}

impl Toolbox {
    /// No tools at all.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }
    /// Our own tools and those of Claude Code and Pi.
    #[must_use]
    pub fn standard() -> Self {
        todo!()
    }
    /// The tools that the gate itself can perform: `read_file write_file edit_file delete_file move_file
    /// make_dir list_dir`.
    #[must_use]
    pub fn files() -> Self {
        todo!()
    }
    /// Registers a tool.
    ///
    /// # Errors
    /// A name that is registered already.
    pub fn register(&mut self, tool: ToolSpec) -> Result<(), ToolError> {
        let _ = tool;
        todo!()
    }
    /// The tool of exactly that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        let _ = name;
        todo!()
    }
    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }
}

/// Why a tool cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub(crate) String);
