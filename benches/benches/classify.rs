//! What understanding a command costs, from its bytes to everything that the tables say, without the file system.

use std::hint::black_box;
use std::time::Duration;

use portcullis_benches::{Subject, Table, corpus, everyday, long, medians};
use portcullis_classify::shell;

const TURNS: usize = 60;
const SIZES: [usize; 7] = [1, 4, 16, 63, 65, 256, 1024];

fn main() {
    println!("{}", spread("everyday", &everyday()));
    println!("{}", spread("shell corpus", &corpus()));
    println!("{}", growth());
}

/// The floor: every byte of the text is looked at, and its words are counted.
fn floor(text: &str) {
    black_box(black_box(text).split_ascii_whitespace().count());
}

/// Of every command its own median: the middle one of these, the last of nine in ten, and the worst.
fn spread(set: &str, commands: &[String]) -> Table {
    let mut measured: Vec<_> = commands.iter().map(|text| (measure(text, 200), text)).collect();
    measured.sort_unstable_by_key(|(times, _)| times[2]);
    let mut table = Table::new(&format!("`{set}`, {} commands", measured.len()));
    let count = measured.len();
    let places = [
        ("median", count / 2),
        ("90th of 100", count * 9 / 10),
        ("worst", count.saturating_sub(1)),
    ];
    for (name, at) in places {
        if let Some((times, text)) = measured.get(at) {
            println!(
                "{set}, {name}: read {:.2} µs, understood {:.2} µs: {text:?}",
                micros(times[1]),
                micros(times[2])
            );
            table.column(name, &NAMES.map(str::to_owned), times);
        }
    }
    table
}

fn growth() -> Table {
    let mut table = Table::new("`growth`");
    for size in SIZES {
        let text = long(size * 1024);
        let times = measure(&text, 5);
        println!(
            "{size} KiB: read {:.1} µs, understood {:.1} µs",
            micros(times[1]),
            micros(times[2])
        );
        table.column(&format!("{size} KiB"), &NAMES.map(str::to_owned), &times);
    }
    table
}

const NAMES: [&str; 3] = ["words counted", "`shell::read`", "`shell::understand`"];

fn measure(text: &str, runs: u32) -> [Duration; 3] {
    let mut subjects = [
        Subject::new(NAMES[0], || floor(text)),
        Subject::new(NAMES[1], || {
            drop(black_box(shell::read(black_box(text).as_bytes())))
        }),
        Subject::new(NAMES[2], || drop(black_box(shell::understand(black_box(text))))),
    ];
    let times = medians(&mut subjects, TURNS, runs);
    [0, 1, 2].map(|at| times.get(at).copied().unwrap_or_default())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
