//! Streaming compression and decompression in the Brotli (RFC 7932) and Zstandard (RFC 8878)
//! formats, with the distribution's libraries, which are opened at first use. In: untrusted bytes.
//! Out: bytes, at most as many as the output buffer holds. Absent: files, threads.

#![allow(unsafe_code)]

mod brotli;
mod codec;
mod library;
#[cfg(test)]
mod tests;
mod zstd;

pub use codec::{Codec, CodecError, CodecFormat, CodecSettings, CodecStep, Status};
pub use library::MissingLibrary;

/// The version of a format's library, as `1.5.7`.
pub fn library_version(format: CodecFormat) -> Result<String, MissingLibrary> {
    let [major, minor, patch] = match format {
        CodecFormat::BrotliDecode | CodecFormat::BrotliEncode => brotli::version()?,
        CodecFormat::ZstdCompress | CodecFormat::ZstdDecompress => zstd::version()?,
    };
    Ok(format!("{major}.{minor}.{patch}"))
}

/// The error if the library of a format cannot be opened.
pub fn check_library(format: CodecFormat) -> Result<(), MissingLibrary> {
    match format {
        CodecFormat::BrotliDecode => brotli::DecoderFunctions::get().map(|_| ()),
        CodecFormat::BrotliEncode => brotli::EncoderFunctions::get().map(|_| ()),
        CodecFormat::ZstdCompress => zstd::CompressFunctions::get().map(|_| ()),
        CodecFormat::ZstdDecompress => zstd::DecompressFunctions::get().map(|_| ()),
    }
}
