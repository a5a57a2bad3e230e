//! IPC channels between processes, without the messages' content: message framing, the receiving
//! end with fd passing, and the queue of messages to send. In: bytes and file descriptors. Out: the
//! same, at the other end of a socket pair. A file descriptor has one owner at any time, and is
//! closed together with its owner. Absent: the event loop and the engine
//! (`ext/process/src/ipc.rs`).

mod framing;
mod receiver;
mod send_queue;

pub use framing::{BUN_GREETING, FrameDecoder, Framing, MESSAGE_BYTES_MAX, ProtocolError};
pub use receiver::{Message, Receiver};
pub use send_queue::SendQueue;
