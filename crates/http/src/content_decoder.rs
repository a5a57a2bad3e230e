//! Decoder for `Content-Encoding` (RFC 9110, 8.4). In: response headers, chunks of the body. Out:
//! decoded chunks of a limited size, so a decompression bomb is never in memory as a whole. Absent:
//! Brotli and Zstandard, which the client does not accept; such bodies are passed on undecoded.

use hyper::header::{CONTENT_ENCODING, HeaderMap};
use rusk_zlib::{Code, Codec, Mode, Settings};

use crate::error::ClientError;

/// Decoded bytes per step at most.
pub(crate) const CHUNK_BYTES_MAX: usize = 64 << 10;
/// More codings than this are only used in attacks.
const CODINGS_MAX: usize = 5;
const SYNC_FLUSH: i32 = 2;

/// The codings to undo, the last applied one first.
pub(crate) struct ContentDecoder(Vec<Coding>);

struct Coding {
    is_deflate: bool,
    /// Created at the first byte, which shows whether "deflate" has a zlib header: servers
    /// disagree.
    codec: Option<Codec>,
    has_ended: bool,
}

/// The rest of a chunk, to be decoded when there is capacity.
pub(crate) struct EncodedChunk {
    coding: usize,
    bytes: Vec<u8>,
    at: usize,
}

impl ContentDecoder {
    /// `None`: the body is passed on undecoded.
    pub fn of(headers: &HeaderMap) -> Option<ContentDecoder> {
        let mut codings = Vec::new();
        for value in headers.get_all(CONTENT_ENCODING) {
            for name in value.to_str().ok()?.split(',').map(str::trim) {
                let is_deflate = match name.to_ascii_lowercase().as_str() {
                    "gzip" | "x-gzip" => false,
                    "deflate" => true,
                    "" | "identity" => continue,
                    _ => return None,
                };
                codings.push(Coding { is_deflate, codec: None, has_ended: false });
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

impl Coding {
    /// `None`: this coding produces no more output.
    fn step(&mut self, input: &[u8]) -> Result<Option<(usize, Vec<u8>)>, ClientError> {
        // Bytes after the end of the stream are ignored, as in browsers.
        if self.has_ended {
            return Ok(None);
        }
        let Some(codec) = self.codec(input) else { return Ok(None) };
        let mut output = vec![0; CHUNK_BYTES_MAX];
        let step = codec.step(input, &mut output, SYNC_FLUSH);
        if let Some(message) = step.message {
            return Err(ClientError::Encoding { message, code: step.code as i32 });
        }
        self.has_ended = step.code == Code::StreamEnd;
        if step.read_bytes == 0 && step.written_bytes == 0 {
            return Ok(None);
        }
        output.truncate(step.written_bytes);
        output.shrink_to_fit();
        Ok(Some((step.read_bytes, output)))
    }

    fn codec(&mut self, input: &[u8]) -> Option<&mut Codec> {
        if self.codec.is_none() {
            let first = input.first()?;
            let mode = match (self.is_deflate, first & 0x0f) {
                (false, _) => Mode::Gunzip,
                (true, 8) => Mode::Inflate,
                (true, _) => Mode::InflateRaw,
            };
            let settings = Settings {
                mode,
                level: -1,
                window_bits: 15,
                memory_level: 8,
                strategy: 0,
                dictionary: None,
                is_single: false,
            };
            self.codec = Some(Codec::new(settings).expect("there is no dictionary"));
        }
        self.codec.as_mut()
    }
}
