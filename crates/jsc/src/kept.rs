//! Code that is kept between starts: bytecode, as the engine itself writes and reads it. In: a
//! script's text, and its code of before or the wish to have it made. Out: the script's value, and
//! bytes for a start to come. In releases whose source was read (those of [`crate::text::fast`]),
//! on x86-64. Absent: where bytes are kept, and whether they are what was written.
//!
//! The engine asks a script's provider for its code before it parses, and offers code that it has
//! made (`SourceProvider::cachedBytecode`, `cacheBytecode`); the providers of its C interface have
//! none and take none. So a script is made of blanks, for it is parsed when it is made; then the
//! text is put in their place, and the table of the provider's functions is replaced by a copy with
//! two of ours (WebKit's `SourceProvider.h`, `JSScriptRef.cpp`, `CodeCache.cpp`,
//! `CachedBytecode.h`, `CachePayload.h`).

mod bytecode;
mod provider;

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_int, c_void};
use std::ops::RangeInclusive;
use std::ptr;

use crate::engine::{Version, engine, symbols};
use crate::exception::Exception;
use crate::module::FREE;
use crate::scope::Scope;
use crate::symbols::{Opaque, RawGroup, RawScript, RawString, RawValue};
use crate::text::Text;
use crate::value::Value;
use bytecode::Lent;
use provider::Offered;

/// What names a script's code: whoever keeps it chooses.
pub type CodeName = [u8; 16];

/// Where a script's code comes from.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    /// What [`Scope::codes`] gave of the same text with the same library. Anything else is
    /// undefined behaviour of the engine's.
    Kept(&'static [u8]),
    /// It is made now, and what has run of it by then is given by [`Scope::codes`].
    Made(CodeName),
}

/// A longer text is parsed, and so is a letter, which may be a string that others have.
const TEXT_BYTES: RangeInclusive<usize> = 2..=32 << 20;

/// What a script is made of whose text stays where it is.
const BLANK: &CStr = c" ";

/// The functions of the engine that its header files do not name.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    create: Create,
    encode: Encode,
    span: SpanOf,
    clear: Clear,
    free: Free,
    places: bytecode::Places,
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
pub(crate) struct Codes {
    /// Of the script that is evaluated.
    wanted: Cell<Wanted>,
    made: RefCell<Vec<Made>>,
    lent: RefCell<Vec<Lent>>,
}

#[derive(Default)]
enum Wanted {
    #[default]
    Nothing,
    Kept(&'static [u8]),
    Made,
    Offered(Offered),
}

/// A script whose code is to be given. The engine's own memory of scripts may let go of it, so it
/// is protected.
struct Made {
    name: CodeName,
    script: RawScript,
    offered: Offered,
}

impl Calls {
    pub fn find(version: Version, find: impl Fn(&CStr) -> *mut c_void) -> Option<Calls> {
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
            Some(Calls {
                create: std::mem::transmute::<*mut c_void, Create>(found[0]),
                encode: std::mem::transmute::<*mut c_void, Encode>(found[1]),
                span: std::mem::transmute::<*mut c_void, SpanOf>(found[2]),
                clear: std::mem::transmute::<*mut c_void, Clear>(found[3]),
                free: std::mem::transmute::<*mut c_void, Free>(found[4]),
                places: bytecode::Places::of(version),
            })
        }
    }
}

impl Scope {
    /// Whether code can be kept here.
    pub fn keeps_code(&self) -> bool {
        engine().kept.is_some() && self.shared().fast.is_some()
    }

    /// As [`Scope::evaluate`], from line 1.
    pub fn evaluate_kept<'s>(
        &'s self,
        source: &str,
        url: &str,
        code: Code,
    ) -> Result<Value<'s>, Exception<'s>> {
        match self.script(source, url) {
            Some(script) => self.run_kept(script, code),
            None => self.evaluate(source, url, 1),
        }
    }

    /// As [`Scope::evaluate_static`]: the engine reads the text where it is.
    pub fn evaluate_static_kept<'s>(
        &'s self,
        source: &'static str,
        url: &str,
        code: Code,
    ) -> Result<Value<'s>, Exception<'s>> {
        match self.static_script(source, url) {
            Some(script) => self.run_kept(script, code),
            None => self.evaluate_static(source, url),
        }
    }

    fn run_kept(&self, script: RawScript, code: Code) -> Result<Value<'_>, Exception<'_>> {
        let codes = &self.shared().codes;
        codes.wanted.set(match code {
            Code::Kept(bytes) => Wanted::Kept(bytes),
            Code::Made(_) => Wanted::Made,
        });
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group; `this` may be null: the global object.
            unsafe { (symbols().JSScriptEvaluate)(self.context(), script, ptr::null(), thrown) }
        });
        match (codes.wanted.take(), code) {
            (Wanted::Offered(offered), Code::Made(name)) => {
                // SAFETY: a cell of this VM, which the engine holds as long as the script is known
                // to it. The script is released later: the key of its code refers to it.
                unsafe { (symbols().JSValueProtect)(self.context(), offered.block) };
                codes.made.borrow_mut().push(Made { name, script, offered });
            }
            // SAFETY: made by `script`, released once; the engine keeps what it needs of it.
            _ => unsafe { (symbols().JSScriptRelease)(script) },
        }
        result.map(|value| self.keep(value))
    }

    /// A script with this text, whose provider asks and tells us. `None`: it has to be evaluated
    /// the usual way.
    fn script(&self, source: &str, url: &str) -> Option<RawScript> {
        let calls = engine().kept.filter(|_| self.keeps_code())?;
        let letters = narrow(source).filter(|letters| TEXT_BYTES.contains(&letters.len()))?;
        let (blanks, url) = (Text::of_source(self, &" ".repeat(letters.len())), Text::new(self, url));
        let no_text = ptr::null_mut();
        // SAFETY: the texts live through the call; nobody asks for the error.
        let script = unsafe {
            (calls.create)(self.shared().group, url.raw(), 1, blanks.raw(), no_text, ptr::null_mut())
        };
        // SAFETY: a script of as many blanks that nobody else knows.
        self.adopted(script, |script| unsafe { provider::fill(script, &letters) })
    }

    fn static_script(&self, source: &'static str, url: &str) -> Option<RawScript> {
        let is_fit = self.keeps_code() && source.is_ascii() && TEXT_BYTES.contains(&source.len());
        let url = is_fit.then(|| Text::new(self, url))?;
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
        self.adopted(script, |script| unsafe { provider::point(script, BLANK, source.as_bytes()) })
    }

    fn adopted(&self, script: RawScript, adopt: impl FnOnce(RawScript) -> bool) -> Option<RawScript> {
        if script.is_null() || adopt(script) {
            return (!script.is_null()).then_some(script);
        }
        // SAFETY: made by the caller, released once.
        unsafe { (symbols().JSScriptRelease)(script) };
        None
    }

    /// The code of all that was evaluated with [`Code::Made`], as far as it has run; each is given
    /// once.
    pub fn codes(&self) -> Vec<(CodeName, Vec<u8>)> {
        let made = self.shared().codes.made.take();
        made.into_iter().filter_map(|made| Some((made.name, self.encode(&made)?))).collect()
    }

    fn encode(&self, Made { script, offered, .. }: &Made) -> Option<Vec<u8>> {
        let calls = engine().kept?;
        let mut made = ptr::null_mut();
        // SAFETY: under the lock; the cell is protected, and the key's script was not released
        // before, and is released once.
        unsafe {
            (calls.encode)(&raw mut made, self.shared().group, offered.key.as_ptr(), offered.block);
            (symbols().JSValueUnprotect)(self.context(), offered.block);
            (symbols().JSScriptRelease)(*script);
            bytecode::take(made, &calls)
        }
    }
}

/// The letters of a text that has none above U+00FF.
fn narrow(source: &str) -> Option<Vec<u8>> {
    match source.is_ascii() {
        true => Some(source.as_bytes().to_vec()),
        false => source.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect(),
    }
}

impl Codes {
    /// The code for the script that is evaluated, once.
    fn take_kept(&self) -> *mut Opaque {
        match self.wanted.take() {
            Wanted::Kept(code) => {
                let lent = Lent::over(code);
                let raw = lent.raw();
                self.lent.borrow_mut().push(lent);
                raw
            }
            other => {
                self.wanted.set(other);
                ptr::null_mut()
            }
        }
    }

    fn offer(&self, offered: impl FnOnce() -> Option<Offered>) {
        if let Wanted::Made = self.wanted.take() {
            self.wanted.set(offered().map_or(Wanted::Nothing, Wanted::Offered));
        }
    }

    /// Before the VM ends: of what was made, nothing was asked for.
    pub fn forget_made(&self) {
        for made in self.made.take() {
            // SAFETY: not released before; its VM is alive.
            unsafe { (symbols().JSScriptRelease)(made.script) };
        }
    }

    /// Gives back what the engine was given.
    ///
    /// # Safety
    /// The VM has ended.
    pub unsafe fn give_back(&self) {
        let Some(calls) = &engine().kept else { return };
        for lent in self.lent.take() {
            // SAFETY: as promised to us.
            unsafe { lent.give_back(calls) };
        }
    }
}
