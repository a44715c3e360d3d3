//! Paths alone: every row turn by turn with one raw `openat2` and `close` of the same file.
#![expect(
    clippy::expect_used,
    reason = "a bench that measures a wrong answer has to stop"
)]

use portcullis_benches::{Subject, Table, Ways, medians};
use portcullis_paths::Operation;

fn main() {
    println!("{}", ways(&[5, 10, 20], 400, 50));
    println!("{}", ways(&[50, 100, 200, 400], 60, 10));
    println!("{}", bounds());
}

fn ways(depths: &[usize], turns: usize, runs: u32) -> Table {
    let mut table = Table::new("`path`");
    for &depth in depths {
        let ways = Ways::build(depth);
        let floor = ways.floor();
        let (file, missing) = (ways.file(), ways.missing());
        let link = ways.chain(1);
        let mut subjects = vec![
            Subject::new("raw `openat2` + `close`", || floor.raw()),
            Subject::new("fast path: read", || {
                drop(ways.resolve(&file, Operation::Read).expect("inside"));
            }),
            Subject::new("fast path: write of a missing leaf", || {
                drop(ways.resolve(&missing, Operation::Write).expect("inside"));
            }),
            Subject::new("fast path: write of a file", || {
                drop(ways.resolve(&file, Operation::Write).expect("inside"));
            }),
            Subject::new("slow path: read through a link", || {
                drop(ways.resolve(&link, Operation::Read).expect("inside"));
            }),
            Subject::new("slow path: read, name by name", || {
                drop(ways.walk(&file, Operation::Read).expect("inside"));
            }),
            Subject::new("cap-std `Dir::open_dir` of the parent", || floor.cap_std()),
            Subject::new("`std::fs::canonicalize`", || floor.canonicalize()),
        ];
        let medians = medians(&mut subjects, turns, runs);
        let names: Vec<String> = subjects.into_iter().map(|subject| subject.name).collect();
        table.column(&format!("depth {depth}"), &names, &medians);
    }
    table
}

/// What an attacker can make long: a chain of links, and a path of as many components as fit the kernel's page.
fn bounds() -> Table {
    let ways = Ways::build(5);
    let floor = ways.floor();
    let file = ways.file();
    let (most, many) = (ways.chain(40), "a/".repeat(2000));
    let dots = format!("{}{file}", "./".repeat(2000));
    let up = format!("{}{file}", "folder/../".repeat(400));
    let mut subjects = vec![
        Subject::new("raw `openat2` + `close`", || floor.raw()),
        Subject::new("40 links", || {
            drop(ways.resolve(&most, Operation::Read).expect("inside"))
        }),
        Subject::new("4,000 characters of missing names, refused", || {
            drop(
                ways.resolve(&many, Operation::Read)
                    .expect_err("nothing is there"),
            );
        }),
        Subject::new("2,000 times `./`", || {
            drop(ways.resolve(&dots, Operation::Read).expect("inside"));
        }),
        Subject::new("400 times `folder/../`", || {
            drop(ways.resolve(&up, Operation::Read).expect("inside"));
        }),
    ];
    let medians = medians(&mut subjects, 60, 5);
    let names: Vec<String> = subjects.into_iter().map(|subject| subject.name).collect();
    let mut table = Table::new("`path_bounds`, depth 5");
    table.column("ratio", &names, &medians);
    table
}
