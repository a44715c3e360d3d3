use std::fmt::Write as _;

use super::argument::Argument;
use super::{Act, Reading, Table, read};
use crate::shell;

/// `COMMAND => what is read of it`, as the page on the tables asks for.
const READINGS: &str = include_str!("readings.txt");

#[test]
fn commands_are_read_as_written_down() {
    let mut wrong = String::new();
    let lines = READINGS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        let (command, expected) = line.split_once(" =>").unwrap();
        let got = reading(command);
        if got != expected.trim() {
            writeln!(wrong, "{command} => {got}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "these are read so:\n{wrong}");
}

/// `role word; role word; fact`, and what was not understood at the end.
fn reading(command: &str) -> String {
    let script = shell::read(command.as_bytes()).unwrap();
    let words = &script.commands()[0].words;
    let arguments: Vec<_> = words.iter().skip(1).map(Argument::of_word).collect();
    let table = Table::built_in();
    let Some(program) = table.get(words[0].literal().unwrap()) else {
        return "unknown".to_owned();
    };
    let reading = read(table, program, &arguments);
    show(&reading)
}

fn show(reading: &Reading<'_, '_>) -> String {
    let silent = |act: &&Act<'_, '_>| act.role != super::Role::Text;
    let acts = reading.acts.iter().filter(silent).map(|act| {
        let of = act.option.map(|option| format!("{option} "));
        let mut words = vec![of.unwrap_or_default() + act.role.word()];
        words.extend(
            [&act.argument]
                .into_iter()
                .chain(&act.rest)
                .map(|argument| argument.to_string()),
        );
        words.join(" ")
    });
    let facts = reading.facts.iter().map(|fact| fact.word().to_owned());
    let misread = reading
        .misread
        .iter()
        .map(|(word, why)| format!("`{word}` {}", why.sentence()));
    let all: Vec<_> = acts.chain(facts).chain(misread).collect();
    if all.is_empty() {
        return "nothing".to_owned();
    }
    all.join("; ")
}
