//! Compression stream with zlib's semantics. In: format and settings, then chunks of input with
//! output buffers and flush modes. Out: bytes consumed and produced, with zlib's code and message.
//! It includes what Node adds to zlib: consecutive gzip members are one stream, the dictionary is
//! set when the header requests it, and a truncated stream is an error when the input ends.

mod packing;
#[cfg(test)]
mod tests;

use zlib_rs::{DeflateError, DeflateFlush, Inflate, InflateError, InflateFlush, Status};

use packing::Packing;

/// The first byte of a gzip member.
const GZIP_MAGIC: u8 = 0x1f;
/// What zlib adds to the bits of a window for a gzip wrapping, and for either of two.
const GZIP_BITS: u8 = 16;
const EITHER_BITS: u8 = 32;
/// What the output of a whole stream begins with, and at most grows by.
const GROWTH_BYTES: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 20;

/// What goes in and what comes out, by Node's numbers.
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

/// How a stream is made. Numbers are zlib's.
#[derive(Clone, Debug)]
pub struct Settings {
    pub mode: Mode,
    /// -1 to 9.
    pub level: i32,
    /// 8 to 15; 0 to unpack with what the header says.
    pub window_bits: u8,
    /// 1 to 9.
    pub memory_level: i32,
    /// 0 to 4.
    pub strategy: i32,
    pub dictionary: Option<Vec<u8>>,
    /// What follows the first member of gzip does not belong to the stream.
    pub is_single: bool,
}

/// A stream that is being packed or unpacked.
pub struct Codec {
    settings: Settings,
    state: State,
    /// Members of gzip may follow each other.
    has_members: bool,
    has_begun: bool,
}

enum State {
    Packing(Box<Packing>),
    Unpacking(Box<Inflate>),
}

/// The dictionary does not go with the stream.
#[derive(Debug)]
pub struct NoDictionary;

/// How a step ended, by zlib's numbers.
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
    /// Why it cannot go on; `None`: it can.
    pub message: Option<&'static str>,
    pub read_bytes: usize,
    pub written_bytes: usize,
}

/// What became of a whole stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    Ended(Step),
    /// More came out than was allowed.
    TooLarge,
}

impl Codec {
    pub fn new(settings: Settings) -> Result<Codec, NoDictionary> {
        let (state, has_members) = (State::new(&settings)?, settings.may_have_members());
        Ok(Codec { settings, state, has_members, has_begun: false })
    }

    /// Everything from the beginning.
    pub fn reset(&mut self) -> Result<(), NoDictionary> {
        match &mut self.state {
            State::Packing(packing) => packing.reset()?,
            // Its own reset forgets how the stream is wrapped.
            unpacking => *unpacking = State::new(&self.settings)?,
        }
        self.has_begun = false;
        self.has_members = self.settings.may_have_members();
        Ok(())
    }

    /// What comes from now on is packed so; unpacking knows neither. [`Code::BufferError`]: it was
    /// not flushed before.
    pub fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        match &mut self.state {
            State::Packing(packing) => packing.set_params(level, strategy),
            State::Unpacking(_) => Code::Ok,
        }
    }

    /// As much as there is input and room for. `flush` is one of zlib's numbers.
    pub fn step(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        if let (Mode::Unzip, false, Some(&first)) = (self.settings.mode, self.has_begun, input.first()) {
            self.has_members = first == GZIP_MAGIC;
        }
        self.has_begun |= !input.is_empty();
        let mut step = self.step_once(input, output, flush);
        if step.code == Code::NeedDictionary && self.take_dictionary() {
            step = step.then(self.step_once(
                &input[step.read_bytes..],
                &mut output[step.written_bytes..],
                flush,
            ));
        }
        // Zeros behind a member are padding; anything else is the next one.
        while self.has_members
            && step.code == Code::StreamEnd
            && input.get(step.read_bytes).is_some_and(|&byte| byte != 0)
        {
            self.state = State::unpacking(&self.settings);
            step = step.then(self.step_once(
                &input[step.read_bytes..],
                &mut output[step.written_bytes..],
                flush,
            ));
        }
        let has_room = step.written_bytes < output.len();
        step.message = self.message(step.code, has_room && flush == DeflateFlush::Finish as i32);
        step
    }

    /// All of an input, as long as no more than `bytes_max` come out.
    pub fn whole(&mut self, input: &[u8], output: &mut Vec<u8>, flush: i32, bytes_max: usize) -> Whole {
        let mut sum = Step { code: Code::Ok, message: None, read_bytes: 0, written_bytes: 0 };
        let mut room = input.len().clamp(*GROWTH_BYTES.start(), *GROWTH_BYTES.end());
        loop {
            let filled = output.len();
            // One more than allowed, to see whether there is one.
            let room_now = room.min(bytes_max.saturating_add(1) - filled);
            if output.try_reserve(room_now).is_err() {
                return Whole::TooLarge;
            }
            output.resize(filled + room_now, 0);
            let step = self.step(&input[sum.read_bytes..], &mut output[filled..], flush);
            output.truncate(filled + step.written_bytes);
            sum = sum.then(step);
            if output.len() > bytes_max {
                return Whole::TooLarge;
            }
            if step.message.is_some() || step.written_bytes < room_now {
                return Whole::Ended(sum);
            }
            room = output.len().clamp(*GROWTH_BYTES.start(), *GROWTH_BYTES.end());
        }
    }

    fn step_once(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        match &mut self.state {
            State::Packing(packing) => packing.step(input, output, flush),
            State::Unpacking(inflate) => {
                let before = (inflate.total_in(), inflate.total_out());
                // Those that only packing knows mean nothing here.
                let flush = InflateFlush::try_from(flush).unwrap_or_default();
                let code = inflate.decompress(input, output, flush).map_or_else(Code::from, Code::from);
                let read_bytes = (inflate.total_in() - before.0) as usize;
                let written_bytes = (inflate.total_out() - before.1) as usize;
                Step { code, message: None, read_bytes, written_bytes }
            }
        }
    }

    /// The header has named the dictionary that it needs.
    fn take_dictionary(&mut self) -> bool {
        match (&mut self.state, &self.settings.dictionary) {
            (State::Unpacking(inflate), Some(dictionary)) => inflate.set_dictionary(dictionary).is_ok(),
            _ => false,
        }
    }

    fn message(&self, code: Code, is_cut_short: bool) -> Option<&'static str> {
        let own = match &self.state {
            State::Packing(packing) => packing.message(),
            State::Unpacking(inflate) => inflate.error_message(),
        };
        let plain = match code {
            Code::Ok | Code::BufferError if is_cut_short => "unexpected end of file",
            Code::Ok | Code::BufferError | Code::StreamEnd => return None,
            Code::NeedDictionary if self.settings.dictionary.is_none() => return Some("Missing dictionary"),
            Code::NeedDictionary => return Some("Bad dictionary"),
            _ => "Zlib error",
        };
        Some(own.unwrap_or(plain))
    }
}

impl Settings {
    fn may_have_members(&self) -> bool {
        self.mode == Mode::Gunzip && !self.is_single
    }
}

impl State {
    fn new(settings: &Settings) -> Result<State, NoDictionary> {
        match settings.mode {
            Mode::Deflate | Mode::Gzip | Mode::DeflateRaw => {
                Packing::new(settings).map(|packing| State::Packing(Box::new(packing)))
            }
            Mode::Inflate | Mode::Gunzip | Mode::InflateRaw | Mode::Unzip => {
                let mut state = State::unpacking(settings);
                if let (Mode::InflateRaw, State::Unpacking(inflate), Some(dictionary)) =
                    (settings.mode, &mut state, &settings.dictionary)
                {
                    // Without a header there is no request for it.
                    inflate.set_dictionary(dictionary).map_err(|_| NoDictionary)?;
                }
                Ok(state)
            }
        }
    }

    fn unpacking(settings: &Settings) -> State {
        let bits = settings.window_bits.min(15);
        State::Unpacking(Box::new(match settings.mode {
            Mode::Gunzip => Inflate::new(true, GZIP_BITS + bits),
            Mode::Unzip => Inflate::new(true, EITHER_BITS + bits),
            Mode::InflateRaw => Inflate::new(false, bits.max(8)),
            _ => Inflate::new(true, bits),
        }))
    }
}

impl Step {
    fn then(self, next: Step) -> Step {
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
