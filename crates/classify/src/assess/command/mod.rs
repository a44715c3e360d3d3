//! What a command text would do: every simple command in it, by the table of programs, in the directory where it runs.

mod awk;
mod besides;
mod devices;
mod doubts;
mod downloads;
mod found;
mod fresh;
mod held;
mod hosts;
mod judged;
mod line;
mod links;
mod made;
mod pattern;
mod perl;
mod place;
mod python;
mod ruin;
mod runners;
mod sources;
mod spot;
mod suspects;
mod told;
mod variables;
mod words;

use portcullis_paths::{FileKind, Operation, Place, State};

use super::gather::{Gather, Stop};
use crate::commands::flow::Flow;
use crate::commands::{Table, understand};
use crate::policy::builtin::rules;
use crate::secrets::Masked;
use crate::{Cause, EffectKind, Layer, Part, Risk, shell, show};

use super::findings::{Object, Whence, shown};
use super::judge::PathOperand;

/// One command text while it is judged.
pub(super) struct Text<'g, 'a, 's> {
    gather: &'g mut Gather<'a>,
    member: &'a str,
    table: &'s Table,
    flow: &'s Flow<'s>,
    /// The canonical place of the call's own working directory.
    here: Option<Place>,
    /// The text, and the same without its secrets.
    whole: &'s str,
    masked: &'s Masked<'s>,
    /// Which of the call's texts it is.
    number: usize,
    /// The word that is looked at.
    word: Option<shell::Place>,
    /// The option whose value is looked at.
    option: Option<&'s str>,
    /// Something before may have put a link where nothing is now.
    may_link: bool,
    /// The command that is looked at may: for those behind it.
    will_link: bool,
    /// The links that the text makes: where, and to what.
    links: Vec<(String, String)>,
    /// Something before may have made names that begin with a dash.
    may_write: bool,
    /// The commands that may fetch something, by their numbers.
    fetching: Vec<usize>,
    /// What the text writes, once it is asked for.
    made: std::cell::OnceCell<made::Made>,
}

impl<'a> Gather<'a> {
    /// Whether a directory has the metadata of a repository directly in it.
    fn is_repository(&self, member: &str, directory: &str) -> bool {
        let operand = PathOperand::of_command(member, ".git", Operation::Lstat, directory);
        let there = self.judge.resolve(operand);
        matches!(there, Ok(target) if target.state() == State::Existing(FileKind::Dir))
    }

    /// A text for a shell.
    pub(super) fn shell(&mut self, member: &'a str, text: &str) -> Result<(), Stop> {
        let table = self.judge.policy.table();
        let (script, doubts) = understand(text, table);
        let cwd = self.judge.call.cwd().and_then(|cwd| cwd.to_str());
        let home = self
            .judge
            .resolver
            .ambient()
            .home()
            .and_then(|home| home.to_str());
        let repository = cwd.filter(|cwd| self.is_repository(member, cwd));
        let flow = Flow::new(&script, table, cwd, home, repository);
        let own = besides::secrets(&flow, table);
        let masked = Masked::of(text, &own);
        let number = self.findings.texts.len();
        self.findings.texts.push(masked.text.clone().into_owned());
        let mut whole = Text {
            here: None,
            gather: self,
            member,
            table,
            flow: &flow,
            whole: text,
            masked: &masked,
            number,
            word: None,
            option: None,
            may_link: false,
            will_link: false,
            links: Vec::new(),
            may_write: false,
            fetching: Vec::new(),
            made: std::cell::OnceCell::new(),
        };
        // Whoever is asked sees the whole text first, whatever part of it asks, and then where it runs.
        whole.plain(None, EffectKind::Execute, text, rules::COMMAND_TEXT.cause())?;
        whole.hold_here()?;
        whole.commands()?;
        whole.listings()?;
        whole.redirections()?;
        whole.downloads()?;
        whole.fresh_code()?;
        whole.doubts(text, &doubts)?;
        let mut pieces = masked.pieces();
        pieces.extend(own.iter().map(String::as_str));
        self.findings.hide(&pieces);
        Ok(())
    }
}

impl Text<'_, '_, '_> {
    /// The call's own directory, held so that whoever performs the call starts nowhere else. One that cannot be held has no
    /// effect: what is done from there is judged by itself, and nobody can start there.
    fn hold_here(&mut self) -> Result<(), Stop> {
        let operand = PathOperand {
            member: self.member,
            text: ".",
            dialect: &portcullis_paths::Dialect::SHELL_WORD,
            operation: Operation::WorkingDir,
            cwd: None,
        };
        let Ok(target) = self.gather.judge.resolve(operand) else {
            return Ok(());
        };
        self.here = Some(target.place().clone());
        let mut causes = self
            .gather
            .judge
            .ruled_causes(EffectKind::Execute, target.touches());
        causes.push(rules::COMMAND_KNOWN.because("starts there"));
        self.add(None, EffectKind::Execute, ".", target.into(), causes)
    }

    /// Notes an effect of a simple command.
    fn add(
        &mut self,
        command: Option<usize>,
        kind: EffectKind,
        operand: &str,
        object: Object,
        causes: Vec<Cause>,
    ) -> Result<(), Stop> {
        self.gather.keep_room_for(1)?;
        let operand = self.spared(operand);
        let causes = causes
            .into_iter()
            .map(|cause| self.located(command, operand, cause))
            .collect();
        let whence = Whence {
            command,
            part: self.part(command),
        };
        let member = self.member;
        let shown = if kind == EffectKind::Execute && operand == self.whole {
            show::masked(&self.masked.text)
        } else {
            shown(kind, operand)
        };
        self.gather
            .findings
            .add_of(whence, kind, member, shown, object, causes);
        Ok(())
    }

    /// The part of the text that an effect comes from.
    fn part(&self, command: Option<usize>) -> Option<Part> {
        let commands = self.flow.script().commands();
        let place = self.word.or_else(|| Some(commands.get(command?)?.place))?;
        Some(Part {
            text: self.number,
            range: self.masked.place(place.start..place.end),
        })
    }

    /// Does something about one word of the text.
    fn at_word<T>(&mut self, word: Option<shell::Place>, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.word;
        self.word = word.or(before);
        let done = work(self);
        self.word = before;
        done
    }

    /// A part of the text as it may be shown: alone, a secret does not look like one.
    fn spared<'o>(&self, part: &'o str) -> &'o str {
        let hidden = || part != self.whole && self.whole.contains(part) && !self.masked.text.contains(part);
        if self.masked.hides() && hidden() {
            "***"
        } else {
            part
        }
    }

    /// The cause, with the command and the operand that it is about.
    fn located(&self, command: Option<usize>, operand: &str, mut cause: Cause) -> Cause {
        let Some(number) = command else { return cause };
        // What a person has written stays as it is.
        if cause.risk == Risk::Allow || cause.layer != Layer::BuiltIn {
            return cause;
        }
        let commands = self.flow.script().commands();
        let name = commands.get(number).and_then(|one| one.name()).unwrap_or("…");
        let name = show::operand(name);
        let at = if operand.is_empty() || show::operand(operand) == name {
            format!(" (command {}, `{name}`)", number + 1)
        } else {
            format!(
                " (command {}, `{name}`: `{}`)",
                number + 1,
                show::operand(operand)
            )
        };
        cause.text.push_str(&at);
        cause
    }

    /// An effect without a path, with the rules of the layers joined to what is known of it.
    fn plain(
        &mut self,
        command: Option<usize>,
        kind: EffectKind,
        operand: &str,
        cause: Cause,
    ) -> Result<(), Stop> {
        let causes = self.gather.judge.with_rules(vec![cause], kind, None);
        self.add(command, kind, operand, Object::default(), causes)
    }
}
