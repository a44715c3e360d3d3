//! Reads what libFuzzer prints.

use std::fmt;

/// Runs and coverage of one target.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Report {
    runs: u64,
    /// Covered edges after the seeds.
    first: u64,
    /// Covered edges at the end.
    last: u64,
}

impl Report {
    /// Takes the next line.
    pub(super) fn read(&mut self, line: &str) {
        if let Some(runs) = line.strip_prefix("stat::number_of_executed_units:") {
            self.runs = runs.trim().parse().unwrap_or(0);
        }
        if let Some(covered) = covered(line) {
            if line.contains("INITED") {
                self.first = covered;
            }
            self.last = self.last.max(covered);
        }
    }

    /// Why this was no fuzzing, whatever the target's exit code says.
    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.runs == 0 {
            Some("it ran nothing")
        } else if self.last == 0 {
            Some("it saw no coverage: the instrumentation is missing")
        } else {
            None
        }
    }
}

/// `#123 NEW    cov: 40 ft: 40 corp: 2/2b ...`
fn covered(line: &str) -> Option<u64> {
    let (_, rest) = line.strip_prefix('#')?.split_once(" cov: ")?;
    rest.split(' ').next()?.parse().ok()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} runs, {} edges covered by the seeds, {} at the end",
            self.runs, self.first, self.last
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    fn report(lines: &str) -> Report {
        let mut report = Report::default();
        lines.lines().for_each(|line| report.read(line));
        report
    }

    #[test]
    fn reads_runs_and_coverage() {
        let report = report(
            "#2\tINITED cov: 33 ft: 33 corp: 1/1b exec/s: 0 rss: 27Mb\n\
             #5\tNEW    cov: 40 ft: 40 corp: 2/2b lim: 4 exec/s: 0 rss: 27Mb\n\
             #900\tDONE   cov: 41 ft: 44 corp: 2/2b lim: 4 exec/s: 0 rss: 27Mb\n\
             stat::number_of_executed_units: 900",
        );
        assert_eq!(
            report,
            Report {
                runs: 900,
                first: 33,
                last: 41
            }
        );
        assert_eq!(report.fault(), None);
    }

    #[test]
    fn fuzzing_that_ran_nothing_or_saw_nothing_is_a_fault() {
        assert!(Report::default().fault().is_some());
        assert!(report("stat::number_of_executed_units: 7").fault().is_some());
    }
}
