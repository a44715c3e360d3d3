//! What stands around the hook in one session.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Options;
use crate::hash;
use crate::os::disk;
use crate::os::process::{self, Around, Ended};
use crate::wire::Open;

/// A session that is open.
#[derive(Debug)]
pub(super) struct Session {
    /// The runner's name of it.
    pub(super) name: String,
    /// The host's.
    pub(super) id: String,
    /// Where the host would write what was said.
    pub(super) transcript: String,
    /// Places that words and values name.
    places: [(&'static str, String); 5],
    /// What the setup adds to the hook's command.
    more: Vec<String>,
}

impl Session {
    /// Lets the setup write the configuration.
    pub(super) fn open(open: &Open, options: &Options) -> Result<Self, String> {
        let transcript = Path::new(&open.state).join("transcript.jsonl");
        disk::write(&transcript, "").map_err(|error| error.to_string())?;
        let mut session = Self {
            name: open.session.clone(),
            id: identity(&open.session),
            transcript: transcript.to_string_lossy().into_owned(),
            places: [
                ("{workspace}", open.workspace.clone()),
                ("{home}", open.home.clone()),
                ("{config}", open.config.clone()),
                ("{state}", open.state.clone()),
                ("{audit}", open.audit.clone()),
            ],
            more: Vec::new(),
        };
        if !options.setup.is_empty() {
            session.more = session.set_up(open, options)?;
        }
        Ok(session)
    }

    /// Runs the setup with `open` on its standard input; `resume` there says that the files stand. What it prints, a word a line, is added to the hook's command.
    fn set_up(&self, open: &Open, options: &Options) -> Result<Vec<String>, String> {
        let input = serde_json::to_vec(open).map_err(|error| error.to_string())?;
        let words = self.filled(&options.setup);
        let around = self.around(options, &open.config);
        let said =
            process::ask(&words, &around, input, options.timeout).map_err(|error| error.to_string())?;
        eprint!("{}", String::from_utf8_lossy(&said.stderr));
        if said.ended != Ended::Code(0) {
            return Err("the setup failed".to_owned());
        }
        let printed = String::from_utf8(said.stdout).map_err(|_| "the setup printed no text".to_owned())?;
        Ok(printed.lines().map(str::to_owned).collect())
    }

    /// The hook's command.
    pub(super) fn command(&self, options: &Options) -> Vec<OsString> {
        let mut words = self.filled(&options.command);
        words.extend(self.more.iter().map(Into::into));
        words
    }

    /// What the host puts around a hook. Configuration, state and the rest go where nothing is judged, for programs
    /// that look there; the home directory is the session's own.
    pub(super) fn around(&self, options: &Options, cwd: &str) -> Around {
        let place = |name: &str| self.fill(name);
        let mut env: Vec<(String, OsString)> = [
            ("HOME", "{home}"),
            ("CLAUDE_PROJECT_DIR", "{workspace}"),
            ("XDG_CONFIG_HOME", "{config}"),
            ("XDG_STATE_HOME", "{state}"),
            ("XDG_DATA_HOME", "{state}/data"),
            ("XDG_CACHE_HOME", "{state}/cache"),
        ]
        .map(|(name, value)| (name.to_owned(), place(value).into()))
        .into();
        env.extend(
            options
                .env
                .iter()
                .map(|(name, value)| (name.clone(), place(value).into())),
        );
        Around {
            // A directory that is gone is nowhere to start a program; the host starts it in the project then.
            directory: [cwd, &self.fill("{workspace}")]
                .into_iter()
                .map(PathBuf::from)
                .find(|place| disk::is_directory(place))
                .unwrap_or_else(|| PathBuf::from("/")),
            env,
        }
    }

    fn filled(&self, words: &[String]) -> Vec<OsString> {
        words.iter().map(|word| self.fill(word).into()).collect()
    }

    /// A word with the session's places. What a place holds is not looked through again.
    fn fill(&self, word: &str) -> String {
        let mut filled = String::new();
        let mut rest = word;
        while let Some((before, _)) = rest.split_once('{') {
            let (_, from) = rest.split_at(before.len());
            filled.push_str(before);
            let found = self
                .places
                .iter()
                .find_map(|(name, place)| from.strip_prefix(name).map(|after| (place.as_str(), after)));
            let (text, after) = found.unwrap_or_else(|| from.split_at(1));
            filled.push_str(text);
            rest = after;
        }
        filled + rest
    }
}

/// The host's sessions have names of this form; some hooks hold them to it.
fn identity(session: &str) -> String {
    let digits = hash::hex(session.as_bytes());
    let mut digits = digits.chars();
    let parts = [8, 4, 4, 4, 12].map(|length| digits.by_ref().take(length).collect::<String>());
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::{Session, identity};

    #[test]
    fn places_are_filled_in_once() {
        let session = Session {
            name: String::new(),
            id: String::new(),
            transcript: String::new(),
            places: [
                ("{workspace}", "/w/{home}".to_owned()),
                ("{home}", "/h".to_owned()),
                ("{config}", "/c".to_owned()),
                ("{state}", "/s".to_owned()),
                ("{audit}", "/a".to_owned()),
            ],
            more: Vec::new(),
        };
        assert_eq!(session.fill("a={workspace}{{home}/x{y}"), "a=/w/{home}{/h/x{y}");
        assert_eq!(session.fill("plain"), "plain");
    }

    #[test]
    fn sessions_have_the_hosts_form() {
        let id = identity("s-1");
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_ne!(id, identity("s-2"));
    }
}
