//! What was found below a start, for a moment: agents search the same place again and again.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::{Found, Reach};

/// Most starts that are remembered.
const MOST: usize = 128;
/// How long, in milliseconds: what somebody else writes meanwhile is not seen.
const LASTS: u64 = 1000;

/// A clock in milliseconds.
type Now = Box<dyn Fn() -> u64 + Send + Sync>;

/// A canonical place, and how far it was looked from there.
type Start = (Vec<u8>, Reach);

/// What was found, by canonical start and reach. Without a clock nothing is remembered.
#[derive(Default)]
pub(crate) struct Cache {
    now: Option<Now>,
    found: Mutex<BTreeMap<Start, (u64, Found)>>,
}

impl Cache {
    pub(crate) fn with_clock(now: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            now: Some(Box::new(now)),
            found: Mutex::default(),
        }
    }

    /// What is remembered, or what `look` finds.
    pub(crate) fn get(&self, start: &[u8], reach: &Reach, look: impl FnOnce() -> Found) -> Found {
        let Some(now) = self.now.as_ref().map(|now| now()) else {
            return look();
        };
        let key = (start.to_vec(), reach.clone());
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, found)) = found.get(&key)
            && now.saturating_sub(*since) < LASTS
        {
            return found.clone();
        }
        let new = look();
        if found.len() >= MOST {
            found.clear();
        }
        found.insert(key, (now, new.clone()));
        new
    }

    /// Something may be written now.
    pub(crate) fn clear(&self) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn it_remembers_for_a_second_and_forgets_when_something_is_written() {
        let time = Arc::new(AtomicU64::new(5));
        let clock = Arc::clone(&time);
        let cache = Cache::with_clock(move || clock.load(Ordering::SeqCst));
        let looks = Cell::new(0);
        let look = |start: &[u8], reach: &Reach| {
            cache.get(start, reach, || {
                looks.set(looks.get() + 1);
                Found::Nothing
            })
        };
        let all = Reach::default();
        look(b"/a", &all);
        look(b"/a", &all);
        assert_eq!(looks.get(), 1);
        look(b"/b", &all);
        look(b"/a", &Reach::of_tool("Grep", [], None));
        assert_eq!(looks.get(), 3);
        time.store(1004, Ordering::SeqCst);
        look(b"/a", &all);
        assert_eq!(looks.get(), 3);
        time.store(1005, Ordering::SeqCst);
        look(b"/a", &all);
        assert_eq!(looks.get(), 4);
        cache.clear();
        look(b"/a", &all);
        assert_eq!(looks.get(), 5);
        for at in 0..1000_u32 {
            look(&at.to_be_bytes(), &all);
        }
        assert!(cache.found.lock().unwrap().len() <= MOST);
    }

    #[test]
    fn without_a_clock_it_remembers_nothing() {
        let cache = Cache::default();
        let looks = Cell::new(0);
        for _ in 0..2 {
            cache.get(b"/a", &Reach::default(), || {
                looks.set(looks.get() + 1);
                Found::Nothing
            });
        }
        assert_eq!(looks.get(), 2);
    }
}
