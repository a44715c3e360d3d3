use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use portcullis::Moment;
use subtle::ConstantTimeEq as _;

/// How long a link can be used.
const LINK: Duration = Duration::from_secs(10 * 60);
/// How long an opened page can be used, when nothing else is said.
pub(crate) const VISIT: Duration = Duration::from_secs(12 * 60 * 60);
/// Most links and visits at once; the oldest goes for a new one.
const MOST: usize = 16;

/// Who may see the page.
///
/// A link opens it once. What it opens is a visit: a path that nobody can guess, a cookie that the browser sends to
/// this path only, and a word that every form brings back. The path is secret because cookies do not tell the ports of
/// one host apart: another server on it would be sent a cookie for `/`.
pub(crate) struct Doors {
    address: SocketAddr,
    /// How long an opened page can be used. No link lives longer.
    lasts: Duration,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    links: VecDeque<(String, Moment)>,
    visits: VecDeque<Visit>,
}

/// One opened page.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    /// Where it lives.
    pub(crate) place: String,
    /// What the browser shows with every request.
    pub(crate) cookie: String,
    /// What forms bring back.
    pub(crate) word: String,
    until: Moment,
}

impl Doors {
    pub(crate) fn new(address: SocketAddr, lasts: Duration) -> Self {
        Self {
            address,
            lasts,
            inner: Mutex::default(),
        }
    }

    /// What requests have to call this server.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    /// Where requests that change something have to come from.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A new link; `None` when the system has no randomness, because a link that can be guessed is none.
    pub(crate) fn link(&self, now: Moment) -> Option<String> {
        let key = secret()?;
        let url = format!("{}/enter?key={key}", self.origin());
        let mut inner = self.lock();
        inner.links.push_back((key, now.after(LINK.min(self.lasts))));
        while inner.links.len() > MOST {
            inner.links.pop_front();
        }
        Some(url)
    }

    /// Uses a link up.
    pub(crate) fn enter(&self, key: &str, now: Moment) -> Option<Visit> {
        let mut inner = self.lock();
        inner.links.retain(|(_, until)| now < *until);
        let at = inner.links.iter().position(|(known, _)| same(known, key))?;
        inner.links.remove(at);
        let visit = Visit {
            place: secret()?,
            cookie: secret()?,
            word: secret()?,
            until: now.after(self.lasts),
        };
        inner.visits.push_back(visit.clone());
        while inner.visits.len() > MOST {
            inner.visits.pop_front();
        }
        Some(visit)
    }

    /// The visit of this place, for whoever shows its cookie.
    pub(crate) fn visit(&self, place: &str, cookies: &[&str], now: Moment) -> Option<Visit> {
        let mut inner = self.lock();
        inner.visits.retain(|visit| now < visit.until);
        let visit = inner.visits.iter().find(|visit| same(&visit.place, place))?;
        cookies
            .iter()
            .any(|cookie| same(&visit.cookie, cookie))
            .then(|| visit.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is one insertion or removal.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compared in a time that does not tell how much of it was right.
pub(crate) fn same(known: &str, claimed: &str) -> bool {
    known.as_bytes().ct_eq(claimed.as_bytes()).into()
}

fn secret() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors() -> Doors {
        Doors::new(SocketAddr::from(([127, 0, 0, 1], 8000)), VISIT)
    }

    fn key(link: &str) -> &str {
        link.strip_prefix("http://127.0.0.1:8000/enter?key=").unwrap()
    }

    #[test]
    fn a_link_opens_once_and_not_late() {
        let doors = doors();
        let link = doors.link(Moment(0)).unwrap();
        assert!(doors.enter("", Moment(1)).is_none());
        assert!(doors.enter(&key(&link).to_uppercase(), Moment(1)).is_none());
        assert!(doors.enter(key(&link), Moment(1)).is_some());
        assert!(doors.enter(key(&link), Moment(1)).is_none());
        let late = doors.link(Moment(0)).unwrap();
        assert!(doors.enter(key(&late), Moment(0).after(LINK)).is_none());
    }

    #[test]
    fn a_visit_needs_its_place_and_its_cookie_and_ends() {
        let doors = doors();
        let [first, second] = [0, 1].map(|_| {
            let link = doors.link(Moment(0)).unwrap();
            doors.enter(key(&link), Moment(0)).unwrap()
        });
        let here = |place: &str, cookie: &str, now| doors.visit(place, &[cookie], now).is_some();
        assert!(here(&first.place, &first.cookie, Moment(1)));
        assert!(!here(&first.place, &second.cookie, Moment(1)));
        assert!(!here(&first.place, &first.place, Moment(1)));
        assert!(!here("", "", Moment(1)));
        assert!(doors.visit(&first.place, &[], Moment(1)).is_none());
        assert!(!here(&first.place, &first.cookie, Moment(0).after(VISIT)));
    }

    #[test]
    fn links_and_visits_do_not_pile_up() {
        let doors = doors();
        let first = doors.link(Moment(0)).unwrap();
        for _ in 0..MOST {
            doors.link(Moment(0)).unwrap();
        }
        assert!(doors.enter(key(&first), Moment(0)).is_none());
    }
}
