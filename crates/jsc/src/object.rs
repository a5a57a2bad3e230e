//! Objects and functions. In: values. Out: property access and calls, each of which may run the
//! program's code. Absent: classes with native methods; those are written in JavaScript, over a
//! native value.

use std::ffi::c_uint;
use std::ptr;

use crate::engine::symbols;
use crate::exception::{ErrorKind, Exception};
use crate::scope::Scope;
use crate::string::{self, JsString};
use crate::symbols::RawObject;
use crate::value::Value;

/// A value with properties.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Object<'s>(Value<'s>);

/// A callable object.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Function<'s>(Object<'s>);

/// A property name: a Rust string, or an engine string that is reused.
pub enum Key<'k> {
    Name(&'k str),
    String(&'k JsString),
}

impl<'s> Object<'s> {
    #[inline]
    pub(crate) fn from_raw(scope: &'s Scope, raw: RawObject) -> Object<'s> {
        Object(scope.retain(raw))
    }

    /// The value must be an object.
    #[inline]
    pub(crate) fn of_value(value: Value<'s>) -> Object<'s> {
        Object(value)
    }

    #[inline]
    pub(crate) fn raw(self) -> RawObject {
        self.0.raw().cast_mut()
    }

    #[inline]
    pub fn value(self) -> Value<'s> {
        self.0
    }

    pub fn property<'r, 'k>(
        self,
        scope: &'r Scope,
        key: impl Into<Key<'k>>,
    ) -> Result<Value<'r>, Exception<'r>> {
        let found = key.into().with(scope, |name| {
            // SAFETY: an object of this VM, under its lock; the name lives through the call.
            scope.check(|thrown| unsafe {
                (symbols().JSObjectGetProperty)(scope.context(), self.raw(), name.raw(), thrown)
            })
        })?;
        Ok(scope.retain(found))
    }

    pub fn set_property<'r, 'k>(
        self,
        scope: &'r Scope,
        key: impl Into<Key<'k>>,
        value: Value<'_>,
    ) -> Result<(), Exception<'r>> {
        /// `kJSPropertyAttributeNone`: a new property gets the attributes of an assignment.
        const ATTRIBUTES: c_uint = 0;
        key.into().with(scope, |name| {
            // SAFETY: an object and a value of this VM, under its lock; the name lives through the
            // call.
            scope.check(|thrown| unsafe {
                let (object, name, value) = (self.raw(), name.raw(), value.raw());
                (symbols().JSObjectSetProperty)(scope.context(), object, name, value, ATTRIBUTES, thrown);
            })
        })
    }

    /// `key in object`.
    pub fn has_property<'k>(self, scope: &Scope, key: impl Into<Key<'k>>) -> bool {
        key.into().with(scope, |name| {
            // SAFETY: an object of this VM, under its lock; the name lives through the call.
            unsafe { (symbols().JSObjectHasProperty)(scope.context(), self.raw(), name.raw()) }
        })
    }

    /// Returns whether the property does not exist afterwards.
    pub fn delete_property<'r, 'k>(
        self,
        scope: &'r Scope,
        key: impl Into<Key<'k>>,
    ) -> Result<bool, Exception<'r>> {
        key.into().with(scope, |name| {
            // SAFETY: an object of this VM, under its lock; the name lives through the call.
            scope.check(|thrown| unsafe {
                (symbols().JSObjectDeleteProperty)(scope.context(), self.raw(), name.raw(), thrown)
            })
        })
    }

    pub fn element<'r>(self, scope: &'r Scope, index: u32) -> Result<Value<'r>, Exception<'r>> {
        scope
            .check(|thrown| {
                // SAFETY: an object of this VM, under its lock.
                unsafe { (symbols().JSObjectGetPropertyAtIndex)(scope.context(), self.raw(), index, thrown) }
            })
            .map(|value| scope.retain(value))
    }

    /// The names that `for in` would visit.
    pub fn property_names(self, scope: &Scope) -> Vec<String> {
        // SAFETY: an object of this VM, under its lock; the names belong to the array, which is
        // released last.
        unsafe {
            let names = (symbols().JSObjectCopyPropertyNames)(scope.context(), self.raw());
            let count = (symbols().JSPropertyNameArrayGetCount)(names);
            let names_of_object = (0..count)
                .map(|index| string::read((symbols().JSPropertyNameArrayGetNameAtIndex)(names, index)));
            let names_of_object = names_of_object.collect();
            (symbols().JSPropertyNameArrayRelease)(names);
            names_of_object
        }
    }

    pub fn as_function(self, scope: &Scope) -> Option<Function<'s>> {
        if scope.shared().layout().is_some_and(|layout| layout.is_function(self.value())) {
            return Some(Function(self));
        }
        // SAFETY: an object of this VM, under its lock.
        unsafe { (symbols().JSObjectIsFunction)(scope.context(), self.raw()) }.then_some(Function(self))
    }

    /// `object instanceof constructor`.
    pub fn is_instance<'r>(self, scope: &'r Scope, constructor: Function<'_>) -> Result<bool, Exception<'r>> {
        scope.check(|thrown| {
            let (object, constructor) = (self.0.raw(), constructor.0.raw());
            // SAFETY: objects of this VM, under its lock.
            unsafe {
                (symbols().JSValueIsInstanceOfConstructor)(scope.context(), object, constructor, thrown)
            }
        })
    }
}

impl<'s> Function<'s> {
    /// The object must be callable.
    #[inline]
    pub(crate) fn of_object(object: Object<'s>) -> Function<'s> {
        Function(object)
    }

    #[inline]
    pub fn object(self) -> Object<'s> {
        self.0
    }

    #[inline]
    pub fn value(self) -> Value<'s> {
        self.0.value()
    }

    /// Calls it with `this` undefined, which sloppy code sees as the global object.
    pub fn call<'r>(self, scope: &'r Scope, arguments: &[Value<'_>]) -> Result<Value<'r>, Exception<'r>> {
        self.call_raw(scope, ptr::null_mut(), arguments)
    }

    pub fn call_on<'r>(
        self,
        scope: &'r Scope,
        this: Object<'_>,
        arguments: &[Value<'_>],
    ) -> Result<Value<'r>, Exception<'r>> {
        self.call_raw(scope, this.raw(), arguments)
    }

    /// `new function(...arguments)`.
    pub fn construct<'r>(
        self,
        scope: &'r Scope,
        arguments: &[Value<'_>],
    ) -> Result<Object<'r>, Exception<'r>> {
        let arguments = Value::raw_slice(arguments);
        let (count, first) = (arguments.len(), arguments.as_ptr());
        let object = scope.check(|thrown| {
            // SAFETY: values of this VM, alive through the call, under its lock.
            unsafe {
                (symbols().JSObjectCallAsConstructor)(scope.context(), self.0.raw(), count, first, thrown)
            }
        })?;
        // The engine throws nothing for an object that is not a constructor.
        match object.is_null() {
            true => Err(Exception::new(scope, ErrorKind::Type, "not a constructor")),
            false => Ok(Object::from_raw(scope, object)),
        }
    }

    fn call_raw<'r>(
        self,
        scope: &'r Scope,
        this: RawObject,
        arguments: &[Value<'_>],
    ) -> Result<Value<'r>, Exception<'r>> {
        let arguments = Value::raw_slice(arguments);
        let (count, first) = (arguments.len(), arguments.as_ptr());
        scope
            .check(|thrown| {
                // SAFETY: values of this VM, alive through the call, under its lock; `this` may be
                // null.
                unsafe {
                    let function = self.0.raw();
                    (symbols().JSObjectCallAsFunction)(scope.context(), function, this, count, first, thrown)
                }
            })
            .map(|value| scope.retain(value))
    }
}

impl Key<'_> {
    fn with<R>(self, scope: &Scope, body: impl FnOnce(&JsString) -> R) -> R {
        match self {
            Key::Name(name) => body(&JsString::new(scope, name)),
            Key::String(text) => body(text),
        }
    }
}

impl<'k> From<&'k str> for Key<'k> {
    fn from(name: &'k str) -> Key<'k> {
        Key::Name(name)
    }
}

impl<'k> From<&'k JsString> for Key<'k> {
    fn from(text: &'k JsString) -> Key<'k> {
        Key::String(text)
    }
}

impl<'s> From<Object<'s>> for Value<'s> {
    fn from(object: Object<'s>) -> Value<'s> {
        object.0
    }
}

impl<'s> From<Function<'s>> for Value<'s> {
    fn from(function: Function<'s>) -> Value<'s> {
        function.0.0
    }
}
