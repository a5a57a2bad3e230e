//! One content coding: gzip, deflate (RFC 9110), br (RFC 7932), zstd (RFC 8878).

use rusk_brotli_zstd::{self as brotli_zstd, CodecFormat, Status};
use rusk_zlib::{self as zlib, Code, Mode};

use super::CHUNK_BYTES_MAX;
use crate::error::ClientError;

const SYNC_FLUSH: i32 = 2;
const PROCESS: i32 = 0;

pub struct Coding {
    name: CodingName,
    /// Created at the first byte, which shows whether "deflate" has a zlib header: servers
    /// disagree.
    codec: Option<CodingCodec>,
    has_ended: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CodingName {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

enum CodingCodec {
    Zlib(Box<zlib::Codec>),
    BrotliZstd(brotli_zstd::Codec),
}

/// What a step read and wrote, and whether the stream has ended.
struct CodingStep {
    read_bytes: usize,
    written_bytes: usize,
    has_ended: bool,
}

impl Coding {
    /// `None`: the coding is unknown.
    pub fn find(name: &str) -> Option<Coding> {
        let name = match name {
            "gzip" | "x-gzip" => CodingName::Gzip,
            "deflate" => CodingName::Deflate,
            "br" => CodingName::Brotli,
            "zstd" => CodingName::Zstd,
            _ => return None,
        };
        Some(Coding { name, codec: None, has_ended: false })
    }

    /// `None`: this coding produces no more output.
    pub fn step(&mut self, input: &[u8]) -> Result<Option<(usize, Vec<u8>)>, ClientError> {
        // A Zstandard body may have several frames. Other bytes after the end of the stream are
        // ignored, as in browsers.
        if self.has_ended && (self.name != CodingName::Zstd || input.is_empty()) {
            return Ok(None);
        }
        if std::mem::take(&mut self.has_ended) {
            self.codec = None;
        }
        let Some(codec) = self.codec(input)? else { return Ok(None) };
        let mut output = vec![0; CHUNK_BYTES_MAX];
        let step = codec.step(input, &mut output)?;
        self.has_ended = step.has_ended;
        if step.read_bytes == 0 && step.written_bytes == 0 {
            return Ok(None);
        }
        output.truncate(step.written_bytes);
        output.shrink_to_fit();
        Ok(Some((step.read_bytes, output)))
    }

    fn codec(&mut self, input: &[u8]) -> Result<Option<&mut CodingCodec>, ClientError> {
        if self.codec.is_none() {
            let Some(first) = input.first() else { return Ok(None) };
            self.codec = Some(match (self.name, first & 0x0f) {
                (CodingName::Gzip, _) => CodingCodec::zlib(Mode::Gunzip),
                (CodingName::Deflate, 8) => CodingCodec::zlib(Mode::Inflate),
                (CodingName::Deflate, _) => CodingCodec::zlib(Mode::InflateRaw),
                (CodingName::Brotli, _) => CodingCodec::brotli_zstd(CodecFormat::BrotliDecode)?,
                (CodingName::Zstd, _) => CodingCodec::brotli_zstd(CodecFormat::ZstdDecompress)?,
            });
        }
        Ok(self.codec.as_mut())
    }
}

impl CodingCodec {
    fn zlib(mode: Mode) -> CodingCodec {
        let settings = zlib::Settings {
            mode,
            level: -1,
            window_bits: 15,
            memory_level: 8,
            strategy: 0,
            dictionary: None,
            is_single: false,
        };
        CodingCodec::Zlib(Box::new(zlib::Codec::new(settings).expect("there is no dictionary")))
    }

    fn brotli_zstd(format: CodecFormat) -> Result<CodingCodec, ClientError> {
        let (parameters, dictionary, source_bytes) = (Vec::new(), None, None);
        let settings = brotli_zstd::CodecSettings { format, parameters, dictionary, source_bytes };
        let error = |_| ClientError::Encoding { message: "the library of its coding is missing", code: 0 };
        brotli_zstd::Codec::new(settings).map(CodingCodec::BrotliZstd).map_err(error)
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<CodingStep, ClientError> {
        match self {
            CodingCodec::Zlib(codec) => {
                let zlib::Step { code, message, read_bytes, written_bytes } =
                    codec.step(input, output, SYNC_FLUSH);
                match message {
                    Some(message) => Err(ClientError::Encoding { message, code: code as i32 }),
                    None => Ok(CodingStep { read_bytes, written_bytes, has_ended: code == Code::StreamEnd }),
                }
            }
            CodingCodec::BrotliZstd(codec) => {
                let brotli_zstd::CodecStep { status, read_bytes, written_bytes } =
                    codec.step(input, output, PROCESS);
                match status {
                    Status::Error(code) => {
                        Err(ClientError::Encoding { message: codec.error_message(code), code })
                    }
                    status => Ok(CodingStep { read_bytes, written_bytes, has_ended: status == Status::End }),
                }
            }
        }
    }
}
