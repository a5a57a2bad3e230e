//! A JavaScript value, valid as long as its scope. In: a value returned by the engine. Out: its
//! type, and conversions by the rules of the language, which may run the program's code and so may
//! throw. Absent: creating values; see [`crate::Scope`].

use std::marker::PhantomData;

use crate::engine::symbols;
use crate::exception::Exception;
use crate::layout::Primitive;
use crate::object::{Function, Object};
use crate::scope::Scope;
use crate::string;
use crate::symbols::RawValue;

/// One word, copied freely. It belongs to the thread's VM, and there is one VM per thread.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Value<'s>(RawValue, PhantomData<&'s Scope>);

/// The result of `typeof`, with `null` distinguished from objects; a function is an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Undefined,
    Null,
    Boolean,
    Number,
    String,
    Symbol,
    BigInt,
    Object,
}

impl<'s> Value<'s> {
    /// A scope that lives for `'s` roots the value.
    #[inline]
    pub(crate) fn from_raw(raw: RawValue) -> Value<'s> {
        Value(raw, PhantomData)
    }

    #[inline]
    pub(crate) fn raw(self) -> RawValue {
        self.0
    }

    pub(crate) fn raw_slice<'a>(values: &'a [Value<'s>]) -> &'a [RawValue] {
        // SAFETY: `Value` is `repr(transparent)` over the word.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    }

    /// The arguments that the engine passes to a callback.
    ///
    /// # Safety
    /// `first` points to `count` values that are valid for `'s`.
    #[inline]
    pub(crate) unsafe fn slice(first: *const RawValue, count: usize) -> &'s [Value<'s>] {
        match count {
            0 => &[],
            // SAFETY: guaranteed by the caller; `Value` is `repr(transparent)` over the word.
            _ => unsafe { std::slice::from_raw_parts(first.cast(), count) },
        }
    }

    #[inline]
    pub fn kind(self, scope: &Scope) -> Kind {
        if let Some(layout) = scope.shared().layout() {
            match layout.primitive(self) {
                Primitive::Undefined => return Kind::Undefined,
                Primitive::Null => return Kind::Null,
                Primitive::Boolean(_) => return Kind::Boolean,
                Primitive::Number(_) => return Kind::Number,
                Primitive::String => return Kind::String,
                Primitive::Other if layout.is_object(self) == Some(true) => return Kind::Object,
                Primitive::Other => {}
            }
        }
        // The numbers are those of `JSType`.
        // SAFETY: a value of this VM, under its lock.
        match unsafe { (symbols().JSValueGetType)(scope.context(), self.0) } {
            0 => Kind::Undefined,
            1 => Kind::Null,
            2 => Kind::Boolean,
            3 => Kind::Number,
            4 => Kind::String,
            6 => Kind::Symbol,
            7 => Kind::BigInt,
            _ => Kind::Object,
        }
    }

    #[inline]
    pub fn is_undefined(self, scope: &Scope) -> bool {
        self.kind(scope) == Kind::Undefined
    }

    /// The condition of `if (value)`.
    pub fn is_truthy(self, scope: &Scope) -> bool {
        if let Some(Primitive::Boolean(value)) = scope.shared().layout().map(|layout| layout.primitive(self))
        {
            return value;
        }
        // SAFETY: a value of this VM, under its lock.
        unsafe { (symbols().JSValueToBoolean)(scope.context(), self.0) }
    }

    /// `===`.
    pub fn is_same(self, other: Value<'_>, scope: &Scope) -> bool {
        // SAFETY: values of this VM, under its lock.
        unsafe { (symbols().JSValueIsStrictEqual)(scope.context(), self.0, other.0) }
    }

    /// The structure (hidden class) of an object. Objects with the same one have the same
    /// prototype, and the same own properties with the same attributes; not necessarily the same
    /// values. An object that became a dictionary has one of its own, and keeps it. `None`: the
    /// layout of this engine is not known.
    pub fn structure_id(self, scope: &Scope) -> Option<u32> {
        scope.shared().layout()?.structure_id(self.0)
    }

    pub fn is_array(self, scope: &Scope) -> bool {
        if let Some(answer) = scope.property_writer().and_then(|writer| writer.is_array(scope, self)) {
            return answer;
        }
        // SAFETY: a value of this VM, under its lock.
        unsafe { (symbols().JSValueIsArray)(scope.context(), self.0) }
    }

    /// `Number(value)`: a BigInt becomes a number too.
    #[inline]
    pub fn to_number<'r>(self, scope: &'r Scope) -> Result<f64, Exception<'r>> {
        if let Some(Primitive::Number(value)) = scope.shared().layout().map(|layout| layout.primitive(self)) {
            return Ok(value);
        }
        scope.check(|thrown| {
            // SAFETY: a value of this VM, under its lock.
            unsafe { (symbols().JSValueToNumber)(scope.context(), self.0, thrown) }
        })
    }

    /// `` `${value}` ``; an unpaired surrogate becomes U+FFFD.
    pub fn to_rust_string<'r>(self, scope: &'r Scope) -> Result<String, Exception<'r>> {
        let string = scope.check(|thrown| {
            // SAFETY: a value of this VM, under its lock.
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), self.0, thrown) }
        })?;
        // SAFETY: owned, and released here under the lock, because the string may be in the VM's
        // atom table.
        Ok(unsafe { string::take(string) })
    }

    #[inline]
    pub fn as_object(self, scope: &Scope) -> Option<Object<'s>> {
        (self.kind(scope) == Kind::Object).then(|| Object::of_value(self))
    }

    pub fn as_function(self, scope: &Scope) -> Option<Function<'s>> {
        self.as_object(scope)?.as_function(scope)
    }
}
