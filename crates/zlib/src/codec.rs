//! Compression stream with zlib's semantics. In: format and settings, then chunks of input with
//! output buffers and flush modes. Out: bytes consumed and produced, with zlib's code and message.
//! It includes what Node adds to zlib: consecutive gzip members are one stream, the dictionary is
//! set when the header requests it, and a truncated stream is an error when the input ends.

mod compressor;
#[cfg(test)]
mod tests;

use zlib_rs::{DeflateError, DeflateFlush, Inflate, InflateError, InflateFlush, Status};

use compressor::Compressor;

/// The first byte of a gzip member.
const GZIP_MAGIC: u8 = 0x1f;
/// Added to the window bits for the gzip format (`inflateInit2`).
const GZIP_BITS: u8 = 16;
/// Added to the window bits to detect zlib or gzip from the header.
const DETECT_BITS: u8 = 32;
/// By how much the output of a conversion grows at least and at most.
const GROWTH_BYTES: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 20;

/// Direction and format, with Node's numbers (`zlib.constants`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Deflate = 1,
    Inflate,
    Gzip,
    Gunzip,
    DeflateRaw,
    InflateRaw,
    Unzip,
}

/// Parameters of a stream, with zlib's numbers.
#[derive(Clone, Debug)]
pub struct Settings {
    pub mode: Mode,
    /// -1 to 9.
    pub level: i32,
    /// 8 to 15; 0: decompress with the header's.
    pub window_bits: u8,
    /// 1 to 9.
    pub memory_level: i32,
    /// 0 to 4.
    pub strategy: i32,
    pub dictionary: Option<Vec<u8>>,
    /// The stream ends with the first gzip member.
    pub is_single: bool,
}

/// A stream that is compressed or decompressed.
pub struct Codec {
    settings: Settings,
    state: State,
    /// Whether further gzip members may follow.
    has_members: bool,
    has_begun: bool,
}

enum State {
    Compress(Box<Compressor>),
    Decompress(Box<Inflate>),
}

/// The dictionary was rejected.
#[derive(Debug)]
pub struct DictionaryError;

/// Return code of a step, with zlib's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Ok = 0,
    StreamEnd = 1,
    NeedDictionary = 2,
    StreamError = -2,
    DataError = -3,
    MemoryError = -4,
    BufferError = -5,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub code: Code,
    /// The error; `None`: the stream can continue.
    pub message: Option<&'static str>,
    pub read_bytes: usize,
    pub written_bytes: usize,
}

/// Outcome of [`Codec::convert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// All input was processed, or an error occurred. Bytes are totals.
    Ended(Step),
    /// The output exceeds the limit.
    TooLarge,
}

/// One step of [`convert_with`].
pub struct ConversionStep {
    pub read_bytes: usize,
    pub written_bytes: usize,
    pub has_failed: bool,
}

/// Processes the whole input with `step`, and appends the output, which grows as needed. Out: the
/// bytes read; `None` if the output would have more than `bytes_max` bytes.
pub fn convert_with(
    input: &[u8],
    output: &mut Vec<u8>,
    bytes_max: usize,
    mut step: impl FnMut(&[u8], &mut [u8]) -> ConversionStep,
) -> Option<usize> {
    let (mut total_bytes, mut growth_bytes) =
        (0, input.len().clamp(*GROWTH_BYTES.start(), *GROWTH_BYTES.end()));
    loop {
        let filled = output.len();
        // One byte more than the limit, to detect that it is exceeded.
        let free_bytes = growth_bytes.min(bytes_max.saturating_add(1) - filled);
        output.try_reserve(free_bytes).ok()?;
        output.resize(filled + free_bytes, 0);
        let done = step(&input[total_bytes..], &mut output[filled..]);
        output.truncate(filled + done.written_bytes);
        total_bytes += done.read_bytes;
        if output.len() > bytes_max {
            return None;
        }
        if done.has_failed || done.written_bytes < free_bytes {
            return Some(total_bytes);
        }
        growth_bytes = output.len().clamp(*GROWTH_BYTES.start(), *GROWTH_BYTES.end());
    }
}

impl Codec {
    pub fn new(settings: Settings) -> Result<Codec, DictionaryError> {
        let (state, has_members) = (State::new(&settings)?, settings.may_have_members());
        Ok(Codec { settings, state, has_members, has_begun: false })
    }

    /// Begins a new stream with the same settings.
    pub fn reset(&mut self) -> Result<(), DictionaryError> {
        match &mut self.state {
            State::Compress(compressor) => compressor.reset()?,
            // The library's reset loses the format.
            decompress => *decompress = State::new(&self.settings)?,
        }
        self.has_begun = false;
        self.has_members = self.settings.may_have_members();
        Ok(())
    }

    /// Changes level and strategy for further input; no-op for decompression.
    /// [`Code::BufferError`]: flush before.
    pub fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        match &mut self.state {
            State::Compress(compressor) => compressor.set_params(level, strategy),
            State::Decompress(_) => Code::Ok,
        }
    }

    /// Processes as much input as fits the output. `flush` is one of zlib's numbers.
    pub fn step(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        if let (Mode::Unzip, false, Some(&first)) = (self.settings.mode, self.has_begun, input.first()) {
            self.has_members = first == GZIP_MAGIC;
        }
        self.has_begun |= !input.is_empty();
        let mut step = self.step_once(input, output, flush);
        if step.code == Code::NeedDictionary && self.set_requested_dictionary() {
            step = step.combine(self.step_once(
                &input[step.read_bytes..],
                &mut output[step.written_bytes..],
                flush,
            ));
        }
        // Zeros after a member are padding; anything else begins the next member.
        while self.has_members
            && step.code == Code::StreamEnd
            && input.get(step.read_bytes).is_some_and(|&byte| byte != 0)
        {
            self.state = State::decompress(&self.settings);
            step = step.combine(self.step_once(
                &input[step.read_bytes..],
                &mut output[step.written_bytes..],
                flush,
            ));
        }
        let has_room = step.written_bytes < output.len();
        step.message = self.message(step.code, has_room && flush == DeflateFlush::Finish as i32);
        step
    }

    /// Processes the whole input, if the output has at most `bytes_max` bytes.
    pub fn convert(
        &mut self,
        input: &[u8],
        output: &mut Vec<u8>,
        flush: i32,
        bytes_max: usize,
    ) -> Conversion {
        let mut last = Step { code: Code::Ok, message: None, read_bytes: 0, written_bytes: 0 };
        let total = convert_with(input, output, bytes_max, |input, room| {
            last = self.step(input, room, flush);
            let Step { message, read_bytes, written_bytes, .. } = last;
            ConversionStep { read_bytes, written_bytes, has_failed: message.is_some() }
        });
        match total {
            None => Conversion::TooLarge,
            Some(read_bytes) => Conversion::Ended(Step { read_bytes, written_bytes: output.len(), ..last }),
        }
    }

    fn step_once(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        match &mut self.state {
            State::Compress(compressor) => compressor.step(input, output, flush),
            State::Decompress(inflate) => {
                let before = (inflate.total_in(), inflate.total_out());
                // Flush modes that only deflate has are ignored.
                let flush = InflateFlush::try_from(flush).unwrap_or_default();
                let code = inflate.decompress(input, output, flush).map_or_else(Code::from, Code::from);
                let read_bytes = (inflate.total_in() - before.0) as usize;
                let written_bytes = (inflate.total_out() - before.1) as usize;
                Step { code, message: None, read_bytes, written_bytes }
            }
        }
    }

    /// Sets the dictionary that the header requests.
    fn set_requested_dictionary(&mut self) -> bool {
        match (&mut self.state, &self.settings.dictionary) {
            (State::Decompress(inflate), Some(dictionary)) => inflate.set_dictionary(dictionary).is_ok(),
            _ => false,
        }
    }

    fn message(&self, code: Code, is_truncated: bool) -> Option<&'static str> {
        let library_message = match &self.state {
            State::Compress(compressor) => compressor.message(),
            State::Decompress(inflate) => inflate.error_message(),
        };
        let default = match code {
            Code::Ok | Code::BufferError if is_truncated => "unexpected end of file",
            Code::Ok | Code::BufferError | Code::StreamEnd => return None,
            Code::NeedDictionary if self.settings.dictionary.is_none() => return Some("Missing dictionary"),
            Code::NeedDictionary => return Some("Bad dictionary"),
            _ => "Zlib error",
        };
        Some(library_message.unwrap_or(default))
    }
}

impl Settings {
    fn may_have_members(&self) -> bool {
        self.mode == Mode::Gunzip && !self.is_single
    }
}

impl State {
    fn new(settings: &Settings) -> Result<State, DictionaryError> {
        match settings.mode {
            Mode::Deflate | Mode::Gzip | Mode::DeflateRaw => {
                Compressor::new(settings).map(|compressor| State::Compress(Box::new(compressor)))
            }
            Mode::Inflate | Mode::Gunzip | Mode::InflateRaw | Mode::Unzip => {
                let mut state = State::decompress(settings);
                if let (Mode::InflateRaw, State::Decompress(inflate), Some(dictionary)) =
                    (settings.mode, &mut state, &settings.dictionary)
                {
                    // Raw deflate has no header that requests it.
                    inflate.set_dictionary(dictionary).map_err(|_| DictionaryError)?;
                }
                Ok(state)
            }
        }
    }

    fn decompress(settings: &Settings) -> State {
        let bits = settings.window_bits.min(15);
        State::Decompress(Box::new(match settings.mode {
            Mode::Gunzip => Inflate::new(true, GZIP_BITS + bits),
            Mode::Unzip => Inflate::new(true, DETECT_BITS + bits),
            Mode::InflateRaw => Inflate::new(false, bits.max(8)),
            _ => Inflate::new(true, bits),
        }))
    }
}

impl Step {
    fn combine(self, next: Step) -> Step {
        Step {
            read_bytes: self.read_bytes + next.read_bytes,
            written_bytes: self.written_bytes + next.written_bytes,
            ..next
        }
    }
}

impl Mode {
    pub fn find(number: u32) -> Option<Mode> {
        let all = [
            Mode::Deflate,
            Mode::Inflate,
            Mode::Gzip,
            Mode::Gunzip,
            Mode::DeflateRaw,
            Mode::InflateRaw,
            Mode::Unzip,
        ];
        all.into_iter().find(|mode| *mode as u32 == number)
    }
}

impl From<Status> for Code {
    fn from(status: Status) -> Code {
        match status {
            Status::Ok => Code::Ok,
            Status::BufError => Code::BufferError,
            Status::StreamEnd => Code::StreamEnd,
        }
    }
}

impl From<InflateError> for Code {
    fn from(error: InflateError) -> Code {
        match error {
            InflateError::NeedDict { .. } => Code::NeedDictionary,
            InflateError::StreamError => Code::StreamError,
            InflateError::DataError => Code::DataError,
            InflateError::MemError => Code::MemoryError,
        }
    }
}

impl From<DeflateError> for Code {
    fn from(error: DeflateError) -> Code {
        match error {
            DeflateError::StreamError => Code::StreamError,
            DeflateError::DataError => Code::DataError,
            DeflateError::MemError => Code::MemoryError,
        }
    }
}
