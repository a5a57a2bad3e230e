//! Deflate compressor whose level and strategy can change mid-stream. In: chunks, flush modes, new
//! parameters. Out: the bytes of the zlib or gzip format around raw deflate. The library produces
//! raw deflate only; a change starts a new compressor with the last window as its dictionary, since
//! the library's own function for it fails once a stream has begun.

use std::collections::VecDeque;

use zlib_rs::adler32::adler32;
use zlib_rs::crc32::crc32;
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Strategy};

use super::{Code, Mode, NoDictionary, Settings, Step};

/// What deflate can look back at.
const WINDOW_BYTES: usize = 32 << 10;
/// Zlib's smallest window that works.
const BITS_MIN: u8 = 9;
const BITS_MAX: u8 = 15;
const LEVEL_DEFAULT: i32 = 6;
/// What RFC 1952 calls Unix.
const SYSTEM: u8 = 3;

pub(super) struct Packing {
    settings: Settings,
    deflate: Box<Deflate>,
    /// Adler-32 or CRC-32 of what was read, and how many bytes that were.
    sum: u32,
    read_bytes: u64,
    /// The end of what was read.
    window: Vec<u8>,
    /// Bytes of the wrapping that have found no room yet.
    waiting: VecDeque<u8>,
    has_begun: bool,
    /// All that was read is out, and the next byte begins a block.
    is_aligned: bool,
    has_ended: bool,
}

impl Packing {
    pub fn new(settings: &Settings) -> Result<Packing, NoDictionary> {
        let mut packing = Packing {
            settings: settings.clone(),
            deflate: Box::new(raw(settings)),
            sum: 0,
            read_bytes: 0,
            window: Vec::new(),
            waiting: VecDeque::new(),
            has_begun: false,
            is_aligned: true,
            has_ended: false,
        };
        if settings.mode != Mode::Gzip
            && let Some(dictionary) = &settings.dictionary
        {
            packing.deflate.set_dictionary(dictionary).map_err(|_| NoDictionary)?;
            packing.remember(dictionary);
        }
        packing.sum = if settings.mode == Mode::Deflate { 1 } else { 0 };
        Ok(packing)
    }

    /// The same from the beginning.
    pub fn reset(&mut self) -> Result<(), NoDictionary> {
        *self = Packing::new(&self.settings)?;
        Ok(())
    }

    /// What comes from now on is packed so. In the middle of a block it cannot be: flush before.
    pub fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        if !self.is_aligned {
            return Code::BufferError;
        }
        self.settings.level = level;
        self.settings.strategy = strategy;
        let mut deflate = raw(&self.settings);
        if !self.window.is_empty() && deflate.set_dictionary(&self.window).is_err() {
            return Code::StreamError;
        }
        *self.deflate = deflate;
        Code::Ok
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        if !self.has_begun {
            self.has_begun = true;
            self.begin();
        }
        let mut written_bytes = self.write_waiting(output);
        if self.has_ended || written_bytes == output.len() {
            let has_all = self.has_ended && self.waiting.is_empty();
            let code = if has_all { Code::StreamEnd } else { Code::Ok };
            return Step { code, message: None, read_bytes: 0, written_bytes };
        }
        let (read, written) = (self.deflate.total_in(), self.deflate.total_out());
        let flush = DeflateFlush::try_from(flush).unwrap_or_default();
        let ended = self.deflate.compress(input, &mut output[written_bytes..], flush);
        let mut code = ended.map_or_else(Code::from, Code::from);
        let read_bytes = (self.deflate.total_in() - read) as usize;
        written_bytes += (self.deflate.total_out() - written) as usize;
        self.read(&input[..read_bytes]);
        let flushed = matches!(flush, DeflateFlush::SyncFlush | DeflateFlush::FullFlush);
        let has_room = written_bytes < output.len();
        // A flush that finds nothing new leaves everything as it was.
        self.is_aligned = (flushed && has_room) || (self.is_aligned && read_bytes == 0);
        if code == Code::StreamEnd {
            self.has_ended = true;
            self.is_aligned = false;
            self.end();
            written_bytes += self.write_waiting(&mut output[written_bytes..]);
            if !self.waiting.is_empty() {
                code = Code::Ok;
            }
        }
        Step { code, message: None, read_bytes, written_bytes }
    }

    pub fn message(&self) -> Option<&'static str> {
        self.deflate.error_message()
    }

    fn read(&mut self, bytes: &[u8]) {
        self.read_bytes += bytes.len() as u64;
        match self.settings.mode {
            Mode::Deflate => self.sum = adler32(self.sum, bytes),
            Mode::Gzip => self.sum = crc32(self.sum, bytes),
            _ => {}
        }
        self.remember(bytes);
    }

    fn remember(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(WINDOW_BYTES)..];
        let kept = self.window.len().min(WINDOW_BYTES - bytes.len());
        self.window.drain(..self.window.len() - kept);
        self.window.extend_from_slice(bytes);
    }

    fn write_waiting(&mut self, output: &mut [u8]) -> usize {
        let count = self.waiting.len().min(output.len());
        output.iter_mut().zip(self.waiting.drain(..count)).for_each(|(place, byte)| *place = byte);
        count
    }

    /// RFC 1950 and RFC 1952.
    fn begin(&mut self) {
        let Settings { level, strategy, .. } = self.settings;
        let level = if level < 0 { LEVEL_DEFAULT } else { level };
        let is_fast = level < 2 || strategy >= 2;
        match self.settings.mode {
            Mode::Deflate => {
                let effort = if is_fast { 0 } else { 1 + u16::from(level >= 6) + u16::from(level > 6) };
                let mut head = (8 | u16::from(bits(&self.settings) - 8) << 4) << 8 | effort << 6;
                let dictionary = self.settings.dictionary.as_ref().map(|dictionary| adler32(1, dictionary));
                head |= u16::from(dictionary.is_some()) << 5;
                head += 31 - head % 31;
                self.waiting.extend(head.to_be_bytes());
                self.waiting.extend(dictionary.into_iter().flat_map(u32::to_be_bytes));
            }
            Mode::Gzip => {
                let effort = if level == 9 { 2 } else { 4 * u8::from(is_fast) };
                self.waiting.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, SYSTEM]);
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        match self.settings.mode {
            Mode::Deflate => self.waiting.extend(self.sum.to_be_bytes()),
            Mode::Gzip => {
                self.waiting.extend(self.sum.to_le_bytes());
                self.waiting.extend((self.read_bytes as u32).to_le_bytes());
            }
            _ => {}
        }
    }
}

fn bits(settings: &Settings) -> u8 {
    settings.window_bits.clamp(BITS_MIN, BITS_MAX)
}

fn raw(settings: &Settings) -> Deflate {
    let strategy = match settings.strategy {
        1 => Strategy::Filtered,
        2 => Strategy::HuffmanOnly,
        3 => Strategy::Rle,
        4 => Strategy::Fixed,
        _ => Strategy::Default,
    };
    Deflate::new_with_config(DeflateConfig {
        level: settings.level.clamp(-1, 9),
        window_bits: -i32::from(bits(settings)),
        mem_level: settings.memory_level.clamp(1, 9),
        strategy,
        ..DeflateConfig::default()
    })
}
