//! Every case of `tests/vectors/*.jsonl`, on every way of asking the kernel. A case: `tree` is built beside the base
//! tree (`dir/`, `file`, `link -> text`, `name == hard link`, `fifo|`, `socket=`), `<>` stands for the temporary directory, `text`
//! is resolved `as` a dialect to `do` an operation, and `is` what comes out; `race` happens before `verify`. What a case
//! `needs` (mounts, a thread that modes bind) is made for it alone. `concern` is told beside the answer.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use crate::scene::{Scene, operation};
use portcullis_paths::{
    Ambient, Backend, Concern, Dialect, Error, ErrorKind, Model, Operation, Request, Resolver, Standing,
    State, Target, Zone, ZoneKind, Zones,
};
use portcullis_testing::{OPENAT2, failing, in_a_child, with_own_mounts, without_override};
use rustix::io::Errno;
use serde_json::Value;

#[test]
fn every_vector_on_the_kernel_way() {
    run(Backend::Kernel);
}

#[test]
fn every_vector_on_the_walking_way() {
    run(Backend::Walk);
}

#[test]
fn every_vector_under_a_filter_that_refuses_openat2() {
    if in_a_child() {
        return;
    }
    failing(&[OPENAT2], Errno::NOSYS, || run(Backend::probe()));
}

fn run(backend: Backend) {
    let mut failures = Vec::new();
    let mut ids = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let case: Value = serde_json::from_str(line).expect(line);
            let id = case["id"].as_str().expect(line).to_owned();
            let problem = Mutex::new(None);
            let work = || *problem.lock().unwrap() = check(&case, backend).err();
            match case.get("needs").and_then(Value::as_str) {
                None => work(),
                Some("mount") => with_own_mounts(&id, work),
                Some("nonroot") => without_override(work),
                Some(other) => panic!("nothing makes {other}: {line}"),
            }
            if let Some(problem) = problem.into_inner().unwrap() {
                failures.push(format!("{id}: {problem}"));
            }
            assert!(ids.insert(id), "an id stands twice: {line}");
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        ids.len(),
        failures.join("\n")
    );
    assert!(ids.len() >= 700, "only {} cases were found", ids.len());
}

fn strings<'a>(case: &'a Value, key: &str) -> Vec<&'a str> {
    let list = case.get(key).and_then(Value::as_array);
    list.map(|list| list.iter().map(|item| item.as_str().unwrap()).collect())
        .unwrap_or_default()
}

fn open(case: &Value, scene: &Scene, ambient: &Ambient) -> Result<Zones, Error> {
    let mut builder = Zones::builder();
    let roots = strings(case, "roots");
    for root in if roots.is_empty() {
        vec!["<>/work/app"]
    } else {
        roots
    } {
        builder = builder.root(scene.path(root));
    }
    for file in strings(case, "files") {
        builder = builder.file(scene.path(file));
    }
    for (key, kind) in [
        ("deny-read", ZoneKind::DenyRead),
        ("deny-write", ZoneKind::DenyWrite),
        ("confirm-read", ZoneKind::ConfirmRead),
        ("confirm-write", ZoneKind::ConfirmWrite),
    ] {
        for path in strings(case, key) {
            builder = builder.zone(Zone {
                id: key.to_owned(),
                kind,
                path: scene.path(path),
            });
        }
    }
    builder.open(ambient)
}

fn check(case: &Value, backend: Backend) -> Result<(), String> {
    let scene = Scene::new();
    strings(case, "tree")
        .into_iter()
        .for_each(|entry| scene.add(entry));
    let ambient = Ambient::empty().with_home(scene.path("<>/home/u"));
    let expected = case["is"].as_str().unwrap();
    let zones = match open(case, &scene, &ambient) {
        Err(error) if expected == "unusable" && error.kind() == ErrorKind::Zones => return Ok(()),
        Err(error) => return Err(format!("zones: {error}")),
        Ok(_) if expected == "unusable" => return Err("the zones opened".to_owned()),
        Ok(zones) => zones,
    };
    let resolver = Resolver::with_backend(zones, ambient, backend);
    // A watch takes a while to end, so on one way only.
    if backend == Backend::Kernel {
        settle(&resolver, &scene);
    }
    strings(case, "then")
        .into_iter()
        .for_each(|step| scene.change(step));
    let text = match case.get("hex") {
        Some(hex) => crate::scene::unhex(hex.as_str().unwrap()),
        None => scene.text(case["text"].as_str().unwrap()),
    };
    let unknown = Dialect::AGENT.with_model(Model::Unknown);
    let dialect = match case.get("as").and_then(Value::as_str) {
        None => &Dialect::AGENT,
        Some("unknown") => &unknown,
        Some(name) => Dialect::by_name(name).unwrap(),
    };
    let request = Request {
        text: &text,
        dialect,
        operation: operation(case["do"].as_str().unwrap()),
        cwd: &scene.path(case.get("cwd").map_or("<>/work/app", |cwd| cwd.as_str().unwrap())),
    };
    match resolver.resolve(&request) {
        Ok(target) => check_target(case, &scene, expected, &target),
        Err(error) => check_refusal(case, expected, &error),
    }
}

/// So much is decided that moves are watched for: before that, most names are walked on every way.
fn settle(resolver: &Resolver, scene: &Scene) {
    let request = Request {
        text: b"src",
        dialect: &Dialect::PLAIN,
        operation: Operation::List,
        cwd: &scene.path("<>/work/app"),
    };
    for _ in 0..20 {
        let _either = resolver.resolve(&request);
    }
}

fn check_refusal(case: &Value, expected: &str, error: &Error) -> Result<(), String> {
    let protected = error.kind() == ErrorKind::Protected;
    let may_be_missing = case.get("optional").is_some() && error.kind() == ErrorKind::NotFound;
    match expected {
        "protected" if protected && error.rule().is_some() => Ok(()),
        "refused" if !protected => Ok(()),
        _ if case.get("or").is_some() || may_be_missing => Ok(()),
        _ => Err(format!(
            "expected {expected}, refused: {error} ({:?})",
            error.kind()
        )),
    }
}

fn word(concern: &Concern) -> &'static str {
    match concern {
        Concern::ConfirmRead { .. } => "confirm-read",
        Concern::ConfirmWrite { .. } => "confirm-write",
        Concern::HardLinked { .. } => "hard-linked",
        Concern::NamesUntold { .. } => "names-untold",
        Concern::WeakIdentity => "weak-identity",
        Concern::UnusualName => "unusual-name",
        _ => "unknown",
    }
}

fn check_target(case: &Value, scene: &Scene, expected: &str, target: &Target) -> Result<(), String> {
    let standing = match target.standing() {
        Standing::Inside { .. } => "inside",
        Standing::Exactly { .. } => "exactly",
        Standing::Outside => "outside",
        _ => "unknown",
    };
    if standing != expected {
        return Err(format!("expected {expected}, is {standing}: {}", target.place()));
    }
    if let Some(place) = case.get("place") {
        let place = scene.text(place.as_str().unwrap());
        if target.place().as_bytes() != place {
            return Err(format!("leads to {}", target.place()));
        }
    }
    if case.get("state").is_some() && target.state() != State::Link {
        return Err(format!("holds {:?}", target.state()));
    }
    let told: Vec<&str> = target.concerns().iter().map(word).collect();
    let wanted = case.get("concern").and_then(Value::as_str);
    // That a file has other names is told exactly where it is to be; others may stand beside what a case is about.
    let as_wanted = wanted.is_none_or(|wanted| told.contains(&wanted))
        && told.contains(&"hard-linked") == (wanted == Some("hard-linked"));
    if !as_wanted {
        return Err(format!("concerns {told:?}"));
    }
    if case.get("race").is_some() {
        target
            .verify()
            .map_err(|error| format!("does not verify: {error}"))?;
        strings(case, "race")
            .into_iter()
            .for_each(|step| scene.change(step));
        let verified = match target.verify() {
            Ok(()) => "same",
            Err(error) if error.kind() == ErrorKind::Changed => "changed",
            Err(error) => return Err(format!("verify: {error}")),
        };
        if case["verify"] != verified {
            return Err(format!("verifies as {verified}"));
        }
    }
    Ok(())
}
