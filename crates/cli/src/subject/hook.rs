//! The suite's session as the hook for Claude Code finds it: a policy file, and words for its command line.
//!
//! Rules name the tools of Claude Code, which has none for deleting, moving and making directories: a rule about one of
//! these is a rule about every command. The command line names directories, so what is allowed for one file alone asks.
//! Both are stricter than it was told, never milder.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;

use super::policy::{self, Roots};
use super::wire::Open;
use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;
use crate::scene::USER_POLICY;

/// What the policy allows is said aloud, so that the host does not ask.
const ALOUD: &str = "\n[hook.claude-code]\nallow = \"allow\"\n";

/// Reads `open` from standard input, writes the policy unless the session goes on with what is there, and prints what
/// to add to the hook's command, a word a line.
pub(crate) fn set_up_hook() -> Result<u8, Failure> {
    let input = files::read_input(Path::new("-"))?;
    let open: Open = serde_json::from_slice(&input).map_err(|error| {
        Failure::input(
            format!("this is no `open`: {error}"),
            "see conformance/PROTOCOL.md",
        )
    })?;
    let roots =
        Roots::of(&open.policy, &open.workspace, files::is_directory).directories_alone(&open.workspace);
    let file = open.config.join(USER_POLICY);
    if !open.resume {
        let text = policy::user(&open.policy, &roots, tool).map_err(|policy::Untold| {
            Failure::input(
                "the policy cannot be told to the hook",
                "every place in it has to be text in UTF-8",
            )
        })?;
        files::write_new(&file, &format!("{text}{ALOUD}"))?;
    }
    let mut words = vec!["--policy".to_owned(), utf8(&file)?];
    for root in &roots.directories {
        words.extend(["--workspace".to_owned(), utf8(root)?]);
    }
    let mut stdout = anstream::stdout().lock();
    for word in words {
        writeln!(stdout, "{word}")?;
    }
    stdout.flush()?;
    Ok(DONE)
}

fn utf8(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::input(
            format!("{} is not UTF-8", files::shown(path)),
            "use a place with a plain name",
        )
    })
}

/// The runner's word for a tool of Claude Code, as far as it is one tool's.
pub(super) fn neutral(theirs: &str) -> &str {
    match theirs {
        "Read" => "read",
        "Write" => "write",
        "Edit" => "edit",
        "Glob" => "list",
        "Bash" => "run",
        other => other,
    }
}

/// The tool of Claude Code that does this.
fn tool(neutral: &str) -> Cow<'_, str> {
    Cow::Borrowed(match neutral {
        "read" => "Read",
        "write" => "Write",
        "edit" => "Edit",
        "list" => "Glob",
        "run" | "delete" | "move" | "make_dir" => "Bash",
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::{neutral, tool};

    #[test]
    fn a_tool_of_its_own_leads_there_and_back() {
        for word in ["read", "write", "edit", "list", "run"] {
            assert_eq!(neutral(&tool(word)), word);
        }
        assert_eq!((tool("delete"), tool("load")), ("Bash".into(), "load".into()));
    }
}
