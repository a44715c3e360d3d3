//! Who feeds whom, and which substitution supplies which word.

use portcullis_classify::shell::{self, Descriptor, GroupKind, Input, Link, Operator, Part, Piece, Script};

fn read(text: &str) -> Script {
    shell::read(text.as_bytes()).unwrap_or_else(|opaque| panic!("{text}: {opaque}"))
}

fn kinds(script: &Script) -> Vec<GroupKind> {
    script.groups().iter().map(|group| group.kind).collect()
}

#[test]
fn pipes() {
    let script = read("a | { b; c; } |& (d | e)");
    assert_eq!(kinds(&script), [GroupKind::Braces, GroupKind::Subshell]);
    assert_eq!(script.input(0), Input::Inherited);
    assert_eq!(script.input(1), Input::Pipe(Part::Command(0)));
    assert_eq!(script.input(2), Input::Pipe(Part::Command(0)));
    assert_eq!(script.input(3), Input::Pipe(Part::Group(0)));
    assert_eq!(script.input(4), Input::Pipe(Part::Command(3)));
}

#[test]
fn texts_belong_to_whoever_reads_them() {
    let script = read("while read l; do sh; done <<'A' | cat\nrm x\nA\nsh <<<'rm y'");
    let Input::Redirection(text) = script.input(1) else {
        panic!("{:?}", script.input(1));
    };
    assert_eq!(text.operator, Operator::HereDocument);
    assert_eq!(text.body.as_ref().and_then(|body| body.literal()), Some("rm x\n"));
    assert_eq!(script.input(2), Input::Pipe(Part::Group(0)));
    let Input::Redirection(text) = script.input(3) else {
        panic!("{:?}", script.input(3));
    };
    assert_eq!(text.operand.literal(), Some("rm y"));
}

#[test]
fn the_last_redirection_of_input_counts() {
    let script = read("a <b 3<c <d | e <f");
    let Input::Redirection(last) = script.input(0) else {
        panic!();
    };
    assert_eq!(last.operand.literal(), Some("d"));
    let Input::Redirection(own) = script.input(1) else {
        panic!();
    };
    assert_eq!(own.operand.literal(), Some("f"));
    let third = &script.commands()[0].redirections[1];
    assert_eq!(third.descriptor, Some(Descriptor::Number(3)));
}

#[test]
fn substitutions_point_to_their_commands() {
    let script = read("a \"$(b | c)\" <(d) >(e)");
    assert_eq!(
        kinds(&script),
        [
            GroupKind::Command,
            GroupKind::ProcessInput,
            GroupKind::ProcessOutput
        ]
    );
    let words = &script.commands()[0].words;
    assert_eq!(
        words[1].pieces(),
        [Piece::Substitution {
            group: 0,
            quoted: true
        }]
    );
    assert!(words[1].is_single());
    let of = |group: usize| -> Vec<_> {
        let commands = script.commands().iter();
        commands
            .filter(|one| one.seat.group == Some(group))
            .filter_map(|one| one.name())
            .collect()
    };
    assert_eq!(of(0), ["b", "c"]);
    assert_eq!(of(1), ["d"]);
    assert_eq!(of(2), ["e"]);
    assert_eq!(script.input(4), Input::Process(2));
}

#[test]
fn conditions_and_background() {
    let script = read("a && b || c; { d & e; } &");
    let seats: Vec<_> = script
        .commands()
        .iter()
        .map(|one| (one.seat.link, one.seat.background))
        .collect();
    assert_eq!(
        seats,
        [
            (Link::Always, false),
            (Link::Success, false),
            (Link::Failure, false),
            (Link::Always, true),
            (Link::Always, false)
        ]
    );
    assert!(script.groups()[0].seat.background);
}

#[test]
fn an_evaluated_text_stands_behind_its_eval() {
    let script = read("eval 'a; b' c | d");
    let names: Vec<_> = script.commands().iter().filter_map(|one| one.name()).collect();
    assert_eq!(names, ["eval", "a", "b", "d"]);
    assert_eq!(kinds(&script), [GroupKind::Eval(0)]);
    assert_eq!(script.commands()[1].place, script.commands()[0].place);
    assert_eq!(script.input(3), Input::Pipe(Part::Command(0)));
}

#[test]
fn places_are_those_of_the_text() {
    let text = "ls 'a b' | wc -l > \"$x\"";
    let opaque = shell::read(text.as_bytes()).unwrap_err();
    assert_eq!(text.get(opaque.place().start..opaque.place().end), Some("\"$x\""));
    let at = |place: shell::Place| text.get(place.start..place.end);
    let commands = opaque.seen().commands();
    assert_eq!(at(commands[0].place).map(str::trim), Some("ls 'a b'"));
    assert_eq!(at(commands[0].words[1].place()), Some("'a b'"));
    assert_eq!(at(commands[1].redirections[0].place), Some("> \"$x\""));
}

#[test]
fn words_keep_their_shape() {
    let script = read("a pre*[bc] ~/x {1,2} $\"t\" \"$@\" $((1))x");
    let words = &script.commands()[0].words;
    let literal = |text: &str| Piece::Literal(text.to_owned());
    assert_eq!(
        words[1].pieces(),
        [literal("pre"), Piece::Glob('*'), Piece::Glob('['), literal("bc]")]
    );
    assert_eq!(words[1].known_start(), "pre");
    assert_eq!(words[2].pieces(), [Piece::Tilde, literal("/x")]);
    assert_eq!(
        words[3].pieces(),
        [
            Piece::Brace('{'),
            literal("1"),
            Piece::Brace(','),
            literal("2"),
            Piece::Brace('}')
        ]
    );
    assert_eq!(words[4].pieces(), [Piece::Translated("t".to_owned())]);
    assert!(!words[5].is_single());
    assert_eq!(words[6].pieces(), [Piece::Arithmetic, literal("x")]);
    assert!(words[6].is_single());
}

#[test]
fn what_was_seen_before_a_doubt_is_kept() {
    let opaque = shell::read(b"rm -rf /; echo $(ls; if)").unwrap_err();
    let names: Vec<_> = opaque
        .seen()
        .commands()
        .iter()
        .filter_map(|one| one.name())
        .collect();
    assert_eq!(names, ["rm", "echo", "ls"]);
    assert!(!opaque.is_read_to_the_end());
    let opaque = shell::read(b"rm -rf /; $x; ls").unwrap_err();
    assert!(opaque.is_read_to_the_end());
    assert_eq!(opaque.seen().commands().len(), 3);
}
