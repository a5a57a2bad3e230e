//! Source provider: what the C API calls a script. In: a script of blanks. Out: the script with its
//! real source, and with a copy of the engine's vtable in which two functions are ours. The engine
//! passes the generator of bytecode as a closure with references to VM, key and code block; we tell
//! them apart by their contents.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::OnceLock;

use crate::string::CodeUnits;
use crate::string::fast::{self, peek};
use crate::symbols::{Opaque, RawScript, RawValue};
use crate::vm::Shared;

/// Offset of the source, a `StringImpl`, in words.
const SOURCE: usize = 17;

/// The virtual functions of a provider, and the two words before them: offset to top and type
/// information.
const PREFIX_WORDS: usize = 2;
const FUNCTIONS: usize = 11;
const CACHED_BYTECODE: usize = PREFIX_WORDS + 4;
const CACHE_BYTECODE: usize = PREFIX_WORDS + 5;

/// Offsets of length, code units and hash in a `StringImpl`; the low eight bits of the hash word
/// are flags.
const LENGTH_OFFSET: usize = 4;
const UNITS_OFFSET: usize = 8;
const HASH_OFFSET: usize = 16;
const FLAGS: u32 = 0xff;

/// The key of a script's code begins with its provider and has six words.
const KEY_WORDS: usize = 6;

/// Indices of the three references in the closure, after its vtable.
const REFERENCES: std::ops::RangeInclusive<usize> = 1..=3;

/// Bytecode that the engine offers.
pub(super) struct GeneratedCode {
    pub key: [usize; KEY_WORDS],
    pub block: RawValue,
}

/// The engine's vtable, and ours.
struct Tables {
    engine: usize,
    own: [usize; PREFIX_WORDS + FUNCTIONS],
}

static TABLES: OnceLock<Option<Tables>> = OnceLock::new();

/// Overwrites the blanks with the source. `false`: the layout is not the expected one, and the
/// script is unchanged.
///
/// # Safety
/// `script` is a script of as many blanks to which nothing else refers.
pub(super) unsafe fn fill(script: RawScript, units: &[u8]) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe {
        adopt(script, units.len(), |_, blanks| {
            ptr::copy_nonoverlapping(units.as_ptr(), blanks, units.len());
            true
        })
    }
}

/// Makes the string refer to the static source. `false`: as above.
///
/// # Safety
/// `script` is a script over this blank to which nothing else refers.
pub(super) unsafe fn point(script: RawScript, blank: &'static CStr, units: &'static [u8]) -> bool {
    let Ok(length) = u32::try_from(units.len()) else { return false };
    // SAFETY: guaranteed by the caller; a string over external memory never frees it.
    unsafe {
        adopt(script, 1, |string, blanks| {
            let is_over_blank = ptr::eq(blanks, blank.as_ptr().cast());
            if is_over_blank {
                string.add(LENGTH_OFFSET).cast::<u32>().write(length);
                string.add(UNITS_OFFSET).cast::<*const u8>().write(units.as_ptr());
            }
            is_over_blank
        })
    }
}

/// Replaces the source with `put`, and the vtable with ours.
///
/// # Safety
/// `script` is a script of so many blanks to which nothing else refers; `put` gets its `StringImpl`
/// and the address of the blanks.
unsafe fn adopt(script: RawScript, count: usize, put: impl FnOnce(*mut u8, *mut u8) -> bool) -> bool {
    let words = script.cast::<usize>();
    // SAFETY: a script begins with its vtable pointer.
    let table = unsafe { *words };
    let tables = TABLES.get_or_init(|| Tables::copy(table).filter(|_| has_source(words)));
    let Some(tables) = tables.as_ref().filter(|tables| tables.engine == table) else { return false };
    // SAFETY: the first script had a string there, and this one has the same vtable; nothing has
    // read the string since it was parsed.
    unsafe {
        let string = *words.add(SOURCE).cast::<*mut u8>();
        let CodeUnits::Latin1(blanks) = fast::code_units_of_impl(string) else { return false };
        let is_hashed = *string.add(HASH_OFFSET).cast::<u32>() & !FLAGS != 0;
        let are_blanks = blanks.len() == count && blanks.iter().all(|unit| *unit == b' ');
        if is_hashed || !are_blanks || !put(string, blanks.as_ptr().cast_mut()) {
            return false;
        }
        *words = tables.own[PREFIX_WORDS..].as_ptr() as usize;
    }
    true
}

/// Whether the word at the offset of the source points to readable memory, checked with
/// process_vm_readv(2).
fn has_source(words: *const usize) -> bool {
    let word: Option<[u8; 8]> = peek(words.wrapping_add(SOURCE).cast());
    word.is_some_and(|word| peek::<24>(usize::from_ne_bytes(word) as *const u8).is_some())
}

impl Tables {
    fn copy(engine: usize) -> Option<Tables> {
        let bytes: [u8; (PREFIX_WORDS + FUNCTIONS) * 8] =
            peek((engine as *const u8).wrapping_sub(PREFIX_WORDS * 8))?;
        let mut own = [0; PREFIX_WORDS + FUNCTIONS];
        for (word, bytes) in own.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = usize::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        }
        // The first word is the offset to top, which is 0 for the primary vtable.
        if own[0] != 0 || own[PREFIX_WORDS..].contains(&0) {
            return None;
        }
        own[CACHED_BYTECODE] = cached_bytecode as *const c_void as usize;
        own[CACHE_BYTECODE] = cache_bytecode as *const c_void as usize;
        Some(Tables { engine, own })
    }
}

/// `SourceProvider::cachedBytecode`; a `RefPtr` is returned through memory of the caller.
unsafe extern "C" fn cached_bytecode(found: *mut *mut Opaque, _: *const Opaque) -> *mut *mut Opaque {
    // SAFETY: called by the engine, in a turn, with memory for the result.
    unsafe {
        *found = Shared::current().map_or(ptr::null_mut(), |shared| shared.code_cache.take_cached_bytecode());
    }
    found
}

/// `SourceProvider::cacheBytecode`; the argument is a `WTF::Function`, the address of a closure.
unsafe extern "C" fn cache_bytecode(provider: *const Opaque, generator: *const *const usize) {
    // SAFETY: called by the engine, in a turn; the closure is alive during the call.
    unsafe {
        if let Some(shared) = Shared::current() {
            shared.code_cache.offer(|| generated(provider as usize, shared.group as usize, *generator));
        }
    }
}

fn generated(provider: usize, group: usize, closure: *const usize) -> Option<GeneratedCode> {
    let word = |address: *const usize| peek::<8>(address.cast()).map(usize::from_ne_bytes);
    let (mut key, mut block, mut has_group) = (None, None, false);
    for index in REFERENCES {
        let reference = word(closure.wrapping_add(index))?;
        match word(reference as *const usize)? {
            _ if reference == group => has_group = true,
            first if first == provider => key = Some(reference),
            first => block = Some(first),
        }
    }
    let bytes: [u8; KEY_WORDS * 8] = peek(key? as *const u8)?;
    let mut words = [0; KEY_WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = usize::from_ne_bytes(bytes.try_into().expect("eight bytes"));
    }
    has_group.then_some(GeneratedCode { key: words, block: block? as RawValue })
}
