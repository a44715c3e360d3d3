//! The home of the clock: subjects are measured turn by turn, so that whatever the machine does meets all of them.

use std::fmt;
use std::time::{Duration, Instant};

/// Something to measure.
pub struct Subject<'a> {
    /// Its row in the table.
    pub name: String,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Subject<'a> {
    /// Names what is run.
    pub fn new(name: impl Into<String>, run: impl FnMut() + 'a) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

impl fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subject({})", self.name)
    }
}

/// The median time of one run of each subject. In each of `turns` turns every subject runs `runs` times; the subject
/// that begins changes with the turn.
#[expect(clippy::disallowed_methods, reason = "the home of the clock")]
pub fn medians(subjects: &mut [Subject<'_>], turns: usize, runs: u32) -> Vec<Duration> {
    let mut times = vec![Vec::with_capacity(turns); subjects.len()];
    for turn in 0..turns {
        let count = subjects.len().max(1);
        let mut rows: Vec<_> = subjects.iter_mut().zip(&mut times).collect();
        rows.rotate_left(turn % count);
        for (subject, times) in rows {
            let start = Instant::now();
            for _ in 0..runs {
                (subject.run)();
            }
            times.push(start.elapsed() / runs);
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::{Subject, medians};

    #[test]
    fn every_subject_runs_in_every_turn_and_begins_in_turn() {
        let order = RefCell::new(String::new());
        let mut subjects = ["a", "b"].map(|name| Subject::new(name, || order.borrow_mut().push_str(name)));
        assert_eq!(medians(&mut subjects, 3, 2).len(), 2);
        drop(subjects);
        assert_eq!(order.into_inner(), "aabbbbaaaabb");
    }
}
