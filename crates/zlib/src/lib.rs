//! Streaming compression and decompression (deflate, zlib, gzip) with zlib's behavior, for Node's
//! `zlib`. In: bytes that may be hostile. Out: bytes, never more than the output buffer holds.
//! Absent: files, threads, tarballs (`rusk-store` has a reader of its own).

mod codec;

pub use codec::{Code, Codec, Mode, NoDictionary, Settings, Step, Whole};
pub use zlib_rs::crc32::crc32;
