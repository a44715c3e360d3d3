//! Depth and work.

/// How deep commands, groups, substitutions and expansions may be nested.
pub const MAX_DEPTH: usize = 40;

/// Steps for one text. Reading takes a few steps for each byte; only texts that are read twice, which are those in
/// backquotes and here-documents, take more.
const MAX_STEPS: usize = 16 * super::MAX_BYTES;

/// What has been spent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    depth: usize,
    steps: usize,
}

impl Budget {
    pub(super) const fn new() -> Self {
        Self { depth: 0, steps: 0 }
    }

    /// Whether one level more is within the bound.
    pub(super) const fn descend(&mut self) -> bool {
        self.depth += 1;
        self.depth <= MAX_DEPTH
    }

    pub(super) const fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether this much work is within the bound.
    pub(super) const fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps);
        self.steps <= MAX_STEPS
    }

    #[cfg(test)]
    pub(super) const fn spent(&self) -> usize {
        self.steps
    }
}
