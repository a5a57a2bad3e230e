//! Method table of a contextified global object: symbols, attributes, defineProperty and
//! enumeration. In: a context with a sandbox. Out: the same context, whose global object forwards
//! to the sandbox by the engine's internal methods. Uses the unstable ABI, in releases whose source
//! was reviewed and where classes, property slots and structures match the expected layout.
//! Otherwise only the public callbacks are used.
//!
//! A class (`ClassInfo`) has a method table, and a structure refers to the class of its objects
//! (WebKit's `ClassInfo.h`, `Structure.h`). Each contextified global object has a structure of its
//! own. We make that refer to a copy of its class in which a few methods are ours, and whose parent
//! is the original class. Names, slots and descriptors are passed on unchanged (`PropertySlot.h`).

use std::ffi::CStr;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{outer_global, sandbox};
use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, Structures, words};
use crate::symbols::{Opaque, RawContext, RawObject, RawValue};
use crate::vm::Context;

/// `JSC::JSGlobalObject::s_info`.
const GLOBAL_CLASS: &CStr = c"_ZN3JSC14JSGlobalObject6s_infoE";
/// `JSC::JSFinalObject::s_info`, the class of `{}`.
const PLAIN_CLASS: &CStr = c"_ZN3JSC13JSFinalObject6s_infoE";

/// `JSC::ProxyObject::s_info`.
const PROXY_CLASS: &CStr = c"_ZN3JSC11ProxyObject6s_infoE";

/// Words of a `ClassInfo` with its method table.
const WORDS: usize = 31;
const PARENT: usize = 2;
const PUT: usize = 9;
const DELETE_PROPERTY: usize = 11;
const GET_OWN_PROPERTY_SLOT: usize = 13;
const OWN_PROPERTY_NAMES: usize = 15;
const OWN_SPECIAL_PROPERTY_NAMES: usize = 16;
const DEFINE_OWN_PROPERTY: usize = 18;

/// Methods of global objects by which the order of the table is verified, with the mangled names of
/// the releases.
const CHECKED_METHODS: [(usize, &[&CStr]); 4] = [
    (
        PUT,
        &[c"_ZN3JSC14JSGlobalObject3putEPNS_6JSCellEPS0_NS_12PropertyNameENS_7JSValueERNS_15PutPropertySlotE"],
    ),
    (
        GET_OWN_PROPERTY_SLOT,
        &[c"_ZN3JSC14JSGlobalObject18getOwnPropertySlotEPNS_8JSObjectEPS0_NS_12PropertyNameERNS_12PropertySlotE"],
    ),
    (
        OWN_PROPERTY_NAMES,
        &[
            c"_ZN3JSC8JSObject19getOwnPropertyNamesEPS0_PNS_14JSGlobalObjectERNS_17PropertyNameArrayENS_22DontEnumPropertiesModeE",
            // From 2.52 on.
            c"_ZN3JSC8JSObject19getOwnPropertyNamesEPS0_PNS_14JSGlobalObjectERNS_24PropertyNameArrayBuilderENS_22DontEnumPropertiesModeE",
        ],
    ),
    (
        DEFINE_OWN_PROPERTY,
        &[c"_ZN3JSC14JSGlobalObject17defineOwnPropertyEPNS_8JSObjectEPS0_NS_12PropertyNameERKNS_18PropertyDescriptorEb"],
    ),
];

type GetOwnPropertySlot = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut PropertySlot) -> bool;
type Put = unsafe extern "C" fn(RawObject, RawContext, *const u8, RawValue, *mut PutPropertySlot) -> bool;
type Delete = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut Opaque) -> bool;
type Names = unsafe extern "C" fn(RawObject, RawContext, *mut Opaque, u32);
type Define = unsafe extern "C" fn(RawObject, RawContext, *const u8, *const Opaque, bool) -> bool;

/// `PropertySlot`: the lookup, and its result.
#[derive(Clone, Copy)]
#[repr(C)]
struct PropertySlot {
    found: RawValue,
    found_more: *const Opaque,
    attributes: u32,
    offset: i32,
    this: RawValue,
    base: RawObject,
    watched: *const Opaque,
    is_cacheable: u8,
    kind: u8,
    method: u8,
    rest: [u8; 53],
}

/// `PropertyType`: value and accessor. Other kinds are read from the base object again.
const READ_FROM_SLOT: [u8; 2] = [1, 2];
/// `InternalMethodType::GetOwnProperty`.
const OWN: u8 = 2;
const NOWHERE: i32 = -1;

/// The first words of a `PutPropertySlot`, one of which is the receiver.
#[repr(C)]
struct PutPropertySlot([RawObject; 2]);

/// `StringImpl::m_hashAndFlags`, and the flag of a symbol in it.
const FLAGS_OFFSET: usize = 16;
const SYMBOL: u8 = 1 << 5;

/// Result of the probe, once per process.
struct Probed {
    structures: Structures,
    /// The engine's class of such global objects, and our copy.
    original: [usize; WORDS],
    ours: &'static [usize; WORDS],
    /// Address of the class of Proxies.
    proxy_class: usize,
}

impl Probed {
    /// # Safety
    /// The object is alive.
    unsafe fn is_proxy(&self, object: RawObject) -> bool {
        // SAFETY: guaranteed by the caller; a structure refers to its class.
        unsafe { *self.structures.class_slot(object.cast_const()) == self.proxy_class }
    }
}

static PROBED: OnceLock<Option<Probed>> = OnceLock::new();

/// Installs our method table on the context's global object.
pub(super) fn install(scope: &Scope, context: &Context) {
    let global = context.raw(scope);
    let probed = PROBED.get_or_init(|| probe(scope, global));
    let Some(probed) = probed else { return };
    // SAFETY: the context is alive, and so are its global object and its structure. Only this
    // thread, which owns the VM, writes this word; other threads read it atomically and see either
    // class.
    let slot = unsafe { AtomicUsize::from_ptr(probed.structures.class_slot(global.cast_const())) };
    if slot.load(Ordering::Relaxed) == probed.ours[PARENT] {
        slot.store(probed.ours.as_ptr().addr(), Ordering::Release);
    }
}

/// `global`: an object of the class of contextified global objects.
fn probe(scope: &Scope, global: RawObject) -> Option<Probed> {
    let find = |name: &CStr| Some(engine().find(name)).filter(|address| !address.is_null());
    let configuration = find(CONFIGURATION)?.addr();
    if !engine().uses_unstable_abi() {
        return None;
    }
    let of_globals = read_class(find(GLOBAL_CLASS)?.addr())?;
    let is_at_index = |(index, names): (usize, &[&CStr])| {
        names.iter().find_map(|name| find(name)).is_some_and(|found| found.addr() == of_globals[index])
    };
    if !CHECKED_METHODS.into_iter().all(is_at_index) {
        return None;
    }
    let plain = scope.evaluate_static("({})", "table.js").ok()?;
    let structures = Structures::probe(scope, plain, find(PLAIN_CLASS)?.addr() as u64, configuration)?;
    // SAFETY: the structure of a live object refers to a class.
    let class = unsafe { *structures.class_slot(global.cast_const()) };
    let original = read_class(class)?;
    if original[PARENT] != find(GLOBAL_CLASS)?.addr()
        || verify_property_slot(&structures, scope) != Some(true)
    {
        return None;
    }
    let mut ours = original;
    ours[PARENT] = class;
    ours[PUT] = self::put as Put as usize;
    ours[DELETE_PROPERTY] = self::delete as Delete as usize;
    ours[GET_OWN_PROPERTY_SLOT] = self::find as GetOwnPropertySlot as usize;
    ours[OWN_SPECIAL_PROPERTY_NAMES] = self::names as Names as usize;
    ours[DEFINE_OWN_PROPERTY] = self::define as Define as usize;
    let proxy_class = find(PROXY_CLASS)?.addr();
    // Structures refer to it until the process ends.
    Some(Probed { structures, original, ours: Box::leak(Box::new(ours)), proxy_class })
}

fn read_class(address: usize) -> Option<[usize; WORDS]> {
    let bytes: [u8; WORDS * 8] = peek(address as *const u8)?;
    let mut all = [0; WORDS];
    all.iter_mut().zip(words(&bytes)).for_each(|(word, found)| *word = found as usize);
    Some(all)
}

/// Whether a slot that the engine fills for a property of a plain object has the expected contents.
fn verify_property_slot(structures: &Structures, scope: &Scope) -> Option<bool> {
    const PROBE: &str = "(() => { const own = {}; Object.defineProperty(own, 'a name', { value: own, writable: true }); return [own, Object.getOwnPropertyNames(own)[0]]; })()";
    const EXPECTED_ATTRIBUTES: u32 = 1 << 2 | 1 << 3;
    let probe = scope.evaluate_static(PROBE, "table.js").ok()?.as_object(scope)?;
    let object = probe.element(scope, 0).ok()?.as_object(scope)?.raw();
    // The names that the engine returns are its own atom strings.
    let name = scope.shared().layout()?.flat_string(probe.element(scope, 1).ok()?)?;
    let mut slot = PropertySlot::for_own(object);
    // SAFETY: an object of a class whose layout was probed on another instance, and a name that it
    // has.
    let is_found = unsafe {
        let find = std::mem::transmute::<usize, GetOwnPropertySlot>(
            method_table_of(structures, object)[GET_OWN_PROPERTY_SLOT],
        );
        find(object, scope.context(), name, &raw mut slot)
    };
    let has_expected_base =
        slot.found == object.cast_const() && slot.base == object && slot.this == object.cast_const();
    let has_expected_flags =
        slot.attributes == EXPECTED_ATTRIBUTES && slot.is_cacheable == 1 && slot.kind == READ_FROM_SLOT[0];
    Some(is_found && has_expected_base && has_expected_flags && slot.method == OWN)
}

impl PropertySlot {
    /// # Safety
    /// Filled by the engine, in this context.
    unsafe fn is_undefined(&self, context: RawContext) -> bool {
        // SAFETY: guaranteed by the caller; a slot of this kind has a value.
        self.kind == READ_FROM_SLOT[0] && self.found == unsafe { (symbols().JSValueMakeUndefined)(context) }
    }

    fn for_own(object: RawObject) -> PropertySlot {
        PropertySlot {
            found: ptr::null(),
            found_more: ptr::null(),
            attributes: 0,
            offset: NOWHERE,
            this: object.cast_const(),
            base: ptr::null_mut(),
            watched: ptr::null(),
            is_cacheable: 0,
            kind: 0,
            method: OWN,
            rest: [0; 53],
        }
    }
}

/// The method table of an object's class.
///
/// # Safety
/// The object is alive.
unsafe fn method_table_of(structures: &Structures, object: RawObject) -> &'static [usize; WORDS] {
    // SAFETY: a structure refers to its class, which lives as long as the process and has at least
    // as many words.
    unsafe { &*(*structures.class_slot(object.cast_const()) as *const [usize; WORDS]) }
}

/// The probe's result. Our methods are in no table before there is one.
fn probed() -> &'static Probed {
    PROBED.get().and_then(Option::as_ref).expect("our functions stand in a table")
}

/// The method at an index of `table`.
///
/// # Safety
/// `F` is the type of that method.
unsafe fn function<F: Copy>(table: &[usize; WORDS], index: usize) -> F {
    // SAFETY: a word that is a function of that type.
    unsafe { std::mem::transmute_copy(&table[index]) }
}

/// # Safety
/// A property name of the engine, alive during the call.
unsafe fn is_symbol(name: *const u8) -> bool {
    // SAFETY: the layout of strings was verified, or no method would be installed.
    !name.is_null() && unsafe { *name.add(FLAGS_OFFSET) } & SYMBOL != 0
}

unsafe extern "C" fn find(
    global: RawObject,
    context: RawContext,
    name: *const u8,
    slot: *mut PropertySlot,
) -> bool {
    let probed = probed();
    // SAFETY: called by the engine with the arguments of this method; the sandbox lives as long as
    // the global object.
    unsafe {
        let original: GetOwnPropertySlot = function(&probed.original, GET_OWN_PROPERTY_SLOT);
        let Some(sandbox) = sandbox(global) else { return original(global, context, name, slot) };
        if (*slot).method != OWN && !is_symbol(name) {
            return original(global, context, name, slot);
        }
        if let Some(object) = sandbox.object() {
            let find: GetOwnPropertySlot =
                function(method_table_of(&probed.structures, object), GET_OWN_PROPERTY_SLOT);
            let lookup = *slot;
            // A `get` of a Proxy answers for absent properties too.
            if find(object, context, name, slot)
                && (!(*slot).is_undefined(context) || has(probed, object, context, name))
            {
                set_base(global, &mut *slot);
                return true;
            }
            *slot = lookup;
        }
        sandbox.bypassed(|| original(global, context, name, slot))
    }
}

/// Inline caches must not remember the offset of a property that was found in the sandbox.
fn set_base(global: RawObject, slot: &mut PropertySlot) {
    slot.is_cacheable = 0;
    slot.offset = NOWHERE;
    if READ_FROM_SLOT.contains(&slot.kind) {
        slot.base = global;
    }
}

unsafe extern "C" fn put(
    global: RawObject,
    context: RawContext,
    name: *const u8,
    value: RawValue,
    slot: *mut PutPropertySlot,
) -> bool {
    let probed = probed();
    // SAFETY: as above.
    unsafe {
        let original: Put = function(&probed.original, PUT);
        let Some(sandbox) = sandbox(global) else { return original(global, context, name, value, slot) };
        // A Proxy gets every symbol.
        let is_owner = |object: &RawObject| {
            has(probed, *object, context, name) || is_symbol(name) && probed.is_proxy(*object)
        };
        let owner = sandbox.object().filter(is_owner);
        let Some(object) = owner else {
            // String names go to the sandbox by the public callbacks.
            return match is_symbol(name) {
                true => sandbox.bypassed(|| original(global, context, name, value, slot)),
                false => original(global, context, name, value, slot),
            };
        };
        let put: Put = function(method_table_of(&probed.structures, object), PUT);
        let before = (*slot).0;
        let outer_global = outer_global(global);
        (*slot).0 = before.map(|word| if word == global || word == outer_global { object } else { word });
        let is_put = put(object, context, name, value, slot);
        (*slot).0 = before;
        is_put
    }
}

/// # Safety
/// As for a method of a class.
unsafe fn has(probed: &Probed, object: RawObject, context: RawContext, name: *const u8) -> bool {
    let mut slot = PropertySlot::for_own(object);
    // SAFETY: guaranteed by the caller.
    unsafe {
        let find: GetOwnPropertySlot =
            function(method_table_of(&probed.structures, object), GET_OWN_PROPERTY_SLOT);
        find(object, context, name, &raw mut slot)
    }
}

unsafe extern "C" fn delete(
    global: RawObject,
    context: RawContext,
    name: *const u8,
    slot: *mut Opaque,
) -> bool {
    let probed = probed();
    // SAFETY: as above.
    unsafe {
        let original: Delete = function(&probed.original, DELETE_PROPERTY);
        let Some(sandbox) = sandbox(global) else { return original(global, context, name, slot) };
        let Some(object) = sandbox.object() else { return original(global, context, name, slot) };
        if !is_symbol(name) {
            // By the public callbacks; a property that the sandbox refuses to delete stays.
            return original(global, context, name, slot) && !has(probed, object, context, name);
        }
        let delete: Delete = function(method_table_of(&probed.structures, object), DELETE_PROPERTY);
        delete(object, context, name, slot) && sandbox.bypassed(|| original(global, context, name, slot))
    }
}

unsafe extern "C" fn names(global: RawObject, context: RawContext, names: *mut Opaque, mode: u32) {
    let probed = probed();
    // SAFETY: as above.
    unsafe {
        let original: Names = function(&probed.original, OWN_SPECIAL_PROPERTY_NAMES);
        let Some(sandbox) = sandbox(global) else { return original(global, context, names, mode) };
        if let Some(object) = sandbox.object() {
            let own: Names = function(method_table_of(&probed.structures, object), OWN_PROPERTY_NAMES);
            own(object, context, names, mode);
        }
        sandbox.bypassed(|| original(global, context, names, mode));
    }
}

unsafe extern "C" fn define(
    global: RawObject,
    context: RawContext,
    name: *const u8,
    descriptor: *const Opaque,
    throws: bool,
) -> bool {
    let probed = probed();
    // SAFETY: as above.
    unsafe {
        let original: Define = function(&probed.original, DEFINE_OWN_PROPERTY);
        if let Some(object) = sandbox(global).and_then(super::Sandbox::object) {
            let define: Define = function(method_table_of(&probed.structures, object), DEFINE_OWN_PROPERTY);
            if define(object, context, name, descriptor, false) {
                return true;
            }
            if has(probed, object, context, name) {
                return throws && define(object, context, name, descriptor, true);
            }
        }
        original(global, context, name, descriptor, throws)
    }
}
