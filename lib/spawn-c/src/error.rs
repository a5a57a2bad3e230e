//! Errors for C. In: an error of the library. Out: a plain struct, and strings.

use std::ffi::{CStr, CString, c_char, c_int};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;

use spawn::{Error, Step};

use crate::pointer::Errno;

const PATH_BYTES: usize = 4096;

/// `rusk_error`.
#[repr(C)]
pub struct RawError {
    step: u32,
    code: c_int,
    path: [u8; PATH_BYTES],
}

/// Where the caller wants the error, if anywhere.
pub type ErrorSlot<'a> = Option<&'a mut MaybeUninit<RawError>>;

/// Writes an error. Returns its errno, for the function's result.
pub fn write_error(slot: ErrorSlot<'_>, error: &Error) -> Errno {
    let path = error.path().map(|path| path.as_os_str().as_bytes()).unwrap_or_default();
    write(slot, error.step(), error.errno(), path)
}

/// Writes an error of the call itself.
pub fn fail(slot: ErrorSlot<'_>, step: Step, errno: Errno) -> Errno {
    write(slot, step, errno, &[])
}

fn write(slot: ErrorSlot<'_>, step: Step, code: Errno, path: &[u8]) -> Errno {
    if let Some(slot) = slot {
        let raw = slot.write(RawError { step: step as u32, code, path: [0; PATH_BYTES] });
        let bytes = path.len().min(PATH_BYTES - 1);
        raw.path[..bytes].copy_from_slice(&path[..bytes]);
    }
    code
}

#[unsafe(no_mangle)]
extern "C" fn rusk_error_text(
    error: Option<&RawError>,
    buffer: Option<&mut MaybeUninit<c_char>>,
    buffer_bytes: usize,
) -> usize {
    let text = error.map(render).unwrap_or_default();
    if let (Some(buffer), Some(room)) = (buffer, buffer_bytes.checked_sub(1)) {
        let bytes = text.len().min(room);
        // SAFETY: the header requires a buffer of this many bytes; one of them is left for the NUL.
        unsafe {
            let buffer = buffer.as_mut_ptr().cast::<u8>();
            buffer.copy_from_nonoverlapping(text.as_ptr(), bytes);
            buffer.add(bytes).write(0);
        }
    }
    text.len()
}

fn render(raw: &RawError) -> Vec<u8> {
    let mut text = step_text(raw.step).to_bytes().to_vec();
    let path = CStr::from_bytes_until_nul(&raw.path).unwrap_or_default().to_bytes();
    if !path.is_empty() {
        text.extend_from_slice(b": `");
        text.extend_from_slice(path);
        text.push(b'`');
    }
    text.extend_from_slice(b": ");
    text.extend_from_slice(std::io::Error::from_raw_os_error(raw.code).to_string().as_bytes());
    text
}

#[unsafe(no_mangle)]
extern "C" fn rusk_step_text(step: u32) -> *const c_char {
    step_text(step).as_ptr()
}

fn step_text(step: u32) -> &'static CStr {
    static STEP_NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names = STEP_NAMES.get_or_init(|| {
        let steps = (1..).map_while(Step::find);
        steps.map(|step| CString::new(step.to_string()).unwrap_or_default()).collect()
    });
    let index = (step as usize).wrapping_sub(1);
    names.get(index).map(CString::as_c_str).unwrap_or_default()
}

#[unsafe(no_mangle)]
extern "C" fn rusk_spawn_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
