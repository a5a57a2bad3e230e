//! Native functions and values that JavaScript holds. In: closures, owned values. Out: objects of
//! the engine. A closure is dropped on the VM's thread, at the end of the turn after its object was
//! finalized. Absent: classes; those are written in JavaScript.

use std::any::Any;
use std::cell::RefCell;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::symbols;
use crate::exception::{ErrorKind, Exception};
use crate::object::{Function, Object};
use crate::scope::Scope;
use crate::string::JsString;
use crate::symbols::{CallAsFunction, ClassDefinition, RawClass, RawContext, RawObject, RawValue, Thrown};
use crate::value::Value;
use crate::vm::Shared;

/// The result of a callback: a value, or what it throws.
pub type Outcome<'s> = Result<Value<'s>, Exception<'s>>;

type Callback = dyn for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>;

/// The receiver and the arguments of a call.
pub struct Call<'s> {
    pub this: Value<'s>,
    pub arguments: &'s [Value<'s>],
}

/// The native functions and values of one VM, by ID. Objects of the engine hold the ID. The
/// collector may finalize them on any thread and at any time, so that is only recorded.
pub(crate) struct Natives {
    entries: RefCell<Vec<Option<Native>>>,
    free: RefCell<Vec<usize>>,
    /// Those of objects that were made since [`Natives::renew`].
    dead: RefCell<Arc<FinalizedIds>>,
    function_class: RawClass,
    value_class: RawClass,
}

/// Reference counted, because it may be finalized while it runs.
#[derive(Clone)]
enum Native {
    Function(Rc<Callback>),
    Value(Rc<dyn Any>),
}

/// IDs of objects that were finalized.
#[derive(Default)]
struct FinalizedIds {
    is_any: AtomicBool,
    numbers: Mutex<Vec<usize>>,
}

/// The private data of our objects.
struct Tag {
    number: usize,
    dead: Arc<FinalizedIds>,
}

impl<'s> Call<'s> {
    /// Undefined if fewer were passed, as in JavaScript.
    pub fn argument(&self, scope: &'s Scope, index: usize) -> Value<'s> {
        self.arguments.get(index).copied().unwrap_or_else(|| scope.undefined())
    }
}

impl Scope {
    /// A JavaScript function that calls `body`. It is not a constructor. A `body` that captures
    /// nothing needs no entry and becomes a plain function. Any other one is meant for our own
    /// scripts and not for programs: it has neither `call` nor `apply`, and its property lookups
    /// are slow.
    pub fn function<'s, F>(&'s self, name: &str, body: F) -> Function<'s>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        let object = if mem::size_of::<F>() == 0 {
            // `call_plain` recreates the zero-sized value, so this one must not be dropped.
            mem::forget(body);
            let name = JsString::new(self, name);
            let callback: CallAsFunction = call_plain::<F>;
            // SAFETY: the context is alive, and so is the name during the call.
            unsafe {
                (symbols().JSObjectMakeFunctionWithCallback)(self.context(), name.raw(), Some(callback))
            }
        } else {
            let natives = &self.shared().natives;
            natives.object(self.context(), natives.function_class, Native::Function(Rc::new(body)))
        };
        Function::of_object(Object::from_raw(self, object))
    }

    /// An object without properties that owns a value of Rust, for a private field of a class.
    pub fn native<T: Any>(&self, value: T) -> Object<'_> {
        let natives = &self.shared().natives;
        let object = natives.object(self.context(), natives.value_class, Native::Value(Rc::new(value)));
        Object::from_raw(self, object)
    }
}

impl Object<'_> {
    /// The value that was passed to [`Scope::native`], if it is a `T`.
    pub fn as_native<T: Any>(self, scope: &Scope) -> Option<Rc<T>> {
        // SAFETY: an object that is alive.
        let tag = unsafe { tag(self.raw()) }?;
        match scope.shared().natives.find(tag)? {
            Native::Value(value) => value.downcast().ok(),
            Native::Function(_) => None,
        }
    }
}

impl Natives {
    pub fn new() -> Natives {
        let definition = ClassDefinition {
            version: 0,
            // `kJSClassAttributeNoAutomaticPrototype`.
            attributes: 1 << 1,
            class_name: c"Native".as_ptr(),
            parent: ptr::null_mut(),
            static_values: ptr::null(),
            static_functions: ptr::null(),
            initialize: ptr::null(),
            finalize: Some(finalize),
            has_property: ptr::null(),
            find_property: ptr::null(),
            set_property: ptr::null(),
            delete_property: ptr::null(),
            property_names: ptr::null(),
            call_as_function: None,
            call_as_constructor: ptr::null(),
            has_instance: ptr::null(),
            convert: ptr::null(),
        };
        let callable = ClassDefinition { call_as_function: Some(call_closure), ..definition };
        // SAFETY: the calls read the definition and copy the name.
        let [value_class, function_class] =
            [&definition, &callable].map(|definition| unsafe { (symbols().JSClassCreate)(definition) });
        Natives {
            entries: RefCell::default(),
            free: RefCell::default(),
            dead: RefCell::default(),
            function_class,
            value_class,
        }
    }

    /// The lock of the context's VM is held, and the natives are that VM's.
    fn object(&self, context: RawContext, class: RawClass, native: Native) -> RawObject {
        let number = self.insert(native);
        let tag = Box::new(Tag { number, dead: Arc::clone(&self.dead.borrow()) });
        // SAFETY: the class is alive; the object owns the tag, until `finalize`.
        unsafe { (symbols().JSObjectMake)(context, class, Box::into_raw(tag).cast()) }
    }

    fn insert(&self, native: Native) -> usize {
        let mut entries = self.entries.borrow_mut();
        match self.free.borrow_mut().pop() {
            Some(number) => {
                entries[number] = Some(native);
                number
            }
            None => {
                entries.push(Some(native));
                entries.len() - 1
            }
        }
    }

    fn find(&self, tag: &Tag) -> Option<Native> {
        let is_current = Arc::ptr_eq(&tag.dead, &self.dead.borrow());
        is_current.then(|| self.entries.borrow().get(tag.number)?.clone())?
    }

    pub fn count(&self) -> usize {
        self.entries.borrow().iter().flatten().count()
    }

    /// Drops natives whose objects were finalized. The drops may use the VM.
    pub fn sweep(&self) {
        let dead = Arc::clone(&self.dead.borrow());
        if !dead.is_any.swap(false, Ordering::Acquire) {
            return;
        }
        let numbers = mem::take(&mut *dead.numbers.lock().unwrap_or_else(PoisonError::into_inner));
        for number in numbers {
            let native = self.entries.borrow_mut()[number].take();
            self.free.borrow_mut().push(number);
            drop(native);
        }
    }

    /// Drops everything. The IDs of objects that are left are not used again: those that are made
    /// from now on have a list of finalized ones of their own.
    pub fn renew(&self) {
        self.dead.replace(Arc::default());
        self.free.take();
        self.clear();
    }

    /// Drops everything, after the heap was freed.
    pub fn clear(&self) {
        let entries = self.entries.take();
        drop(entries);
    }
}

impl Drop for Natives {
    fn drop(&mut self) {
        for class in [self.function_class, self.value_class] {
            // SAFETY: made by `new`, released once.
            unsafe { (symbols().JSClassRelease)(class) };
        }
    }
}

/// Called by the collector, on any thread.
unsafe extern "C" fn finalize(object: RawObject) {
    // SAFETY: a finalizer may read the private data, which is a tag that nothing else frees.
    unsafe {
        let tag = (symbols().JSObjectGetPrivate)(object).cast::<Tag>();
        if !tag.is_null() {
            let Tag { number, dead } = *Box::from_raw(tag);
            dead.numbers.lock().unwrap_or_else(PoisonError::into_inner).push(number);
            dead.is_any.store(true, Ordering::Release);
        }
    }
}

/// # Safety
/// The object is alive for `'a`.
unsafe fn tag<'a>(object: RawObject) -> Option<&'a Tag> {
    // SAFETY: only objects of our two classes have private data, and theirs is a tag.
    unsafe { (symbols().JSObjectGetPrivate)(object).cast::<Tag>().as_ref() }
}

/// Entry point of objects of the closure class.
unsafe extern "C" fn call_closure(
    context: RawContext,
    function: RawObject,
    this: RawObject,
    count: usize,
    arguments: *const RawValue,
    thrown: Thrown,
) -> RawValue {
    // SAFETY: called by the engine, in a turn; the function is alive while it runs.
    unsafe {
        let found = Shared::current().zip(tag(function)).and_then(|(shared, tag)| shared.natives.find(tag));
        match found {
            Some(Native::Function(callback)) => {
                run_callback(context, this, count, arguments, thrown, |scope, call| callback(scope, call))
            }
            _ => (symbols().JSValueMakeUndefined)(context),
        }
    }
}

/// Entry point of a function that captures nothing.
unsafe extern "C" fn call_plain<F>(
    context: RawContext,
    _: RawObject,
    this: RawObject,
    count: usize,
    arguments: *const RawValue,
    thrown: Thrown,
) -> RawValue
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    // SAFETY: `F` is zero-sized, and `Scope::function` forgot a value of it, so there is one at any
    // address.
    let body = unsafe { NonNull::<F>::dangling().as_ref() };
    // SAFETY: called by the engine, in a turn.
    unsafe { run_callback(context, this, count, arguments, thrown, body) }
}

/// Runs a callback with the C API's conventions.
///
/// # Safety
/// Called by the engine, with the arguments of a callback.
unsafe fn run_callback(
    context: RawContext,
    this: RawObject,
    count: usize,
    arguments: *const RawValue,
    thrown: Thrown,
    body: impl for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>,
) -> RawValue {
    // SAFETY: guaranteed by the caller.
    let Some(shared) = (unsafe { Shared::current() }) else { return ptr::null() };
    let (value, exception) = shared.enter(context.cast_mut(), |scope| {
        // SAFETY: the engine keeps the arguments alive until the callback returns, and the scope
        // does not outlive it.
        let (this, arguments) = unsafe { (scope.retain(this), Value::slice(arguments, count)) };
        call_body(shared, scope, &Call { this, arguments }, body)
    });
    if !exception.is_null() {
        // SAFETY: the engine passes memory for the exception.
        unsafe { *thrown = exception };
    }
    value
}

/// Runs a body; returns the value, and the exception or null. A panic does not unwind through the
/// engine's frames.
#[inline]
pub(crate) fn call_body<'s>(
    shared: &Shared,
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl Fn(&'s Scope, &Call<'s>) -> Outcome<'s>,
) -> (RawValue, RawValue) {
    match catch_unwind(AssertUnwindSafe(|| body(scope, call))) {
        Ok(Ok(value)) => (value.raw(), ptr::null()),
        Ok(Err(exception)) => (scope.undefined().raw(), exception.value().raw()),
        Err(panic) => {
            shared.store_panic(panic);
            let error = Exception::new(scope, ErrorKind::Error, "native code panicked");
            (scope.undefined().raw(), error.value().raw())
        }
    }
}
