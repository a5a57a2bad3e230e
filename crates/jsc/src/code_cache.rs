//! Code that is kept between starts: bytecode, as the engine itself writes and reads it. In: a
//! script's text, and its code of before or the wish to have it made. Out: the script's value, and
//! bytes for a start to come. In releases whose source was read (those of [`crate::string::fast`]),
//! on x86-64. Absent: where bytes are kept, and whether they are what was written.
//!
//! The engine asks a script's provider for its code before it parses, and offers code that it has
//! made (`SourceProvider::cachedBytecode`, `cacheBytecode`); the providers of its C interface have
//! none and take none. So a script is made of blanks, for it is parsed when it is made; then the
//! text is put in their place, and the table of the provider's functions is replaced by a copy with
//! two of ours (WebKit's `SourceProvider.h`, `JSScriptRef.cpp`, `CodeCache.cpp`,
//! `CachedBytecode.h`, `CachePayload.h`).

mod bytecode;
mod source_provider;

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_int, c_void};
use std::ops::RangeInclusive;
use std::ptr;

use crate::engine::{Version, engine, symbols};
use crate::exception::Exception;
use crate::scope::Scope;
use crate::string::JsString;
use crate::symbols::{Opaque, RawGroup, RawScript, RawString, RawValue};
use crate::value::Value;
use crate::wasm_module::FREE;
use bytecode::CachedBytecode;
use source_provider::GeneratedCode;

/// What names a script's code: whoever keeps it chooses.
pub type CodeCacheKey = [u8; 16];

/// Where a script's code comes from.
#[derive(Clone, Copy, Debug)]
pub enum CodeCache {
    /// What [`Scope::take_code_caches`] gave of the same text with the same library. Anything else is
    /// undefined behaviour of the engine's.
    Consume(&'static [u8]),
    /// It is made now, and what has run of it by then is given by [`Scope::take_code_caches`].
    Produce(CodeCacheKey),
}

/// A longer text is parsed, and so is a letter, which may be a string that others have.
const TEXT_BYTES: RangeInclusive<usize> = 2..=32 << 20;

/// What a script is made of whose text stays where it is.
const BLANK: &CStr = c" ";

/// The functions of the engine that its header files do not name.
#[derive(Clone, Copy)]
pub(crate) struct EntryPoints {
    create: Create,
    encode: Encode,
    span: SpanOf,
    clear: Clear,
    free: Free,
    offsets: bytecode::Offsets,
}

/// `JSScriptCreateFromString`.
type Create =
    unsafe extern "C" fn(RawGroup, RawString, c_int, RawString, *mut RawString, *mut c_int) -> RawScript;
/// `JSC::encodeCodeBlock`; a `RefPtr` is returned through memory of the caller's.
type Encode = unsafe extern "C" fn(*mut *mut Opaque, RawGroup, *const usize, RawValue) -> *mut *mut Opaque;
/// `JSC::CachePayload::span`.
type SpanOf = unsafe extern "C" fn(*const usize) -> Span;
/// `JSC::CachePayload::~CachePayload`.
type Clear = unsafe extern "C" fn(*mut usize);
/// `WTF::fastFree`.
type Free = unsafe extern "C" fn(*mut Opaque);

/// A `std::span` of bytes, which goes in two registers.
#[repr(C)]
struct Span {
    first: *const u8,
    count: usize,
}

/// What one VM makes.
#[derive(Default)]
pub(crate) struct CodeCacheState {
    /// Of the script that is evaluated.
    request: Cell<Request>,
    made: RefCell<Vec<ProducedScript>>,
    caches: RefCell<Vec<CachedBytecode>>,
}

#[derive(Default)]
enum Request {
    #[default]
    None,
    Consume(&'static [u8]),
    Produce,
    Generated(GeneratedCode),
}

/// A script whose code is to be given. The engine's own memory of scripts may let go of it, so it
/// is protected.
struct ProducedScript {
    name: CodeCacheKey,
    script: RawScript,
    generated: GeneratedCode,
}

impl EntryPoints {
    pub fn find(version: Version, find: impl Fn(&CStr) -> *mut c_void) -> Option<EntryPoints> {
        if !cfg!(target_arch = "x86_64") {
            return None;
        }
        let found = [
            c"JSScriptCreateFromString",
            c"_ZN3JSC15encodeCodeBlockERNS_2VMERKNS_13SourceCodeKeyEPKNS_17UnlinkedCodeBlockE",
            c"_ZNK3JSC12CachePayload4spanEv",
            c"_ZN3JSC12CachePayloadD1Ev",
            FREE,
        ]
        .map(find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        // SAFETY: the names, mangled ones among them, say the types of the arguments; the release
        // is one whose source says the results.
        unsafe {
            Some(EntryPoints {
                create: std::mem::transmute::<*mut c_void, Create>(found[0]),
                encode: std::mem::transmute::<*mut c_void, Encode>(found[1]),
                span: std::mem::transmute::<*mut c_void, SpanOf>(found[2]),
                clear: std::mem::transmute::<*mut c_void, Clear>(found[3]),
                free: std::mem::transmute::<*mut c_void, Free>(found[4]),
                offsets: bytecode::Offsets::of(version),
            })
        }
    }
}

impl Scope {
    /// Whether code can be kept here.
    pub fn has_code_cache(&self) -> bool {
        engine().code_cache.is_some() && self.shared().fast.is_some()
    }

    /// As [`Scope::evaluate`], from line 1.
    pub fn evaluate_with_code_cache<'s>(
        &'s self,
        source: &str,
        url: &str,
        code: CodeCache,
    ) -> Result<Value<'s>, Exception<'s>> {
        match self.script(source, url) {
            Some(script) => self.run_with_code_cache(script, code),
            None => self.evaluate(source, url, 1),
        }
    }

    /// As [`Scope::evaluate_static`]: the engine reads the text where it is.
    pub fn evaluate_static_with_code_cache<'s>(
        &'s self,
        source: &'static str,
        url: &str,
        code: CodeCache,
    ) -> Result<Value<'s>, Exception<'s>> {
        match self.static_script(source, url) {
            Some(script) => self.run_with_code_cache(script, code),
            None => self.evaluate_static(source, url),
        }
    }

    fn run_with_code_cache(&self, script: RawScript, code: CodeCache) -> Result<Value<'_>, Exception<'_>> {
        let codes = &self.shared().code_cache;
        codes.request.set(match code {
            CodeCache::Consume(bytes) => Request::Consume(bytes),
            CodeCache::Produce(_) => Request::Produce,
        });
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group; `this` may be null: the global object.
            unsafe { (symbols().JSScriptEvaluate)(self.context(), script, ptr::null(), thrown) }
        });
        match (codes.request.take(), code) {
            (Request::Generated(generated), CodeCache::Produce(name)) => {
                // SAFETY: a cell of this VM, which the engine holds as long as the script is known
                // to it. The script is released later: the key of its code refers to it.
                unsafe { (symbols().JSValueProtect)(self.context(), generated.block) };
                codes.made.borrow_mut().push(ProducedScript { name, script, generated });
            }
            // SAFETY: made by `script`, released once; the engine keeps what it needs of it.
            _ => unsafe { (symbols().JSScriptRelease)(script) },
        }
        result.map(|value| self.keep(value))
    }

    /// A script with this text, whose provider asks and tells us. `None`: it has to be evaluated
    /// the usual way.
    fn script(&self, source: &str, url: &str) -> Option<RawScript> {
        let abi = engine().code_cache.filter(|_| self.has_code_cache())?;
        let letters = to_latin1(source).filter(|letters| TEXT_BYTES.contains(&letters.len()))?;
        let (blanks, url) = (JsString::of_source(self, &" ".repeat(letters.len())), JsString::new(self, url));
        let no_text = ptr::null_mut();
        // SAFETY: the texts live through the call; nobody asks for the error.
        let script = unsafe {
            (abi.create)(self.shared().group, url.raw(), 1, blanks.raw(), no_text, ptr::null_mut())
        };
        // SAFETY: a script of as many blanks that nobody else knows.
        self.adopt_script(script, |script| unsafe { source_provider::fill(script, &letters) })
    }

    fn static_script(&self, source: &'static str, url: &str) -> Option<RawScript> {
        let is_fit = self.has_code_cache() && source.is_ascii() && TEXT_BYTES.contains(&source.len());
        let url = is_fit.then(|| JsString::new(self, url))?;
        // SAFETY: the blank is ASCII and lives as long as the program; nobody asks for the error.
        let script = unsafe {
            (symbols().JSScriptCreateReferencingImmortalASCIIText)(
                self.shared().group,
                url.raw(),
                1,
                BLANK.as_ptr(),
                1,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        // SAFETY: a script of the blank that nobody else knows.
        self.adopt_script(script, |script| unsafe {
            source_provider::point(script, BLANK, source.as_bytes())
        })
    }

    fn adopt_script(&self, script: RawScript, adopt: impl FnOnce(RawScript) -> bool) -> Option<RawScript> {
        if script.is_null() || adopt(script) {
            return (!script.is_null()).then_some(script);
        }
        // SAFETY: made by the caller, released once.
        unsafe { (symbols().JSScriptRelease)(script) };
        None
    }

    /// The code of all that was evaluated with [`CodeCache::Produce`], as far as it has run; each is given
    /// once.
    pub fn take_code_caches(&self) -> Vec<(CodeCacheKey, Vec<u8>)> {
        let made = self.shared().code_cache.made.take();
        made.into_iter().filter_map(|made| Some((made.name, self.encode(&made)?))).collect()
    }

    fn encode(&self, ProducedScript { script, generated, .. }: &ProducedScript) -> Option<Vec<u8>> {
        let abi = engine().code_cache?;
        let mut made = ptr::null_mut();
        // SAFETY: under the lock; the cell is protected, and the key's script was not released
        // before, and is released once.
        unsafe {
            (abi.encode)(&raw mut made, self.shared().group, generated.key.as_ptr(), generated.block);
            (symbols().JSValueUnprotect)(self.context(), generated.block);
            (symbols().JSScriptRelease)(*script);
            bytecode::take_bytes(made, &abi)
        }
    }
}

/// The letters of a text that has none above U+00FF.
fn to_latin1(source: &str) -> Option<Vec<u8>> {
    match source.is_ascii() {
        true => Some(source.as_bytes().to_vec()),
        false => source.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect(),
    }
}

impl CodeCacheState {
    /// The code for the script that is evaluated, once.
    fn take_cached_bytecode(&self) -> *mut Opaque {
        match self.request.take() {
            Request::Consume(code) => {
                let caches = CachedBytecode::new(code);
                let raw = caches.raw();
                self.caches.borrow_mut().push(caches);
                raw
            }
            other => {
                self.request.set(other);
                ptr::null_mut()
            }
        }
    }

    fn offer(&self, generated: impl FnOnce() -> Option<GeneratedCode>) {
        if let Request::Produce = self.request.take() {
            self.request.set(generated().map_or(Request::None, Request::Generated));
        }
    }

    /// Before the VM ends: of what was made, nothing was asked for.
    pub fn release_produced(&self) {
        for made in self.made.take() {
            // SAFETY: not released before; its VM is alive.
            unsafe { (symbols().JSScriptRelease)(made.script) };
        }
    }

    /// Gives back what the engine was given.
    ///
    /// # Safety
    /// The VM has ended.
    pub unsafe fn release(&self) {
        let Some(abi) = &engine().code_cache else { return };
        for caches in self.caches.take() {
            // SAFETY: as promised to us.
            unsafe { caches.release(abi) };
        }
    }
}
