//! Hook for `stack` and `message` of the engine's errors. The engine formats a stack when the
//! property is first read, and has no public hook for it. In: a function that rewrites the stack of
//! an error (as V8's `prepareStackTrace` callback), and one that rewrites messages. Out: both are
//! called before a program sees the engine's string.
//!
//! Uses the unstable ABI, in releases whose source was reviewed and where the class of errors has
//! the expected layout; otherwise strings stay as the engine made them. Absent: the format of
//! stacks and messages.
//!
//! Classes have a method table (WebKit's `ClassInfo.h`). Errors override `getOwnPropertySlot`,
//! which has no exported name but is between two methods that all objects share. Ours replaces it
//! for the whole process, calls it, and then calls JavaScript as the handler of a `Proxy` would be
//! called at that point.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::rc::Rc;
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
const AFTER: &CStr =
    c"_ZN3JSC8JSObject25getOwnPropertySlotByIndexEPS0_PNS_14JSGlobalObjectEjRNS_12PropertySlotE";

/// `sizeof(ClassInfo)` is more.
const WORDS: usize = 24;
const WORD_BYTES: usize = size_of::<u64>();
const STACK: &[u8] = b"stack";
const MESSAGE: &[u8] = b"message";
/// The engine's messages are shorter; a longer one was made by a program.
const MESSAGE_UNITS_MAX: usize = 2048;

/// `bool getOwnPropertySlot(JSObject*, JSGlobalObject*, PropertyName, PropertySlot&)`: a name is
/// the address of its `StringImpl`, and a slot begins with the value.
type GetOwnPropertySlot = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut Opaque) -> bool;

/// Offsets in a `PropertySlot`: base object, whether inline caches may use it, and
/// `InternalMethodType`.
const BASE_OFFSET: usize = 32;
const CACHEABLE_OFFSET: usize = 48;
const METHOD_OFFSET: usize = 50;
/// `InternalMethodType::VMInquiry`: a lookup by the engine during which no script may run.
const INQUIRY: u8 = 3;

/// Returns another text for a message of the engine, if there is one.
pub type MessageRewriter = fn(&str) -> Option<String>;

/// The engine's own method, once ours is installed.
static ORIGINAL: AtomicUsize = AtomicUsize::new(0);

/// Per-VM state of the hook.
pub(crate) struct ErrorStacks {
    translate: RefCell<Option<(Rc<Root>, MessageRewriter)>>,
    /// Whether the hook is disabled: it is running, or the engine's string is wanted.
    is_disabled: Cell<bool>,
    /// The value that the engine found at the last lookup of a stack.
    found: Cell<RawValue>,
}

impl ErrorStacks {
    pub fn new() -> ErrorStacks {
        ErrorStacks {
            translate: RefCell::default(),
            is_disabled: Cell::new(false),
            found: Cell::new(ptr::null()),
        }
    }

    /// Removes the functions of [`Scope::set_stack_translator`]: their context is gone.
    pub fn clear(&self) {
        drop(self.translate.take());
    }

    fn translator(&self) -> Option<(Rc<Root>, MessageRewriter)> {
        self.translate.borrow().clone().filter(|_| !self.is_disabled.get())
    }

    /// Disables the hook while `body` runs.
    pub fn without_hook<R>(&self, body: impl FnOnce() -> R) -> R {
        struct Before<'a>(&'a Cell<bool>, bool);
        impl Drop for Before<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        let _before = Before(&self.is_disabled, self.is_disabled.replace(true));
        body()
    }
}

impl Scope {
    /// From now on `translate` is called with an error before its `stack` is read, each time, as
    /// long as that is a string. Its second argument is the text that `reword` returns for the
    /// message, or undefined. If there is one, `translate` is also called before the message is
    /// read, with `true` as third argument.
    ///
    /// Exceptions that it throws are ignored. The first call installs the hook, later ones return
    /// `false`, as does an engine without this part of the ABI.
    pub fn set_stack_translator(&self, translate: Function<'_>, rewrite: MessageRewriter) -> bool {
        let shared = self.shared();
        let is_called = || {
            // Thrown by a script, because an error without a caller has no stack.
            let probe = self
                .evaluate_static("try { null.x } catch (error) { error }", "error_stack.js")
                .ok()?
                .as_object(self)?;
            let stack = shared.stacks.without_hook(|| probe.property(self, "stack")).ok()?;
            Some(shared.stacks.found.get() == stack.raw() && shared.layout()?.flat_string(stack).is_some())
        };
        let is_possible = engine().uses_unstable_abi() && shared.layout().is_some() && install_hook();
        if !is_possible || shared.stacks.translate.borrow().is_some() || is_called() != Some(true) {
            return false;
        }
        shared.stacks.translate.replace(Some((Rc::new(Root::new(self, translate.value())), rewrite)));
        true
    }
}

/// Installs our method; once per process.
fn install_hook() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(|| method_entry().is_some_and(replace))
}

/// Address of the method table's entry.
fn method_entry() -> Option<*mut usize> {
    let [class, before, after] = [CLASS, BEFORE, AFTER].map(|name| engine().find(name));
    if [class, before, after].iter().any(|address| address.is_null()) {
        return None;
    }
    let table: [u8; WORDS * WORD_BYTES] = peek(class.cast_const().cast())?;
    let words: Vec<u64> = words(&table).collect();
    let [before, after] = [before, after].map(|address| address.addr() as u64);
    let at = words.windows(3).position(|three| three[0] == before && three[2] == after)?;
    Some(class.cast::<usize>().wrapping_add(at + 1))
}

/// The table is relocated by the dynamic linker and read-only afterwards.
fn replace(entry: *mut usize) -> bool {
    // SAFETY: it accesses no memory but its result.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let page = entry.cast::<c_void>().wrapping_byte_sub(entry.addr() % page_bytes);
    // SAFETY: a page of the engine's data; other threads only read it, also while it is writable.
    let protect = |flags: c_int| unsafe { libc::mprotect(page, page_bytes, flags) } == 0;
    if !protect(libc::PROT_READ | libc::PROT_WRITE) {
        return false;
    }
    // SAFETY: an aligned word of that page with the address of a function; threads that call it
    // meanwhile get either one.
    let word = unsafe { AtomicUsize::from_ptr(entry) };
    ORIGINAL.store(word.load(Ordering::Relaxed), Ordering::Release);
    word.store(own_property_slot as GetOwnPropertySlot as usize, Ordering::Release);
    protect(libc::PROT_READ);
    true
}

/// Our `getOwnPropertySlot` of errors.
unsafe extern "C" fn own_property_slot(
    error: RawObject,
    context: RawContext,
    name_of: *const u8,
    slot: *mut Opaque,
) -> bool {
    // SAFETY: stored before this function could be called, and of this type: it was in the same
    // entry.
    let original =
        unsafe { std::mem::transmute::<usize, GetOwnPropertySlot>(ORIGINAL.load(Ordering::Acquire)) };
    // SAFETY: the arguments of the engine's call.
    let is_found = unsafe { original(error, context, name_of, slot) };
    // SAFETY: a property name of the engine, alive during the call; the layout of strings was
    // verified before this method was installed.
    let name = if is_found { unsafe { code_units_of_impl(name_of) } } else { CodeUnits::Latin1(&[]) };
    // SAFETY: a slot begins with the value or with the address of its accessors.
    let found = unsafe { *slot.cast::<RawValue>() };
    let is_translated = match name {
        // SAFETY: the engine looks properties up within a turn.
        CodeUnits::Latin1(STACK) => {
            unsafe { Shared::current() }.is_some_and(|shared| translate_stack(shared, error, found))
        }
        // SAFETY: the engine's slot, of an own property of an error.
        CodeUnits::Latin1(MESSAGE) if unsafe { may_run(slot, error) } => {
            // SAFETY: as above.
            unsafe { Shared::current() }.is_some_and(|shared| translate_message(shared, error, found))
        }
        _ => false,
    };
    if !is_translated {
        return is_found;
    }
    // SAFETY: as above. The value may have been replaced.
    let is_found = unsafe { original(error, context, name_of, slot) };
    if name == CodeUnits::Latin1(MESSAGE) {
        // SAFETY: as above.
        unsafe { may_run(slot, error) };
    }
    is_found
}

/// Whether scripts may run during this lookup of a message. Also disables inline caching, because
/// the next error of that structure may have a message of the engine.
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

/// Calls the stack hook; returns whether the property must be looked up again.
fn translate_stack(shared: &Shared, error: RawObject, found: RawValue) -> bool {
    let stacks = &shared.stacks;
    stacks.found.set(found);
    // An empty one belongs to an error whose stack was disabled.
    if code_units_of(shared, found).is_none_or(|text| text == CodeUnits::Latin1(&[])) {
        return false;
    }
    translate(shared, |scope, rewrite| {
        let error = scope.retain(error.cast_const());
        let message = error.as_object(scope).and_then(|error| error.property(scope, "message").ok());
        let words = message.and_then(|message| rewritten(code_units_of(shared, message.raw())?, rewrite));
        vec![error, words.map_or(scope.undefined(), |words| scope.string(&words))]
    })
}

/// The same for a message, if there is another text for it.
fn translate_message(shared: &Shared, error: RawObject, found: RawValue) -> bool {
    let Some((_, rewrite)) = shared.stacks.translator() else { return false };
    let words = code_units_of(shared, found).and_then(|text| rewritten(text, rewrite));
    words.is_some_and(|words| {
        translate(shared, |scope, _| {
            vec![scope.retain(error.cast_const()), scope.string(&words), scope.boolean(true)]
        })
    })
}

/// The code units of a live string.
fn code_units_of(shared: &Shared, value: RawValue) -> Option<CodeUnits<'_>> {
    let text = shared.layout()?.flat_string(Value::from_raw(value))?;
    // SAFETY: a string that the engine keeps alive.
    Some(unsafe { code_units_of_impl(text) })
}

/// Messages of the engine are short; longer ones are not copied at every read.
fn rewritten(message: CodeUnits<'_>, rewrite: MessageRewriter) -> Option<String> {
    match message {
        CodeUnits::Latin1(units) if units.len() > MESSAGE_UNITS_MAX => None,
        CodeUnits::Utf16(units) if units.len() > MESSAGE_UNITS_MAX => None,
        CodeUnits::Latin1(units) => match std::str::from_utf8(units) {
            Ok(text) if units.is_ascii() => rewrite(text),
            _ => rewrite(&units.iter().map(|unit| char::from(*unit)).collect::<String>()),
        },
        CodeUnits::Utf16(units) => rewrite(&String::from_utf16_lossy(units)),
    }
}

fn translate(shared: &Shared, arguments: impl FnOnce(&Scope, MessageRewriter) -> Vec<Value<'_>>) -> bool {
    let stacks = &shared.stacks;
    let Some((translate, rewrite)) = stacks.translator() else { return false };
    stacks.without_hook(|| {
        shared.enter_held(shared.global(), |scope| {
            let translate = translate.value(scope).as_function(scope);
            translate.is_some_and(|translate| {
                // An exception of the hook is not the program's. But if it was a termination, only
                // this script has ended.
                if let (Err(_), Some(termination)) =
                    (translate.call(scope, &arguments(scope, rewrite)), shared.termination.get())
                {
                    termination.reassert();
                }
                true
            })
        })
    })
}
