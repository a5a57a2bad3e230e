//! Decoder for `Content-Encoding` (RFC 9110, 8.4). In: response headers, chunks of the body. Out:
//! decoded chunks of a limited size, so a decompression bomb is never in memory as a whole. A body
//! with another coding is passed on undecoded.

mod coding;

use hyper::header::{CONTENT_ENCODING, HeaderMap};
use rusk_brotli_zstd::{CodecFormat, check_library};

use coding::Coding;

use crate::error::ClientError;

/// Decoded bytes per step at most.
pub(crate) const CHUNK_BYTES_MAX: usize = 64 << 10;
/// More codings than this are only used in attacks.
const CODINGS_MAX: usize = 5;

/// The codings to undo, the last applied one first.
pub(crate) struct ContentDecoder(Vec<Coding>);

/// The rest of a chunk, to be decoded when there is capacity.
pub(crate) struct EncodedChunk {
    coding: usize,
    bytes: Vec<u8>,
    at: usize,
}

/// The value of `Accept-Encoding`: Brotli and Zstandard if their libraries are there.
pub fn accept_encoding() -> String {
    let optional = [("br", CodecFormat::BrotliDecode), ("zstd", CodecFormat::ZstdDecompress)];
    let supported = optional.into_iter().filter(|(_, format)| check_library(*format).is_ok());
    let names = ["gzip", "deflate"].into_iter().chain(supported.map(|(name, _)| name));
    names.collect::<Vec<_>>().join(", ")
}

impl ContentDecoder {
    /// `None`: the body is passed on undecoded.
    pub fn of(headers: &HeaderMap) -> Option<ContentDecoder> {
        let mut codings = Vec::new();
        for value in headers.get_all(CONTENT_ENCODING) {
            for name in value.to_str().ok()?.split(',').map(str::trim) {
                match name.to_ascii_lowercase().as_str() {
                    "" | "identity" => {}
                    name => codings.push(Coding::find(name)?),
                }
            }
        }
        codings.reverse();
        (1..=CODINGS_MAX).contains(&codings.len()).then_some(ContentDecoder(codings))
    }

    pub fn begin(bytes: Vec<u8>) -> EncodedChunk {
        EncodedChunk { coding: 0, bytes, at: 0 }
    }

    /// The next decoded chunk. Input that inner codings have not consumed yet stays in `encoded`.
    pub fn next(&mut self, encoded: &mut Vec<EncodedChunk>) -> Result<Option<Vec<u8>>, ClientError> {
        while let Some(chunk) = encoded.last_mut() {
            let Some(coding) = self.0.get_mut(chunk.coding) else {
                return Ok(encoded.pop().map(|chunk| chunk.bytes));
            };
            match coding.step(&chunk.bytes[chunk.at..])? {
                Some((read_bytes, output)) => {
                    chunk.at += read_bytes;
                    if !output.is_empty() {
                        let coding = chunk.coding + 1;
                        encoded.push(EncodedChunk { coding, bytes: output, at: 0 });
                    }
                }
                None => drop(encoded.pop()),
            }
        }
        Ok(None)
    }
}
