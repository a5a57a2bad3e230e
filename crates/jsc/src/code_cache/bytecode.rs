//! The engine's `CachedBytecode`: a reference count, a size, a payload that begins with its address
//! and size, and a hash table of functions that the engine fills as it decodes. In: bytes. Out: an
//! object over them, whose table is freed when the engine is done; and the bytes of an object that
//! the engine produced.

use crate::code_cache::CodeCacheAbi;
use crate::engine::Version;
use crate::symbols::Opaque;

/// More words than the object has.
const WORDS: usize = 16;
const SIZE: usize = 1;
const PAYLOAD: usize = 2;
const PAYLOAD_SIZE: usize = 3;
const TABLE_COUNTS_BYTES: usize = 16;

/// Offsets, in words, after the payload, whose largest variant is a mapped file.
#[derive(Clone, Copy)]
pub(super) struct Offsets {
    /// The index of the payload's `std::variant`; 0 is memory of its own.
    form: usize,
    /// The pointer of the `HashMap`: its buckets follow the counts.
    table: usize,
}

impl Offsets {
    /// Offsets of a release whose source was reviewed. From 2.52 on a mapped file has a file
    /// descriptor beside address and size.
    pub fn of(version: Version) -> Offsets {
        let form = if (version.major, version.minor) < (2, 51) { 4 } else { 5 };
        Offsets { form, table: form + 1 }
    }
}

/// One reference for the engine and one for us, so that the engine never frees memory that is not
/// from its allocator.
const REFERENCES: u32 = 2;
const OURS: u32 = 1;

/// Bytecode that was passed to the engine, which counts references and writes inside; nothing else
/// refers to it.
pub(super) struct CachedBytecode(*mut [usize; WORDS]);

impl CachedBytecode {
    pub fn new(bytes: &'static [u8]) -> CachedBytecode {
        let mut words = Box::new([0_usize; WORDS]);
        words[0] = REFERENCES as usize;
        words[SIZE] = bytes.len();
        words[PAYLOAD] = bytes.as_ptr() as usize;
        words[PAYLOAD_SIZE] = bytes.len();
        CachedBytecode(Box::into_raw(words))
    }

    /// The pointer for the engine, which uses it no longer than its VM lives.
    pub fn raw(&self) -> *mut Opaque {
        self.0.cast()
    }

    /// Frees the object if the engine has released it; one that is still referenced is leaked.
    ///
    /// # Safety
    /// The VM that used it has ended.
    pub unsafe fn release(self, abi: &CodeCacheAbi) {
        // SAFETY: allocated by us and not freed; nothing changes it any more. Counts and buckets of
        // the table are one allocation of the engine's allocator.
        unsafe {
            let words = *self.0;
            if words[0] as u32 != OURS {
                return;
            }
            let table = words[abi.offsets.table];
            if table != 0 {
                (abi.free)((table - TABLE_COUNTS_BYTES) as *mut Opaque);
            }
            drop(Box::from_raw(self.0));
        }
    }
}

/// Moves the bytes out of an object that the engine produced. `None`: its layout is not the
/// expected one.
///
/// # Safety
/// `made` is null or a `CachedBytecode` with one reference, which the caller owns.
pub(super) unsafe fn take_bytes(made: *mut Opaque, abi: &CodeCacheAbi) -> Option<Vec<u8>> {
    if made.is_null() {
        return None;
    }
    let words = made.cast::<usize>();
    // SAFETY: the object is larger than what is read here; its payload has the address of the
    // bytes.
    unsafe {
        let found = std::slice::from_raw_parts(words, abi.offsets.form + 1);
        let bytes = (abi.span)(words.add(PAYLOAD));
        let is_as_expected = found[0] as u32 == 1
            && found[SIZE] == bytes.count
            && found[PAYLOAD] == bytes.first as usize
            && found[PAYLOAD_SIZE] == bytes.count
            && found[abi.offsets.form] as u8 == 0
            && bytes.count > 0;
        if !is_as_expected {
            return None;
        }
        let copy = std::slice::from_raw_parts(bytes.first, bytes.count).to_vec();
        // The bytes are nearly all of it; the remaining hundred bytes are leaked.
        (abi.clear)(words.add(PAYLOAD));
        Some(copy)
    }
}
