use std::collections::BTreeMap;

/// Where the values of one layer stand: the name of the file, and lines in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origins {
    file: String,
    lines: BTreeMap<String, usize>,
    /// Where the layer is no file: what stands for each of its lines.
    names: Vec<String>,
}

impl Origins {
    pub(super) fn of(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            lines: BTreeMap::new(),
            names: Vec::new(),
        }
    }

    pub(super) fn set(&mut self, name: impl Into<String>, line: usize) {
        self.lines.insert(name.into(), line);
    }

    pub(super) fn name(&mut self, names: Vec<String>) {
        self.names = names;
    }

    /// Where a value stands, for people: `/home/ada/.config/portcullis/policy.toml:3`, or the flag or variable that says
    /// it. `None` for what this layer does not say.
    #[must_use]
    pub fn shown(&self, name: &str) -> Option<String> {
        let line = self.line(name)?;
        let named = line.checked_sub(1).and_then(|at| self.names.get(at));
        Some(match named {
            Some(named) => named.clone(),
            None => format!("{}:{line}", self.file),
        })
    }

    /// The file, as it was named.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line of a setting (`approval.deadline_seconds`), of a rule or zone by its id, or of a group that is turned
    /// off; from 1.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<usize> {
        self.lines.get(name).copied()
    }
}
