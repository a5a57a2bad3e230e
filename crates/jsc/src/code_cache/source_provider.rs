//! The provider of a script's text, which the C interface abi a script. In: one made of blanks.
//! Out: one with a text, whose table of functions is a copy of the engine's with two of ours. What
//! the engine abi them with: its generator is a closure that holds where the VM, the key and the
//! code lie; which is which, what stands there says.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::OnceLock;

use crate::string::CodeUnits;
use crate::string::fast::{self, peek};
use crate::symbols::{Opaque, RawScript, RawValue};
use crate::vm::Shared;

/// Where a script has its text, a `StringImpl`, in words.
const TEXT: usize = 17;

/// The functions of a provider, and the two words before them that say its type.
const BEFORE: usize = 2;
const FUNCTIONS: usize = 11;
const CACHED_BYTECODE: usize = BEFORE + 4;
const CACHE_BYTECODE: usize = BEFORE + 5;

/// Where a `StringImpl` has its length, its letters and its hash, that above eight bits of flags.
const LENGTH_OFFSET: usize = 4;
const LETTERS_OFFSET: usize = 8;
const HASH_OFFSET: usize = 16;
const FLAGS: u32 = 0xff;

/// The key of a script's code begins with its provider; it has six words.
const KEY_WORDS: usize = 6;

/// What a closure of three references holds behind its own table.
const REFERENCES: std::ops::RangeInclusive<usize> = 1..=3;

/// Code that the engine has made.
pub(super) struct GeneratedCode {
    pub key: [usize; KEY_WORDS],
    pub block: RawValue,
}

/// The engine's table, and ours.
struct Tables {
    engine: usize,
    own: [usize; BEFORE + FUNCTIONS],
}

static TABLES: OnceLock<Option<Tables>> = OnceLock::new();

/// Puts the letters where blanks are. `false`: it does not lie as expected, and is as it was.
///
/// # Safety
/// `script` is a script of as many blanks that nobody else knows.
pub(super) unsafe fn fill(script: RawScript, letters: &[u8]) -> bool {
    // SAFETY: as promised to us.
    unsafe {
        adopt(script, letters.len(), |_, blanks| {
            ptr::copy_nonoverlapping(letters.as_ptr(), blanks, letters.len());
            true
        })
    }
}

/// Has the text read from where it is. `false`: as above.
///
/// # Safety
/// `script` is a script over this blank that nobody else knows.
pub(super) unsafe fn point(script: RawScript, blank: &'static CStr, letters: &'static [u8]) -> bool {
    let Ok(length) = u32::try_from(letters.len()) else { return false };
    // SAFETY: as promised to us; a text over memory that is not its own never frees it.
    unsafe {
        adopt(script, 1, |text, place| {
            let is_over_blank = ptr::eq(place, blank.as_ptr().cast());
            if is_over_blank {
                text.add(LENGTH_OFFSET).cast::<u32>().write(length);
                text.add(LETTERS_OFFSET).cast::<*const u8>().write(letters.as_ptr());
            }
            is_over_blank
        })
    }
}

/// Has `put` write the text, and puts the table of ours where the engine's is.
///
/// # Safety
/// `script` is a script of so many blanks that nobody else knows; `put` gets its `StringImpl` and
/// where the blanks are.
unsafe fn adopt(script: RawScript, count: usize, put: impl FnOnce(*mut u8, *mut u8) -> bool) -> bool {
    let words = script.cast::<usize>();
    // SAFETY: a script begins with its table.
    let table = unsafe { *words };
    let tables = TABLES.get_or_init(|| Tables::copy(table).filter(|_| has_text(words)));
    let Some(tables) = tables.as_ref().filter(|tables| tables.engine == table) else { return false };
    // SAFETY: the first script had a text there, and this one has the same table; nobody has read
    // it since it was parsed.
    unsafe {
        let text = *words.add(TEXT).cast::<*mut u8>();
        let CodeUnits::Latin1(blanks) = fast::code_units_of_impl(text) else { return false };
        let is_hashed = *text.add(HASH_OFFSET).cast::<u32>() & !FLAGS != 0;
        let are_blanks = blanks.len() == count && blanks.iter().all(|letter| *letter == b' ');
        if is_hashed || !are_blanks || !put(text, blanks.as_ptr().cast_mut()) {
            return false;
        }
        *words = tables.own[BEFORE..].as_ptr() as usize;
    }
    true
}

/// Whether an address stands where a script's text is expected, through the kernel.
fn has_text(words: *const usize) -> bool {
    let word: Option<[u8; 8]> = peek(words.wrapping_add(TEXT).cast());
    word.is_some_and(|word| peek::<24>(usize::from_ne_bytes(word) as *const u8).is_some())
}

impl Tables {
    fn copy(engine: usize) -> Option<Tables> {
        let bytes: [u8; (BEFORE + FUNCTIONS) * 8] = peek((engine as *const u8).wrapping_sub(BEFORE * 8))?;
        let mut own = [0; BEFORE + FUNCTIONS];
        for (word, bytes) in own.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = usize::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        }
        // The first word says how far the whole object begins before this table: it does not.
        if own[0] != 0 || own[BEFORE..].contains(&0) {
            return None;
        }
        own[CACHED_BYTECODE] = cached_bytecode as *const c_void as usize;
        own[CACHE_BYTECODE] = cache_bytecode as *const c_void as usize;
        Some(Tables { engine, own })
    }
}

/// `SourceProvider::cachedBytecode`: a `RefPtr`, returned through memory of the caller's.
unsafe extern "C" fn cached_bytecode(found: *mut *mut Opaque, _: *const Opaque) -> *mut *mut Opaque {
    // SAFETY: called by the engine, in a turn, with a place for the answer.
    unsafe {
        *found = Shared::current().map_or(ptr::null_mut(), |shared| shared.code_cache.take_cached_bytecode());
    }
    found
}

/// `SourceProvider::cacheBytecode`, with a `WTF::Function`: the address of a closure.
unsafe extern "C" fn cache_bytecode(provider: *const Opaque, generator: *const *const usize) {
    // SAFETY: called by the engine, in a turn; the closure lives through the call.
    unsafe {
        if let Some(shared) = Shared::current() {
            shared.code_cache.offer(|| generated(provider as usize, shared.group as usize, *generator));
        }
    }
}

fn generated(provider: usize, group: usize, closure: *const usize) -> Option<GeneratedCode> {
    let word = |place: *const usize| peek::<8>(place.cast()).map(usize::from_ne_bytes);
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
