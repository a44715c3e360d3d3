//! Reads what `cargo test` prints.

use crate::tally::Tally;

/// One test binary's part of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Binary {
    /// As cargo names it: `portcullis_paths src/lib.rs`, or the crate's name for doctests.
    name: String,
    tally: Tally,
    ignored: u32,
    finished: bool,
}

/// The report so far, line by line.
#[derive(Debug, Default)]
pub(crate) struct Report {
    binaries: Vec<Binary>,
    skips: Vec<String>,
}

impl Report {
    /// Takes the next line.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(name) = started(line) {
            self.binaries.push(Binary {
                name,
                tally: Tally::default(),
                ignored: 0,
                finished: false,
            });
        } else if let Some((tally, ignored)) = result(line) {
            if let Some(binary) = self.binaries.last_mut() {
                binary.tally += tally;
                binary.ignored += ignored;
                binary.finished = true;
            }
        } else if line.trim_start().starts_with("SKIPPED ") {
            self.skips.push(line.trim_start().to_owned());
        }
    }

    /// All binaries together.
    pub(crate) fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        for binary in &self.binaries {
            sum += binary.tally;
        }
        sum
    }

    /// How many binaries of this name ran at least one test. Two crates may name a test file alike.
    pub(crate) fn ran(&self, name: &str) -> usize {
        self.binaries
            .iter()
            .filter(|binary| binary.name == name && binary.tally != Tally::default())
            .count()
    }

    /// Tests that were not run on purpose.
    pub(crate) fn ignored(&self) -> u32 {
        self.binaries.iter().map(|binary| binary.ignored).sum()
    }

    /// Binaries that started and never said how they ended.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = &str> {
        self.binaries
            .iter()
            .filter(|binary| !binary.finished)
            .map(|binary| binary.name.as_str())
    }

    /// What tests said they could not check here.
    pub(crate) fn skips(&self) -> &[String] {
        &self.skips
    }
}

/// `Running unittests src/lib.rs (target/debug/deps/portcullis_paths-0123)` gives `portcullis_paths src/lib.rs`.
fn started(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(name.to_owned());
    }
    let (source, place) = line
        .strip_prefix("Running ")?
        .strip_suffix(')')?
        .split_once(" (")?;
    let file = place.rsplit(['/', '\\']).next()?;
    let (name, _) = file.rsplit_once('-')?;
    let source = source.strip_prefix("unittests ").unwrap_or(source);
    Some(format!("{name} {source}"))
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn result(line: &str) -> Option<(Tally, u32)> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |word: &str| {
        counts
            .split("; ")
            .find_map(|part| part.strip_suffix(word)?.trim_end().parse::<u32>().ok())
    };
    let tally = Tally {
        passed: count("passed")?,
        failed: count("failed")?,
        skipped: 0,
    };
    Some((tally, count("ignored")?))
}

#[cfg(test)]
mod tests {
    use super::Report;
    use crate::tally::Tally;

    fn report(lines: &str) -> Report {
        let mut report = Report::default();
        lines.lines().for_each(|line| report.read(line));
        report
    }

    #[test]
    fn counts_by_binary() {
        let report = report(
            "     Running unittests src/lib.rs (/x/debug/deps/portcullis_paths-0123abcd)\n\
             test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             \x20    Running tests/laws.rs (target/debug/deps/laws-77)\n\
             test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             \x20    Running tests/idle.rs (target/debug/deps/idle-8)\n\
             test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             \x20  Doc-tests portcullis\n\
             test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        );
        assert_eq!(report.ran("portcullis_paths src/lib.rs"), 1);
        assert_eq!(report.ran("laws tests/laws.rs"), 1);
        assert_eq!(report.ran("portcullis"), 1);
        assert_eq!(report.ran("idle tests/idle.rs"), 0);
        assert_eq!(
            report.sum(),
            Tally {
                passed: 8,
                failed: 2,
                skipped: 0
            }
        );
        assert_eq!(report.ignored(), 1);
        assert_eq!(report.unfinished().count(), 0);
    }

    #[test]
    fn a_binary_that_dies_is_unfinished() {
        let report = report("     Running tests/kill.rs (target/debug/deps/kill-1)\nrunning 3 tests");
        assert_eq!(report.unfinished().collect::<Vec<_>>(), ["kill tests/kill.rs"]);
    }

    #[test]
    fn hears_a_skip() {
        let report = report("SKIPPED resolver_as_nobody: needs root\nnot SKIPPED at all");
        assert_eq!(report.skips(), ["SKIPPED resolver_as_nobody: needs root"]);
    }
}
