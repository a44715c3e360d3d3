//! Commands behind wrappers, made of words from a table: the real `env`, `xargs`, `find` and their kin say what they run.
//! Nothing in the table can do more than run the programs of a cell and look at its folder.

use super::cell::PROGRAMS;
use super::random::Random;

/// A wrapper and what may stand behind its name, wrong options among it.
struct Kind {
    name: &'static str,
    parts: &'static [&'static str],
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
            "-v",
            "-0",
            "--ignore-environment",
            "--frob",
            "-x",
            "--version",
        ],
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
            "-n",
            "-x",
            "--frob",
            "--help",
        ],
    },
    Kind {
        name: "nohup",
        parts: &["--", "-x", "--version"],
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
            "-0",
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
            "-d x",
            "--",
            "-x",
            "-s 99",
            "--max-args=1",
            "--max-args 1",
            "--frob",
            "-0n1",
            "-rI{}",
            "--max-lines",
            "--delimiter=x",
        ],
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
            "-quit",
            "-exec s + {} \\;",
            "-exec s {} x +",
            "-name -exec",
            "a",
            "-exec nice -n 1 t {} \\;",
            "-false",
            "-print",
        ],
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
            "-",
            "-s",
            "--noprofile",
            "'s a; t b'",
            "'v c'",
            "-k",
            "-co errexit",
            "--frob",
            "'w \"$1\"'",
        ],
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
            "-",
            "-s",
            "'s a; t b'",
            "'v c | w'",
            "+x",
            "-o errexit",
            "'w &>f'",
            "'{ s; } 2>&1'",
        ],
    },
    Kind {
        name: "stdbuf",
        parts: &["-oL", "-o L", "-i0", "--output=L", "--output L", "--", "-x"],
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
            "--frob",
            "-xn",
        ],
    },
    Kind {
        name: "command",
        parts: &["-p", "-v", "-V", "--", "-pv", "-x"],
    },
    Kind {
        name: "exec",
        parts: &["-a x", "-ax", "-c", "-l", "--", "-cl", "-la y", "-x"],
    },
    Kind {
        name: "busybox",
        parts: &["sh", "env", "--", "-x", "nice"],
    },
    Kind {
        name: "time",
        parts: &["-p", "--", "-x"],
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
        for _ in 0..random.below(4) {
            words.push(random.pick(kind.parts));
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
