#![doc = include_str!("PROTOCOL.md")]

mod approver;
mod question;
mod room;
mod talk;
mod trouble;
pub mod wire;

pub use approver::Desk;
pub use room::{GATES, Held, Occupied, PEOPLE, Peer, Room};
pub use trouble::Trouble;
use wire::line;
