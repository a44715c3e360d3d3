//! Commands behind wrappers, made of words from a table: the real `env`, `xargs`, `find` and their kin say what they run.
//! Nothing in the table can do more than run the programs of a cell and look at its folder.

use super::cell::PROGRAMS;
use super::random::Random;

/// A wrapper and what may stand behind its name.
struct Kind {
    name: &'static str,
    parts: &'static [&'static str],
    /// Options that it does not have, or that leave nothing to run. They come seldom.
    odd: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind {
        name: "env",
        parts: &[
            "-i",
            "-",
            "-u x",
            "-ux",
            "A=1",
            "x=2",
            "--",
            "-S 's a'",
            "'-Ss b'",
            "--unset=x",
            "--unset x",
            "--ignore-environment",
        ],
        odd: &["-v", "-0", "--frob", "-x", "--version"],
    },
    Kind {
        name: "nice",
        parts: &[
            "-n 1",
            "-n1",
            "--adjustment=1",
            "--adjustment 1",
            "-1",
            "-5",
            "--",
        ],
        odd: &["-n", "-x", "--frob", "--help"],
    },
    Kind {
        name: "nohup",
        parts: &["--"],
        odd: &["-x", "--version"],
    },
    Kind {
        name: "xargs",
        parts: &[
            "-n1",
            "-n 1",
            "-I{}",
            "-I %",
            "-i",
            "-i%",
            "--replace",
            "--replace=%",
            "-r",
            "-t",
            "-P 1",
            "-L1",
            "-L 1",
            "-l",
            "-l1",
            "-E x",
            "-e",
            "-ex",
            "--",
            "-s 99",
            "--max-args=1",
            "--max-args 1",
            "-0n1",
            "-rI{}",
            "--max-lines",
        ],
        odd: &["-0", "-d x", "-x", "--frob", "--delimiter=x"],
    },
    Kind {
        name: "find",
        parts: &[
            "-exec s {} \\;",
            "-exec t {} +",
            "-exec v a{}b ';'",
            "-execdir w x \\;",
            "-name x",
            "-name '*'",
            "-o",
            "!",
            "-type f",
            "-type d",
            "-maxdepth 1",
            "\\(",
            "\\)",
            "-printf x",
            "-exec s + {} \\;",
            "-exec s {} x +",
            "-name -exec",
            "a",
            "-exec nice -n 1 t {} \\;",
            "-print",
        ],
        odd: &["-quit", "-false"],
    },
    Kind {
        name: "bash",
        parts: &[
            "-c",
            "-c",
            "-c",
            "-x",
            "-e",
            "-ec",
            "-xc",
            "-o errexit",
            "+e",
            "-O extglob",
            "+O extglob",
            "--norc",
            "--",
            "--noprofile",
            "'s a; t b'",
            "'v c'",
            "-co errexit",
            "'w \"$1\"'",
        ],
        odd: &["-", "-s", "-k", "--frob"],
    },
    Kind {
        name: "sh",
        parts: &[
            "-c",
            "-c",
            "-x",
            "-e",
            "-ec",
            "--",
            "'s a; t b'",
            "'v c | w'",
            "+x",
            "-o errexit",
            "'w &>f'",
            "'{ s; } 2>&1'",
        ],
        odd: &["-", "-s"],
    },
    Kind {
        name: "stdbuf",
        parts: &["-oL", "-o L", "-i0", "--output=L", "--output L", "--"],
        odd: &["-x"],
    },
    Kind {
        name: "flock",
        parts: &[
            "-n",
            "f",
            "g",
            "-w 1",
            "-w1",
            "-c 's a'",
            "-x",
            "-s",
            "--",
            "--nonblock",
            "-E 3",
            "-xn",
        ],
        odd: &["--frob"],
    },
    Kind {
        name: "command",
        parts: &["-p", "--"],
        odd: &["-v", "-V", "-pv", "-x"],
    },
    Kind {
        name: "exec",
        parts: &["-a x", "-ax", "-c", "-l", "--", "-cl", "-la y"],
        odd: &["-x"],
    },
    Kind {
        name: "busybox",
        parts: &["sh", "env", "nice"],
        odd: &["--", "-x"],
    },
    Kind {
        name: "time",
        parts: &["-p", "--"],
        odd: &["-x"],
    },
];

/// The programs of the table, where the machine has them.
pub(crate) fn names() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name).collect()
}

/// One text.
pub(crate) fn text(random: &mut Random) -> String {
    let mut words = Vec::new();
    for _ in 0..=random.below(2) {
        let Some(kind) = KINDS.get(random.below(KINDS.len())) else {
            continue;
        };
        words.push(kind.name);
        for _ in 0..random.below(3) {
            let odd = random.once_in(12) || kind.parts.is_empty();
            words.push(random.pick(if odd { kind.odd } else { kind.parts }));
        }
    }
    if !random.once_in(6) {
        words.push(random.pick(PROGRAMS));
        for _ in 0..random.below(3) {
            words.push(random.pick(&["a", "{}", "%", "x=1", "-c", "--", "x", "'a b'", "-n", "+"]));
        }
    }
    let text = words.join(" ");
    match random.below(4) {
        0 => format!("echo 'a b' x | {text}"),
        1 => format!("x=1 {text}"),
        _ => text,
    }
}
