//! The page: a small server for one browser at a time, on a loopback address only.
//!
//! Nothing is shown before four questions have their answers: did the request call this server by its own name (so that
//! no other name was made to lead here), does it come from its own pages, does it know the secret path, and does it
//! bring the cookie that belongs to it. An answer brings the form's word as well.

mod doors;
mod form;
mod live;
mod pages;
mod reply;
mod request;
mod routes;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use portcullis::SystemClock;

pub(crate) use doors::{Doors, VISIT};
use reply::Reply;
use request::{Request, Unread};
use routes::Answer;

use super::hall::Hall;
use super::server;

/// Most connections at once, those of live pages among them.
const MOST: usize = 48;
/// How long a browser may take to take an answer.
const WRITE: Duration = Duration::from_secs(5);

/// Binds a loopback port, and gives what links to it are made of. Port 0 is any that is free. An opened page can be used
/// for so long.
pub(crate) fn bind(port: u16, lasts: Duration) -> io::Result<(TcpListener, Arc<Doors>)> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let doors = Arc::new(Doors::new(listener.local_addr()?, lasts));
    Ok((listener, doors))
}

/// Serves the page until the program ends.
pub(crate) fn serve(listener: TcpListener, doors: &Arc<Doors>, hall: &Arc<Hall>, clock: &SystemClock) {
    let (doors, hall, clock) = (Arc::clone(doors), Arc::clone(hall), clock.clone());
    let next = move || listener.accept().map(|(stream, _)| Some(stream));
    server::each(next, MOST, move |stream| {
        let _gone = converse(stream, &doors, &hall, &clock);
    });
}

fn converse(mut stream: TcpStream, doors: &Doors, hall: &Hall, clock: &SystemClock) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE))?;
    let request = match Request::read(&mut stream, clock) {
        Ok(request) => request,
        Err(Unread::Gone) => return Ok(()),
        Err(Unread::Bad) => return refuse(&mut stream, 400, "The request cannot be understood"),
        Err(Unread::Large) => return refuse(&mut stream, 413, "The request is too large"),
    };
    match routes::answer(&request, doors, hall) {
        Answer::Whole(reply) => reply.send(&mut stream, request.method == "HEAD"),
        Answer::Live(visit) => live::follow(&mut stream, &visit, doors, hall),
    }
}

fn refuse(stream: &mut TcpStream, status: u16, what: &str) -> io::Result<()> {
    Reply::page(status, pages::refused(what)).send(stream, false)
}
