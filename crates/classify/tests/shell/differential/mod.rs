//! A real bash as the judge. Harmless commands are made and mutated, run where they can do nothing but call programs
//! that write down their arguments, and everything that ran has to be in the list, or the answer was opaque.
//!
//! `SHELL_DIFF_TRIES` sets the number of texts and `SHELL_DIFF_SEED` the first of them.

mod cell;
mod generate;
mod harmless;
mod matches;
mod random;
mod wrappers;

use portcullis_classify::shell::{self, Opaque, Script};

use cell::Cell;
use random::Random;

const TRIES: u64 = 150;
/// The least share of texts that is read: otherwise the comparison says nothing.
const READ_AT_LEAST: f64 = 0.25;

#[derive(Debug, Default)]
struct Count {
    tries: u64,
    read: u64,
    /// Arguments lists that bash ran for a text that was read.
    ran: u64,
    /// Texts for which something ran and the answer was opaque.
    opaque_but_ran: u64,
    ended_late: u64,
}

#[test]
fn whatever_bash_runs_is_in_the_list() {
    let harmless = |random: &mut Random| {
        let text = generate::text(random);
        harmless::is_harmless(&text).then_some(text)
    };
    run("whatever_bash_runs_is_in_the_list", &[], harmless, |text| {
        shell::read(text)
    });
}

#[test]
fn whatever_wrappers_run_is_in_the_list() {
    let unwrap = |text: &[u8]| shell::read(text).and_then(shell::unwrap);
    run(
        "whatever_wrappers_run_is_in_the_list",
        &wrappers::names(),
        |random| Some(wrappers::text(random)),
        unwrap,
    );
}

/// Makes texts, reads them, runs them, and compares.
fn run(
    test: &str,
    links: &[&str],
    make: impl Fn(&mut Random) -> Option<String>,
    read: impl Fn(&[u8]) -> Result<Script, Opaque>,
) {
    let Some(bash) = cell::find("bash") else {
        assert!(std::env::var_os("CI").is_none(), "bash is needed");
        println!("SKIPPED {test}: there is no bash");
        return;
    };
    let tries = number("SHELL_DIFF_TRIES").unwrap_or(TRIES);
    let first = number("SHELL_DIFF_SEED").unwrap_or(1);
    let cells = [0, 1].map(|code| Cell::new(&bash, links, code));
    let mut count = Count::default();
    let mut wrong = Vec::new();
    for seed in first..first.saturating_add(tries) {
        if let Some(text) = make(&mut Random::new(seed)) {
            let why = compare(&text, &read(text.as_bytes()), &cells, &mut count);
            wrong.extend(why.map(|why| format!("seed {seed}: {why}")));
        }
        if wrong.len() >= 5 {
            break;
        }
    }
    println!("{test}: {count:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count.ran > 0, "nothing ran");
    let share = ratio(count.read, count.tries);
    assert!(share >= READ_AT_LEAST, "only {share:.2} of the texts are read");
}

/// Runs the text in both cells; says what ran that was not in the list.
fn compare(text: &str, read: &Result<Script, Opaque>, cells: &[Cell], count: &mut Count) -> Option<String> {
    count.tries += 1;
    count.read += u64::from(read.is_ok());
    let mut opaque_but_ran = false;
    let mut missing = None;
    for cell in cells {
        let run = cell.run(text);
        count.ended_late += u64::from(run.ended_late);
        match read {
            Ok(script) => {
                count.ran += u64::try_from(run.argvs.len()).unwrap_or(0);
                let unlisted = run.argvs.iter().find(|argv| !matches::is_listed(script, argv));
                missing = missing.or_else(|| unlisted.cloned());
            }
            Err(_) => opaque_but_ran |= !run.argvs.is_empty(),
        }
    }
    count.opaque_but_ran += u64::from(opaque_but_ran);
    let argv = missing?;
    let listed = read.as_ref().map(crate::plain::plain);
    Some(format!("{text:?} ran {argv:?}, listed is {listed:?}"))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "a share of a count")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
