//! A table's entry, checked and ready for use.

use std::collections::HashMap;

use super::form::{Entry, When as Written};
use super::{Fact, Role};

/// What is known of a program, or of one of its sub-commands.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) names: Vec<String>,
    options: HashMap<String, Choice>,
    pub(super) keys: HashMap<String, Role>,
    pub(super) meaning: Meaning,
    /// Names of files of a project that say what of its code runs.
    pub(super) decided_by: Vec<String>,
    pub(super) whens: Vec<When>,
    subs: Vec<Program>,
    /// The table's name of the program that this stands for.
    pub(super) program: Option<String>,
    pub(super) long: bool,
    pub(super) joined: bool,
    pub(super) stop: bool,
    pub(super) number: bool,
    pub(super) bundled: bool,
    pub(super) loose: bool,
    /// Options that are not named and that speak of nothing but how much and what is shown mean nothing, here and below.
    pub(super) lenient: bool,
    /// Plain flags for a compiler mean nothing.
    pub(super) compiles: bool,
    /// So many operands stand before the sub-command of what it stands for.
    pub(super) skips: usize,
    /// With fewer operands it is as without any.
    pub(super) least: usize,
    pub(super) global: bool,
    /// What it runs begins in another directory than its own.
    pub(super) moves: bool,
    /// One word may name several of its sub-commands, each with something behind a slash.
    several: bool,
    /// Options behind which an empty word is their value.
    pub(super) blank: Vec<String>,
    /// No word that is taken for an option by mistake can do any harm.
    pub(super) tame: bool,
    /// Some of its words, or of those of a program that it calls, may be a command.
    pub(crate) runs: bool,
}

/// An option by one of its spellings.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// The first spelling that the table gives.
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What follows an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Flag,
    /// Nothing, and then the program does nothing but tell something.
    Alone,
    /// A value: attached, or the next word.
    Valued(Role),
    /// A value, if attached.
    Optional(Role),
    /// Two words; the second one has the role.
    Pair(Role),
    /// Words up to `;`, or to `+` behind `{}`.
    Until,
}

/// What operands mean, and what happens besides.
#[derive(Debug, Clone, Default)]
pub(super) struct Meaning {
    pub(super) operands: Option<Roles>,
    pub(super) after: Option<Roles>,
    pub(super) here: Option<Role>,
    pub(super) does: Vec<Fact>,
    /// What happens when there is no operand.
    pub(super) bare: Vec<Fact>,
}

/// The roles of operands by position.
#[derive(Debug, Clone, Default)]
pub(super) struct Roles {
    first: Vec<Role>,
    rest: Option<Role>,
    last: Vec<Role>,
}

/// What is different when some options are given.
#[derive(Debug)]
pub(super) struct When {
    options: Vec<String>,
    and: Vec<String>,
    pub(super) operands: Option<Roles>,
    pub(super) after: Option<Roles>,
    pub(super) here: Option<Role>,
    pub(super) does: Option<Vec<Fact>>,
    pub(super) bare: Option<Vec<Fact>>,
    pub(super) also: Vec<Fact>,
}

impl Program {
    /// Checks an entry.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub(crate) fn new(entry: Entry) -> Result<Self, String> {
        let name = entry.names.first().cloned().unwrap_or_default();
        Self::below(entry, &HashMap::new()).map_err(|fault| format!("`{name}`: {fault}"))
    }

    fn below(entry: Entry, inherited: &HashMap<String, Choice>) -> Result<Self, String> {
        if entry.names.is_empty() || entry.names.iter().any(String::is_empty) {
            return Err("an entry needs names".to_owned());
        }
        let mut subs = std::collections::HashSet::new();
        if let Some(twice) = entry
            .sub
            .iter()
            .flat_map(|sub| &sub.names)
            .find(|name| !subs.insert(*name))
        {
            return Err(format!("the sub-command `{twice}` stands there twice"));
        }
        let own = options(&entry)?;
        let mut options = inherited.clone();
        options.extend(own);
        let below = if entry.global {
            options.clone()
        } else {
            HashMap::new()
        };
        let whens = entry.when.into_iter().map(|when| When::new(when, &options));
        let whens = whens.collect::<Result<Vec<_>, _>>()?;
        let subs = entry.sub.into_iter().map(|sub| {
            let name = sub.names.first().cloned().unwrap_or_default();
            Self::below(sub, &below).map_err(|fault| format!("`{name}`: {fault}"))
        });
        let subs = subs.collect::<Result<Vec<_>, _>>()?;
        let keys = entry.keys.into_iter();
        let keys = keys.map(|(key, word)| Ok((key, role(&word)?)));
        let mut program = Self {
            names: entry.names,
            keys: keys.collect::<Result<_, String>>()?,
            meaning: Meaning {
                operands: entry.operands.as_deref().map(Roles::new).transpose()?,
                after: entry.after.as_deref().map(Roles::new).transpose()?,
                here: entry.here.as_deref().map(role).transpose()?,
                does: entry.does,
                bare: entry.bare,
            },
            decided_by: entry.decided_by,
            whens,
            subs,
            program: entry.program,
            long: entry.long,
            joined: entry.joined,
            stop: entry.stop,
            number: entry.number,
            bundled: entry.bundled,
            loose: entry.loose,
            lenient: entry.lenient,
            compiles: entry.compiles,
            skips: entry.skips,
            least: entry.least,
            global: entry.global,
            moves: entry.moves,
            several: entry.several,
            blank: entry.blank,
            tame: false,
            runs: false,
            options,
        };
        program.tame = program.is_tame();
        program.runs = program.may_run();
        Ok(program)
    }

    pub(super) fn option(&self, spelling: &str) -> Option<&Choice> {
        self.options.get(spelling)
    }

    pub(super) fn sub(&self, name: &str) -> Option<&Self> {
        if !self.several {
            return self.sub_of(name);
        }
        let mut parts = name.split(',');
        let bare = |part: &str| self.sub_of(part.split('/').next().unwrap_or_default());
        let first = bare(parts.next()?)?;
        parts
            .all(|part| bare(part).is_some_and(|other| std::ptr::eq(first, other)))
            .then_some(first)
    }

    fn sub_of(&self, name: &str) -> Option<&Self> {
        self.subs
            .iter()
            .find(|sub| sub.names.iter().any(|one| one == name))
    }

    pub(super) fn has_subs(&self) -> bool {
        !self.subs.is_empty()
    }

    fn is_tame(&self) -> bool {
        let options = self.options.values().all(|choice| match choice.kind {
            Kind::Flag | Kind::Alone => true,
            Kind::Valued(role) | Kind::Optional(role) | Kind::Pair(role) => role.is_tame(),
            Kind::Until => false,
        });
        let whens = self.whens.iter().all(When::is_tame);
        options && whens && self.subs.is_empty() && self.keys.is_empty()
    }

    fn may_run(&self) -> bool {
        let options = self.options.values().any(|choice| match choice.kind {
            Kind::Flag | Kind::Alone | Kind::Until => false,
            Kind::Valued(role) | Kind::Optional(role) | Kind::Pair(role) => role.runs(),
        });
        let whens = self.whens.iter().flat_map(When::roles);
        let mut roles = self
            .meaning
            .roles()
            .chain(whens)
            .chain(self.keys.values().copied());
        options || roles.any(Role::runs) || self.program.is_some() || self.subs.iter().any(|sub| sub.runs)
    }
}

impl Meaning {
    fn roles(&self) -> impl Iterator<Item = Role> + '_ {
        let operands = self.operands.iter().chain(&self.after);
        operands.flat_map(Roles::all).chain(self.here)
    }
}

impl When {
    fn new(written: Written, options: &HashMap<String, Choice>) -> Result<Self, String> {
        let names = |spellings: Vec<String>| {
            let name = |spelling: String| match options.get(&spelling) {
                Some(choice) => Ok(choice.name.clone()),
                None => Err(format!("`when` names `{spelling}`, which is no option of it")),
            };
            spellings.into_iter().map(name).collect::<Result<Vec<_>, _>>()
        };
        let options = names(written.options)?;
        if options.is_empty() {
            return Err("`when` names no option".to_owned());
        }
        Ok(Self {
            options,
            and: names(written.and)?,
            operands: written.operands.as_deref().map(Roles::new).transpose()?,
            after: written.after.as_deref().map(Roles::new).transpose()?,
            here: written.here.as_deref().map(role).transpose()?,
            does: written.does,
            bare: written.bare,
            also: written.also,
        })
    }

    /// Whether it is so, when these options are given.
    pub(super) fn holds(&self, given: impl Fn(&str) -> bool) -> bool {
        self.options.iter().any(|name| given(name))
            && (self.and.is_empty() || self.and.iter().any(|name| given(name)))
    }

    fn roles(&self) -> impl Iterator<Item = Role> + '_ {
        let operands = self.operands.iter().chain(&self.after);
        operands.flat_map(Roles::all).chain(self.here)
    }

    fn is_tame(&self) -> bool {
        let facts = self.does.iter().flatten().chain(self.bare.iter().flatten());
        let facts = facts.chain(&self.also);
        self.roles().all(Role::is_tame) && facts.copied().all(Fact::is_tame)
    }
}

impl Roles {
    fn new(words: &[impl AsRef<str>]) -> Result<Self, String> {
        let mut roles = Self::default();
        for word in words {
            match word.as_ref().strip_suffix("...") {
                Some(_) if roles.rest.is_some() => return Err("only one role may take the rest".to_owned()),
                Some(word) => roles.rest = Some(role(word)?),
                None if roles.rest.is_some() => roles.last.push(role(word.as_ref())?),
                None => roles.first.push(role(word.as_ref())?),
            }
        }
        Ok(roles)
    }

    /// The role of each of so many words. The first roles are given out first, then those at the end, then the one for
    /// the rest; words for which there is none have no role.
    pub(super) fn of(&self, count: usize) -> impl Iterator<Item = Option<Role>> + '_ {
        let leading = self.first.len().min(count);
        let trailing = self.last.len().min(count - leading);
        let between = count - leading - trailing;
        let first = self.first.iter().take(leading).map(|role| Some(*role));
        let rest = std::iter::repeat_n(self.rest, between);
        let last = self.last.iter().skip(self.last.len() - trailing);
        first.chain(rest).chain(last.map(|role| Some(*role)))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Role> + '_ {
        self.first.iter().chain(&self.rest).chain(&self.last).copied()
    }
}

fn role(word: &str) -> Result<Role, String> {
    Role::by_word(word).ok_or_else(|| format!("`{word}` is no role"))
}

/// Every spelling of every option.
fn options(entry: &Entry) -> Result<HashMap<String, Choice>, String> {
    let mut all = HashMap::new();
    let mut kinds: Vec<(&String, Kind)> = Vec::new();
    kinds.extend(entry.flags.iter().map(|one| (one, Kind::Flag)));
    kinds.extend(entry.alone.iter().map(|one| (one, Kind::Alone)));
    kinds.extend(entry.until.iter().map(|one| (one, Kind::Until)));
    kinds.extend(entry.optional.iter().map(|one| (one, Kind::Optional(Role::Text))));
    kinds.extend(entry.valued.iter().map(|one| (one, Kind::Valued(Role::Text))));
    for (spellings, word) in &entry.options {
        let kind = match word.strip_suffix('?') {
            Some(word) => Kind::Optional(role(word)?),
            None => Kind::Valued(role(word)?),
        };
        kinds.push((spellings, kind));
    }
    for (spellings, word) in &entry.pairs {
        kinds.push((spellings, Kind::Pair(role(word)?)));
    }
    for (spellings, kind) in kinds {
        let name = spellings.split('|').next().unwrap_or_default();
        for spelling in spellings.split('|') {
            let letters = spelling.trim_start_matches('-');
            let long = entry.long || spelling.starts_with("--") || spelling.starts_with('+');
            if letters.is_empty() && spelling != "-" || !long && letters.chars().count() > 1 {
                return Err(format!("`{spelling}` is no option"));
            }
            let choice = Choice {
                name: name.to_owned(),
                kind,
            };
            if all.insert(spelling.to_owned(), choice).is_some() {
                return Err(format!("`{spelling}` stands there twice"));
            }
        }
    }
    Ok(all)
}
