use std::ops::Range;

use portcullis_classify::{ProgramEntry, Programs};
use toml::Spanned;

use super::Lowering;
use crate::config::diagnostic::{ConfigErrorKind, quoted};
use crate::config::suggest::nearest;

const HINT: &str = "an entry is written as those of `data/commands` in portcullis-classify, whose page explains every member";

impl Lowering<'_> {
    /// What the file says of programs, and what is known of programs with it.
    pub(super) fn programs(&mut self, entries: Vec<Spanned<ProgramEntry>>) -> (Vec<ProgramEntry>, Programs) {
        let spans: Vec<Range<usize>> = entries.iter().map(Spanned::span).collect();
        let entries: Vec<ProgramEntry> = entries.into_iter().map(Spanned::into_inner).collect();
        for (entry, span) in entries.iter().zip(&spans) {
            if let Some(name) = entry.names().first() {
                let line = self.source.position(self.within(span, name)).line;
                self.origins.set(format!("program.{name}"), line);
            }
            if let Err((_, fault)) = Programs::of([(self.layer, entry)]) {
                self.unclear(span, &fault);
            }
        }
        if self.kind.is_some() {
            return (entries, Programs::default());
        }
        let all = entries.iter().map(|entry| (self.layer, entry));
        let known = match Programs::of(all) {
            Ok(known) => known,
            Err((at, fault)) => {
                let span = spans.get(at).cloned().unwrap_or(0..0);
                self.unclear(&span, &fault);
                return (entries, Programs::default());
            }
        };
        for (entry, span) in entries.iter().zip(&spans) {
            for example in entry
                .examples()
                .filter(|example| !known.understand(entry, example))
            {
                self.fails(span, entry, example, "does not understand", "matches");
            }
            for example in entry
                .counterexamples()
                .filter(|example| known.understand(entry, example))
            {
                self.fails(span, entry, example, "understands", "spares");
            }
        }
        (entries, known)
    }

    fn unclear(&mut self, span: &Range<usize>, fault: &str) {
        // The last thing that is quoted is what is wrong.
        let word = fault.rsplit('`').nth(1).unwrap_or_default();
        let at = [word.to_owned(), format!("{word}..."), format!("{word}?")]
            .into_iter()
            .map(|word| self.within(span, &word))
            .find(|at| at != span)
            .unwrap_or(span.clone());
        let hint = match nearest(word, ProgramEntry::roles()) {
            Some(role) if fault.ends_with("is no role") => format!("did you mean `{role}`?"),
            _ => HINT.to_owned(),
        };
        self.wrong(
            at,
            format!("this program is not explained clearly: {fault}"),
            hint,
        );
    }

    fn fails(&mut self, span: &Range<usize>, entry: &ProgramEntry, example: &str, says: &str, word: &str) {
        let name = entry.names().first().map_or("", String::as_str);
        self.report(
            ConfigErrorKind::Example,
            self.example(span, word, example),
            format!("the entry of {} {says} {}", quoted(name), quoted(example)),
            format!("it stands under `{word}`: change the entry or the example"),
        );
    }
}
