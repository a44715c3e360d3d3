//! What a durable record, a record of many writers and a checked log cost, beside the least that the disk would take.

use portcullis_benches::{Book, Clock, Subject, Table, medians};

/// Threads that record at the same time, and records of each.
const WRITERS: usize = 16;
const EACH: usize = 12;

fn main() {
    println!("{}", append());
    println!("{}", group());
    println!("{}", verify());
}

fn table(title: &str, turns: usize, subjects: &mut [Subject<'_>]) -> Table {
    let medians = medians(Clock::Wall, subjects, turns, 1);
    let names: Vec<String> = subjects.iter().map(|subject| subject.name.clone()).collect();
    let mut table = Table::new(title);
    table.column("time", &names, &medians);
    table
}

fn append() -> Table {
    let (ours, raw) = (Book::new(), Book::new());
    let mut subjects = [
        Subject::new("raw write + `fdatasync` of the same bytes", || raw.raw()),
        Subject::new("`Log::append`", || ours.append()),
    ];
    table("`durable_append`", 1500, &mut subjects)
}

fn group() -> Table {
    let (ours, each) = (Book::new(), Book::new());
    let mut subjects = [
        Subject::new("16 threads, each record with a sync of its own", || {
            each.many(WRITERS, EACH, Book::raw);
        }),
        Subject::new("16 threads, `Log::append`", || {
            ours.many(WRITERS, EACH, Book::append);
        }),
    ];
    table("`group_commit`", 60, &mut subjects)
}

fn verify() -> Table {
    let log = Book::new();
    log.fill(30_000);
    let mut subjects = [
        Subject::new("the file read and hashed", || log.read_and_hash()),
        Subject::new("`verify`", || log.verify()),
    ];
    let measured = table("`verify`", 15, &mut subjects);
    println!("`verify`: {} MB/s", log.speed());
    measured
}
