//! Streaming compression and decompression (deflate, zlib, gzip) with zlib's behavior, for Node's
//! `zlib`. In: untrusted bytes. Out: bytes, at most as many as the output buffer holds. Absent:
//! files, threads, tarballs (`rusk-store` has a decoder for those).

mod codec;

pub use codec::{
    Code, Codec, Conversion, ConversionStep, DictionaryError, Mode, Settings, Step, convert_with,
};
pub use zlib_rs::crc32::crc32;
