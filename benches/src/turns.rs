//! The home of the clocks: subjects are measured turn by turn, so that whatever the machine does meets all of them.

use std::fmt;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// What is counted as time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// What goes by.
    Wall,
    /// What this thread is at work, in the kernel too. On a busy machine a long run is interrupted and a short one is not,
    /// so that by the wall work seems to grow faster than it does.
    Work,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the home of the clocks")]
    fn timed(self, run: impl FnOnce()) -> Duration {
        match self {
            Self::Wall => {
                let start = Instant::now();
                run();
                start.elapsed()
            }
            Self::Work => {
                let now = || {
                    let now = clock_gettime(ClockId::ThreadCPUTime);
                    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
                    let rest = u32::try_from(now.tv_nsec).unwrap_or_default();
                    Duration::new(seconds, rest)
                };
                let start = now();
                run();
                now().saturating_sub(start)
            }
        }
    }
}

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

/// The median time of one run of each subject. In each of `turns` turns the first subject runs `runs` times, and every
/// other one as often as takes about as long: a long stretch would be interrupted more often by whatever else the machine
/// does. The subject that begins changes with the turn.
pub fn medians(clock: Clock, subjects: &mut [Subject<'_>], turns: usize, runs: u32) -> Vec<Duration> {
    let once = |subject: &mut Subject<'_>| (0..5).map(|_| timed(clock, subject, 4)).min().unwrap_or_default();
    let once: Vec<Duration> = subjects.iter_mut().map(once).collect();
    let counts = counts(&once, runs);
    let mut times = vec![Vec::with_capacity(turns); subjects.len()];
    for turn in 0..turns {
        let count = subjects.len().max(1);
        let mut rows: Vec<_> = subjects.iter_mut().zip(&counts).zip(&mut times).collect();
        rows.rotate_left(turn % count);
        for ((subject, runs), times) in rows {
            times.push(timed(clock, subject, *runs));
        }
    }
    times.into_iter().map(median).collect()
}

/// The least time of one run, of so many: for what takes so long that a stretch of runs would never end.
pub fn least(clock: Clock, subject: &mut Subject<'_>, runs: u32) -> Duration {
    (0..runs)
        .map(|_| timed(clock, subject, 1))
        .min()
        .unwrap_or_default()
}

/// The time of one of so many runs.
fn timed(clock: Clock, subject: &mut Subject<'_>, runs: u32) -> Duration {
    let all = clock.timed(|| {
        for _ in 0..runs {
            (subject.run)();
        }
    });
    all / runs
}

/// How often each subject runs in a turn, by the time that one run takes.
fn counts(once: &[Duration], runs: u32) -> Vec<u32> {
    let stretch = once.first().copied().unwrap_or_default() * runs;
    let fitting =
        |once: &Duration| u32::try_from(stretch.as_nanos() / once.as_nanos().max(1)).unwrap_or(runs);
    once.iter().map(|once| fitting(once).clamp(1, runs)).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use std::time::Duration;

    use super::{Clock, Subject, counts, medians};

    #[test]
    fn every_subject_runs_in_every_turn_and_begins_in_turn() {
        let order = RefCell::new(String::new());
        let mut subjects = ["a", "b"].map(|name| Subject::new(name, || order.borrow_mut().push_str(name)));
        assert_eq!(medians(Clock::Wall, &mut subjects, 3, 1).len(), 2);
        drop(subjects);
        let first = "a".repeat(20) + &"b".repeat(20);
        assert_eq!(order.into_inner(), first + "abbaab");
    }

    #[test]
    fn a_slow_subject_runs_less_often() {
        let once = [100, 50, 200, 5000, 0].map(Duration::from_nanos);
        assert_eq!(counts(&once, 10), [10, 10, 5, 1, 10]);
    }
}
