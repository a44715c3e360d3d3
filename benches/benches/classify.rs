//! What a command costs: to read it, to understand it, and to judge the call that runs it, from bytes to a verdict.

use std::hint::black_box;
use std::time::Duration;

use portcullis_benches::{
    Clock, HostileShape, Subject, Table, Verdicts, corpus, everyday, is_absolute, least, long, medians,
};
use portcullis_classify::shell;

const TURNS: usize = 40;
const SIZES: [usize; 9] = [1, 2, 4, 8, 16, 32, 63, 256, 1024];

fn main() {
    let verdicts = Verdicts::build();
    for (set, commands) in [("everyday", everyday()), ("shell corpus", corpus())] {
        println!("{}", spread(&verdicts, set, &commands));
        // Places from the root are looked up wherever a command runs: only the others cost no work of a file system.
        let (looked_up, others): (Vec<_>, Vec<_>) = commands.into_iter().partition(|text| is_absolute(text));
        println!(
            "{}",
            spread(&verdicts, &format!("{set}, nothing looked up"), &others)
        );
        println!(
            "{}",
            spread(&verdicts, &format!("{set}, places from the root"), &looked_up)
        );
    }
    println!("{}", growth(&verdicts));
    println!("{}", hostile(&verdicts));
}

/// The floor: every byte of the text is looked at, and its words are counted.
fn floor(text: &str) {
    black_box(black_box(text).split_ascii_whitespace().count());
}

/// Of every command its own median, and of these, each column by itself, the middle one, the last of nine in ten, and the
/// worst.
fn spread(verdicts: &Verdicts, set: &str, commands: &[String]) -> Table {
    let measured: Vec<_> = commands
        .iter()
        .map(|text| (measure(verdicts, text, 50), text))
        .collect();
    let mut table = Table::new(&format!("`{set}`, {} commands", measured.len()));
    let count = measured.len();
    let places = [
        ("median", count / 2),
        ("90th of 100", count * 9 / 10),
        ("worst", count.saturating_sub(1)),
    ];
    for (name, at) in places {
        let mut times = [Duration::ZERO; NAMES.len()];
        for (column, (time, of)) in times.iter_mut().zip(NAMES).enumerate() {
            let mut sorted: Vec<_> = measured
                .iter()
                .filter_map(|(times, text)| Some((*times.get(column)?, text)))
                .collect();
            sorted.sort_unstable();
            let Some((found, text)) = sorted.get(at) else {
                continue;
            };
            *time = *found;
            println!("{set}, {name}, {of}: {:.2} µs: {text:?}", micros(*found));
        }
        table.column(name, &NAMES.map(str::to_owned), &times);
    }
    table
}

fn growth(verdicts: &Verdicts) -> Table {
    let mut table = Table::new("`growth`");
    for size in SIZES {
        let text = long(size * 1024);
        let times = measure(verdicts, &text, 5);
        let [_, read, understood, judged, _] = times.map(micros);
        println!(
            "{size} KiB: read {read:.1} µs, understood {understood:.1} µs, judged {judged:.1} µs, that is {:.2} and {:.2} ns a byte",
            read * 1e3 / as_float(text.len()),
            understood * 1e3 / as_float(text.len()),
        );
        table.column(&format!("{size} KiB"), &NAMES.map(str::to_owned), &times);
    }
    table
}

/// Sizes of a hostile text, each twice the one before up to the longest that is read.
const HOSTILE: [usize; 9] = [1, 2, 4, 8, 16, 32, 63, 256, 1024];
/// Shapes that have a row of their own.
const SHOWN: usize = 12;

/// The shapes that take longest where they are longest, from bytes to a verdict, in microseconds, with how much longer the
/// longest took than half of it; and the most of all.
fn hostile(verdicts: &Verdicts) -> String {
    let timed = |shape: &HostileShape| {
        HOSTILE.map(|kib| {
            let call = Verdicts::call(&shape.text(kib * 1024));
            let judge = || {
                black_box(verdicts.nowhere(black_box(&call)));
            };
            micros(least(Clock::Work, &mut Subject::new("judged", judge), 3))
        })
    };
    let mut rows: Vec<_> = HostileShape::all().map(|shape| (timed(&shape), shape)).collect();
    let growth = |times: &[f64; HOSTILE.len()]| times[6] / times[5];
    let steepest = rows.iter().map(|(times, _)| growth(times)).fold(0.0, f64::max);
    rows.sort_by(|(one, _), (other, _)| other[6].total_cmp(&one[6]));
    let sizes = HOSTILE.map(|kib| format!("{kib} KiB |"));
    let mut table = format!(
        "| {} shapes | {} 32 to 63 |\n|---|{}\n",
        rows.len(),
        sizes.join(" "),
        "---:|".repeat(10)
    );
    for (times, shape) in rows.iter().take(SHOWN) {
        let cells = times.map(|time| format!("{time:.0} |"));
        table += &format!(
            "| {:?} | {} {:.2} |\n",
            shape.piece,
            cells.join(" "),
            growth(times)
        );
    }
    table + &format!("the steepest of all: {steepest:.2}")
}

const NAMES: [&str; 5] = [
    "words counted",
    "`shell::read`",
    "`shell::understand`",
    "bytes to verdict, nowhere",
    "bytes to verdict, in a workspace",
];

fn measure(verdicts: &Verdicts, text: &str, runs: u32) -> [Duration; NAMES.len()] {
    let call = Verdicts::call(text);
    let mut subjects = [
        Subject::new(NAMES[0], || floor(text)),
        Subject::new(NAMES[1], || {
            drop(black_box(shell::read(black_box(text).as_bytes())))
        }),
        Subject::new(NAMES[2], || drop(black_box(shell::understand(black_box(text))))),
        Subject::new(NAMES[3], || {
            black_box(verdicts.nowhere(black_box(&call)));
        }),
        Subject::new(NAMES[4], || {
            black_box(verdicts.in_workspace(black_box(&call)));
        }),
    ];
    let times = medians(Clock::Work, &mut subjects, TURNS, runs);
    std::array::from_fn(|at| times.get(at).copied().unwrap_or_default())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "a number of bytes")]
fn as_float(count: usize) -> f64 {
    count as f64
}
