//! A remembered allow that survives its process: by the same rules, as long as its store is the user's alone, and no
//! longer than it was given for, whatever the clock shows.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use portcullis_classify::{Layer, LayerRules, Preset};
use portcullis_gate::{Answer, Behaviour, Clock, Gate, GrantStore, Moment, Scope, Scripted, Settings, Step};
use proptest::prelude::*;
use serde_json::json;

use crate::grants::{HOUR, asking_for_writes, grant};
use crate::scene::{Memory, Scene, classifier};

/// A gate over the same workspace and the same store, as after a restart.
fn restarted(scene: &Scene, layers: Vec<LayerRules>, user: &str) -> Gate {
    restarted_with(scene, layers, user, scene.clock.clone())
}

fn restarted_with(scene: &Scene, layers: Vec<LayerRules>, user: &str, clock: impl Clock + 'static) -> Gate {
    let store = GrantStore::new(scene.outside("grants.json"));
    let classifier = classifier(&scene.work(""), layers);
    let ledger = Arc::new(Memory::default());
    Gate::new(classifier, ledger, clock, Settings::for_user(user)).with_grants(store)
}

fn careful() -> Vec<LayerRules> {
    let mut layer = LayerRules::empty(Layer::User);
    layer.preset = Some(Preset::Careful);
    vec![layer]
}

fn is_covered(scene: &Scene, gate: &Gate, path: &str) -> bool {
    let call = scene.call("delete_file", json!({"path": path}));
    matches!(gate.submit(call, &scene.cancel), Step::Permitted(_))
}

/// A store with one grant: to delete `dir/a`.
fn kept() -> (Scene, GrantStore) {
    let scene = asking_for_writes();
    let gate = restarted(&scene, careful(), "tester");
    let always = Answer::AllowAlways(Scope::lasting(HOUR).kept());
    let call = scene.call("delete_file", json!({"path": "dir/a"}));
    let mut person = scene.approver([Behaviour::Say(always)]);
    drop(gate.decide(call, &mut person, &scene.cancel).unwrap());
    assert!(gate.grants()[0].is_kept);
    let store = GrantStore::new(scene.outside("grants.json"));
    (scene, store)
}

#[test]
fn a_grant_survives_a_restart_only_when_that_was_asked_for() {
    let (scene, store) = kept();
    let again = restarted(&scene, careful(), "tester");
    assert!(is_covered(&scene, &again, "dir/a"));
    assert!(!is_covered(&scene, &again, "dir/b"));
    assert_eq!(store.list().unwrap().len(), 1);
    // Not asked for: gone with its gate.
    grant(&scene, "delete_file", json!({"path": "dir/b"}));
    assert!(!is_covered(
        &scene,
        &restarted(&scene, careful(), "tester"),
        "dir/b"
    ));
}

#[test]
fn a_kept_grant_dies_with_its_policy_its_user_and_its_time() {
    let (scene, store) = kept();
    let mut other = careful();
    other[0].reasons.insert("x".to_owned(), "y".to_owned());
    other[0].preset = Some(Preset::Everyday);
    assert!(!is_covered(&scene, &restarted(&scene, other, "tester"), "dir/a"));
    assert!(!is_covered(
        &scene,
        &restarted(&scene, careful(), "another"),
        "dir/a"
    ));
    let gate = restarted(&scene, careful(), "tester");
    assert!(is_covered(&scene, &gate, "dir/a"));
    scene.clock.advance(HOUR);
    assert!(!is_covered(&scene, &gate, "dir/a"));
    assert!(gate.grants().is_empty());
    assert_eq!(store.prune(scene.clock.wall_ms()).unwrap(), 1);
    assert!(store.list().unwrap().is_empty());
}

#[test]
fn a_kept_grant_that_is_taken_back_elsewhere_is_gone_at_once() {
    let (scene, store) = kept();
    let gate = restarted(&scene, careful(), "tester");
    assert!(is_covered(&scene, &gate, "dir/a"));
    let id = store.list().unwrap()[0].grant.id;
    assert!(store.revoke(id).unwrap());
    assert!(!store.revoke(id).unwrap());
    assert!(!is_covered(&scene, &gate, "dir/a"));
}

/// Each of these is a store that others could have written, or none at all.
#[test]
fn an_unusable_store_grants_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let changes: [fn(&std::path::Path); 8] = [
        |path| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap(),
        |path| {
            std::fs::rename(path, path.with_extension("real")).unwrap();
            std::os::unix::fs::symlink(path.with_extension("real"), path).unwrap();
        },
        |path| std::fs::hard_link(path, path.with_extension("second")).unwrap(),
        |path| std::fs::write(path, "{}").unwrap(),
        |path| {
            let text = std::fs::read_to_string(path).unwrap();
            std::fs::write(path, &text.as_bytes()[..text.len() / 2]).unwrap();
        },
        |path| {
            // Only the superuser can give a file away; anybody else has lost it another way.
            if std::os::unix::fs::chown(path, Some(12_345), None).is_err() {
                std::fs::remove_file(path).unwrap();
            }
        },
        |path| {
            let text = std::fs::read_to_string(path).unwrap();
            std::fs::write(path, text.replace("\"version\": 3", "\"version\": 4")).unwrap();
        },
        |path| std::fs::remove_file(path).unwrap(),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let (scene, _) = kept();
        let gate = restarted(&scene, careful(), "tester");
        assert!(is_covered(&scene, &gate, "dir/a"));
        change(&scene.outside("grants.json"));
        assert!(!is_covered(&scene, &gate, "dir/a"), "change {at}");
    }
}

/// A clock of the wall that can be set, in minutes. Deadlines go by the other one, which stands still.
#[derive(Debug, Clone, Default)]
struct SetClock(Arc<AtomicI64>);

impl SetClock {
    fn set(&self, minute: i64) {
        self.0.store(minute, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment(0)
    }
    fn wall_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst) * 60_000
    }
}

const MINUTE: std::time::Duration = std::time::Duration::from_secs(60);

/// Each look is by a gate of its own, as after a restart.
struct Kitchen {
    scene: Scene,
    clock: SetClock,
}

impl Kitchen {
    fn new() -> Self {
        Self {
            scene: asking_for_writes(),
            clock: SetClock::default(),
        }
    }

    fn gate(&self) -> Gate {
        restarted_with(&self.scene, careful(), "tester", self.clock.clone())
    }

    /// Whether the grant is in the store afterwards.
    fn give(&self, minute: i64, lasts: u32) -> bool {
        self.clock.set(minute);
        let before = self.store().list().unwrap();
        let before: Vec<_> = before.iter().map(|kept| kept.grant.id).collect();
        let always = Answer::AllowAlways(Scope::lasting(MINUTE * lasts).kept());
        let call = self.scene.call("delete_file", json!({"path": "dir/a"}));
        let mut person = Scripted::new([Behaviour::Say(always)]);
        drop(self.gate().decide(call, &mut person, &self.scene.cancel).unwrap());
        let stored = self.store().list().unwrap();
        stored.iter().any(|kept| !before.contains(&kept.grant.id))
    }

    fn is_granted(&self, minute: i64) -> bool {
        self.clock.set(minute);
        is_covered(&self.scene, &self.gate(), "dir/a")
    }

    fn store(&self) -> GrantStore {
        GrantStore::new(self.scene.outside("grants.json"))
    }
}

#[test]
fn a_clock_that_is_set_back_lengthens_no_kept_grant() {
    let kitchen = Kitchen::new();
    assert!(kitchen.give(100, 60));
    assert!(!kitchen.is_granted(99), "it was not given yet");
    assert!(kitchen.is_granted(140));
    assert!(!kitchen.is_granted(110), "that time is over");
    assert!(kitchen.is_granted(159));
    assert!(!kitchen.is_granted(160));
    assert!(!kitchen.is_granted(159), "what ended stays ended");
}

/// A clock that was years ahead by mistake: nothing is granted by what was given then, and what was given before is over.
#[test]
fn a_clock_that_was_ahead_leaves_nothing_in_force() {
    let kitchen = Kitchen::new();
    assert!(kitchen.give(100, 60));
    assert!(!kitchen.is_granted(1_000_000));
    assert!(kitchen.give(1_000_001, 60));
    assert!(!kitchen.is_granted(101));
    // A new one is given in its process alone, until the store begins anew.
    assert!(!kitchen.give(102, 60));
    let store = kitchen.store();
    let now_ms = 102 * 60_000;
    let stored = store.list().unwrap();
    assert!(!stored.iter().any(|kept| kept.is_in_force(now_ms)), "{stored:?}");
    // What was given before the mistake is over by it; what was given during it is for its user to take back.
    assert_eq!(store.prune(now_ms).unwrap(), 0, "the later one took its place");
    let [left] = &stored[..] else {
        panic!("{stored:?}");
    };
    assert!(!left.has_ended(now_ms));
    assert!(store.revoke(left.grant.id).unwrap());
    store.prune(102 * 60_000).unwrap();
    assert!(kitchen.give(103, 60));
    assert!(kitchen.is_granted(104));
}

/// Removed by hand or by `prune`: what a later time has ended is not brought back by an earlier one.
#[test]
fn what_has_ended_is_pruned_though_the_clock_is_behind() {
    let kitchen = Kitchen::new();
    assert!(kitchen.give(100, 60));
    assert!(!kitchen.is_granted(170));
    assert_eq!(kitchen.store().prune(110 * 60_000).unwrap(), 1);
    assert!(kitchen.give(110, 60));
}

#[test]
fn a_grant_that_was_written_for_the_future_is_not_in_force() {
    let kitchen = Kitchen::new();
    assert!(kitchen.give(100, 60));
    let path = kitchen.scene.outside("grants.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let given = format!("\"given_ms\": {}", 100 * 60_000);
    assert!(text.contains(&given), "{text}");
    let later = format!("\"given_ms\": {}", 130 * 60_000);
    std::fs::write(&path, text.replace(&given, &later)).unwrap();
    assert!(!kitchen.is_granted(120));
    assert!(kitchen.is_granted(130));
}

/// A look that cannot be written down could be had again and again.
#[test]
fn a_store_that_cannot_be_written_grants_nothing_later() {
    let kitchen = Kitchen::new();
    assert!(kitchen.give(100, 60));
    let lock = kitchen.scene.outside("grants.json.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    assert!(!kitchen.is_granted(110));
    std::fs::remove_dir(&lock).unwrap();
    assert!(kitchen.is_granted(110));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the clock does between looks, every minute that it showed is granted at most once, in order: at a look that
    /// is granted, the clock shows no less than it ever did, and less than the end of some grant that was given by then.
    #[test]
    fn no_minute_is_granted_twice(
        moves in prop::collection::vec((0..200_i64, prop::option::of(1..90_u32)), 1..16)
    ) {
        let kitchen = Kitchen::new();
        let mut latest = i64::MIN;
        let mut given: Vec<(i64, i64)> = Vec::new();
        for (minute, give) in moves {
            let is_behind = minute < latest;
            let expected = !is_behind
                && given.iter().any(|(from, until)| *from <= minute && minute < *until);
            prop_assert_eq!(kitchen.is_granted(minute), expected, "at {} after {}", minute, latest);
            // An empty store has nothing to remember the time for.
            if !given.is_empty() {
                latest = latest.max(minute);
            }
            if let Some(lasts) = give.filter(|_| !expected) {
                prop_assert_eq!(kitchen.give(minute, lasts), !is_behind);
                if !is_behind {
                    given.retain(|(_, until)| minute < *until);
                    given.push((minute, minute + i64::from(lasts)));
                    latest = minute;
                }
            }
        }
    }
}
