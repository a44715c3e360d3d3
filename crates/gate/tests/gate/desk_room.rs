//! The places where a desk may be, and who may be there in its stead.

use std::io::Read as _;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use portcullis_gate::desk::{Desk, GATES, Occupied, PEOPLE, Peer, Room, Trouble};
use portcullis_gate::{Approver as _, RefusalKind, Step};
use rstest::rstest;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};
use serde_json::json;

use crate::desk::{listen, room};
use crate::scene::Scene;

const CHILD: &str = "PORTCULLIS_TEST_LISTENER";
const NOBODY: u32 = 65_534;

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

/// Why nobody was asked there.
fn trouble(directory: &Path) -> Option<Trouble> {
    let scene = Scene::new();
    scene.file("a", "x");
    let mut desk = Desk::at(directory, scene.clock.clone());
    let call = scene.call("delete_file", json!({"path": "a"}));
    let refusal = scene.gate.decide(call, &mut desk, &scene.cancel).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::NoApprover);
    assert_eq!(scene.words(), ["asked", "refused no_approver by Nobody"]);
    desk.take_trouble()
}

#[rstest]
#[case::no_directory(|room: &Path| std::fs::remove_dir(room).unwrap(), Trouble::Absent)]
#[case::no_socket(|_: &Path| {}, Trouble::Absent)]
#[case::stale(|room: &Path| { let socket = room.join(GATES); drop(UnixListener::bind(&socket).unwrap()); mode(&socket, 0o600); }, Trouble::Stale)]
#[case::a_file(|room: &Path| { std::fs::write(room.join(GATES), "").unwrap(); mode(&room.join(GATES), 0o600); }, Trouble::Unsafe)]
#[case::a_directory(|room: &Path| { std::fs::create_dir(room.join(GATES)).unwrap(); mode(&room.join(GATES), 0o700); }, Trouble::Unsafe)]
#[case::others_may_enter(|room: &Path| mode(room, 0o755), Trouble::Unsafe)]
#[case::the_group_may_write(|room: &Path| mode(room, 0o720), Trouble::Unsafe)]
fn where_no_desk_is_nobody_is_asked(#[case] change: fn(&Path), #[case] expected: Trouble) {
    let room = room();
    change(room.path());
    assert_eq!(trouble(room.path()), Some(expected));
}

#[test]
fn a_socket_that_others_may_use_is_not_spoken_to() {
    let room = room();
    let listener = listen(&room);
    listener.set_nonblocking(true).unwrap();
    mode(&room.path().join(GATES), 0o666);
    assert_eq!(trouble(room.path()), Some(Trouble::Unsafe));
    assert!(listener.accept().is_err(), "somebody was asked");
}

/// Another socket in the desk's place: behind a link in the room, or the room itself a link.
#[test]
fn no_link_leads_to_a_desk() {
    let (elsewhere, here) = (room(), room());
    let listener = listen(&elsewhere);
    listener.set_nonblocking(true).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join(GATES), here.path().join(GATES)).unwrap();
    assert_eq!(trouble(here.path()), Some(Trouble::Unsafe));
    let link = here.path().join("link");
    std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
    assert_eq!(trouble(&link), Some(Trouble::Unsafe));
    assert!(listener.accept().is_err(), "somebody was asked");
}

#[test]
fn a_file_in_the_rooms_place_is_no_room() {
    let file = tempfile::NamedTempFile::new().unwrap();
    assert_eq!(Room::open(file.path()).unwrap_err(), Trouble::Unsafe);
}

/// Everybody connects and nobody accepts: a full queue is no reason to wait.
#[test]
fn a_desk_under_a_flood_is_nobody() {
    let room = room();
    let path = room.path().join(GATES);
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    rustix::net::bind(&socket, &SocketAddrUnix::new(path.as_path()).unwrap()).unwrap();
    rustix::net::listen(&socket, 0).unwrap();
    mode(&path, 0o600);
    let _waiting = UnixStream::connect(&path).unwrap();
    assert_eq!(trouble(room.path()), Some(Trouble::Full));
}

/// A listener of another user on a socket that belongs to this one: the kernel knows who listens.
#[test]
fn another_user_in_the_desks_place_is_not_spoken_to() {
    if !rustix::process::geteuid().is_root() {
        assert!(std::env::var_os("CI").is_none(), "this test has to run as root");
        println!(
            "SKIPPED another_user_in_the_desks_place_is_not_spoken_to: only root can become another user"
        );
        return;
    }
    let room = room();
    let path = room.path().join(GATES);
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    rustix::net::bind(&socket, &SocketAddrUnix::new(path.as_path()).unwrap()).unwrap();
    mode(&path, 0o600);
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "desk_room::other_listener", "--nocapture"])
        .env(CHILD, "1")
        .uid(NOBODY)
        .stdin(Stdio::from(socket))
        .stdout(Stdio::from(OwnedFd::from(theirs)))
        .spawn()
        .unwrap();
    let mut said = Vec::new();
    while !String::from_utf8_lossy(&said).contains("listening") {
        let mut byte = [0];
        assert_eq!(ours.read(&mut byte).unwrap(), 1, "the listener did not start");
        said.extend(byte);
    }
    assert_eq!(trouble(room.path()), Some(Trouble::OtherUser));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Not a case of its own: the child of the test above, which listens as another user until it is killed.
#[test]
fn other_listener() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    rustix::net::listen(rustix::stdio::stdin(), 8).unwrap();
    println!("listening");
    let (accepted, _) = (rustix::net::accept(rustix::stdio::stdin()).unwrap(), ());
    let stream = UnixStream::from(accepted);
    let mut everything = Vec::new();
    let _end = (&stream).read_to_end(&mut everything);
    let _end = stream.shutdown(Shutdown::Both);
    loop {
        std::thread::park();
    }
}

#[test]
fn one_desk_has_a_room_and_leaves_nothing_behind() {
    let room = room();
    let held = Room::open(room.path()).unwrap().hold().unwrap();
    let second = Room::open(room.path()).unwrap().hold().unwrap_err();
    assert_eq!(second, Occupied::Running);
    let _gates = held.listen(GATES).unwrap();
    let _people = held.listen(PEOPLE).unwrap();
    for name in [GATES, PEOPLE] {
        let found = std::fs::symlink_metadata(room.path().join(name)).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, 0o600, "{name}");
    }
    let connection = Room::open(room.path()).unwrap().connect(GATES).unwrap();
    let peer = Peer::of(&connection).unwrap();
    assert!(peer.is_this_user());
    assert_eq!(peer.process, rustix::process::getpid());
    held.clear();
    assert!(!room.path().join(GATES).exists() && !room.path().join(PEOPLE).exists());
    drop(held);
    // A stale socket of a desk that died is in nobody's way.
    drop(listen(&room));
    let held = Room::open(room.path()).unwrap().hold().unwrap();
    let _gates = held.listen(GATES).unwrap();
    assert!(Room::open(room.path()).unwrap().connect(GATES).is_ok());
}

/// A desk is asked once a question, and a run that is over asks nobody.
#[test]
fn nobody_is_asked_in_a_run_that_is_cancelled() {
    let room = room();
    let listener = listen(&room);
    listener.set_nonblocking(true).unwrap();
    let scene = Scene::new();
    scene.file("a", "x");
    let Step::Ask(pending) = scene.submit(scene.call("delete_file", json!({"path": "a"}))) else {
        panic!("a deletion is asked about");
    };
    scene.cancel.raise();
    let mut desk = Desk::at(room.path(), scene.clock.clone());
    let reply = desk.ask(pending.question(), &scene.cancel);
    assert_eq!(reply, portcullis_gate::Reply::Cancelled);
}
