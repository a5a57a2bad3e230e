//! Zstandard with libzstd (`zstd.h`, `zstd_errors.h`).

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::NonNull;

use crate::codec::{CodecError, CodecSettings, CodecStep, Status};
use crate::library::functions;

const END: i32 = 2;

/// A compression or decompression context: opaque.
type Context = *mut c_void;

/// `ZSTD_inBuffer`.
#[repr(C)]
pub struct InputBuffer {
    source: *const u8,
    size: usize,
    position: usize,
}

/// `ZSTD_outBuffer`.
#[repr(C)]
pub struct OutputBuffer {
    destination: *mut u8,
    size: usize,
    position: usize,
}

functions! {
    CompressFunctions: "Zstandard needs", "libzstd.so.1", "libzstd1";
    create = "ZSTD_createCCtx": fn() -> Context;
    free = "ZSTD_freeCCtx": fn(Context) -> usize;
    set_parameter = "ZSTD_CCtx_setParameter": fn(Context, c_int, c_int) -> usize;
    load_dictionary = "ZSTD_CCtx_loadDictionary": fn(Context, *const u8, usize) -> usize;
    set_source_bytes = "ZSTD_CCtx_setPledgedSrcSize": fn(Context, u64) -> usize;
    compress = "ZSTD_compressStream2": fn(Context, *mut OutputBuffer, *mut InputBuffer, c_int) -> usize;
    version = "ZSTD_versionNumber": fn() -> c_uint;
}

/// Major, minor and patch version of the library.
pub fn version() -> Result<[u32; 3], crate::MissingLibrary> {
    // SAFETY: it takes nothing.
    let number = unsafe { (CompressFunctions::get()?.version)() };
    Ok([number / 10_000, number / 100 % 100, number % 100])
}

functions! {
    DecompressFunctions: "Zstandard needs", "libzstd.so.1", "libzstd1";
    create = "ZSTD_createDCtx": fn() -> Context;
    free = "ZSTD_freeDCtx": fn(Context) -> usize;
    set_parameter = "ZSTD_DCtx_setParameter": fn(Context, c_int, c_int) -> usize;
    load_dictionary = "ZSTD_DCtx_loadDictionary": fn(Context, *const u8, usize) -> usize;
    decompress = "ZSTD_decompressStream": fn(Context, *mut OutputBuffer, *mut InputBuffer) -> usize;
}

functions! {
    ErrorFunctions: "Zstandard needs", "libzstd.so.1", "libzstd1";
    is_error = "ZSTD_isError": fn(usize) -> c_uint;
    code = "ZSTD_getErrorCode": fn(usize) -> c_int;
    message = "ZSTD_getErrorString": fn(c_int) -> *const c_char;
}

impl ErrorFunctions {
    /// The value that a function returned, or its error code.
    fn check(&self, result: usize) -> Result<usize, i32> {
        // SAFETY: the functions only look at the number.
        match unsafe { (self.is_error)(result) } {
            0 => Ok(result),
            // SAFETY: as above.
            _ => Err(unsafe { (self.code)(result) }),
        }
    }

    fn message(&self, code: i32) -> &'static str {
        // SAFETY: the library returns a string that is never freed, for any number.
        let message = unsafe { CStr::from_ptr((self.message)(code)) };
        message.to_str().unwrap_or("Zstandard error")
    }
}

/// Buffers of one call.
fn buffers(input: &[u8], output: &mut [u8]) -> (InputBuffer, OutputBuffer) {
    (
        InputBuffer { source: input.as_ptr(), size: input.len(), position: 0 },
        OutputBuffer { destination: output.as_mut_ptr(), size: output.len(), position: 0 },
    )
}

pub struct Compressor {
    functions: &'static CompressFunctions,
    errors: &'static ErrorFunctions,
    context: NonNull<c_void>,
    has_ended: bool,
}

// SAFETY: a context belongs to no thread; it is used through `&mut self`.
unsafe impl Send for Compressor {}

impl Compressor {
    pub fn new(settings: &CodecSettings) -> Result<Compressor, CodecError> {
        let (functions, errors) = (CompressFunctions::get()?, ErrorFunctions::get()?);
        // SAFETY: it may be called at any time.
        let context = NonNull::new(unsafe { (functions.create)() }).ok_or(CodecError::Memory)?;
        let compressor = Compressor { functions, errors, context, has_ended: false };
        if let Some(dictionary) = &settings.dictionary {
            // SAFETY: the context is valid; the library copies the dictionary.
            let result = unsafe {
                (functions.load_dictionary)(context.as_ptr(), dictionary.as_ptr(), dictionary.len())
            };
            errors.check(result).map_err(|_| CodecError::Dictionary)?;
        }
        if let Some(bytes) = settings.source_bytes {
            // SAFETY: the context is valid.
            let result = unsafe { (functions.set_source_bytes)(context.as_ptr(), bytes) };
            errors.check(result).map_err(|_| CodecError::Parameter)?;
        }
        for &(key, value) in &settings.parameters {
            // SAFETY: the context is valid; unknown keys are rejected.
            let result = unsafe { (functions.set_parameter)(context.as_ptr(), key, value) };
            errors.check(result).map_err(|_| CodecError::Parameter)?;
        }
        Ok(compressor)
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], operation: i32) -> CodecStep {
        // Another call would write an empty frame.
        if self.has_ended && input.is_empty() {
            return CodecStep { status: Status::End, read_bytes: 0, written_bytes: 0 };
        }
        let (mut from, mut to) = buffers(input, output);
        let status = loop {
            let before = (from.position, to.position);
            // SAFETY: the context is valid; the buffers are those of the slices.
            let result =
                unsafe { (self.functions.compress)(self.context.as_ptr(), &mut to, &mut from, operation) };
            let is_stuck = before == (from.position, to.position);
            match self.errors.check(result) {
                Err(code) => break Status::Error(code),
                Ok(0) if operation == END => break Status::End,
                // Without an operation, the result is a hint of what is buffered.
                Ok(left) if from.position == from.size && (operation == 0 || left == 0) => {
                    break Status::Continue;
                }
                Ok(_) if is_stuck || to.position == to.size => break Status::Continue,
                Ok(_) => {}
            }
        };
        self.has_ended = status == Status::End;
        CodecStep { status, read_bytes: from.position, written_bytes: to.position }
    }

    pub fn error_message(&self, code: i32) -> &'static str {
        self.errors.message(code)
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        // SAFETY: the context is valid, and not used afterwards.
        unsafe { (self.functions.free)(self.context.as_ptr()) };
    }
}

pub struct Decompressor {
    functions: &'static DecompressFunctions,
    errors: &'static ErrorFunctions,
    context: NonNull<c_void>,
    /// Bytes of the frame were read.
    has_begun: bool,
    has_ended: bool,
}

// SAFETY: a context belongs to no thread; it is used through `&mut self`.
unsafe impl Send for Decompressor {}

impl Decompressor {
    pub fn new(settings: &CodecSettings) -> Result<Decompressor, CodecError> {
        let (functions, errors) = (DecompressFunctions::get()?, ErrorFunctions::get()?);
        // SAFETY: it may be called at any time.
        let context = NonNull::new(unsafe { (functions.create)() }).ok_or(CodecError::Memory)?;
        let decompressor = Decompressor { functions, errors, context, has_begun: false, has_ended: false };
        if let Some(dictionary) = &settings.dictionary {
            // SAFETY: the context is valid; the library copies the dictionary.
            let result = unsafe {
                (functions.load_dictionary)(context.as_ptr(), dictionary.as_ptr(), dictionary.len())
            };
            errors.check(result).map_err(|_| CodecError::Dictionary)?;
        }
        for &(key, value) in &settings.parameters {
            // SAFETY: the context is valid; unknown keys are rejected.
            let result = unsafe { (functions.set_parameter)(context.as_ptr(), key, value) };
            errors.check(result).map_err(|_| CodecError::Parameter)?;
        }
        Ok(decompressor)
    }

    pub fn step(&mut self, input: &[u8], output: &mut [u8], operation: i32) -> CodecStep {
        if self.has_ended {
            return CodecStep { status: Status::End, read_bytes: 0, written_bytes: 0 };
        }
        let (mut from, mut to) = buffers(input, output);
        let status = loop {
            let before = (from.position, to.position);
            // SAFETY: the context is valid; the buffers are those of the slices.
            let result = unsafe { (self.functions.decompress)(self.context.as_ptr(), &mut to, &mut from) };
            let is_stuck = before == (from.position, to.position);
            match self.errors.check(result) {
                Err(code) => break Status::Error(code),
                Ok(0) => break Status::End,
                Ok(_) if to.position == to.size || is_stuck => break Status::Continue,
                Ok(_) => {}
            }
        };
        self.has_begun |= from.position > 0;
        self.has_ended = status == Status::End;
        let is_starved = self.has_begun && from.position == from.size && to.position < to.size;
        let status = match status {
            Status::Continue if operation == END && is_starved => Status::Truncated,
            status => status,
        };
        CodecStep { status, read_bytes: from.position, written_bytes: to.position }
    }

    pub fn error_message(&self, code: i32) -> &'static str {
        self.errors.message(code)
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: the context is valid, and not used afterwards.
        unsafe { (self.functions.free)(self.context.as_ptr()) };
    }
}
