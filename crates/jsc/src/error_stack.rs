//! `stack` of the errors that the engine throws. It writes one down in its own form when somebody first asks for it, and has no hook there. In: a function that gives an error a stack of
//! another form. Out: the same, called before anybody has the engine's text. Past the public functions; only in releases whose source was read, and where the class of errors is laid out as
//! expected. Elsewhere the text stays the engine's. Absent: what a stack says.
//!
//! A class of the engine's has a table of functions (WebKit's `ClassInfo.h`); errors have a function of their own that looks for a property, between two that all objects share. Those have
//! names, so it is the one between them. Ours takes its place for the whole process, asks it, and calls into JavaScript as the handler of a `Proxy` is called from the same place.

use std::cell::{Cell, OnceCell};
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::engine;
use crate::object::Function;
use crate::root::Root;
use crate::scope::Scope;
use crate::structures::words;
use crate::symbols::{Opaque, RawContext, RawObject, RawValue};
use crate::text::Letters;
use crate::text::fast::{letters_of_impl, peek};
use crate::value::Value;
use crate::vm::Shared;

/// `JSC::ErrorInstance::s_info`.
const CLASS: &CStr = c"_ZN3JSC13ErrorInstance6s_infoE";
/// `JSC::JSObject::deletePropertyByIndex(JSC::JSCell*, JSC::JSGlobalObject*, unsigned int)`.
const BEFORE: &CStr = c"_ZN3JSC8JSObject21deletePropertyByIndexEPNS_6JSCellEPNS_14JSGlobalObjectEj";
/// `JSC::JSObject::getOwnPropertySlotByIndex(JSC::JSObject*, JSC::JSGlobalObject*, unsigned int, JSC::PropertySlot&)`.
const BEHIND: &CStr =
    c"_ZN3JSC8JSObject25getOwnPropertySlotByIndexEPS0_PNS_14JSGlobalObjectEjRNS_12PropertySlotE";

/// `sizeof(ClassInfo)` is more.
const WORDS: usize = 24;
const WORD_BYTES: usize = size_of::<u64>();
const NAME: &[u8] = b"stack";

/// `bool getOwnPropertySlot(JSObject*, JSGlobalObject*, PropertyName, PropertySlot&)`: a name is the address of its `StringImpl`, and a slot begins with what was found.
type Find = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut Opaque) -> bool;

/// The engine's own function, once ours stands in its place.
static ENGINES: AtomicUsize = AtomicUsize::new(0);

/// What a VM does with stacks.
pub(crate) struct ErrorStacks {
    translate: OnceCell<Root>,
    /// Whether it is on its way, or the engine's text is wanted.
    is_plain: Cell<bool>,
    /// Where our function was asked for a stack last, what the engine had found.
    found: Cell<RawValue>,
}

impl ErrorStacks {
    pub fn new() -> ErrorStacks {
        ErrorStacks { translate: OnceCell::new(), is_plain: Cell::new(false), found: Cell::new(ptr::null()) }
    }

    /// Gives errors the engine's own text while `body` runs.
    pub fn plain<R>(&self, body: impl FnOnce() -> R) -> R {
        struct Before<'a>(&'a Cell<bool>, bool);
        impl Drop for Before<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        let _before = Before(&self.is_plain, self.is_plain.replace(true));
        body()
    }
}

impl Scope {
    /// From now on an error whose `stack` is a text is given to `translate` before anybody reads it: each time, until it is something else than a text. What is thrown there counts as nothing. The
    /// first one stays. False: this engine's stacks stay as they are.
    pub fn translate_stacks(&self, translate: Function<'_>) -> bool {
        let shared = self.shared();
        let is_asked = || {
            // Thrown by a script: what nobody called has no stack.
            let probe = self
                .evaluate_static("try { null.x } catch (error) { error }", "error_stack.js")
                .ok()?
                .as_object(self)?;
            let stack = shared.stacks.plain(|| probe.property(self, "stack")).ok()?;
            Some(shared.stacks.found.get() == stack.raw() && shared.layout()?.whole_string(stack).is_some())
        };
        let is_possible = engine().uses_private_paths() && shared.layout().is_some() && stand_in();
        is_possible
            && is_asked() == Some(true)
            && shared.stacks.translate.set(Root::new(self, translate.value())).is_ok()
    }
}

/// Whether ours stands in the place of the engine's function.
fn stand_in() -> bool {
    static STANDS: OnceLock<bool> = OnceLock::new();
    *STANDS.get_or_init(|| place().is_some_and(replace))
}

/// Where the engine's function stands.
fn place() -> Option<*mut usize> {
    let [class, before, behind] = [CLASS, BEFORE, BEHIND].map(|name| engine().find(name));
    if [class, before, behind].iter().any(|address| address.is_null()) {
        return None;
    }
    let table: [u8; WORDS * WORD_BYTES] = peek(class.cast_const().cast())?;
    let words: Vec<u64> = words(&table).collect();
    let [before, behind] = [before, behind].map(|address| address.addr() as u64);
    let at = words.windows(3).position(|three| three[0] == before && three[2] == behind)?;
    Some(class.cast::<usize>().wrapping_add(at + 1))
}

/// The table is written by the dynamic linker and read-only since.
fn replace(place: *mut usize) -> bool {
    // SAFETY: no memory but the result.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let page = place.cast::<c_void>().wrapping_byte_sub(place.addr() % page_bytes);
    // SAFETY: a page of the engine's data; other threads only read it, also while it may be written.
    let protect = |flags: c_int| unsafe { libc::mprotect(page, page_bytes, flags) } == 0;
    if !protect(libc::PROT_READ | libc::PROT_WRITE) {
        return false;
    }
    // SAFETY: a word of that page, which holds the address of a function; threads that call it meanwhile get either.
    let word = unsafe { AtomicUsize::from_ptr(place) };
    ENGINES.store(word.load(Ordering::Relaxed), Ordering::Release);
    word.store(find as Find as usize, Ordering::Release);
    protect(libc::PROT_READ);
    true
}

/// The engine looks for a property of an error's own.
unsafe extern "C" fn find(error: RawObject, context: RawContext, name: *const u8, slot: *mut Opaque) -> bool {
    // SAFETY: stored before this function was there to be called, and of that type: it stood in the same place.
    let engines = unsafe { std::mem::transmute::<usize, Find>(ENGINES.load(Ordering::Acquire)) };
    // SAFETY: as the engine called it.
    let is_found = unsafe { engines(error, context, name, slot) };
    // SAFETY: the engine's name, alive through the call; it is laid out as texts are, or none of this was put in place.
    let is_stack = || unsafe { letters_of_impl(name) } == Letters::Narrow(NAME);
    if !is_found || !is_stack() {
        return is_found;
    }
    // SAFETY: a slot begins with what was found: a value, or where its accessors are.
    let found = unsafe { *slot.cast::<RawValue>() };
    // SAFETY: the engine looks within a turn.
    match unsafe { Shared::current() } {
        // SAFETY: as above. What was a text may be something else now.
        Some(shared) if translate(shared, error, found) => unsafe { engines(error, context, name, slot) },
        _ => is_found,
    }
}

/// Whether the error was given to whoever translates, and may be another one now.
fn translate(shared: &Shared, error: RawObject, found: RawValue) -> bool {
    let stacks = &shared.stacks;
    stacks.found.set(found);
    let Some(translate) = stacks.translate.get().filter(|_| !stacks.is_plain.get()) else { return false };
    // An empty one is that of an error whose stack nobody wanted.
    let is_text = shared.layout().and_then(|layout| layout.whole_string(Value::from_raw(found)));
    // SAFETY: the text of a string that the error holds.
    if is_text.is_none_or(|text| unsafe { letters_of_impl(text) } == Letters::Narrow(&[])) {
        return false;
    }
    stacks.plain(|| {
        shared.enter_held(shared.global, |scope| {
            let translate = translate.value(scope).as_function(scope);
            let error = scope.keep(error.cast_const());
            translate.is_some_and(|translate| {
                // What is thrown there is not what was asked for; but if it was the end of all scripts, it has ended this one alone.
                if let (Err(_), Some(halt)) = (translate.call(scope, &[error]), shared.halt.get()) {
                    halt.remind();
                }
                true
            })
        })
    })
}
