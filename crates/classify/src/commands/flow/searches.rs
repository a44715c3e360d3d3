//! Files that programs list which search: those with a text in them, or with a name of a kind.

use super::{Flow, Found};
use crate::commands::{Argument, Reading, Role, base_name, read};
use crate::shell::{SimpleCommand, Word};

/// With these, grep still lists nothing but names of files below its operands.
const GREP: &[&str] = &[
    "-l",
    "--files-with-matches",
    "-r",
    "--recursive",
    "-i",
    "-y",
    "--ignore-case",
    "-w",
    "--word-regexp",
    "-x",
    "--line-regexp",
    "-E",
    "--extended-regexp",
    "-F",
    "--fixed-strings",
    "-P",
    "--perl-regexp",
    "-G",
    "-e",
    "--regexp",
    "-I",
    "-n",
    "--line-number",
    "-s",
    "--no-messages",
    "-v",
    "--invert-match",
    "-H",
    "--with-filename",
    "-a",
    "--text",
    "-Z",
    "--null",
    "--include",
    "--exclude",
    "--exclude-dir",
];
/// The same of rg.
const RG: &[&str] = &[
    "-l",
    "--files-with-matches",
    "--files",
    "-i",
    "--ignore-case",
    "-S",
    "--smart-case",
    "-s",
    "--case-sensitive",
    "-w",
    "--word-regexp",
    "-x",
    "--line-regexp",
    "-F",
    "--fixed-strings",
    "-P",
    "--pcre2",
    "-e",
    "--regexp",
    "-g",
    "--glob",
    "--iglob",
    "-t",
    "--type",
    "-T",
    "--type-not",
    "-.",
    "--hidden",
    "-u",
    "--unrestricted",
    "--no-ignore",
    "--no-ignore-vcs",
    "--no-messages",
    "-n",
    "--line-number",
    "-N",
    "-v",
    "--invert-match",
    "-U",
    "--multiline",
    "-0",
    "--null",
    "-d",
    "--max-depth",
];
/// The same of fd, which tells of links as well.
const FD: &[&str] = &[
    "-e",
    "-t",
    "-d",
    "-E",
    "-H",
    "-I",
    "-u",
    "-i",
    "-s",
    "-g",
    "-F",
    "-0",
    "--no-ignore-vcs",
    "--min-depth",
    "-c",
    "--no-hidden",
];

impl Flow<'_> {
    /// The files that `grep -l`, `rg -l`, `rg --files` or `fd` lists.
    pub(super) fn searched(&self, name: &str, command: &SimpleCommand) -> Option<Found> {
        let program = self.table.get(name)?;
        let arguments: Vec<Argument<'_>> = command.words.iter().skip(1).map(Argument::of_word).collect();
        let reading = read(self.table, program, &arguments);
        let given = |option: &str| reading.options.iter().any(|(name, _)| name == option);
        let finds = matches!(name, "fd" | "fdfind");
        let (known, lists, searches) = match name {
            "rg" => (RG, given("-l") || given("--files"), true),
            _ if finds => (FD, true, true),
            _ => (GREP, given("-l"), given("-r") || given("--recursive")),
        };
        let plain = reading.misread.is_none()
            && reading
                .options
                .iter()
                .all(|(option, _)| known.contains(&option.as_str()));
        let mut starts: Vec<String> = reading
            .acts
            .iter()
            .filter(|act| act.option.is_none() && matches!(act.role, Role::Path(_)))
            .map(|act| act.argument.text().map(str::to_owned))
            .collect::<Option<_>>()?;
        if starts.is_empty() {
            starts.push(".".to_owned());
        }
        let named = starts.iter().all(|start| !start.starts_with('-'));
        if !(lists && searches && plain && named) {
            return None;
        }
        let kinds = values(&reading, "-t")?;
        let names = selected(name, &reading)?;
        let hidden = ["-.", "--hidden", "-H", "-u", "--unrestricted"];
        let dotted = names.iter().flatten().any(|pattern| pattern.starts_with('.'));
        let only_files = !kinds.is_empty() && kinds.iter().all(|kind| matches!(*kind, "f" | "file"));
        Some(Found {
            starts,
            names,
            files_only: !finds || only_files,
            links: false,
            rooted: false,
            splits: true,
            visible: (finds || name == "rg") && !dotted && !hidden.iter().any(|option| given(option)),
            all: false,
        })
    }

    /// Whether a program that lists files parts them by zeros.
    pub(super) fn parts_by_zeros(&self, command: &SimpleCommand) -> bool {
        let zero = |word: &Word| {
            matches!(
                word.literal(),
                Some("-print0" | "-z" | "-0" | "--null" | "-Z" | "--print0")
            )
        };
        let Some(name) = command.name().map(base_name) else {
            return false;
        };
        let joined = || {
            let program = self.table.get(name)?;
            let arguments: Vec<Argument<'_>> = command.words.iter().skip(1).map(Argument::of_word).collect();
            let reading = read(self.table, program, &arguments);
            Some(
                reading
                    .options
                    .iter()
                    .any(|(option, _)| matches!(option.as_str(), "-0" | "-Z")),
            )
        };
        let joins = matches!(name, "rg" | "grep" | "egrep" | "fd" | "fdfind");
        command.words.iter().any(zero) || joins && joined().unwrap_or_default()
    }
}

/// The values of an option; `None`: one is not known.
fn values<'r>(reading: &'r Reading<'_, '_>, option: &str) -> Option<Vec<&'r str>> {
    let given = reading.options.iter().filter(|(name, _)| name == option);
    given.map(|(_, value)| value.as_ref()?.text()).collect()
}

/// The patterns that names fit, as far as options tell them by names alone.
fn selected(program: &str, reading: &Reading<'_, '_>) -> Option<Vec<Vec<String>>> {
    let option = match program {
        "rg" => "-g",
        "fd" | "fdfind" => "-e",
        _ => "--include",
    };
    let mut names = Vec::new();
    for value in values(reading, option)? {
        match option {
            "-e" => names.push(format!("*.{}", value.trim_start_matches('.'))),
            // What is left out makes them no more.
            _ if value.starts_with('!') => {}
            _ => names.extend(each_of(value)?),
        }
    }
    // Another option selects as well.
    let others = program == "rg" && reading.options.iter().any(|(name, _)| name == "--iglob");
    Some(if names.is_empty() || others {
        Vec::new()
    } else {
        vec![names]
    })
}

/// The patterns of names that one with braces stands for; `None` where it names directories.
fn each_of(pattern: &str) -> Option<Vec<String>> {
    let pattern = pattern.strip_prefix("**/").unwrap_or(pattern);
    let plain = |text: &str| !text.contains(['/', '{', '}', '\\', '[', ',']);
    let Some((before, rest)) = pattern.split_once('{') else {
        return plain(pattern).then(|| vec![pattern.to_owned()]);
    };
    let (inside, behind) = rest.split_once('}')?;
    let all: Vec<String> = inside
        .split(',')
        .map(|one| format!("{before}{one}{behind}"))
        .collect();
    (plain(before) && plain(behind) && inside.split(',').all(plain)).then_some(all)
}
