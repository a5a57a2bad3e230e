//! Brotli with libbrotlienc and libbrotlidec (`brotli/encode.h`, `brotli/decode.h`). Shared
//! dictionaries need version 1.1.

use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null, null_mut};

use crate::codec::{CodecError, CodecSettings, CodecStep, Status};
use crate::library::functions;

const FINISH: i32 = 2;
/// A dictionary of plain bytes (`BROTLI_SHARED_DICTIONARY_RAW`).
const RAW_DICTIONARY: c_int = 0;
const QUALITY_MAX: c_int = 11;
/// Error code of a failed encoder, which has no codes.
const ENCODER_FAILED: i32 = -1;
/// `BrotliDecoderResult`.
const RESULT_ERROR: c_int = 0;
const RESULT_SUCCESS: c_int = 1;
const RESULT_NEEDS_MORE_INPUT: c_int = 2;

/// An encoder, a decoder, a prepared dictionary: opaque.
type Instance = *mut c_void;
type Allocator = *const c_void;

functions! {
    EncoderFunctions: "Brotli needs", "libbrotlienc.so.1", "libbrotli1";
    create = "BrotliEncoderCreateInstance": fn(Allocator, Allocator, Allocator) -> Instance;
    destroy = "BrotliEncoderDestroyInstance": fn(Instance);
    set_parameter = "BrotliEncoderSetParameter": fn(Instance, c_int, u32) -> c_int;
    compress = "BrotliEncoderCompressStream": fn(
        Instance, c_int, *mut usize, *mut *const u8, *mut usize, *mut *mut u8, *mut usize
    ) -> c_int;
    is_finished = "BrotliEncoderIsFinished": fn(Instance) -> c_int;
}

functions! {
    EncoderDictionaryFunctions: "Brotli with a dictionary needs", "libbrotlienc.so.1", "libbrotli1";
    prepare = "BrotliEncoderPrepareDictionary": fn(
        c_int, usize, *const u8, c_int, Allocator, Allocator, Allocator
    ) -> Instance;
    attach = "BrotliEncoderAttachPreparedDictionary": fn(Instance, Instance) -> c_int;
    destroy = "BrotliEncoderDestroyPreparedDictionary": fn(Instance);
}

functions! {
    DecoderFunctions: "Brotli needs", "libbrotlidec.so.1", "libbrotli1";
    create = "BrotliDecoderCreateInstance": fn(Allocator, Allocator, Allocator) -> Instance;
    destroy = "BrotliDecoderDestroyInstance": fn(Instance);
    set_parameter = "BrotliDecoderSetParameter": fn(Instance, c_int, u32) -> c_int;
    decompress = "BrotliDecoderDecompressStream": fn(
        Instance, *mut usize, *mut *const u8, *mut usize, *mut *mut u8, *mut usize
    ) -> c_int;
    error_code = "BrotliDecoderGetErrorCode": fn(Instance) -> c_int;
    version = "BrotliDecoderVersion": fn() -> u32;
}

/// Major, minor and patch version of the library.
pub fn version() -> Result<[u32; 3], crate::MissingLibrary> {
    // SAFETY: it takes nothing.
    let number = unsafe { (DecoderFunctions::get()?.version)() };
    Ok([number >> 24, number >> 12 & 0xfff, number & 0xfff])
}

functions! {
    DecoderDictionaryFunctions: "Brotli with a dictionary needs", "libbrotlidec.so.1", "libbrotli1";
    attach = "BrotliDecoderAttachDictionary": fn(Instance, c_int, usize, *const u8) -> c_int;
}

/// Progress of one call: what is left of the input and of the output.
struct Progress {
    input_bytes: usize,
    next_input: *const u8,
    output_bytes: usize,
    next_output: *mut u8,
}

impl Progress {
    fn of(input: &[u8], output: &mut [u8]) -> Progress {
        Progress {
            input_bytes: input.len(),
            next_input: input.as_ptr(),
            output_bytes: output.len(),
            next_output: output.as_mut_ptr(),
        }
    }

    fn step(&self, input: &[u8], output: &[u8], status: Status) -> CodecStep {
        let (read_bytes, written_bytes) = (input.len() - self.input_bytes, output.len() - self.output_bytes);
        CodecStep { status, read_bytes, written_bytes }
    }
}

pub struct Encoder {
    functions: &'static EncoderFunctions,
    instance: NonNull<c_void>,
    /// It refers to `_dictionary`.
    prepared: Option<Prepared>,
    /// Its bytes on the heap do not move.
    _dictionary: Option<Vec<u8>>,
}

/// A dictionary that the encoder has indexed.
struct Prepared {
    functions: &'static EncoderDictionaryFunctions,
    instance: NonNull<c_void>,
}

// SAFETY: an instance belongs to no thread; it is used through `&mut self`.
unsafe impl Send for Encoder {}

impl Encoder {
    pub fn new(settings: &CodecSettings) -> Result<Encoder, CodecError> {
        let functions = EncoderFunctions::get()?;
        // SAFETY: without an allocator, the library uses malloc(3).
        let instance = unsafe { (functions.create)(null(), null(), null()) };
        let instance = NonNull::new(instance).ok_or(CodecError::Memory)?;
        let mut encoder =
            Encoder { functions, instance, prepared: None, _dictionary: settings.dictionary.clone() };
        for &(key, value) in &settings.parameters {
            // SAFETY: the instance is valid; unknown keys are rejected.
            let is_set = unsafe { (functions.set_parameter)(instance.as_ptr(), key, value as u32) };
            if is_set == 0 {
                return Err(CodecError::Parameter);
            }
        }
        if let Some(dictionary) = &encoder._dictionary {
            let prepared = Prepared::new(dictionary)?;
            // SAFETY: both instances are valid; the dictionary is dropped after the encoder.
            let is_attached =
                unsafe { (prepared.functions.attach)(instance.as_ptr(), prepared.instance.as_ptr()) };
            encoder.prepared = Some(prepared);
            if is_attached == 0 {
                return Err(CodecError::Dictionary);
            }
        }
        Ok(encoder)
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], operation: i32) -> CodecStep {
        let mut at = Progress::of(input, output);
        // SAFETY: the instance is valid; the pointers and lengths are those of the slices.
        let is_ok = unsafe {
            (self.functions.compress)(
                self.instance.as_ptr(),
                operation,
                &mut at.input_bytes,
                &mut at.next_input,
                &mut at.output_bytes,
                &mut at.next_output,
                null_mut(),
            )
        };
        // SAFETY: the instance is valid.
        let is_finished = unsafe { (self.functions.is_finished)(self.instance.as_ptr()) } != 0;
        let status = match (is_ok != 0, is_finished) {
            (false, _) => Status::Error(ENCODER_FAILED),
            (true, true) => Status::End,
            (true, false) => Status::Continue,
        };
        at.step(input, output, status)
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: the instance is valid, and not used afterwards.
        unsafe { (self.functions.destroy)(self.instance.as_ptr()) }
    }
}

impl Prepared {
    /// The dictionary must outlive the result.
    fn new(dictionary: &[u8]) -> Result<Prepared, CodecError> {
        let functions = EncoderDictionaryFunctions::get()?;
        let (bytes, data) = (dictionary.len(), dictionary.as_ptr());
        // SAFETY: the pointer and length are those of the slice, which the caller retains.
        let instance =
            unsafe { (functions.prepare)(RAW_DICTIONARY, bytes, data, QUALITY_MAX, null(), null(), null()) };
        let instance = NonNull::new(instance).ok_or(CodecError::Dictionary)?;
        Ok(Prepared { functions, instance })
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: the instance is valid; the encoder that refers to it is destroyed already.
        unsafe { (self.functions.destroy)(self.instance.as_ptr()) }
    }
}

pub struct Decoder {
    functions: &'static DecoderFunctions,
    instance: NonNull<c_void>,
    has_ended: bool,
    /// The instance refers to it. Its bytes on the heap do not move.
    _dictionary: Option<Vec<u8>>,
}

// SAFETY: an instance belongs to no thread; it is used through `&mut self`.
unsafe impl Send for Decoder {}

impl Decoder {
    pub fn new(settings: &CodecSettings) -> Result<Decoder, CodecError> {
        let functions = DecoderFunctions::get()?;
        // SAFETY: without an allocator, the library uses malloc(3).
        let instance = unsafe { (functions.create)(null(), null(), null()) };
        let instance = NonNull::new(instance).ok_or(CodecError::Memory)?;
        let _dictionary = settings.dictionary.clone();
        let decoder = Decoder { functions, instance, has_ended: false, _dictionary };
        for &(key, value) in &settings.parameters {
            // SAFETY: the instance is valid; unknown keys are rejected.
            let is_set = unsafe { (functions.set_parameter)(instance.as_ptr(), key, value as u32) };
            if is_set == 0 {
                return Err(CodecError::Parameter);
            }
        }
        if let Some(dictionary) = &decoder._dictionary {
            let attach = DecoderDictionaryFunctions::get()?.attach;
            let (bytes, data) = (dictionary.len(), dictionary.as_ptr());
            // SAFETY: the pointer and length are those of the dictionary, which is dropped after
            // the instance.
            if unsafe { attach(instance.as_ptr(), RAW_DICTIONARY, bytes, data) } == 0 {
                return Err(CodecError::Dictionary);
            }
        }
        Ok(decoder)
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], operation: i32) -> CodecStep {
        let mut at = Progress::of(input, output);
        if self.has_ended {
            return at.step(input, output, Status::End);
        }
        // SAFETY: the instance is valid; the pointers and lengths are those of the slices.
        let result = unsafe {
            (self.functions.decompress)(
                self.instance.as_ptr(),
                &mut at.input_bytes,
                &mut at.next_input,
                &mut at.output_bytes,
                &mut at.next_output,
                null_mut(),
            )
        };
        let status = match result {
            // SAFETY: the instance is valid.
            RESULT_ERROR => Status::Error(unsafe { (self.functions.error_code)(self.instance.as_ptr()) }),
            RESULT_SUCCESS => Status::End,
            RESULT_NEEDS_MORE_INPUT if operation == FINISH => Status::Truncated,
            _ => Status::Continue,
        };
        self.has_ended = status == Status::End;
        at.step(input, output, status)
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the instance is valid, and not used afterwards.
        unsafe { (self.functions.destroy)(self.instance.as_ptr()) }
    }
}
