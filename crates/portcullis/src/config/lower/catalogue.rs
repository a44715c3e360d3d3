use portcullis_classify::{Layer, NameGroup, name_groups};
use toml::Spanned;

use super::Lowering;
use crate::config::diagnostic::{ConfigErrorKind, quoted};
use crate::config::document::CatalogueTable;
use crate::config::suggest::nearest;

/// What a file says of the catalogue of names.
#[derive(Default)]
pub(super) struct Names {
    pub(super) off: Vec<String>,
    pub(super) added: Vec<NameGroup>,
    pub(super) removed: Vec<NameGroup>,
}

impl Lowering<'_> {
    pub(super) fn catalogue(&mut self, table: Option<Spanned<CatalogueTable>>) -> Names {
        let Some(table) = table.map(Spanned::into_inner) else {
            return Names::default();
        };
        let off = table.off.into_iter().map(|group| {
            self.ids.insert(group.get_ref().clone(), group.span());
            group.into_inner()
        });
        Names {
            off: off.collect(),
            added: table.add.into_iter().map(|group| self.added(group)).collect(),
            removed: table
                .remove
                .into_iter()
                .map(|group| self.removed(group))
                .collect(),
        }
    }

    fn added(&mut self, group: Spanned<NameGroup>) -> NameGroup {
        let span = group.span();
        let group = group.into_inner();
        let group = match self.root.and_then(|root| root.to_str()) {
            Some(root) => group.rooted(root),
            None => group,
        };
        self.id(group.id(), self.within(&span, group.id()));
        for (examples, expected) in [(group.examples(), true), (group.counterexamples(), false)] {
            for example in examples {
                let path = match self.root.and_then(|root| root.to_str()) {
                    Some(root) if !example.starts_with(['/', '~']) => format!("{root}/{example}"),
                    _ => example.clone(),
                };
                if group.matches(&path) != expected {
                    let (says, word) = if expected {
                        ("does not mean", "matches")
                    } else {
                        ("means", "spares")
                    };
                    self.report(
                        ConfigErrorKind::Example,
                        self.example(&span, word, example),
                        format!("the group {} {says} {}", quoted(group.id()), quoted(example)),
                        format!("it stands under `{word}`: change the group or the example"),
                    );
                }
            }
        }
        group
    }

    /// What is taken out has to stand there: a slip would leave what somebody believes is gone.
    fn removed(&mut self, group: Spanned<NameGroup>) -> NameGroup {
        let span = group.span();
        let group = group.into_inner();
        let at = self.within(&span, group.id());
        self.ids.entry(group.id().to_owned()).or_insert(at.clone());
        if self.layer != Layer::User {
            return group;
        }
        let Some(known) = name_groups().find(|known| known.id() == group.id()) else {
            let hint = match nearest(group.id(), name_groups().map(NameGroup::id)) {
                Some(id) => format!("did you mean `{id}`?"),
                None => "`portcullis check` names the group that asked, for example `private.environment`"
                    .to_owned(),
            };
            self.wrong(
                at,
                format!("{} is no group of the catalogue", quoted(group.id())),
                hint,
            );
            return group;
        };
        for (member, name) in group.entries() {
            let there = || known.entries().filter(|(other, _)| *other == member);
            let folded = name.to_lowercase();
            if there().any(|(_, one)| one == folded) {
                continue;
            }
            let hint = match nearest(&folded, there().map(|(_, name)| name)) {
                Some(one) => format!("did you mean `{one}`?"),
                None => format!("only what stands there can be removed: see `{member}` of that group"),
            };
            let message = format!(
                "the group {} has no {} under `{member}`",
                quoted(group.id()),
                quoted(name)
            );
            self.wrong(self.within(&span, name), message, hint);
        }
        group
    }
}
