//! Stream handles and standard streams: reading and writing pipes, sockets and terminals; `tty`,
//! `readline`.

pub mod byte_source;
pub mod stream_handle;
mod tty;

rusk_runtime::extension!("io", [("stream_handle", stream_handle::make), ("tty", tty::make)]);
