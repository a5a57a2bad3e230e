//! `stack` and `message` of the errors that the engine throws. It writes a stack down in its own
//! form when somebody first asks for it, and has no hook there. In: a function that gives an error
//! a stack of another form, and one that has other words for messages. Out: the same, called before
//! anybody has the engine's text. Past the public functions; only in releases whose source was
//! read, and where the class of errors is laid out as expected. Elsewhere the texts stay the
//! engine's. Absent: what they say.
//!
//! A class of the engine's has a table of functions (WebKit's `ClassInfo.h`); errors have a
//! function of their own that looks for a property, between two that all objects share. Those have
//! names, so it is the one between them. Ours takes its place for the whole process, asks it, and
//! abi into JavaScript as the handler of a `Proxy` is called from the same place.

use std::cell::{Cell, OnceCell};
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::engine;
use crate::object::Function;
use crate::root::Root;
use crate::scope::Scope;
use crate::string::CodeUnits;
use crate::string::fast::{code_units_of_impl, peek};
use crate::structures::words;
use crate::symbols::{Opaque, RawContext, RawObject, RawValue};
use crate::value::Value;
use crate::vm::Shared;

/// `JSC::ErrorInstance::s_info`.
const CLASS: &CStr = c"_ZN3JSC13ErrorInstance6s_infoE";
/// `JSC::JSObject::deletePropertyByIndex(JSC::JSCell*, JSC::JSGlobalObject*, unsigned int)`.
const BEFORE: &CStr = c"_ZN3JSC8JSObject21deletePropertyByIndexEPNS_6JSCellEPNS_14JSGlobalObjectEj";
/// `JSC::JSObject::getOwnPropertySlotByIndex(JSC::JSObject*, JSC::JSGlobalObject*, unsigned int,
/// JSC::PropertySlot&)`.
const BEHIND: &CStr =
    c"_ZN3JSC8JSObject25getOwnPropertySlotByIndexEPS0_PNS_14JSGlobalObjectEjRNS_12PropertySlotE";

/// `sizeof(ClassInfo)` is more.
const WORDS: usize = 24;
const WORD_BYTES: usize = size_of::<u64>();
const STACK: &[u8] = b"stack";
const MESSAGE: &[u8] = b"message";
/// Longer messages are programs' own.
const MESSAGE_UNITS_MAX: usize = 2048;

/// `bool getOwnPropertySlot(JSObject*, JSGlobalObject*, PropertyName, PropertySlot&)`: a name is
/// the address of its `StringImpl`, and a slot begins with what was found.
type Find = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut Opaque) -> bool;

/// Of a `PropertySlot`: whose property was found, whether its place may be remembered, and
/// `InternalMethodType`.
const BASE_OFFSET: usize = 32;
const CACHEABLE_OFFSET: usize = 48;
const METHOD_OFFSET: usize = 50;
/// `InternalMethodType::VMInquiry`: the engine looks for itself, where no script may run.
const INQUIRY: u8 = 3;

/// Other words for a message, if there are.
pub type Reword = fn(&str) -> Option<String>;

/// The engine's own function, once ours stands in its place.
static ENGINES: AtomicUsize = AtomicUsize::new(0);

/// What a VM does with stacks.
pub(crate) struct ErrorStacks {
    translate: OnceCell<(Root, Reword)>,
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
    /// From now on an error whose `stack` is a text is given to `translate` before anybody reads
    /// it: each time, until it is something else than a text. It is told the other words that
    /// `reword` has for its message, if any; if there are some, also before the message is read,
    /// with `true` behind them. What is thrown there counts as nothing. The first one stays. False:
    /// this engine's stacks stay as they are.
    pub fn set_stack_translator(&self, translate: Function<'_>, reword: Reword) -> bool {
        let shared = self.shared();
        let is_asked = || {
            // Thrown by a script: what nobody called has no stack.
            let probe = self
                .evaluate_static("try { null.x } catch (error) { error }", "error_stack.js")
                .ok()?
                .as_object(self)?;
            let stack = shared.stacks.plain(|| probe.property(self, "stack")).ok()?;
            Some(shared.stacks.found.get() == stack.raw() && shared.layout()?.flat_string(stack).is_some())
        };
        let is_possible = engine().uses_unstable_abi() && shared.layout().is_some() && stand_in();
        is_possible
            && is_asked() == Some(true)
            && shared.stacks.translate.set((Root::new(self, translate.value()), reword)).is_ok()
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
    // SAFETY: a page of the engine's data; other threads only read it, also while it may be
    // written.
    let protect = |flags: c_int| unsafe { libc::mprotect(page, page_bytes, flags) } == 0;
    if !protect(libc::PROT_READ | libc::PROT_WRITE) {
        return false;
    }
    // SAFETY: a word of that page, which holds the address of a function; threads that call it
    // meanwhile get either.
    let word = unsafe { AtomicUsize::from_ptr(place) };
    ENGINES.store(word.load(Ordering::Relaxed), Ordering::Release);
    word.store(find as Find as usize, Ordering::Release);
    protect(libc::PROT_READ);
    true
}

/// The engine looks for a property of an error's own.
unsafe extern "C" fn find(
    error: RawObject,
    context: RawContext,
    name_of: *const u8,
    slot: *mut Opaque,
) -> bool {
    // SAFETY: stored before this function was there to be called, and of that type: it stood in the
    // same place.
    let engines = unsafe { std::mem::transmute::<usize, Find>(ENGINES.load(Ordering::Acquire)) };
    // SAFETY: as the engine called it.
    let is_found = unsafe { engines(error, context, name_of, slot) };
    // SAFETY: the engine's name, alive through the call; it is laid out as texts are, or none of
    // this was put in place.
    let name = if is_found { unsafe { code_units_of_impl(name_of) } } else { CodeUnits::Latin1(&[]) };
    // SAFETY: a slot begins with what was found: a value, or where its accessors are.
    let found = unsafe { *slot.cast::<RawValue>() };
    let is_translated = match name {
        // SAFETY: the engine looks within a turn.
        CodeUnits::Latin1(STACK) => {
            unsafe { Shared::current() }.is_some_and(|shared| translate_stack(shared, error, found))
        }
        // SAFETY: the engine's slot, of an error's own property.
        CodeUnits::Latin1(MESSAGE) if unsafe { may_run(slot, error) } => {
            // SAFETY: as above.
            unsafe { Shared::current() }.is_some_and(|shared| translate_message(shared, error, found))
        }
        _ => false,
    };
    if !is_translated {
        return is_found;
    }
    // SAFETY: as above. What was a text may be something else now.
    let is_found = unsafe { engines(error, context, name_of, slot) };
    if name == CodeUnits::Latin1(MESSAGE) {
        // SAFETY: as above.
        unsafe { may_run(slot, error) };
    }
    is_found
}

/// Whether scripts may run while this message is looked for. Its place is not remembered: the next
/// error of that shape may have the engine's words.
///
/// # Safety
/// A slot in which the engine has found a property.
unsafe fn may_run(slot: *mut Opaque, error: RawObject) -> bool {
    let slot = slot.cast::<u8>();
    // SAFETY: bytes of a slot, which is longer.
    unsafe {
        if *slot.add(BASE_OFFSET).cast::<RawObject>() != error {
            return false;
        }
        *slot.add(CACHEABLE_OFFSET) = 0;
        *slot.add(METHOD_OFFSET) != INQUIRY
    }
}

/// Whether the error was given to whoever translates, and may be another one now.
fn translate_stack(shared: &Shared, error: RawObject, found: RawValue) -> bool {
    let stacks = &shared.stacks;
    stacks.found.set(found);
    // An empty one is that of an error whose stack nobody wanted.
    if text_of(shared, found).is_none_or(|text| text == CodeUnits::Latin1(&[])) {
        return false;
    }
    translate(shared, |scope, reword| {
        let error = scope.keep(error.cast_const());
        let message = error.as_object(scope).and_then(|error| error.property(scope, "message").ok());
        let words = message.and_then(|message| other_words(text_of(shared, message.raw())?, reword));
        vec![error, words.map_or(scope.undefined(), |words| scope.string(&words))]
    })
}

/// The same, if there are other words for what it says.
fn translate_message(shared: &Shared, error: RawObject, found: RawValue) -> bool {
    let Some((_, reword)) = shared.stacks.translate.get().filter(|_| !shared.stacks.is_plain.get()) else {
        return false;
    };
    let words = text_of(shared, found).and_then(|text| other_words(text, *reword));
    words.is_some_and(|words| {
        translate(shared, |scope, _| {
            vec![scope.keep(error.cast_const()), scope.string(&words), scope.boolean(true)]
        })
    })
}

/// The text of a string that somebody holds.
fn text_of(shared: &Shared, value: RawValue) -> Option<CodeUnits<'_>> {
    let text = shared.layout()?.flat_string(Value::from_raw(value))?;
    // SAFETY: a text that the engine holds.
    Some(unsafe { code_units_of_impl(text) })
}

/// What the engine says is short, and its text is read whenever a program asks for it.
fn other_words(message: CodeUnits<'_>, reword: Reword) -> Option<String> {
    match message {
        CodeUnits::Latin1(letters) if letters.len() > MESSAGE_UNITS_MAX => None,
        CodeUnits::Utf16(units) if units.len() > MESSAGE_UNITS_MAX => None,
        CodeUnits::Latin1(letters) => match std::str::from_utf8(letters) {
            Ok(text) if letters.is_ascii() => reword(text),
            _ => reword(&letters.iter().map(|letter| char::from(*letter)).collect::<String>()),
        },
        CodeUnits::Utf16(units) => reword(&String::from_utf16_lossy(units)),
    }
}

fn translate(shared: &Shared, arguments: impl FnOnce(&Scope, Reword) -> Vec<Value<'_>>) -> bool {
    let stacks = &shared.stacks;
    let Some((translate, reword)) = stacks.translate.get().filter(|_| !stacks.is_plain.get()) else {
        return false;
    };
    stacks.plain(|| {
        shared.enter_held(shared.global, |scope| {
            let translate = translate.value(scope).as_function(scope);
            translate.is_some_and(|translate| {
                // What is thrown there is not what was asked for; but if it was the end of all
                // scripts, it has ended this one alone.
                if let (Err(_), Some(termination)) =
                    (translate.call(scope, &arguments(scope, *reword)), shared.termination.get())
                {
                    termination.reassert();
                }
                true
            })
        })
    })
}
