//! Deflate compressor whose level and strategy can change mid-stream. In: chunks, flush modes, new
//! parameters. Out: the zlib or gzip format around raw deflate. The library produces raw deflate
//! only. A change of parameters makes a new library stream with the last window as its dictionary:
//! the library's own function for it fails once a stream has begun.

use std::collections::VecDeque;

use zlib_rs::adler32::adler32;
use zlib_rs::crc32::crc32;
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Strategy};

use super::{Code, DictionaryError, Mode, Settings, Step};

/// The largest distance of a back-reference in deflate.
const WINDOW_BYTES: usize = 32 << 10;
/// The smallest window that zlib supports; with 8 it uses 9.
const BITS_MIN: u8 = 9;
const BITS_MAX: u8 = 15;
const LEVEL_DEFAULT: i32 = 6;
/// RFC 1952, OS: Unix.
const OS_UNIX: u8 = 3;

pub(super) struct Compressor {
    settings: Settings,
    deflate: Box<Deflate>,
    /// Adler-32 or CRC-32 of the input so far.
    checksum: u32,
    read_bytes: u64,
    /// The last bytes of the input, up to a window.
    window: Vec<u8>,
    /// Header and trailer bytes that did not fit the output buffer yet.
    pending: VecDeque<u8>,
    has_begun: bool,
    /// The input so far is in the output, and the next byte begins a block.
    is_aligned: bool,
    has_ended: bool,
}

impl Compressor {
    pub fn new(settings: &Settings) -> Result<Compressor, DictionaryError> {
        let mut compressor = Compressor {
            settings: settings.clone(),
            deflate: Box::new(raw_deflate(settings)),
            checksum: 0,
            read_bytes: 0,
            window: Vec::new(),
            pending: VecDeque::new(),
            has_begun: false,
            is_aligned: true,
            has_ended: false,
        };
        if settings.mode != Mode::Gzip
            && let Some(dictionary) = &settings.dictionary
        {
            compressor.deflate.set_dictionary(dictionary).map_err(|_| DictionaryError)?;
            compressor.update_window(dictionary);
        }
        compressor.checksum = if settings.mode == Mode::Deflate { 1 } else { 0 };
        Ok(compressor)
    }

    /// Begins a new stream with the same settings.
    pub fn reset(&mut self) -> Result<(), DictionaryError> {
        *self = Compressor::new(&self.settings)?;
        Ok(())
    }

    /// Changes the parameters for further input. [`Code::BufferError`] in the middle of a block:
    /// flush before.
    pub fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        if !self.is_aligned {
            return Code::BufferError;
        }
        self.settings.level = level;
        self.settings.strategy = strategy;
        let mut deflate = raw_deflate(&self.settings);
        if !self.window.is_empty() && deflate.set_dictionary(&self.window).is_err() {
            return Code::StreamError;
        }
        *self.deflate = deflate;
        Code::Ok
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        if !self.has_begun {
            self.has_begun = true;
            self.write_header();
        }
        let mut written_bytes = self.write_pending(output);
        if self.has_ended || written_bytes == output.len() {
            let has_all = self.has_ended && self.pending.is_empty();
            let code = if has_all { Code::StreamEnd } else { Code::Ok };
            return Step { code, message: None, read_bytes: 0, written_bytes };
        }
        let (read, written) = (self.deflate.total_in(), self.deflate.total_out());
        let flush = DeflateFlush::try_from(flush).unwrap_or_default();
        let status = self.deflate.compress(input, &mut output[written_bytes..], flush);
        let mut code = status.map_or_else(Code::from, Code::from);
        let read_bytes = (self.deflate.total_in() - read) as usize;
        written_bytes += (self.deflate.total_out() - written) as usize;
        self.count_input(&input[..read_bytes]);
        let flushed = matches!(flush, DeflateFlush::SyncFlush | DeflateFlush::FullFlush);
        let has_room = written_bytes < output.len();
        // A flush without new input changes nothing.
        self.is_aligned = (flushed && has_room) || (self.is_aligned && read_bytes == 0);
        if code == Code::StreamEnd {
            self.has_ended = true;
            self.is_aligned = false;
            self.write_trailer();
            written_bytes += self.write_pending(&mut output[written_bytes..]);
            if !self.pending.is_empty() {
                code = Code::Ok;
            }
        }
        Step { code, message: None, read_bytes, written_bytes }
    }

    pub fn message(&self) -> Option<&'static str> {
        self.deflate.error_message()
    }

    /// Updates checksum, length and window.
    fn count_input(&mut self, bytes: &[u8]) {
        self.read_bytes += bytes.len() as u64;
        match self.settings.mode {
            Mode::Deflate => self.checksum = adler32(self.checksum, bytes),
            Mode::Gzip => self.checksum = crc32(self.checksum, bytes),
            _ => {}
        }
        self.update_window(bytes);
    }

    fn update_window(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(WINDOW_BYTES)..];
        let retained = self.window.len().min(WINDOW_BYTES - bytes.len());
        self.window.drain(..self.window.len() - retained);
        self.window.extend_from_slice(bytes);
    }

    fn write_pending(&mut self, output: &mut [u8]) -> usize {
        let count = self.pending.len().min(output.len());
        output.iter_mut().zip(self.pending.drain(..count)).for_each(|(output, byte)| *output = byte);
        count
    }

    /// RFC 1950 and RFC 1952.
    fn write_header(&mut self) {
        let Settings { level, strategy, .. } = self.settings;
        let level = if level < 0 { LEVEL_DEFAULT } else { level };
        let is_fast = level < 2 || strategy >= 2;
        match self.settings.mode {
            Mode::Deflate => {
                let effort = if is_fast { 0 } else { 1 + u16::from(level >= 6) + u16::from(level > 6) };
                let mut header = (8 | u16::from(bits(&self.settings) - 8) << 4) << 8 | effort << 6;
                let dictionary = self.settings.dictionary.as_ref().map(|dictionary| adler32(1, dictionary));
                header |= u16::from(dictionary.is_some()) << 5;
                header += 31 - header % 31;
                self.pending.extend(header.to_be_bytes());
                self.pending.extend(dictionary.into_iter().flat_map(u32::to_be_bytes));
            }
            Mode::Gzip => {
                let effort = if level == 9 { 2 } else { 4 * u8::from(is_fast) };
                self.pending.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, OS_UNIX]);
            }
            _ => {}
        }
    }

    fn write_trailer(&mut self) {
        match self.settings.mode {
            Mode::Deflate => self.pending.extend(self.checksum.to_be_bytes()),
            Mode::Gzip => {
                self.pending.extend(self.checksum.to_le_bytes());
                self.pending.extend((self.read_bytes as u32).to_le_bytes());
            }
            _ => {}
        }
    }
}

fn bits(settings: &Settings) -> u8 {
    settings.window_bits.clamp(BITS_MIN, BITS_MAX)
}

fn raw_deflate(settings: &Settings) -> Deflate {
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
