//! The tables of `README.md`: every subject turn by turn with its floor.

use portcullis_benches::{Case, Clock, Hook, Journal, Scene, Subject, Table, medians};

const DEPTHS: [usize; 3] = [5, 10, 20];

fn main() {
    for case in Case::ALL {
        println!("{}", decisions(case));
    }
    println!("{}", processes());
}

fn decisions(case: Case) -> Table {
    let mut table = Table::new(&format!("`{}`", case.name()));
    for depth in DEPTHS {
        let scene = Scene::build(case, depth);
        let floor = scene.floor();
        let mut subjects = vec![
            Subject::new("raw `openat2` + `close`", || floor.raw()),
            Subject::new("path: text to held target or refusal", || _ = scene.resolve()),
            Subject::new("verdict: bytes to verdict", || _ = scene.judge()),
            Subject::new("step: bytes to permit or refusal, null ledger", || {
                drop(scene.submit())
            }),
        ];
        if case == Case::ReadInside {
            subjects.push(Subject::new("cap-std `Dir::open_dir` of the parent", || {
                floor.cap_std()
            }));
            subjects.push(Subject::new("`std::fs::canonicalize`", || floor.canonicalize()));
        }
        let medians = medians(Clock::Wall, &mut subjects, 400, 50);
        let names: Vec<String> = subjects.into_iter().map(|subject| subject.name).collect();
        table.column(&format!("depth {depth}"), &names, &medians);
    }
    table
}

fn processes() -> Table {
    let hook = Hook::prepare();
    let mut subjects = [
        Subject::new("static no-op", || hook.noop()),
        Subject::new("`portcullis hook claude-code`, log in memory", || {
            hook.hook(Journal::Memory)
        }),
        Subject::new("`portcullis hook claude-code`, log on disk", || {
            hook.hook(Journal::Disk)
        }),
    ];
    let medians = medians(Clock::Wall, &mut subjects, 300, 1);
    let mut table = Table::new("`hook_process`");
    table.column("ratio", &subjects.map(|subject| subject.name), &medians);
    table
}
