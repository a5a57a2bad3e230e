//! Streams that are packed or unpacked piece by piece, as zlib does it and Node's `zlib` shows it.
//! In: bytes that may be hostile. Out: bytes, never more than there was room for. Absent: files,
//! threads, tarballs (`rusk-store` has a reader of its own for those).

mod codec;

pub use codec::{Code, Codec, Mode, NoDictionary, Settings, Step, Whole};
pub use zlib_rs::crc32::crc32;
