//! What is mounted in a sandbox, and that nothing is ever removed through it.

use std::path::Path;

use super::Sandbox;
use crate::Error;
use crate::os::{disk, mounts};

impl Sandbox {
    /// Mounts one entry of the tree at another place of it, and nothing from elsewhere.
    pub(super) fn bind(&self, of: &str, place: &Path) -> Result<(), Error> {
        let source = self.place(of)?;
        if disk::metadata(&source)?.is_dir() {
            disk::make_dirs(place)?;
        } else {
            disk::write(place, "")?;
        }
        if disk::real(&source)? != source || disk::real(place)? != place {
            return Err(Error::fixture(format!("`{of}` is mounted by or at a link")));
        }
        mounts::bind(&source, place)
    }

    /// Takes every mount away. What is removed before that is removed where it really is.
    pub(super) fn unmount(&self) -> Result<(), Error> {
        if self.mounted {
            mounts::clear(&[&self.root, &self.control])?;
        }
        Ok(())
    }

    /// What the runner takes away or puts elsewhere has no mount in it.
    pub(super) fn has_no_mounts(&self, place: &Path) -> Result<(), Error> {
        if self.mounted && !mounts::below(&[place])?.is_empty() {
            return Err(Error::fixture("something is mounted there, or below").within(place));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

    use super::Sandbox;
    use crate::fixture::{Action, Tree};
    use crate::os::{disk, mounts, process};

    const MOUNTS: &str = r#"
"outside/vault/key" = { file = "secret" }
"workspace/whole" = { bind = "outside/vault" }
"workspace/one" = { bind = "outside/vault/key" }
"#;

    fn tree(text: &str) -> Tree {
        toml::from_str(text).unwrap()
    }

    /// In a thread with mounts of its own; where the machine forbids them that is told, and in CI it is a failure.
    fn with_own_mounts(name: &str, work: impl FnOnce() + Send) {
        let ran = std::thread::scope(|scope| {
            let thread = scope.spawn(|| mounts::own().map(|()| work()));
            thread.join()
        });
        match ran {
            Ok(Ok(())) => {}
            Ok(Err(why)) => {
                assert!(!process::is_set("CI"), "{name} has to run: {why}");
                println!("SKIPPED {name}: {why}");
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn roots(sandbox: &Sandbox) -> [PathBuf; 2] {
        [sandbox.root.clone(), sandbox.control.clone()]
    }

    fn remain(places: &[PathBuf; 2]) -> bool {
        places.iter().any(|place| disk::is_there(place))
    }

    /// Something outside of the sandbox, mounted in it: removing through it would be seen.
    fn with_a_stranger(sandbox: &Sandbox) -> tempfile::TempDir {
        let stranger = disk::sandbox().unwrap();
        disk::write(&stranger.path().join("kept"), "kept").unwrap();
        mounts::bind(stranger.path(), &sandbox.workspace()).unwrap();
        stranger
    }

    #[test]
    fn both_names_lead_to_one_object() {
        with_own_mounts("both_names_lead_to_one_object", || {
            let sandbox = Sandbox::build(&tree(MOUNTS)).unwrap();
            for name in ["workspace/whole/key", "workspace/one"] {
                let place = sandbox.place(name).unwrap();
                assert_eq!(disk::bytes(&place).unwrap(), b"secret", "{name}");
            }
            let places = roots(&sandbox);
            drop(sandbox);
            assert!(!remain(&places));
        });
    }

    #[test]
    fn nothing_is_removed_through_a_mount() {
        with_own_mounts("nothing_is_removed_through_a_mount", || {
            let sandbox = Sandbox::build(&tree(MOUNTS)).unwrap();
            let (places, stranger) = (roots(&sandbox), with_a_stranger(&sandbox));
            // A subject may put a mount elsewhere, with the directory that it is in.
            let deep = sandbox.root.join("deep/in");
            disk::make_dirs(&deep).unwrap();
            mounts::bind(stranger.path(), &deep).unwrap();
            disk::rename(&sandbox.root.join("deep"), &sandbox.control.join("moved")).unwrap();
            drop(sandbox);
            assert!(disk::is_there(&stranger.path().join("kept")));
            assert!(!remain(&places));
        });
    }

    #[test]
    fn what_cannot_be_unmounted_is_not_removed() {
        with_own_mounts("what_cannot_be_unmounted_is_not_removed", || {
            let sandbox = Sandbox::build(&tree(MOUNTS)).unwrap();
            let (places, stranger) = (roots(&sandbox), with_a_stranger(&sandbox));
            let rights = capabilities(None).unwrap();
            let mut fewer = rights;
            fewer.effective.remove(CapabilitySet::SYS_ADMIN);
            set_capabilities(None, fewer).unwrap();
            drop(sandbox);
            set_capabilities(None, rights).unwrap();
            assert!(disk::is_there(&stranger.path().join("kept")));
            let [root, control] = &places;
            assert!(disk::is_there(&root.join("outside/vault/key")) && disk::is_there(control));
            mounts::clear(&[root, control]).unwrap();
            disk::remove(root).unwrap();
            disk::remove(control).unwrap();
            assert!(disk::is_there(&stranger.path().join("kept")));
        });
    }

    #[test]
    fn the_runner_takes_nothing_away_with_a_mount_in_it() {
        with_own_mounts("the_runner_takes_nothing_away_with_a_mount_in_it", || {
            let sandbox = Sandbox::build(&tree(MOUNTS)).unwrap();
            let swap = |with: &str| {
                let text = format!("do = 'swap'\npath = 'workspace'\nwith = {with}");
                sandbox.act(&toml::from_str::<Action>(&text).unwrap())
            };
            let path = "workspace".to_owned();
            assert!(sandbox.act(&Action::Remove { path }).is_err());
            assert!(swap("'dir'").is_err());
            assert!(swap("{ bind = 'outside' }").is_err());
            let path = "workspace/whole/key";
            assert_eq!(disk::bytes(&sandbox.place(path).unwrap()).unwrap(), b"secret");
        });
    }

    #[test]
    fn nothing_from_elsewhere_is_mounted() {
        with_own_mounts("nothing_from_elsewhere_is_mounted", || {
            let elsewhere = disk::sandbox().unwrap();
            let link = |name: &str, of: &str| {
                let to = elsewhere.path().display();
                tree(&format!(
                    "'ln' = {{ link = '{to}' }}\n'in/a' = {{ file = 'a' }}\n'{name}' = {{ bind = '{of}' }}"
                ))
            };
            disk::make_dirs(&elsewhere.path().join("below")).unwrap();
            for (name, of) in [("workspace/x", "ln/below"), ("ln/below", "in"), ("ln/new", "in")] {
                assert!(Sandbox::build(&link(name, of)).is_err(), "{name} {of}");
            }
            assert!(mounts::below(&[Path::new(elsewhere.path())]).unwrap().is_empty());
        });
    }

    #[test]
    fn without_mounts_of_its_own_nothing_is_made() {
        assert!(Sandbox::build(&tree(MOUNTS)).is_err());
    }
}
