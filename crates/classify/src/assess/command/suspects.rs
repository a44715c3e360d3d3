//! Commands that are not understood: their words count only where nobody may go, and where a rule names what they may run.

use portcullis_paths::{ErrorKind, Operation};

use super::Text;
use super::devices::is_harmless_device;
use crate::assess::findings::Object;
use crate::assess::gather::Stop;
use crate::assess::judge::{PathOperand, Refused};
use crate::commands::flow::{Directories, Directory};
use crate::commands::{Argument, Line, Value, read_named};
use crate::policy::{Named, Seen};
use crate::{Cause, EffectKind, Risk};

/// Most words of a command that is not understood that are looked at.
const LOOKED_AT: usize = 48;

impl<'s> Text<'_, '_, 's> {
    /// Words of what is not understood: a place that nobody may touch is not touched by guessing.
    pub(super) fn words_of_the_unknown(
        &mut self,
        number: usize,
        arguments: &[Argument<'s>],
        directories: &Directories,
    ) -> Result<(), Stop> {
        for argument in arguments.iter().take(LOOKED_AT) {
            for value in argument.values() {
                let Value::Literal(text) = value else { continue };
                let attached = text.split_once('=').map(|(_, value)| value);
                for text in [Some(text.as_ref()), attached].into_iter().flatten() {
                    self.at_word(argument.place(), |this| {
                        this.only_denied(number, text, directories)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// The first word may be the name of a program, as far as it is known: what that one would do counts besides.
    pub(super) fn maybe(
        &mut self,
        number: usize,
        words: &[Argument<'s>],
        directories: &Directories,
    ) -> Result<(), Stop> {
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        let table = self.table;
        for name in first.values().iter().filter_map(Value::literal) {
            let reading = read_named(table, name, rest);
            let line = Line {
                table,
                name,
                arguments: rest,
                reading: reading.as_ref(),
                hands_on: false,
            };
            self.itself(number, line, false, None)?;
            if let Some(reading) = &reading {
                self.read(number, line, reading, directories)?;
            }
        }
        Ok(())
    }

    /// A program that nobody knows may run the command that stands among its words.
    pub(super) fn suspicions(&mut self, number: usize, arguments: &[Argument<'s>]) -> Result<(), Stop> {
        let table = self.table;
        for at in 0..arguments.len().min(LOOKED_AT) {
            let rest = arguments.get(at..).unwrap_or_default();
            let Some((first, rest)) = rest.split_first() else {
                break;
            };
            let Some(name) = first.text() else { continue };
            let reading = read_named(table, name, rest);
            let line = Line {
                table,
                name,
                arguments: rest,
                reading: reading.as_ref(),
                hands_on: false,
            };
            let seen = Seen {
                kind: EffectKind::Execute,
                touches: &[],
                command: Some(line),
                named: Named::default(),
            };
            let judge = self.gather.judge;
            let ruled: Vec<Cause> = judge.policy.ruled(judge.tool.name(), seen).collect();
            for cause in ruled {
                let text = format!("a program that is not known may run this: {}", cause.text);
                let cause = Cause::new(cause.rule, cause.layer, Risk::Confirm, &text);
                self.add(
                    Some(number),
                    EffectKind::Opaque,
                    name,
                    Object::default(),
                    vec![cause],
                )?;
            }
        }
        Ok(())
    }

    /// A word of a command that is not understood: it counts only where nobody may go.
    fn only_denied(&mut self, number: usize, text: &str, directories: &Directories) -> Result<(), Stop> {
        if text.is_empty() || text.starts_with('-') && !text.contains('/') || is_harmless_device(text) {
            return Ok(());
        }
        let judge = self.gather.judge;
        let places: Vec<String> = match text.starts_with('/') {
            true => vec!["/".to_owned()],
            false => directories
                .known()
                .iter()
                .filter_map(|directory| match directory {
                    Directory::Path(path) => Some(path.clone()),
                    Directory::Fresh(_) => None,
                })
                .collect(),
        };
        for place in places {
            for operation in [Operation::Read, Operation::Write] {
                let operand = PathOperand::of_command(self.member, text, operation, &place);
                let kind = EffectKind::of(operation);
                let (object, causes) = match judge.resolve(operand) {
                    Ok(target) => {
                        let causes = judge.ruled_causes(kind, target.touches());
                        (Object::from(target), causes)
                    }
                    Err(Refused::Path {
                        place,
                        cause,
                        kind: ErrorKind::Protected,
                        ..
                    }) => (Object::from(place), vec![cause]),
                    Err(Refused::Path { place, touches, .. } | Refused::Outside { place, touches, .. }) => {
                        (Object::from(place), judge.ruled_causes(kind, &touches))
                    }
                    Err(_) => continue,
                };
                let denied: Vec<Cause> = causes
                    .into_iter()
                    .filter(|cause| cause.risk == Risk::Deny)
                    .collect();
                if !denied.is_empty() {
                    self.add(Some(number), kind, text, object, denied)?;
                }
            }
        }
        Ok(())
    }
}
