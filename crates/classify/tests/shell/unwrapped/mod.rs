//! What stands behind wrappers.

mod opaque;

use portcullis_classify::shell::{self, Input, Opaque, Reason, Script};
use rstest::rstest;
use serde_json::Value;

use crate::plain::plain;

fn unwrap(text: &str) -> Result<Script, Opaque> {
    shell::unwrap(shell::read(text.as_bytes())?)
}

fn reasons(text: &str) -> Vec<Reason> {
    match unwrap(text) {
        Ok(_) => Vec::new(),
        Err(opaque) => opaque.doubts().map(|doubt| doubt.reason).collect(),
    }
}

/// The arguments of every command behind a wrapper, with `*` for a word that moves.
fn behind(text: &str) -> Vec<String> {
    let script = unwrap(text).unwrap_or_else(|opaque| panic!("{text}: {opaque}"));
    let first = shell::read(text.as_bytes()).map_or(0, |read| read.commands().len());
    let commands = script.commands().iter().skip(first);
    commands
        .map(|command| {
            let words = command.words.iter().map(|word| word.literal().unwrap_or("*"));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// The corpus says what stands behind a wrapper. It is in the list, or the answer is opaque.
#[rstest]
#[case("typical", include_str!("../corpus/typical.jsonl"))]
#[case("wrapper", include_str!("../corpus/wrapper.jsonl"))]
#[case("mixed", include_str!("../corpus/mixed.jsonl"))]
#[case("found-by-fuzzing", include_str!("../corpus/found-by-fuzzing.jsonl"))]
#[case("value-evaluated-as-code", include_str!("../corpus/value-evaluated-as-code.jsonl"))]
fn the_corpus(#[case] part: &str, #[case] lines: &str) {
    let mut exact = 0;
    let mut opaque = 0;
    let mut wrong = Vec::new();
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap_or_default();
        let read = unwrap(text);
        let must_doubt = case.get("doubt").is_some() || case.get("program").is_some();
        if must_doubt && read.is_ok() {
            wrong.push(format!("{text} is not opaque"));
        }
        let Some(expected) = case.get("behind").and_then(Value::as_array) else {
            continue;
        };
        let commands = match &read {
            Ok(script) => plain(script),
            Err(opaque) => plain(opaque.seen()),
        };
        let missing = expected.iter().find(|argv| {
            let argv: Vec<_> = argv
                .as_array()
                .into_iter()
                .flatten()
                .map(|word| word.as_str().map(str::to_owned))
                .collect();
            !argv.is_empty() && !commands.iter().any(|command| command.argv == argv)
        });
        match missing {
            None => exact += 1,
            Some(_) if read.is_err() => opaque += 1,
            Some(argv) => wrong.push(format!("{text} lacks {argv}")),
        }
    }
    println!("{part}: {exact} exact, {opaque} opaque, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(exact > 0);
}

#[rstest]
#[case("sudo -u root rm -rf x", &["rm -rf x"])]
#[case("sudo CI=1 -E -- rm x", &["rm x"])]
#[case("sudo -nu root rm x", &["rm x"])]
#[case("doas -u a rm x", &["rm x"])]
#[case("env -i A=1 -u B rm x", &["-u B rm x"])]
#[case("env -u B A=1 rm x", &["rm x"])]
#[case("env - rm x", &["rm x"])]
#[case("env", &[])]
#[case("env -S 'rm -rf x' y", &["rm -rf x y"])]
#[case("env '-SA=1 rm x'", &["rm x"])]
#[case("nice -n 5 timeout -s KILL 10 nohup rm x", &["timeout -s KILL 10 nohup rm x", "nohup rm x", "rm x"])]
#[case("nice -5 rm x", &["rm x"])]
#[case("timeout 1 -k 1 rm", &["-k 1 rm"])]
#[case("timeout -k5 --signal=KILL 10s rm x", &["rm x"])]
#[case("ls | xargs -0 -n1 -I{} rm -rf {}", &["rm -rf *"])]
#[case("ls | xargs rm", &["rm *"])]
#[case("ls | xargs", &["echo *"])]
#[case("ls | xargs -i cp {} x{}", &["cp * *"])]
#[case("find . -name x -exec rm {} \\; -o -exec ls -l {} +", &["rm *", "ls -l *"])]
#[case("find . -okdir echo a{}b ';'", &["echo *"])]
#[case("find . -name '*.c' -delete", &[])]
#[case("bash -c 'rm -rf x; ls'", &["rm -rf x", "ls"])]
#[case("bash -c -x 'rm x'", &["rm x"])]
#[case("bash -xc -o errexit 'rm x'", &["rm x"])]
#[case("bash -c -- 'rm x' a b", &["rm x"])]
#[case("bash -O extglob -o pipefail -ec 'rm x'", &["rm x"])]
#[case("bash -lc 'rm x'", &["rm x"])]
#[case("/bin/bash --norc -c 'bash -c \"rm x\"'", &["bash -c rm x", "rm x"])]
#[case("sh -c 'rm x && ls'", &["rm x", "ls"])]
#[case("command -p rm x", &["rm x"])]
#[case("command -v rm", &[])]
#[case("exec -a ls rm x", &["rm x"])]
#[case("w=1 time -p rm x", &["rm x"])]
#[case("su -c 'rm x' root", &["rm x"])]
#[case("su root -c 'rm x'", &["rm x"])]
#[case("script -qc 'rm x' log", &["rm x"])]
#[case("watch -n1 rm x", &["rm x"])]
#[case("flock -n lock rm x", &["rm x"])]
#[case("flock lock -c 'rm x'", &["rm x"])]
#[case("stdbuf -oL setsid -w ionice -c3 chroot / rm x", &["setsid -w ionice -c3 chroot / rm x", "ionice -c3 chroot / rm x", "chroot / rm x", "rm x"])]
#[case("busybox sh -c 'rm x'", &["sh -c rm x", "rm x"])]
#[case("taskset -c 0 rm x", &["rm x"])]
#[case("sudo -u \"$u\" rm \"$x\"", &["rm *"])]
#[case("sudo -- CI=1 rm x", &["rm x"])]
#[case("env -- A=1 rm x", &["rm x"])]
#[case("env A=1 B=2 -c rm", &["-c rm"])]
#[case("ls | xargs --replace rm {}", &["rm *"])]
#[case("ls | xargs --replace=% rm % {}", &["rm * {}"])]
#[case("ls | xargs -I{} -n1 rm {}", &["rm * *"])]
#[case("find ~ -delete", &[])]
#[case("sudo -v", &[])]
#[case("sudo -u", &[])]
fn are_in_the_list(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(behind(text), expected, "{text}");
}

#[rstest]
#[case("git switch -c new; git cherry-pick -x a; git clean -n; git -C sub log -c; git push -u origin a")]
#[case("git commit -m \"$(date)\"")]
#[case("git -C sub status --short && git add -- \"$f\"")]
#[case("awk '{print $2}' f")]
#[case("sed -i 's/foo/bar/g' src/lib.rs; sed -n '1,20p' f; sed -e '/a/d' f")]
#[case("python3 --version; python3 -m pytest -q; node server.js")]
#[case("tar czf - src | cat; tar -xzf a.tgz -C x")]
#[case("find . -name \"$x\" -type f")]
#[case("sh -c 'if [ -f a ]; then cat a 2>&1 | wc -l; fi; x=$(b) c \"${d:-e}\"'")]
fn are_plain(#[case] text: &str) {
    assert_eq!(reasons(text), [], "{text}");
}

#[test]
fn what_is_behind_reads_what_the_wrapper_reads() {
    let script = unwrap("a | sudo -n tee b; { sudo cat; } <c").unwrap();
    let names: Vec<_> = script.commands().iter().filter_map(|one| one.name()).collect();
    assert_eq!(names, ["a", "sudo", "sudo", "tee", "cat"]);
    assert_eq!(script.input(3), script.input(1));
    assert!(matches!(script.input(4), Input::Redirection(file) if file.operand.literal() == Some("c")));
}

#[test]
fn a_text_for_a_shell_counts_although_it_is_a_doubt() {
    for text in ["bash <<'E'\nrm -rf /\nE", "sudo sh <<< 'rm -rf /'"] {
        let opaque = unwrap(text).unwrap_err();
        let last = opaque.seen().commands().last().and_then(|one| one.name());
        assert_eq!(last, Some("rm"), "{text}");
    }
}

#[test]
fn what_is_filled_in_is_one_word_or_many() {
    let script = unwrap("find . -exec a {} \\; -exec b {} +; c | xargs d; c | xargs -I{} e {}").unwrap();
    let single = |name: &str| {
        let mut commands = script.commands().iter();
        let command = commands.find(|one| one.name() == Some(name))?;
        Some(command.words.last()?.is_single())
    };
    assert_eq!(
        ["a", "b", "d", "e"].map(single),
        [Some(true), Some(false), Some(false), Some(true)]
    );
}

#[test]
fn many_files_are_little_work() {
    let text = "./a>b;".repeat(8000);
    assert!(behind(&text).is_empty());
    let opaque = unwrap("cat > ./run.sh <<'E' && ./run.sh\nrm x\nE").unwrap_err();
    assert_eq!(opaque.reason(), Reason::HiddenWork);
}

#[test]
fn many_actions_are_little_work() {
    let text = format!("find . {}", "-exec a {} \\; ".repeat(4000));
    assert_eq!(behind(&text).len(), 4000);
}
