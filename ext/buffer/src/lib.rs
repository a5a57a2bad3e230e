//! Bytes and their encodings: `Buffer`, `Blob`, `TextEncoder`, `TextDecoder`, `string_decoder`.

mod buffer;
pub mod codecs;
mod encoding;

rusk_runtime::extension!("buffer", [("buffer", buffer::make), ("encoding", encoding::make)]);
