//! Two sockets, a thread for each connection, and no more of them than fit.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use portcullis::SystemClock;
use portcullis::desk::{GATES, Held, Occupied, PEOPLE, Peer};

use super::hall::Hall;
use super::web::Doors;
use super::{gates, people};

/// Most connections at once, on each socket. A connection more is closed, which is no answer.
const MOST_GATES: usize = 128;
const MOST_PEOPLE: usize = 32;
/// After an accept that failed: for want of descriptors, there may be some again later.
const PAUSE: Duration = Duration::from_millis(100);

/// Begins to listen.
pub(crate) fn open(
    held: &Held,
    hall: &Arc<Hall>,
    doors: Option<&Arc<Doors>>,
    clock: &SystemClock,
) -> Result<(), Occupied> {
    let (asking, answering) = (held.listen(GATES)?, held.listen(PEOPLE)?);
    let (to_ask, its_clock) = (Arc::clone(hall), clock.clone());
    accept(asking, MOST_GATES, move |stream, process| {
        let _gone = gates::serve(stream, process, &to_ask, &its_clock);
    });
    let (to_answer, doors, clock) = (Arc::clone(hall), doors.cloned(), clock.clone());
    accept(answering, MOST_PEOPLE, move |stream, _| {
        let _gone = people::serve(stream, &to_answer, doors.as_deref(), &clock);
    });
    Ok(())
}

/// Serves connections of this user.
fn accept(listener: OwnedFd, most: usize, serve: impl Fn(UnixStream, i32) + Send + Sync + 'static) {
    let listener = UnixListener::from(listener);
    let next = move || {
        let (stream, _) = listener.accept()?;
        let peer = same_user(&stream);
        Ok(peer.map(|peer| (stream, peer.process.as_raw_nonzero().get())))
    };
    each(next, most, move |(stream, process)| serve(stream, process));
}

/// Serves each connection that comes on a thread of its own, until the program ends; `None` is one of nobody's.
pub(super) fn each<S: Send + 'static>(
    next: impl Fn() -> io::Result<Option<S>> + Send + 'static,
    most: usize,
    serve: impl Fn(S) + Send + Sync + 'static,
) {
    let serve = Arc::new(serve);
    let places = Arc::new(AtomicUsize::new(0));
    let _detached = thread::spawn(move || {
        loop {
            let Ok(connection) = next() else {
                thread::park_timeout(PAUSE);
                continue;
            };
            let Some(connection) = connection else { continue };
            let place = Place::take(&places);
            if place.number > most {
                continue;
            }
            let serve = Arc::clone(&serve);
            // Without a thread for it the connection is closed, which is no answer.
            let _serving = thread::Builder::new().spawn(move || {
                serve(connection);
                drop(place);
            });
        }
    });
}

/// Who is there, when it is this user.
fn same_user(stream: &UnixStream) -> Option<Peer> {
    Peer::of(stream.as_fd()).ok().filter(|peer| peer.is_this_user())
}

/// One of the connections that are served.
struct Place {
    taken: Arc<AtomicUsize>,
    /// Which one it is, from 1.
    number: usize,
}

impl Place {
    fn take(taken: &Arc<AtomicUsize>) -> Self {
        let number = taken.fetch_add(1, Ordering::SeqCst) + 1;
        let taken = Arc::clone(taken);
        Self { taken, number }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.taken.fetch_sub(1, Ordering::SeqCst);
    }
}
