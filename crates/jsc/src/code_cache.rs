//! Code cache: bytecode that is stored between starts, written and read by the engine itself. In:
//! the source of a script, and its cached bytecode or the request to produce it. Out: the value of
//! the script, and bytes for a later start. Used in releases whose source was reviewed (those of
//! [`crate::string::fast`]), on x86-64. Absent: storage, and the check that the bytes are
//! unchanged.
//!
//! The engine queries the source provider of a script for bytecode before it parses, and offers the
//! bytecode that it generated (`SourceProvider::cachedBytecode`, `cacheBytecode`). The providers of
//! its C API implement neither. So we create a script of blanks, because a script is parsed when it
//! is created. Then we replace its source, and its vtable by a copy in which two functions are ours
//! (WebKit's `SourceProvider.h`, `JSScriptRef.cpp`, `CodeCache.cpp`, `CachedBytecode.h`,
//! `CachePayload.h`).

mod bytecode;
mod source_provider;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
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

/// Key of a script's bytecode, chosen by the caller.
pub type CodeCacheKey = [u8; 16];

/// Whether the code cache is read or written for a script.
#[derive(Clone, Copy, Debug)]
pub enum CodeCache {
    /// Use bytecode that [`Scope::take_code_caches`] returned for the same source with the same
    /// library. Anything else is undefined behaviour in the engine.
    Consume(&'static [u8]),
    /// Generate bytecode. [`Scope::take_code_caches`] returns that of all functions that have run
    /// by then.
    Produce(CodeCacheKey),
}

/// A longer source is parsed normally, and so is one of a single character, whose string may be
/// shared.
const SOURCE_BYTES: RangeInclusive<usize> = 2..=32 << 20;

/// The placeholder source of a script that refers to static source text.
const BLANK: &CStr = c" ";

/// Engine functions that no public header declares.
#[derive(Clone, Copy)]
pub(crate) struct CodeCacheAbi {
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
/// `JSC::encodeCodeBlock`; a `RefPtr` is returned through memory of the caller.
type Encode = unsafe extern "C" fn(*mut *mut Opaque, RawGroup, *const usize, RawValue) -> *mut *mut Opaque;
/// `JSC::CachePayload::span`.
type SpanOf = unsafe extern "C" fn(*const usize) -> Span;
/// `JSC::CachePayload::~CachePayload`.
type Clear = unsafe extern "C" fn(*mut usize);
/// `WTF::fastFree`.
type Free = unsafe extern "C" fn(*mut Opaque);

/// A `std::span` of bytes, passed in two registers.
#[repr(C)]
struct Span {
    first: *const u8,
    count: usize,
}

/// Code cache state of one VM.
#[derive(Default)]
pub(crate) struct CodeCacheState {
    /// CacheRequest of the script that is being evaluated.
    request: Cell<CacheRequest>,
    produced: RefCell<Vec<ProducedScript>>,
    caches: RefCell<Vec<CachedBytecode>>,
    /// Static scripts that were evaluated, by the address of their source; `None`: none is kept.
    kept: RefCell<Option<HashMap<usize, RawScript>>>,
}

#[derive(Default)]
enum CacheRequest {
    #[default]
    None,
    Consume(&'static [u8]),
    Produce,
    Generated(GeneratedCode),
}

/// A script whose bytecode is to be produced. The engine's own cache may drop the code block, so it
/// is protected.
struct ProducedScript {
    name: CodeCacheKey,
    script: RawScript,
    generated: GeneratedCode,
}

impl CodeCacheAbi {
    pub fn find(version: Version, find: impl Fn(&CStr) -> *mut c_void) -> Option<CodeCacheAbi> {
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
        // SAFETY: the names, mangled ones among them, determine the argument types; the results
        // were read in the source of these releases.
        unsafe {
            Some(CodeCacheAbi {
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
    /// Whether this engine supports the code cache.
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
            Some(script) => {
                let result = self.run_with_code_cache(script, code);
                // SAFETY: made by `script`, released once; the engine retains what it needs.
                unsafe { (symbols().JSScriptRelease)(script) }
                result
            }
            None => self.evaluate(source, url, 1),
        }
    }

    /// From now on static scripts are kept: evaluated again, in another context of this VM, they
    /// need neither a code cache nor a hash of their source.
    pub fn keep_static_scripts(&self) {
        self.shared().code_cache.kept.borrow_mut().get_or_insert_default();
    }

    /// Evaluates a static script that was kept; `None`: it was not.
    pub fn evaluate_kept(&self, source: &'static str) -> Option<Result<Value<'_>, Exception<'_>>> {
        let script = *self.shared().code_cache.kept.borrow().as_ref()?.get(&source.as_ptr().addr())?;
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group, and kept; a null `this` is the global
            // object.
            unsafe { (symbols().JSScriptEvaluate)(self.context(), script, ptr::null(), thrown) }
        });
        Some(result.map(|value| self.retain(value)))
    }

    /// As [`Scope::evaluate_static`]: the engine reads the source in place.
    pub fn evaluate_static_with_code_cache<'s>(
        &'s self,
        source: &'static str,
        url: &str,
        code: CodeCache,
    ) -> Result<Value<'s>, Exception<'s>> {
        match self.static_script(source, url) {
            Some(script) => {
                let result = self.run_with_code_cache(script, code);
                let mut kept = self.shared().code_cache.kept.borrow_mut();
                let before = match kept.as_mut() {
                    Some(kept) => kept.insert(source.as_ptr().addr(), script),
                    None => Some(script),
                };
                if let Some(script) = before {
                    // SAFETY: made by `static_script`, released once; the engine retains what it
                    // needs.
                    unsafe { (symbols().JSScriptRelease)(script) }
                }
                result
            }
            None => self.evaluate_static(source, url),
        }
    }

    /// Evaluates a script of ours, which the caller releases.
    pub(crate) fn run_with_code_cache(
        &self,
        script: RawScript,
        code: CodeCache,
    ) -> Result<Value<'_>, Exception<'_>> {
        let codes = &self.shared().code_cache;
        codes.request.set(match code {
            CodeCache::Consume(bytes) => CacheRequest::Consume(bytes),
            CodeCache::Produce(_) => CacheRequest::Produce,
        });
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group; a null `this` is the global object.
            unsafe { (symbols().JSScriptEvaluate)(self.context(), script, ptr::null(), thrown) }
        });
        if let (CacheRequest::Generated(generated), CodeCache::Produce(name)) = (codes.request.take(), code) {
            // SAFETY: a cell of this VM, which the engine keeps alive as long as it knows the
            // script. The key of its code refers to the script, so this is released with it.
            unsafe {
                (symbols().JSValueProtect)(self.context(), generated.block);
                (symbols().JSScriptRetain)(script);
            }
            codes.produced.borrow_mut().push(ProducedScript { name, script, generated });
        }
        result.map(|value| self.retain(value))
    }

    /// Makes a script with this source and with our provider functions. `None`: it has to be
    /// evaluated the usual way.
    pub(crate) fn script(&self, source: &str, url: &str) -> Option<RawScript> {
        let abi = engine().code_cache.filter(|_| self.has_code_cache())?;
        let units = to_latin1(source).filter(|units| SOURCE_BYTES.contains(&units.len()))?;
        let (blanks, url) = (JsString::of_source(self, &" ".repeat(units.len())), JsString::new(self, url));
        let no_error = ptr::null_mut();
        // SAFETY: the strings are alive during the call; no error is requested.
        let script = unsafe {
            (abi.create)(self.shared().group, url.raw(), 1, blanks.raw(), no_error, ptr::null_mut())
        };
        // SAFETY: a script of as many blanks to which nothing else refers.
        self.adopt_script(script, |script| unsafe { source_provider::fill(script, &units) })
    }

    fn static_script(&self, source: &'static str, url: &str) -> Option<RawScript> {
        let is_fit = self.has_code_cache() && source.is_ascii() && SOURCE_BYTES.contains(&source.len());
        let url = is_fit.then(|| JsString::new(self, url))?;
        // SAFETY: the blank is ASCII and static; no error is requested.
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
        // SAFETY: a script of the blank to which nothing else refers.
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

    /// Returns the bytecode of scripts that were evaluated with [`CodeCache::Produce`], as far as
    /// they have run; each is returned once. Keys that are not wanted stay for a later call.
    pub fn take_code_caches(
        &self,
        is_wanted: impl Fn(&CodeCacheKey) -> bool,
    ) -> Vec<(CodeCacheKey, Vec<u8>)> {
        let all = self.shared().code_cache.produced.take();
        let (wanted, others) = all.into_iter().partition(|produced| is_wanted(&produced.name));
        self.shared().code_cache.produced.replace(others);
        let wanted: Vec<ProducedScript> = wanted;
        wanted.into_iter().filter_map(|produced| Some((produced.name, self.encode(&produced)?))).collect()
    }

    fn encode(&self, ProducedScript { script, generated, .. }: &ProducedScript) -> Option<Vec<u8>> {
        let abi = engine().code_cache?;
        let mut produced = ptr::null_mut();
        // SAFETY: under the lock. The cell is protected; the key's script was not released before
        // and is released once.
        unsafe {
            (abi.encode)(&raw mut produced, self.shared().group, generated.key.as_ptr(), generated.block);
            (symbols().JSValueUnprotect)(self.context(), generated.block);
            (symbols().JSScriptRelease)(*script);
            bytecode::take_bytes(produced, &abi)
        }
    }
}

/// The source as Latin-1, if no character is above U+00FF.
fn to_latin1(source: &str) -> Option<Vec<u8>> {
    match source.is_ascii() {
        true => Some(source.as_bytes().to_vec()),
        false => source.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect(),
    }
}

impl CodeCacheState {
    /// The bytecode for the script that is being evaluated; returned once.
    fn take_cached_bytecode(&self) -> *mut Opaque {
        match self.request.take() {
            CacheRequest::Consume(code) => {
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
        if let CacheRequest::Produce = self.request.take() {
            self.request.set(generated().map_or(CacheRequest::None, CacheRequest::Generated));
        }
    }

    /// Releases scripts whose bytecode was never taken, and those that were kept. Call it before
    /// the VM ends.
    pub fn release_scripts(&self) {
        let produced = self.produced.take().into_iter().map(|produced| produced.script);
        for script in produced.chain(self.kept.take().unwrap_or_default().into_values()) {
            // SAFETY: not released before; its VM is alive.
            unsafe { (symbols().JSScriptRelease)(script) };
        }
    }

    /// Frees the bytecode objects that the engine used.
    ///
    /// # Safety
    /// The VM has ended.
    pub unsafe fn release(&self) {
        let Some(abi) = &engine().code_cache else { return };
        for caches in self.caches.take() {
            // SAFETY: guaranteed by the caller.
            unsafe { caches.release(abi) };
        }
    }
}
