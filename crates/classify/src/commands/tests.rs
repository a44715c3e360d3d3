use std::fmt::Write as _;

use super::argument::Argument;
use super::{Act, Fact, Reading, Table, read};
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

/// What `[[code]]` says of a program, as far as it is about options.
#[derive(serde::Deserialize)]
struct Code {
    names: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    leading: Vec<String>,
    #[serde(default)]
    within: std::collections::BTreeMap<String, Vec<String>>,
}

#[derive(serde::Deserialize)]
struct Codes {
    code: Vec<Code>,
}

/// A program that has both entries is judged by its `[[program]]` entry alone: an option that can run code must ask
/// there too, by itself and not because of a word beside it.
#[test]
fn what_can_run_code_asks_in_its_program_entry_too() {
    let codes: Codes = toml::from_str(include_str!("../../data/commands/code.toml")).unwrap();
    let (mut compared, mut wrong) = (0, Vec::new());
    for code in &codes.code {
        let plain = code.options.iter().chain(&code.leading);
        let plain = plain.map(|option| (None, option));
        let within = code.within.iter();
        let within =
            within.flat_map(|(sub, options)| options.iter().map(|option| (Some(sub.as_str()), option)));
        let all: Vec<_> = plain.chain(within).collect();
        let programs = code
            .names
            .iter()
            .filter_map(|name| Some((name, Table::built_in().get(name)?)));
        for (name, program) in programs {
            for (sub, option) in &all {
                compared += 1;
                let unasked = unasked(program, *sub, option);
                wrong.extend(unasked.map(|words| format!("{name} {words}")));
            }
        }
    }
    assert!(compared > 100, "{compared}");
    assert!(wrong.is_empty(), "these do not ask:\n{}", wrong.join("\n"));
}

/// A spelling of the option that does not ask: alone, with a value of its own, with one attached. Alone it need not where
/// it takes the next word: the program then stops.
fn unasked(program: &super::Program, sub: Option<&str>, option: &str) -> Option<String> {
    let attached = if option.starts_with("--") { "=" } else { "" };
    let attached = format!("{option}{attached}value");
    let given = |words: &[&str]| -> (bool, bool) {
        let words: Vec<_> = sub
            .iter()
            .chain(words)
            .map(|word| Argument::literal(word))
            .collect();
        let reading = read(Table::built_in(), program, &words);
        let is_it = |word: &str| word.starts_with(option) || Some(word) == sub;
        let misread = reading.misread.as_ref().is_some_and(|(word, _)| is_it(word));
        let takes = reading
            .acts
            .iter()
            .any(|act| act.option.is_some() && asks(act.role));
        let facts = reading.facts.contains(&Fact::Opaque) || reading.facts.contains(&Fact::Interactive);
        (misread || takes || facts, takes)
    };
    let (apart, takes) = given(&[option, "value"]);
    let alone = takes || given(&[option]).0;
    let spellings = [
        (alone, option),
        (apart, option),
        (given(&[&attached]).0, &attached),
    ];
    let spelling = spellings.into_iter().find(|(asks, _)| !asks)?.1;
    Some(format!("{} {spelling}", sub.unwrap_or_default()))
}

/// Whether a value of this role asks; a script of sed, awk or perl does unless it is one of the plainest.
const fn asks(role: super::Role) -> bool {
    use super::{PathRole, Role};
    matches!(
        role,
        Role::Code
            | Role::Sed
            | Role::Awk
            | Role::Perl
            | Role::Python
            | Role::Name
            | Role::Sql
            | Role::Define
            | Role::GitSetting
            | Role::Debugger
            | Role::GraphQl
            | Role::Command
            | Role::Elsewhere
            | Role::ShellText
            | Role::Sub
            | Role::Path(PathRole::Execute)
    )
}
