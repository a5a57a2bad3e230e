//! All of an object's properties on a global one: symbols, attributes, what is defined, refused and
//! listed. In: a context over an object. Out: the same, whose global object asks that object by the
//! engine's own functions. Past the public functions, which know names and values alone; only in
//! releases whose source was read, and where classes, slots and structures are as expected.
//! Elsewhere those stay.
//!
//! A class has a table of functions, and a structure names the class of its objects (WebKit's
//! `ClassInfo.h`, `Structure.h`). Each such global object has a structure of its own: there a copy
//! of its class is named, in which a few functions are ours, and whose parent is the class itself.
//! They hand names, slots and descriptors on as they come (`PropertySlot.h`).

use std::ffi::CStr;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{behind, whole};
use crate::engine::engine;
use crate::scope::Scope;
use crate::structures::{CONFIGURATION, Structures, words};
use crate::symbols::{Opaque, RawContext, RawObject, RawValue};
use crate::text::fast::peek;
use crate::vm::Context;

/// `JSC::JSGlobalObject::s_info`.
const GLOBAL_CLASS: &CStr = c"_ZN3JSC14JSGlobalObject6s_infoE";
/// `JSC::JSFinalObject::s_info`, the class of `{}`.
const PLAIN_CLASS: &CStr = c"_ZN3JSC13JSFinalObject6s_infoE";

/// Words of a class.
const WORDS: usize = 31;
const PARENT: usize = 2;
const PUT: usize = 9;
const DELETE: usize = 11;
const FIND: usize = 13;
const NAMES: usize = 15;
const SPECIAL_NAMES: usize = 16;
const DEFINE: usize = 18;

/// Functions in the table of global objects, by which their order is seen, by the names that
/// releases have for them.
const KNOWN: [(usize, &[&CStr]); 4] = [
    (
        PUT,
        &[c"_ZN3JSC14JSGlobalObject3putEPNS_6JSCellEPS0_NS_12PropertyNameENS_7JSValueERNS_15PutPropertySlotE"],
    ),
    (
        FIND,
        &[c"_ZN3JSC14JSGlobalObject18getOwnPropertySlotEPNS_8JSObjectEPS0_NS_12PropertyNameERNS_12PropertySlotE"],
    ),
    (
        NAMES,
        &[
            c"_ZN3JSC8JSObject19getOwnPropertyNamesEPS0_PNS_14JSGlobalObjectERNS_17PropertyNameArrayENS_22DontEnumPropertiesModeE",
            // From 2.52 on.
            c"_ZN3JSC8JSObject19getOwnPropertyNamesEPS0_PNS_14JSGlobalObjectERNS_24PropertyNameArrayBuilderENS_22DontEnumPropertiesModeE",
        ],
    ),
    (
        DEFINE,
        &[c"_ZN3JSC14JSGlobalObject17defineOwnPropertyEPNS_8JSObjectEPS0_NS_12PropertyNameERKNS_18PropertyDescriptorEb"],
    ),
];

type Find = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut Slot) -> bool;
type Put = unsafe extern "C" fn(RawObject, RawContext, *const u8, RawValue, *mut PutSlot) -> bool;
type Delete = unsafe extern "C" fn(RawObject, RawContext, *const u8, *mut Opaque) -> bool;
type Names = unsafe extern "C" fn(RawObject, RawContext, *mut Opaque, u32);
type Define = unsafe extern "C" fn(RawObject, RawContext, *const u8, *const Opaque, bool) -> bool;

/// `PropertySlot`: what is looked for, and what was found.
#[repr(C)]
struct Slot {
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

/// `PropertyType`: a value, an accessor; of what is read in another way the base is asked again.
const READ_FROM_SLOT: [u8; 2] = [1, 2];
/// `InternalMethodType::GetOwnProperty`.
const OWN: u8 = 2;
const NOWHERE: i32 = -1;

/// The first words of a `PutPropertySlot`, of which one is who is given the value.
#[repr(C)]
struct PutSlot([RawObject; 2]);

/// `StringImpl::m_hashAndFlags`, and the flag of a symbol in it.
const FLAGS_OFFSET: usize = 16;
const SYMBOL: u8 = 1 << 5;

/// What was learned, once a process.
struct Learned {
    structures: Structures,
    /// The engine's class of such global objects, and ours.
    engines: [usize; WORDS],
    ours: &'static [usize; WORDS],
}

static LEARNED: OnceLock<Option<Learned>> = OnceLock::new();

/// Has the context's global object show all of the object that it stands before.
pub(super) fn show_all(scope: &Scope, context: &Context) {
    let global = context.raw(scope);
    let learned = LEARNED.get_or_init(|| learn(scope, global));
    let Some(learned) = learned else { return };
    // SAFETY: the context is alive, and so its global object and its structure. This thread has the
    // VM and alone writes there; others read the word as a whole, and find either class.
    let place = unsafe { AtomicUsize::from_ptr(learned.structures.place_in(global.cast_const())) };
    if place.load(Ordering::Relaxed) == learned.ours[PARENT] {
        place.store(learned.ours.as_ptr().addr(), Ordering::Release);
    }
}

/// `global`: an object of the class of such global objects.
fn learn(scope: &Scope, global: RawObject) -> Option<Learned> {
    let find = |name: &CStr| Some(engine().find(name)).filter(|place| !place.is_null());
    let configuration = find(CONFIGURATION)?.addr();
    if !engine().uses_private_paths() {
        return None;
    }
    let of_globals = class_at(find(GLOBAL_CLASS)?.addr())?;
    let stands_there = |(place, names): (usize, &[&CStr])| {
        names.iter().find_map(|name| find(name)).is_some_and(|found| found.addr() == of_globals[place])
    };
    if !KNOWN.into_iter().all(stands_there) {
        return None;
    }
    let plain = scope.evaluate_static("({})", "table.js").ok()?;
    let structures = Structures::learn(scope, plain, find(PLAIN_CLASS)?.addr() as u64, configuration)?;
    // SAFETY: what the structure of a living object names is a class.
    let class = unsafe { *structures.place_in(global.cast_const()) };
    let engines = class_at(class)?;
    if engines[PARENT] != find(GLOBAL_CLASS)?.addr()
        || slots_are_as_expected(&structures, scope) != Some(true)
    {
        return None;
    }
    let mut ours = engines;
    ours[PARENT] = class;
    ours[PUT] = self::put as Put as usize;
    ours[DELETE] = self::delete as Delete as usize;
    ours[FIND] = self::find as Find as usize;
    ours[SPECIAL_NAMES] = self::names as Names as usize;
    ours[DEFINE] = self::define as Define as usize;
    // Structures name it for as long as the process lives.
    Some(Learned { structures, engines, ours: Box::leak(Box::new(ours)) })
}

fn class_at(place: usize) -> Option<[usize; WORDS]> {
    let bytes: [u8; WORDS * 8] = peek(place as *const u8)?;
    let mut all = [0; WORDS];
    all.iter_mut().zip(words(&bytes)).for_each(|(word, found)| *word = found as usize);
    Some(all)
}

/// Whether a slot that the engine fills for a property of a plain object says what it should.
fn slots_are_as_expected(structures: &Structures, scope: &Scope) -> Option<bool> {
    const SAMPLE: &str = "(() => { const own = {}; Object.defineProperty(own, 'a name', { value: own, writable: true }); return [own, Object.getOwnPropertyNames(own)[0]]; })()";
    const SEEN_ATTRIBUTES: u32 = 1 << 2 | 1 << 3;
    let sample = scope.evaluate_static(SAMPLE, "table.js").ok()?.as_object(scope)?;
    let object = sample.element(scope, 0).ok()?.as_object(scope)?.raw();
    // What the engine lists are its own texts of names.
    let name = scope.shared().layout()?.whole_string(sample.element(scope, 1).ok()?)?;
    let mut slot = Slot::for_own(object);
    // SAFETY: an object of the class that was learned from another of its kind, and a name that it
    // has.
    let is_found = unsafe {
        let find = std::mem::transmute::<usize, Find>(table_of(structures, object)[FIND]);
        find(object, scope.context(), name, &raw mut slot)
    };
    let is_said =
        slot.found == object.cast_const() && slot.base == object && slot.this == object.cast_const();
    let is_kept =
        slot.attributes == SEEN_ATTRIBUTES && slot.is_cacheable == 1 && slot.kind == READ_FROM_SLOT[0];
    Some(is_found && is_said && is_kept && slot.method == OWN)
}

impl Slot {
    fn for_own(object: RawObject) -> Slot {
        Slot {
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

/// The functions of an object's class.
///
/// # Safety
/// The object is alive.
unsafe fn table_of(structures: &Structures, object: RawObject) -> &'static [usize; WORDS] {
    // SAFETY: a structure names its class, which lives as long as the process; its words were
    // counted.
    unsafe { &*(*structures.place_in(object.cast_const()) as *const [usize; WORDS]) }
}

/// What was learned: there is none of our functions in a table before.
fn learned() -> &'static Learned {
    LEARNED.get().and_then(Option::as_ref).expect("our functions stand in a table")
}

/// One of the functions of `table`, by its place.
///
/// # Safety
/// `F` is the type of the function there.
unsafe fn function<F: Copy>(table: &[usize; WORDS], place: usize) -> F {
    // SAFETY: a word that is a function of that type.
    unsafe { std::mem::transmute_copy(&table[place]) }
}

/// # Safety
/// The engine's name, alive through the call.
unsafe fn is_symbol(name: *const u8) -> bool {
    // SAFETY: laid out as texts are, or nothing of this was put in place.
    !name.is_null() && unsafe { *name.add(FLAGS_OFFSET) } & SYMBOL != 0
}

unsafe extern "C" fn find(global: RawObject, context: RawContext, name: *const u8, slot: *mut Slot) -> bool {
    let learned = learned();
    // SAFETY: called by the engine with what such a function is called with; the object lives as
    // long as the global one.
    unsafe {
        let engines: Find = function(&learned.engines, FIND);
        let Some(behind) = behind(global) else { return engines(global, context, name, slot) };
        if (*slot).method != OWN && !is_symbol(name) {
            return engines(global, context, name, slot);
        }
        if let Some(object) = behind.object() {
            let find: Find = function(table_of(&learned.structures, object), FIND);
            if find(object, context, name, slot) {
                show_as_own(global, &mut *slot);
                return true;
            }
        }
        behind.alone(|| engines(global, context, name, slot))
    }
}

/// What was found is nothing that code may remember a place of.
fn show_as_own(global: RawObject, slot: &mut Slot) {
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
    slot: *mut PutSlot,
) -> bool {
    let learned = learned();
    // SAFETY: as above.
    unsafe {
        let engines: Put = function(&learned.engines, PUT);
        let Some(behind) = behind(global) else { return engines(global, context, name, value, slot) };
        let owner = behind.object().filter(|object| has(learned, *object, context, name));
        let Some(object) = owner else {
            // What has a name goes to the object by the public functions.
            return match is_symbol(name) {
                true => behind.alone(|| engines(global, context, name, value, slot)),
                false => engines(global, context, name, value, slot),
            };
        };
        let put: Put = function(table_of(&learned.structures, object), PUT);
        let before = (*slot).0;
        let whole = whole(global);
        (*slot).0 = before.map(|word| if word == global || word == whole { object } else { word });
        let is_put = put(object, context, name, value, slot);
        (*slot).0 = before;
        is_put
    }
}

/// # Safety
/// As for a function of a class.
unsafe fn has(learned: &Learned, object: RawObject, context: RawContext, name: *const u8) -> bool {
    let mut slot = Slot::for_own(object);
    // SAFETY: as promised.
    unsafe {
        let find: Find = function(table_of(&learned.structures, object), FIND);
        find(object, context, name, &raw mut slot)
    }
}

unsafe extern "C" fn delete(
    global: RawObject,
    context: RawContext,
    name: *const u8,
    slot: *mut Opaque,
) -> bool {
    let learned = learned();
    // SAFETY: as above.
    unsafe {
        let engines: Delete = function(&learned.engines, DELETE);
        let Some(behind) = behind(global) else { return engines(global, context, name, slot) };
        let Some(object) = behind.object() else { return engines(global, context, name, slot) };
        if !is_symbol(name) {
            // By the public functions; what the object keeps is not deleted.
            return engines(global, context, name, slot) && !has(learned, object, context, name);
        }
        let delete: Delete = function(table_of(&learned.structures, object), DELETE);
        delete(object, context, name, slot) && behind.alone(|| engines(global, context, name, slot))
    }
}

unsafe extern "C" fn names(global: RawObject, context: RawContext, names: *mut Opaque, mode: u32) {
    let learned = learned();
    // SAFETY: as above.
    unsafe {
        let engines: Names = function(&learned.engines, SPECIAL_NAMES);
        let Some(behind) = behind(global) else { return engines(global, context, names, mode) };
        if let Some(object) = behind.object() {
            let own: Names = function(table_of(&learned.structures, object), NAMES);
            own(object, context, names, mode);
        }
        behind.alone(|| engines(global, context, names, mode));
    }
}

unsafe extern "C" fn define(
    global: RawObject,
    context: RawContext,
    name: *const u8,
    descriptor: *const Opaque,
    throws: bool,
) -> bool {
    let learned = learned();
    // SAFETY: as above.
    unsafe {
        let engines: Define = function(&learned.engines, DEFINE);
        if let Some(object) = behind(global).and_then(super::Behind::object) {
            let define: Define = function(table_of(&learned.structures, object), DEFINE);
            if define(object, context, name, descriptor, false) {
                return true;
            }
            if has(learned, object, context, name) {
                return throws && define(object, context, name, descriptor, true);
            }
        }
        engines(global, context, name, descriptor, throws)
    }
}
