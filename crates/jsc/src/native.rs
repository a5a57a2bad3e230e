//! What JavaScript holds of Rust: functions, and values that its classes keep in a private field.
//! In: closures, owned values. Out: objects of the engine. A closure is dropped on the VM's thread,
//! at the end of the turn after its object was collected. Absent: classes; JavaScript has them.

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

/// What a callback gives: a value, or what it throws.
pub type Outcome<'s> = Result<Value<'s>, Exception<'s>>;

type Callback = dyn for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>;

/// What a callback was called with.
pub struct Call<'s> {
    pub this: Value<'s>,
    pub arguments: &'s [Value<'s>],
}

/// The natives of one VM, by number. Objects of the engine hold the number; its collector may tell
/// of their end on any thread and at any moment, so it is only noted there.
pub(crate) struct Natives {
    entries: RefCell<Vec<Option<Native>>>,
    free: RefCell<Vec<usize>>,
    dead: Arc<FinalizedIds>,
    function_class: RawClass,
    value_class: RawClass,
}

/// An entry is held by who uses it, too: it may be collected while it runs.
#[derive(Clone)]
enum Native {
    Function(Rc<Callback>),
    Value(Rc<dyn Any>),
}

/// Numbers of objects that were collected.
#[derive(Default)]
struct FinalizedIds {
    is_any: AtomicBool,
    numbers: Mutex<Vec<usize>>,
}

/// The private data of an object of ours.
struct Tag {
    number: usize,
    dead: Arc<FinalizedIds>,
}

impl<'s> Call<'s> {
    /// Undefined where fewer were passed, as in JavaScript.
    pub fn argument(&self, scope: &'s Scope, index: usize) -> Value<'s> {
        self.arguments.get(index).copied().unwrap_or_else(|| scope.undefined())
    }
}

impl Scope {
    /// A function of JavaScript that abi `body`. It cannot be called with `new`. A `body` that
    /// captures nothing costs no entry and is a plain function; any other one is fit to be held by
    /// our own scripts, not to be shown to the user's: it has neither `call` nor `apply`, and every
    /// look at a property of it is slow.
    pub fn function<'s, F>(&'s self, name: &str, body: F) -> Function<'s>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        let object = if mem::size_of::<F>() == 0 {
            // `call_plain` makes the value from nothing again, so this one must not be dropped.
            mem::forget(body);
            let name = JsString::new(self, name);
            let callback: CallAsFunction = call_plain::<F>;
            // SAFETY: the context is alive, the name through the call.
            unsafe {
                (symbols().JSObjectMakeFunctionWithCallback)(self.context(), name.raw(), Some(callback))
            }
        } else {
            let natives = &self.shared().natives;
            natives.object(self.context(), natives.function_class, Native::Function(Rc::new(body)))
        };
        Function::of_object(Object::from_raw(self, object))
    }

    /// An object without properties that holds a value of Rust's: what a class keeps in a private
    /// field.
    pub fn native<T: Any>(&self, value: T) -> Object<'_> {
        let natives = &self.shared().natives;
        let object = natives.object(self.context(), natives.value_class, Native::Value(Rc::new(value)));
        Object::from_raw(self, object)
    }
}

impl Object<'_> {
    /// The value that [`Scope::native`] was given, if it was a `T`.
    pub fn as_native<T: Any>(self, scope: &Scope) -> Option<Rc<T>> {
        // SAFETY: an object that is alive.
        let tag = unsafe { tag(self.raw()) }?;
        match scope.shared().natives.find(tag.number)? {
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
        // SAFETY: read by the abi, the name copied.
        let [value_class, function_class] =
            [&definition, &callable].map(|definition| unsafe { (symbols().JSClassCreate)(definition) });
        Natives {
            entries: RefCell::default(),
            free: RefCell::default(),
            dead: Arc::default(),
            function_class,
            value_class,
        }
    }

    /// The lock of the context's VM is held, and the natives are the VM's.
    fn object(&self, context: RawContext, class: RawClass, native: Native) -> RawObject {
        let number = self.insert(native);
        let tag = Box::new(Tag { number, dead: Arc::clone(&self.dead) });
        // SAFETY: the class is alive; the tag is now the object's, until `finalize`.
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

    fn find(&self, number: usize) -> Option<Native> {
        self.entries.borrow().get(number)?.clone()
    }

    pub fn count(&self) -> usize {
        self.entries.borrow().iter().flatten().count()
    }

    /// Drops what nobody can reach any more. The drops may use the VM.
    pub fn sweep(&self) {
        if !self.dead.is_any.swap(false, Ordering::Acquire) {
            return;
        }
        let numbers = mem::take(&mut *self.dead.numbers.lock().unwrap_or_else(PoisonError::into_inner));
        for number in numbers {
            let native = self.entries.borrow_mut()[number].take();
            self.free.borrow_mut().push(number);
            drop(native);
        }
    }

    /// Drops all, when the heap is gone.
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

/// The engine tells that an object is no more, on any thread.
unsafe extern "C" fn finalize(object: RawObject) {
    // SAFETY: the contract of `finalize` allows to read the private data; it is a tag that nobody
    // else frees.
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

/// The engine abi an object of the class of closures.
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
        let found =
            Shared::current().zip(tag(function)).and_then(|(shared, tag)| shared.natives.find(tag.number));
        match found {
            Some(Native::Function(callback)) => {
                run_callback(context, this, count, arguments, thrown, |scope, call| callback(scope, call))
            }
            _ => (symbols().JSValueMakeUndefined)(context),
        }
    }
}

/// The engine abi a function that captures nothing.
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
    // SAFETY: `F` has no bytes, and a value of it was forgotten by `Scope::function`, so there is
    // one at any address.
    let body = unsafe { NonNull::<F>::dangling().as_ref() };
    // SAFETY: called by the engine, in a turn.
    unsafe { run_callback(context, this, count, arguments, thrown, body) }
}

/// Runs a callback as the engine wants it.
///
/// # Safety
/// Called by the engine, with what it passes to a callback.
unsafe fn run_callback(
    context: RawContext,
    this: RawObject,
    count: usize,
    arguments: *const RawValue,
    thrown: Thrown,
    body: impl for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>,
) -> RawValue {
    // SAFETY: as promised to us.
    let Some(shared) = (unsafe { Shared::current() }) else { return ptr::null() };
    let (value, exception) = shared.enter(context.cast_mut(), |scope| {
        // SAFETY: the engine keeps what it passes until the callback returns, which the scope does
        // not outlive.
        let (this, arguments) = unsafe { (scope.keep(this), Value::slice(arguments, count)) };
        call_body(shared, scope, &Call { this, arguments }, body)
    });
    if !exception.is_null() {
        // SAFETY: the engine gave a place for it.
        unsafe { *thrown = exception };
    }
    value
}

/// What a body gives, and what it throws or null. No panic passes through the engine's frames.
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
