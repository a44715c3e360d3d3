//! Fetches what a subject is made of, exactly as its lock file pins it, and nowhere but below the build folder.

use super::place;
use super::subject::Subject;
use crate::job::Context;
use crate::tree;

/// What names the packages.
const NAMED: &str = "package.json";
/// What pins them, and everything that they need.
const PINNED: &str = "package-lock.json";
/// A copy of the lock file, written last: what it pins has been fetched completely.
const DONE: &str = "fetched.lock";

/// Whether everything that the lock file pins is there.
pub(super) fn is_done(context: &Context, subject: &Subject) -> Result<bool, String> {
    let stamp = place::fetched(context, subject).join(DONE);
    Ok(tree::stands(&stamp) && tree::text(&stamp)? == pinned(subject)?)
}

/// Fetches it, unless it is there. Scripts of packages are not run. The exit code.
pub(super) fn fetch(context: &Context, subject: &Subject) -> Result<u8, String> {
    let name = &subject.name;
    if !subject.fetch {
        println!("{name}: nothing to fetch");
        return Ok(0);
    }
    if is_done(context, subject)? {
        println!("{name}: there already");
        return Ok(0);
    }
    let folder = place::fetched(context, subject);
    let Some(npm) = place::npm(context, &folder) else {
        return Ok(super::not_run(name, "`npm` is not on the path"));
    };
    pinned(subject)?;
    tree::fresh_folder(&folder)?;
    for paper in [NAMED, PINNED] {
        tree::copy_file(&subject.pins().join(paper), &folder.join(paper))?;
    }
    let npm = npm.args([
        "ci",
        "--ignore-scripts",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
    ]);
    if !npm.succeeds()? {
        return Ok(super::not_run(name, "`npm ci` fails"));
    }
    tree::copy_file(&subject.pins().join(PINNED), &folder.join(DONE))?;
    println!("{name}: fetched into {}", folder.display());
    Ok(0)
}

fn pinned(subject: &Subject) -> Result<String, String> {
    tree::text(&subject.pins().join(PINNED))
}
