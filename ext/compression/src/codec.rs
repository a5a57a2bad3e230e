//! A stream of any format: zlib, Brotli, Zstandard. In: settings, bytes. Out: steps with one form
//! of result.

use rusk_brotli_zstd::{self as brotli_zstd, CodecError, MissingLibrary, Status};
use rusk_zlib::{self as zlib, Code, ConversionStep, convert_with};

rusk_runtime::shared_constants! {
    /// Codes of a result in addition to the libraries'.
    pub mod code: f64 {
        /// The output is larger than `maxOutputLength`.
        TOO_LARGE = 100.0,
        /// The input of Brotli or Zstandard ended within a compressed stream.
        TRUNCATED = 101.0,
    }
}

rusk_runtime::shared_constants! {
    /// Why a stream cannot be created.
    pub mod creation: f64 {
        PARAMETER = 1.0,
        DICTIONARY = 2.0,
        MEMORY = 3.0,
    }
}

#[derive(Clone, Debug)]
pub enum StreamSettings {
    Zlib(zlib::Settings),
    BrotliZstd(brotli_zstd::CodecSettings),
}

pub enum StreamCodec {
    Zlib(Box<zlib::Codec>),
    BrotliZstd(brotli_zstd::Codec),
}

/// Why a stream cannot be created.
#[derive(Clone, Copy, Debug)]
pub enum CreateError {
    MissingLibrary(MissingLibrary),
    /// One of [`creation`].
    Code(f64),
}

/// Result of a step. `code`: zlib's, or the library's error code, or one of [`code`].
pub struct StepResult {
    pub code: f64,
    /// The error; `None`: the stream can continue.
    pub message: Option<&'static str>,
    pub read_bytes: usize,
    pub written_bytes: usize,
}

impl StreamCodec {
    pub fn new(settings: &StreamSettings) -> Result<StreamCodec, CreateError> {
        match settings {
            StreamSettings::Zlib(settings) => zlib::Codec::new(settings.clone())
                .map(|codec| StreamCodec::Zlib(Box::new(codec)))
                .map_err(|_| CreateError::Code(creation::DICTIONARY)),
            StreamSettings::BrotliZstd(settings) => brotli_zstd::Codec::new(settings.clone())
                .map(StreamCodec::BrotliZstd)
                .map_err(CreateError::from),
        }
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> StepResult {
        match self {
            StreamCodec::Zlib(codec) => {
                let zlib::Step { code, message, read_bytes, written_bytes } =
                    codec.step(input, output, flush);
                StepResult { code: code as i32 as f64, message, read_bytes, written_bytes }
            }
            StreamCodec::BrotliZstd(codec) => {
                let brotli_zstd::CodecStep { status, read_bytes, written_bytes } =
                    codec.step(input, output, flush);
                let (code, message) = match status {
                    Status::Continue => (Code::Ok as i32 as f64, None),
                    Status::End => (Code::StreamEnd as i32 as f64, None),
                    Status::Truncated => (code::TRUNCATED, Some("unexpected end of file")),
                    Status::Error(code) => (code.into(), Some(codec.error_message(code))),
                };
                StepResult { code, message, read_bytes, written_bytes }
            }
        }
    }

    /// Processes the whole input. Out: the last step with the bytes of all; `None`: the output
    /// exceeds the limit.
    pub fn convert(
        &mut self,
        input: &[u8],
        output: &mut Vec<u8>,
        flush: i32,
        bytes_max: usize,
    ) -> Option<StepResult> {
        let mut last = None;
        let read_bytes = convert_with(input, output, bytes_max, |input, room| {
            let step = self.step(input, room, flush);
            let StepResult { message, read_bytes, written_bytes, .. } = step;
            last = Some(step);
            ConversionStep { read_bytes, written_bytes, has_failed: message.is_some() }
        })?;
        last.map(|last| StepResult { read_bytes, written_bytes: output.len(), ..last })
    }

    /// Whether the stream could begin anew.
    pub fn reset(&mut self) -> bool {
        match self {
            StreamCodec::Zlib(codec) => codec.reset().is_ok(),
            StreamCodec::BrotliZstd(codec) => codec.reset().is_ok(),
        }
    }

    /// zlib's level and strategy.
    pub fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        match self {
            StreamCodec::Zlib(codec) => codec.set_params(level, strategy),
            StreamCodec::BrotliZstd(_) => Code::StreamError,
        }
    }
}

impl From<CodecError> for CreateError {
    fn from(error: CodecError) -> CreateError {
        match error {
            CodecError::MissingLibrary(missing) => CreateError::MissingLibrary(missing),
            CodecError::Parameter => CreateError::Code(creation::PARAMETER),
            CodecError::Dictionary => CreateError::Code(creation::DICTIONARY),
            CodecError::Memory => CreateError::Code(creation::MEMORY),
        }
    }
}
