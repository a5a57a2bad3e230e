//! The engine's `CachedBytecode`: a count of references, a size, and a payload that begins with its address and its size. In: bytes. Out: an
//! object over them that is never freed; of one that the engine has made, its bytes. What follows in it are tables that begin as zeros.

use crate::kept::{Clear, SpanOf};
use crate::symbols::Opaque;

/// More words than it has.
const WORDS: usize = 16;
const SIZE: usize = 1;
const PAYLOAD: usize = 2;
const PAYLOAD_SIZE: usize = 3;
/// Which of its forms the payload has: memory of its own is the first.
const FORM: usize = 4;

/// So many that the last one is never given back.
const REFERENCES: usize = 1 << 30;

/// Code as the engine is given it.
pub(super) struct Bytecode(Box<[usize; WORDS]>);

impl Bytecode {
    pub fn over(bytes: &'static [u8]) -> Bytecode {
        let mut words = Box::new([0_usize; WORDS]);
        words[0] = REFERENCES;
        words[SIZE] = bytes.len();
        words[PAYLOAD] = bytes.as_ptr() as usize;
        words[PAYLOAD_SIZE] = bytes.len();
        Bytecode(words)
    }

    /// The engine's, which never frees it.
    pub fn into_raw(self) -> *mut Opaque {
        Box::into_raw(self.0).cast()
    }
}

/// The bytes of what the engine has made, which is emptied. `None`: it does not lie as expected.
///
/// # Safety
/// `made` is null or a `CachedBytecode` with one reference, which is the caller's; the calls are those of its payload.
pub(super) unsafe fn take(made: *mut Opaque, span: SpanOf, clear: Clear) -> Option<Vec<u8>> {
    if made.is_null() {
        return None;
    }
    let words = made.cast::<usize>();
    // SAFETY: it is larger than what is read here; its payload says where its bytes are.
    unsafe {
        let found = std::slice::from_raw_parts(words, FORM + 1);
        let bytes = span(words.add(PAYLOAD));
        let is_as_expected = found[0] as u32 == 1
            && found[SIZE] == bytes.count
            && found[PAYLOAD] == bytes.first as usize
            && found[PAYLOAD_SIZE] == bytes.count
            && found[FORM] as u8 == 0
            && bytes.count > 0;
        if !is_as_expected {
            return None;
        }
        let copy = std::slice::from_raw_parts(bytes.first, bytes.count).to_vec();
        // The bytes are nearly all of it; the rest, a hundred of them, stays.
        clear(words.add(PAYLOAD));
        Some(copy)
    }
}
