//! Channels between programs, below what a message says: bytes cut into messages, messages that
//! wait to be sent, descriptors that go with either. In: bytes and descriptors. Out: the same, at
//! the other end of a connection. A descriptor has one owner at any time, and is closed with
//! whatever held it. Absent: the loop and the engine (`natives/channel`).

mod frames;
mod inbox;
mod outbox;

pub use frames::{BUN_GREETING, Flaw, Form, Frames, MESSAGE_BYTES_MAX};
pub use inbox::{Inbox, Message};
pub use outbox::Outbox;
