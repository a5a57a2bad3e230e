//! Scripts of our own, compiled before they are run. In: a script, under an engine whose source was read. Out: its bytecode and that of all its functions,
//! and a script run by its bytecode. Absent: where bytecode is kept ([`crate::compiled`]).
//!
//! The engine can write bytecode (`JSC::generateProgramBytecode`) and asks the provider of each script for it before it parses
//! (`SourceProvider::cachedBytecode`), but no function of C makes a provider that has any. A script of `JSScriptRef` is a provider: it begins with the
//! address of its virtual functions, has its VM and its text at the end, and two of its functions do nothing. Those two are ours in a copy of the list. The text
//! is put in afterwards, for the engine parses what it makes a script of.
//!
//! The engine compares the whole text, and the number of its own build, before it takes bytecode; what it does not take, it parses
//! (WebKit's `SourceProvider.h`, `CachedBytecode.h`, `CachedTypes.cpp`, `CodeCache.h`, `JSScriptRef.cpp`).

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

use crate::engine::{engine, symbols};
use crate::exception::Exception;
use crate::scope::Scope;
use crate::symbols::{Opaque, RawGroup, RawScript};
use crate::text::Text;
use crate::text::fast::peek;
use crate::value::Value;

/// `JSC::generateProgramBytecode(JSC::VM&, JSC::SourceCode const&, WTF::FileSystemImpl::FileHandle&, JSC::BytecodeCacheError&)`.
const GENERATE: &CStr = c"_ZN3JSC23generateProgramBytecodeERNS_2VMERKNS_10SourceCodeERN3WTF14FileSystemImpl10FileHandleERNS_18BytecodeCacheErrorE";
/// `JSC::computeJSCBytecodeCacheVersion()`.
const VERSION: &CStr = c"_ZN3JSC30computeJSCBytecodeCacheVersionEv";
/// `WTF::fastMalloc(unsigned long)`, which does not return without memory.
const ALLOCATE: &CStr = c"_ZN3WTF10fastMallocEm";

/// Of a script, in words: where its VM and its text are.
const VM_WORD: usize = 16;
const TEXT_WORD: usize = 17;
/// Of a text.
const LENGTH_OFFSET: usize = 4;
const LETTERS_OFFSET: usize = 8;

/// The list of virtual functions begins two words before where an object points to.
const BEFORE: usize = 2;
const FUNCTIONS: usize = 11;
const CACHED_BYTECODE: usize = 4;
const CACHE_BYTECODE: usize = 5;

/// What a script is made of before it has its text.
const BLANK: &CStr = c" ";
const SAMPLE: &str = "(function () { function twice(x) { return x + x; } return twice('bytecode') + [1, 2].map((x) => x * 2); })()";
const SAMPLE_GIVES: &str = "bytecodebytecode2,4";

/// The engine's functions for it.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    generate: unsafe extern "C" fn(RawGroup, *const SourceCode, *const FileHandle, *mut Error) -> Returned,
    version: unsafe extern "C" fn() -> u32,
    allocate: unsafe extern "C" fn(usize) -> *mut c_void,
}

/// `JSC::SourceCode`: all of a provider's text.
#[repr(C)]
struct SourceCode {
    provider: RawScript,
    start: c_int,
    end: c_int,
    line: c_int,
    column: c_int,
}

/// One that is not open, with room to spare: the engine reads its descriptor, -1.
#[repr(C)]
struct FileHandle([i64; 8]);

/// An error that says nothing, with room to spare.
#[repr(C)]
struct Error([usize; 32]);

/// A `RefPtr<CachedBytecode>`. C++ returns what has a destructor through memory of the caller's; Rust does so with what is larger than two words, so it is said to be larger.
#[repr(C)]
struct Returned {
    bytecode: *mut CachedBytecode,
    _rest: [MaybeUninit<usize>; 3],
}

/// `JSC::CachedBytecode`: a count, a size, bytes of the engine's allocator (of two kinds the first, so its number is 0), a table of functions without bytecode, which is
/// filled as functions are read, and a list of additions.
#[repr(C)]
#[derive(Clone, Copy)]
struct CachedBytecode {
    count: u32,
    size: usize,
    first: *mut u8,
    length: usize,
    kind: u8,
    table: usize,
    additions: [usize; 2],
}

/// The script that is run now, and its bytecode.
struct Due {
    script: RawScript,
    bytecode: *const [u8],
    /// The engine has compiled it from its text.
    is_refused: Cell<bool>,
}

thread_local! {
    static DUE: Cell<*const Due> = const { Cell::new(ptr::null()) };
}

/// The list with our two functions in it, for all scripts.
struct Functions([usize; BEFORE + FUNCTIONS]);

static OURS: OnceLock<Functions> = OnceLock::new();

impl Calls {
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Calls> {
        if !cfg!(target_arch = "x86_64") {
            return None;
        }
        let found = [GENERATE, VERSION, ALLOCATE].map(find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        // SAFETY: the mangled names say the types of the arguments; `Scope::compiler` sees whether the rest holds.
        unsafe {
            Some(Calls {
                generate: std::mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(
                        RawGroup,
                        *const SourceCode,
                        *const FileHandle,
                        *mut Error,
                    ) -> Returned,
                >(found[0]),
                version: std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> u32>(found[1]),
                allocate: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(usize) -> *mut c_void>(
                    found[2],
                ),
            })
        }
    }
}

/// Writes bytecode. Get one from [`Scope::compiler`].
pub struct Compiler<'s> {
    scope: &'s Scope,
    calls: Calls,
}

impl Scope {
    /// `None`: this engine is not known, or a sample was not compiled and run by its bytecode as expected.
    pub fn compiler(&self) -> Option<Compiler<'_>> {
        let compiler = Compiler { scope: self, calls: engine().bytecode? };
        compiler.is_right()?.then_some(compiler)
    }

    /// Runs a script of our own by its bytecode, or by its text where the engine does not take that.
    ///
    /// # Safety
    /// `bytecode` is what a [`Compiler`] of this very engine made of this script, unchanged.
    pub(crate) unsafe fn evaluate_bytecode<'s>(
        &'s self,
        source: &'static str,
        url: &str,
        bytecode: &[u8],
    ) -> Result<Value<'s>, Exception<'s>> {
        // SAFETY: there was a compiler of this engine, which saw its scripts.
        match unsafe { self.script(source, url) } {
            Some(script) => script.run(bytecode).map(|(value, _)| value),
            None => self.evaluate_static(source, url),
        }
    }

    /// `None`: the engine is not known, or the text is not ASCII.
    ///
    /// # Safety
    /// The engine's scripts are laid out as expected.
    unsafe fn script(&self, source: &'static str, url: &str) -> Option<Script<'_>> {
        engine().bytecode?;
        let length = u32::try_from(source.len()).ok().filter(|_| source.is_ascii())?;
        let script = self.blank_script(url)?;
        // SAFETY: as promised.
        unsafe { script.take(source.as_ptr(), length) };
        Some(script)
    }

    /// A script without its text.
    fn blank_script(&self, url: &str) -> Option<Script<'_>> {
        let name = Text::new(self, url);
        // SAFETY: the blank is ASCII and lives as long as the program; nobody asks for the error.
        let raw = unsafe {
            (symbols().JSScriptCreateReferencingImmortalASCIIText)(
                self.shared().group,
                name.raw(),
                1,
                BLANK.as_ptr(),
                1,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        (!raw.is_null()).then_some(Script { scope: self, raw })
    }
}

impl Compiler<'_> {
    /// The bytecode of a script and of all functions in it. What the engine needs for that stays until the process ends: it is made once for many starts.
    pub fn compile(&self, source: &'static str, url: &str) -> Option<Vec<u8>> {
        // SAFETY: `Scope::compiler` saw one.
        let script = unsafe { self.scope.script(source, url)? };
        let made = self.generate(&script, source)?;
        // SAFETY: the engine's own, alive, and laid out as `is_right` saw.
        let made = unsafe { &*made };
        // SAFETY: as above.
        (!made.first.is_null())
            .then(|| unsafe { std::slice::from_raw_parts(made.first, made.length) }.to_vec())
    }

    fn generate(&self, script: &Script<'_>, source: &str) -> Option<*const CachedBytecode> {
        let end = c_int::try_from(source.len()).ok()?;
        let code = SourceCode { provider: script.raw, start: 0, end, line: 0, column: 0 };
        let (file, mut error) = (FileHandle([-1; 8]), Error([0; 32]));
        // SAFETY: the group is the VM, its lock held; the script is alive, and the engine takes a reference of its own.
        let made = unsafe { (self.calls.generate)(self.scope.shared().group, &code, &file, &mut error) };
        (!made.bytecode.is_null()).then_some(made.bytecode.cast_const())
    }

    /// Whether a sample is compiled into what is laid out as expected, and taken and run by the engine.
    fn is_right(&self) -> Option<bool> {
        const NAME: &str = "node:internal/sample";
        if !self.scope.blank_script(NAME)?.looks_right()? {
            return None;
        }
        // SAFETY: scripts are as expected.
        let script = unsafe { self.scope.script(SAMPLE, NAME)? };
        let made = peek::<{ size_of::<CachedBytecode>() }>(self.generate(&script, SAMPLE)?.cast())?;
        // SAFETY: any bytes are numbers and addresses; these are not followed but by the kernel.
        let made = unsafe { made.as_ptr().cast::<CachedBytecode>().read_unaligned() };
        let is_laid_out =
            made.count == 1 && made.size == made.length && made.kind == 0 && made.additions == [0; 2];
        let version = u32::from_ne_bytes(peek(made.first)?);
        // SAFETY: it takes nothing.
        if !is_laid_out || version != unsafe { (self.calls.version)() } {
            return None;
        }
        let bytecode = self.compile(SAMPLE, NAME)?;
        // SAFETY: as above.
        let (value, is_taken) = unsafe { self.scope.script(SAMPLE, NAME)? }.run(&bytecode).ok()?;
        Some(is_taken && value.to_text(self.scope).ok()? == SAMPLE_GIVES)
    }
}

/// A script of the engine's whose provider is ours in part.
struct Script<'s> {
    scope: &'s Scope,
    raw: RawScript,
}

impl<'s> Script<'s> {
    /// Whether a script that was just made is laid out as expected, as far as the kernel lets anybody see.
    fn looks_right(&self) -> Option<bool> {
        let words: [u8; (TEXT_WORD + 1) * 8] = peek(self.raw.cast_const().cast())?;
        let text: [u8; 16] = peek(word(&words, TEXT_WORD) as *const u8)?;
        let count = u32::from_ne_bytes(text[LENGTH_OFFSET..LETTERS_OFFSET].try_into().expect("four bytes"));
        let functions: [u8; (BEFORE + FUNCTIONS) * 8] =
            peek((word(&words, 0) as *const u8).wrapping_sub(BEFORE * 8))?;
        let are_there = (BEFORE..BEFORE + FUNCTIONS).all(|at| word(&functions, at) != 0);
        let is_its = word(&words, VM_WORD) == self.scope.shared().group.addr();
        Some(is_its && are_there && count == 1 && word(&text, 1) == BLANK.as_ptr().addr())
    }

    /// Puts the text in, and our functions.
    ///
    /// # Safety
    /// The script is blank, and laid out as expected. The letters stay.
    unsafe fn take(&self, letters: *const u8, length: u32) {
        // SAFETY: as promised. The engine has not hashed the text yet: it only read it.
        unsafe {
            let words = self.raw.cast::<usize>();
            let text = words.add(TEXT_WORD).cast::<*mut u8>().read();
            text.add(LENGTH_OFFSET).cast::<u32>().write(length);
            text.add(LETTERS_OFFSET).cast::<*const u8>().write(letters);
            let theirs = words.cast::<*const usize>();
            theirs.write(Functions::ours(theirs.read()).0[BEFORE..].as_ptr());
        }
    }

    /// What it gives, and whether the engine took the bytecode.
    fn run(&self, bytecode: &[u8]) -> Result<(Value<'s>, bool), Exception<'s>> {
        let due = Due { script: self.raw, bytecode: ptr::from_ref(bytecode), is_refused: Cell::new(false) };
        let before = DUE.replace(&raw const due);
        let result = self.scope.check(|thrown| {
            // SAFETY: the script is of this VM's group; `this` may be null.
            unsafe { (symbols().JSScriptEvaluate)(self.scope.context(), self.raw, ptr::null(), thrown) }
        });
        DUE.set(before);
        result.map(|value| (self.scope.keep(value), !due.is_refused.get()))
    }
}

impl Drop for Script<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `Scope::script`, released once; the engine keeps what it needs of it.
        unsafe { (symbols().JSScriptRelease)(self.raw) };
    }
}

impl Functions {
    /// Theirs but for two.
    ///
    /// # Safety
    /// `theirs`: what the engine's scripts point to, which is laid out as expected.
    unsafe fn ours(theirs: *const usize) -> &'static Functions {
        OURS.get_or_init(|| {
            // SAFETY: as promised.
            let mut words = unsafe { theirs.sub(BEFORE).cast::<[usize; BEFORE + FUNCTIONS]>().read() };
            words[BEFORE + CACHED_BYTECODE] = cached_bytecode as *const () as usize;
            words[BEFORE + CACHE_BYTECODE] = cache_bytecode as *const () as usize;
            Functions(words)
        })
    }
}

fn word(bytes: &[u8], at: usize) -> usize {
    usize::from_ne_bytes(bytes[at * 8..at * 8 + 8].try_into().expect("eight bytes"))
}

/// `RefPtr<CachedBytecode> SourceProvider::cachedBytecode() const`: the caller gets the only reference, and frees both parts by the engine's allocator.
unsafe extern "C" fn cached_bytecode(
    returned: *mut *mut CachedBytecode,
    provider: *mut Opaque,
) -> *mut *mut CachedBytecode {
    // SAFETY: what is due lives while its script runs, which is now.
    let due = unsafe { DUE.get().as_ref() }.filter(|due| due.script == provider);
    let made = match (due, engine().bytecode) {
        // SAFETY: as above, and the bytes are the caller's of `run`.
        (Some(due), Some(calls)) => unsafe { copy(calls, &*due.bytecode) },
        _ => ptr::null_mut(),
    };
    // SAFETY: room for one, by the calling convention of C++.
    unsafe { returned.write(made) };
    returned
}

/// Bytecode as the engine frees it.
fn copy(calls: Calls, bytecode: &[u8]) -> *mut CachedBytecode {
    // SAFETY: the engine's allocator gives as much as is asked for, aligned for all; both are written whole.
    unsafe {
        let first = (calls.allocate)(bytecode.len()).cast::<u8>();
        first.copy_from_nonoverlapping(bytecode.as_ptr(), bytecode.len());
        let made = (calls.allocate)(size_of::<CachedBytecode>()).cast::<CachedBytecode>();
        made.write(CachedBytecode {
            count: 1,
            size: bytecode.len(),
            first,
            length: bytecode.len(),
            kind: 0,
            table: 0,
            additions: [0; 2],
        });
        made
    }
}

/// `void SourceProvider::cacheBytecode(const BytecodeCacheGenerator&) const`: called when a script was compiled from its text.
unsafe extern "C" fn cache_bytecode(provider: *mut Opaque, _generator: *const c_void) {
    // SAFETY: what is due lives while its script runs, which is now.
    if let Some(due) = unsafe { DUE.get().as_ref() }.filter(|due| due.script == provider) {
        due.is_refused.set(true);
    }
}

#[cfg(test)]
mod tests;
