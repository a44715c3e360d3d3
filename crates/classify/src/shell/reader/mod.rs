//! A recursive-descent reader that never recovers. Depth and work are bounded, so no text overflows the stack.

mod ansi;
mod arithmetic;
mod array;
mod budget;
mod case;
mod compounds;
mod condition;
mod counts;
mod cursor;
mod expansions;
mod heredocs;
mod input;
mod lists;
mod loops;
mod numbers;
mod parameters;
mod quotes;
mod redirections;
mod simple;
mod substitutions;
mod word_builder;
mod words;

pub(super) use counts::is_count;

use super::{Doubt, Group, GroupKind, Opaque, Part, Place, Reason, Script, Seat};
use budget::Budget;
pub use budget::MAX_DEPTH;
pub use input::MAX_BYTES;

/// A step of the reader; an error ends the reading.
type Read<T> = Result<T, Doubt>;

/// Reads a whole text.
pub(super) fn read(text: &[u8]) -> Result<Script, Opaque> {
    let text = match input::check(text) {
        Ok(text) => text,
        Err(doubt) => return Opaque::of(Vec::new(), Some(doubt), seen_in(text, doubt)),
    };
    let mut reader = Reader::new(text);
    let stop = reader.whole().err();
    reader.doubt_what_is_no_number();
    Opaque::of(reader.doubts, stop, reader.script)
}

/// What stands in a text that is not what it looks like. Nobody vouches for it, but it counts against the text.
fn seen_in(text: &[u8], doubt: Doubt) -> Script {
    let legible = match std::str::from_utf8(text) {
        _ if doubt.reason == Reason::TooLong => return Script::default(),
        Ok(text) => input::legible(text),
        Err(error) => {
            let before = text.get(..error.valid_up_to()).unwrap_or_default();
            input::legible(&String::from_utf8_lossy(before))
        }
    };
    let mut reader = Reader::new(&legible);
    // Whatever it stops at, there is one reason already.
    reader.whole().unwrap_or_default();
    reader.script
}

/// A text within another one, and where it stands there.
pub(super) struct Inside {
    pub(super) kind: GroupKind,
    pub(super) place: Place,
    pub(super) seat: Seat,
    /// It is not certain that bash reads it: what only bash knows ends the reading.
    pub(super) portable: bool,
}

/// Reads a text that a command of the script hands to a shell, into the script; gives what ended it.
pub(super) fn read_inside(
    text: &str,
    inside: Inside,
    script: &mut Script,
    doubts: &mut Vec<Doubt>,
) -> Option<Doubt> {
    if let Err(doubt) = input::check(text.as_bytes()) {
        return Some(Doubt::new(doubt.reason, inside.place));
    }
    let mut reader = Reader::new(text);
    reader.script = std::mem::take(script);
    reader.doubts = std::mem::take(doubts);
    let stop = reader.inside_of(&inside).err();
    *script = reader.script;
    *doubts = reader.doubts;
    stop
}

/// What has been read and what is still to be read.
struct Reader<'t> {
    text: &'t str,
    /// The next byte to read.
    at: usize,
    /// Where the part that is being read ends: of the text, of the text between backquotes, of a here-document.
    end: usize,
    script: Script,
    doubts: Vec<Doubt>,
    budget: Budget,
    /// The seat that the next command or group takes.
    seat: Seat,
    /// Here-documents whose text begins after the next line break.
    pending: Vec<heredocs::Pending>,
    /// A line break is not certain here: a here-document of an outer command waits for one.
    one_line: bool,
    /// Within `$( … )` and `<( … )`, where bash also ends a here-document before the closing parenthesis.
    closable: bool,
    /// Another shell than bash may read the text.
    portable: bool,
    /// Variables in arithmetic.
    numbers: numbers::Numbers,
    /// The text of a here-document is read: it stands behind commands that run after it.
    in_body: bool,
    /// The place of the whole text within an outer text, when it was handed to `eval` there.
    quoted_at: Option<Place>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            end: text.len(),
            script: Script::empty(),
            doubts: Vec::new(),
            budget: Budget::new(),
            seat: Seat::top(),
            pending: Vec::new(),
            one_line: false,
            closable: false,
            portable: false,
            numbers: numbers::Numbers::default(),
            in_body: false,
            quoted_at: None,
        }
    }

    /// Everything up to the end of the part.
    fn whole(&mut self) -> Read<()> {
        self.list(false)?;
        if self.at < self.end {
            return self.stop(Reason::Syntax);
        }
        self.no_heredoc_waits()
    }

    /// Reads the text of an `eval` with the same state, as the shell would.
    fn evaluate(&mut self, command: usize, text: &str, place: Place) -> Read<()> {
        if let Err(doubt) = input::check(text.as_bytes()) {
            return Err(Doubt::new(doubt.reason, place));
        }
        let outer = self.script.commands().get(command).map(|one| one.seat);
        let inside = Inside {
            kind: GroupKind::Eval(command),
            place,
            seat: outer.unwrap_or_default(),
            portable: self.portable,
        };
        let mut inner = Reader::new(text);
        inner.script = std::mem::take(&mut self.script);
        inner.doubts = std::mem::take(&mut self.doubts);
        inner.budget = self.budget;
        let read = inner.inside_of(&inside);
        self.script = inner.script;
        self.doubts = inner.doubts;
        self.budget = inner.budget;
        read
    }

    /// The whole text, as a group of an outer one.
    fn inside_of(&mut self, inside: &Inside) -> Read<()> {
        self.quoted_at = Some(inside.place);
        self.seat = inside.seat;
        self.portable = inside.portable;
        let read = self.deeper(|reader| reader.inside(inside.kind, inside.place, Reader::whole));
        read.map(|_| ())
    }

    /// What follows is known to bash only: another shell reads it in another way, so that what is read here only counts
    /// against the text.
    fn bash_only(&mut self) -> Read<()> {
        if self.portable {
            self.doubt(Reason::OtherShell, self.from(self.at));
        }
        Ok(())
    }

    /// Opens a group, reads what is inside with `read`, and gives the number of the group.
    fn inside<T>(
        &mut self,
        kind: GroupKind,
        place: Place,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<usize> {
        let outer = self.seat;
        let group = self.open(kind, place);
        read(self)?;
        self.close(group, outer);
        Ok(group)
    }

    fn open(&mut self, kind: GroupKind, place: Place) -> usize {
        let place = self.outward(place);
        let seat = if kind.is_substitution() {
            Seat::within(self.seat.group)
        } else {
            self.seat
        };
        let group = self.script.add_group(Group::new(kind, seat, place));
        self.seat = Seat::within(Some(group));
        group
    }

    fn close(&mut self, group: usize, outer: Seat) {
        let end = self.outward(self.from(self.at)).end;
        if let Some(group) = self.script.group_mut(group) {
            group.place.end = end;
        }
        self.seat = outer;
    }

    /// One level deeper, within the bound.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if !self.budget.descend() {
            return self.stop(Reason::TooDeep);
        }
        let result = read(self)?;
        self.budget.ascend();
        Ok(result)
    }

    /// Ends the reading here.
    fn stop<T>(&self, reason: Reason) -> Read<T> {
        self.stop_from(self.at, reason)
    }

    /// Ends the reading because of something that began at `start`.
    fn stop_from<T>(&self, start: usize, reason: Reason) -> Read<T> {
        let reason = match reason {
            // What ends too early is not closed; anything else is wrong where it stands.
            Reason::Syntax if self.at >= self.end => Reason::Unterminated,
            other => other,
        };
        Err(Doubt::new(reason, self.outward(self.from(start))))
    }

    /// Has a doubt and reads on.
    fn doubt(&mut self, reason: Reason, place: Place) {
        self.keep(Doubt::new(reason, self.outward(place)));
    }

    fn keep(&mut self, doubt: Doubt) {
        // A text full of doubts is no more doubtful than one with a few.
        if self.doubts.len() < 64 {
            self.doubts.push(doubt);
        }
    }

    const fn from(&self, start: usize) -> Place {
        Place { start, end: self.at }
    }

    fn outward(&self, place: Place) -> Place {
        self.quoted_at.unwrap_or(place)
    }

    fn redirections_of(&mut self, part: Part) -> Option<&mut Vec<super::Redirection>> {
        self.script.redirections_mut(part)
    }
}

#[cfg(test)]
mod tests;
