//! The tools that exist: what each takes, which argument is which operand, and what it does besides.

mod claude_code;
mod fault;
mod glob;
mod operand;
mod own;
mod params;
mod pi;
mod schema;
mod spec;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub use fault::{ArgumentFault, ToolError};
pub(crate) use glob::literal_heads;
pub use glob::{GlobReach, glob_reach};
pub use operand::{Language, Operand, Role, When};
pub use spec::ToolSpec;

use crate::call::quoted;
use params::Builtin;

/// The registered tools. What is not in it does not exist: the name is compared exactly, and a call of
/// another name is refused as an unknown tool (invariant 6).
#[derive(Debug, Clone, Default)]
pub struct Toolbox {
    tools: BTreeMap<String, ToolSpec>,
}

impl Toolbox {
    /// No tools at all.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Our own tools and those of Claude Code and Pi. Tools of MCP servers (`mcp__server__tool`) are not among
    /// them: what they do is not known before somebody registers them.
    #[must_use]
    pub fn standard() -> Self {
        Self::of(
            own::FILES
                .iter()
                .chain(&own::COMMAND)
                .chain(&own::OTHERS)
                .chain(claude_code::tools())
                .chain(&pi::TOOLS),
        )
    }

    /// The tools for files that the gate itself can perform: `read_file write_file edit_file delete_file move_file
    /// make_dir list_dir`.
    #[must_use]
    pub fn files() -> Self {
        Self::of(own::FILES.iter())
    }

    /// Every tool that the gate itself can perform: those of [`Toolbox::files`] and `run_command`.
    #[must_use]
    pub fn performed() -> Self {
        Self::of(own::FILES.iter().chain(&own::COMMAND))
    }

    /// Registers a tool.
    ///
    /// # Errors
    /// A name that is registered already.
    pub fn register(&mut self, tool: ToolSpec) -> Result<(), ToolError> {
        match self.tools.entry(tool.name().to_owned()) {
            Entry::Occupied(there) => Err(ToolError(format!(
                "tool `{}` is registered already",
                quoted(there.key(), 256)
            ))),
            Entry::Vacant(free) => {
                free.insert(tool);
                Ok(())
            }
        }
    }

    /// The tool of exactly that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.get(name)
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    fn of(tables: impl Iterator<Item = &'static Builtin>) -> Self {
        Self {
            tools: tables
                .map(|table| (table.name.to_owned(), ToolSpec::builtin(table)))
                .collect(),
        }
    }
}
