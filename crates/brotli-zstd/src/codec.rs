//! One stream in either format.

use crate::MissingLibrary;
use crate::brotli::{Decoder, Encoder};
use crate::zstd::{Compressor, Decompressor};

/// CodecFormat and direction, with Node's numbers (`zlib.constants`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecFormat {
    BrotliDecode = 8,
    BrotliEncode = 9,
    ZstdCompress = 10,
    ZstdDecompress = 11,
}

#[derive(Clone, Debug)]
pub struct CodecSettings {
    pub format: CodecFormat,
    /// Keys and values of the library's parameters.
    pub parameters: Vec<(i32, i32)>,
    pub dictionary: Option<Vec<u8>>,
    /// The size of the input, for the header (Zstandard); another size is an error.
    pub source_bytes: Option<u64>,
}

/// Why a stream cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecError {
    MissingLibrary(MissingLibrary),
    /// A parameter is unknown, or its value out of range.
    Parameter,
    Dictionary,
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// More input, or room for more output, is needed.
    Continue,
    /// The compressed stream has ended.
    End,
    /// The library's error code.
    Error(i32),
    /// The input ended within a compressed stream.
    Truncated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecStep {
    pub status: Status,
    pub read_bytes: usize,
    pub written_bytes: usize,
}

/// A stream that is compressed or decompressed.
pub struct Codec {
    settings: CodecSettings,
    state: State,
}

enum State {
    BrotliDecode(Decoder),
    BrotliEncode(Encoder),
    ZstdCompress(Compressor),
    ZstdDecompress(Decompressor),
}

impl CodecFormat {
    pub fn find(number: u32) -> Option<CodecFormat> {
        let all = [
            CodecFormat::BrotliDecode,
            CodecFormat::BrotliEncode,
            CodecFormat::ZstdCompress,
            CodecFormat::ZstdDecompress,
        ];
        all.into_iter().find(|format| *format as u32 == number)
    }
}

impl Codec {
    pub fn new(settings: CodecSettings) -> Result<Codec, CodecError> {
        let state = State::new(&settings)?;
        Ok(Codec { settings, state })
    }

    /// Begins a new stream with the same settings.
    pub fn reset(&mut self) -> Result<(), CodecError> {
        self.state = State::new(&self.settings)?;
        Ok(())
    }

    /// Processes as much input as fits the output. `operation`: 0 (process), 1 (flush), 2 (finish),
    /// of Brotli also 3 (metadata).
    pub fn step(&mut self, input: &[u8], output: &mut [u8], operation: i32) -> CodecStep {
        match &mut self.state {
            State::BrotliDecode(decoder) => decoder.step(input, output, operation),
            State::BrotliEncode(encoder) => encoder.step(input, output, operation),
            State::ZstdCompress(compressor) => compressor.step(input, output, operation),
            State::ZstdDecompress(decompressor) => decompressor.step(input, output, operation),
        }
    }

    /// What an error code of [`Status::Error`] means.
    pub fn error_message(&self, code: i32) -> &'static str {
        match &self.state {
            State::BrotliDecode(_) => "Decompression failed",
            State::BrotliEncode(_) => "Compression failed",
            State::ZstdCompress(compressor) => compressor.error_message(code),
            State::ZstdDecompress(decompressor) => decompressor.error_message(code),
        }
    }
}

impl State {
    fn new(settings: &CodecSettings) -> Result<State, CodecError> {
        Ok(match settings.format {
            CodecFormat::BrotliDecode => State::BrotliDecode(Decoder::new(settings)?),
            CodecFormat::BrotliEncode => State::BrotliEncode(Encoder::new(settings)?),
            CodecFormat::ZstdCompress => State::ZstdCompress(Compressor::new(settings)?),
            CodecFormat::ZstdDecompress => State::ZstdDecompress(Decompressor::new(settings)?),
        })
    }
}

impl From<MissingLibrary> for CodecError {
    fn from(missing: MissingLibrary) -> CodecError {
        CodecError::MissingLibrary(missing)
    }
}
