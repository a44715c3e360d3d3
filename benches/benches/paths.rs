//! Paths alone: every row turn by turn with one raw `openat2` and `close` of the same file.
#![expect(
    clippy::expect_used,
    reason = "a bench that measures a wrong answer has to stop"
)]

use portcullis_benches::{Clock, Subject, Table, Ways, medians};
use portcullis_paths::Operation;

/// How often all is measured; of each row and depth the least ratio counts. What else runs on the machine only adds.
const REPEATS: usize = 3;

fn main() {
    println!("{}", best(|| ways(&[5, 10, 20, 40], 400, 50)));
    println!("{}", best(|| ways(&[50, 100, 200, 400], 60, 10)));
    println!("{}", best(bounds));
}

fn best(measure: impl Fn() -> Table) -> Table {
    let mut best = measure();
    for _ in 1..REPEATS {
        best.least(&measure());
    }
    best
}

fn ways(depths: &[usize], turns: usize, runs: u32) -> Table {
    let mut table = Table::new("`path`");
    for &depth in depths {
        let ways = Ways::build(depth);
        let floor = ways.floor();
        let (file, missing, protected) = (ways.file(), ways.missing(), ways.protected());
        let (middle, most) = (ways.through_the_middle(), ways.chain(40));
        // The chain's first link leads to the file.
        let link = "link0";
        let mut subjects = vec![
            Subject::new("raw `openat2` + `close`", || floor.raw()),
            Subject::new("fast path: read", || {
                drop(ways.resolve(&file, Operation::Read).expect("inside"));
            }),
            Subject::new("missing leaf: write", || {
                drop(ways.resolve(&missing, Operation::Write).expect("inside"));
            }),
            Subject::new("write of a file", || {
                drop(ways.resolve(&file, Operation::Write).expect("inside"));
            }),
            Subject::new("missing leaf: read, refused", || {
                drop(ways.resolve(&missing, Operation::Read).expect_err("missing"));
            }),
            Subject::new("denied by a zone: read", || {
                drop(ways.resolve(&protected, Operation::Read).expect_err("protected"));
            }),
            Subject::new("slow path: read through a link at the root", || {
                drop(ways.resolve(link, Operation::Read).expect("inside"));
            }),
            Subject::new("slow path: read through a link half-way", || {
                drop(ways.resolve(&middle, Operation::Read).expect("inside"));
            }),
            Subject::new("raw `openat2` + `close` through the link half-way", || {
                floor.raw_following(&middle);
            }),
            Subject::new("read through a chain of 40 links", || {
                drop(ways.resolve(&most, Operation::Read).expect("inside"));
            }),
            Subject::new("raw `openat2` + `close` through the chain", || {
                floor.raw_following(&most);
            }),
            Subject::new("without `openat2`: read", || {
                drop(ways.names(&file, Operation::Read).expect("inside"));
            }),
            Subject::new("without `openat2`: read through a link half-way", || {
                drop(ways.names(&middle, Operation::Read).expect("inside"));
            }),
            Subject::new("walked, every directory held: read", || {
                drop(ways.walk(&file, Operation::Read).expect("inside"));
            }),
            Subject::new("cap-std `Dir::open_dir` of the parent", || floor.cap_std()),
            Subject::new("`std::fs::canonicalize`", || floor.canonicalize()),
        ];
        let medians = medians(Clock::Wall, &mut subjects, turns, runs);
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
    let (most, many, more) = (ways.chain(40), "a/".repeat(2000), "a/".repeat(4000));
    let dots = format!("{}{file}", "./".repeat(2000));
    let up = format!("{}{file}", "folder/../".repeat(400));
    let mut subjects = vec![
        Subject::new("raw `openat2` + `close`", || floor.raw()),
        Subject::new("40 links", || {
            drop(ways.resolve(&most, Operation::Read).expect("inside"));
        }),
        Subject::new(
            "4,000 components, refused: no tool can open so long a path",
            || {
                drop(ways.resolve(&more, Operation::Read).expect_err("too long"));
            },
        ),
        Subject::new("2,000 components that are missing, refused", || {
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
    let medians = medians(Clock::Wall, &mut subjects, 60, 5);
    let names: Vec<String> = subjects.into_iter().map(|subject| subject.name).collect();
    let mut table = Table::new("`path_bounds`, depth 5");
    table.column("ratio", &names, &medians);
    table
}
