//! The engine's `CachedBytecode`: a count of references, a size, a payload that begins with its
//! address and its size, and a table of functions that the engine makes as it reads. In: bytes.
//! Out: an object over them, whose table is given back when the engine is done with it; of one that
//! the engine has made, its bytes.

use crate::code_cache::EntryPoints;
use crate::engine::Version;
use crate::symbols::Opaque;

/// More words than it has.
const WORDS: usize = 16;
const SIZE: usize = 1;
const PAYLOAD: usize = 2;
const PAYLOAD_SIZE: usize = 3;
const TABLE_COUNTS_BYTES: usize = 16;

/// Where a release has what stands behind the payload, whose largest form is a mapped file.
#[derive(Clone, Copy)]
pub(super) struct Offsets {
    /// Which of its forms the payload has: memory of its own is the first.
    form: usize,
    /// A `HashMap`: where its offsets begin, behind counts.
    table: usize,
}

impl Offsets {
    /// Of a release whose source was read. From 2.52 on a mapped file has a descriptor beside its
    /// address and its size.
    pub fn of(version: Version) -> Offsets {
        let form = if (version.major, version.minor) < (2, 51) { 4 } else { 5 };
        Offsets { form, table: form + 1 }
    }
}

/// The reference that the engine is given, and ours, by which it never frees what is not from its
/// allocator.
const REFERENCES: u32 = 2;
const OURS: u32 = 1;

/// Code that the engine was given. It counts and writes in there, so nobody else refers to it.
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

    /// For the engine, which refers to it no longer than its VM lives.
    pub fn raw(&self) -> *mut Opaque {
        self.0.cast()
    }

    /// Frees it where the engine has let go of it; what it still refers to stays.
    ///
    /// # Safety
    /// The VM that it was given to has ended.
    pub unsafe fn release(self, abi: &EntryPoints) {
        // SAFETY: made by us and not freed; nobody changes it any more. The counts and the offsets
        // are one piece of the engine's allocator.
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

/// The bytes of what the engine has made, which is emptied. `None`: it does not lie as expected.
///
/// # Safety
/// `made` is null or a `CachedBytecode` with one reference, which is the caller's.
pub(super) unsafe fn take_bytes(made: *mut Opaque, abi: &EntryPoints) -> Option<Vec<u8>> {
    if made.is_null() {
        return None;
    }
    let words = made.cast::<usize>();
    // SAFETY: it is larger than what is read here; its payload says where its bytes are.
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
        // The bytes are nearly all of it; the rest, a hundred of them, stays.
        (abi.clear)(words.add(PAYLOAD));
        Some(copy)
    }
}
