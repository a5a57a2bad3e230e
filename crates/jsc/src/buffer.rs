//! `ArrayBuffer`s made of Rust's memory without a copy. In: owned bytes. Out: an `ArrayBuffer`; and
//! a borrow of its bytes, during which no JavaScript can run. Absent: typed arrays and other views;
//! see [`crate::Bytes`].

use std::ffi::c_void;
use std::ptr;

use crate::engine::symbols;
use crate::exception::Exception;
use crate::object::Object;
use crate::scope::Scope;
use crate::value::Value;

/// `kJSTypedArrayTypeArrayBuffer`.
const ARRAY_BUFFER: i32 = 9;

/// An object of the class `ArrayBuffer`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct ArrayBuffer<'s>(Object<'s>);

impl<'s> ArrayBuffer<'s> {
    /// Hands the bytes to JavaScript without a copy. They are freed after the object was collected,
    /// on any thread.
    pub fn new(scope: &'s Scope, bytes: Vec<u8>) -> Result<ArrayBuffer<'s>, Exception<'s>> {
        let bytes = Box::into_raw(bytes.into_boxed_slice());
        let (first, count) = (bytes.cast::<c_void>(), bytes.len());
        // The length comes back in the context argument, which the engine passes through unchanged.
        let context = ptr::without_provenance_mut(count);
        scope
            .check(|thrown| {
                // SAFETY: the engine owns the bytes from here on; it frees them once with `free`,
                // even if this call fails.
                unsafe {
                    let free = Some(free as unsafe extern "C" fn(_, _));
                    let make = symbols().JSObjectMakeArrayBufferWithBytesNoCopy;
                    make(scope.context(), first, count, free, context, thrown)
                }
            })
            .map(|buffer| ArrayBuffer(Object::from_raw(scope, buffer)))
    }

    /// An `ArrayBuffer` over memory of C code.
    ///
    /// # Safety
    /// The bytes stay valid until `free` is called with `context`, once and on any thread, even if
    /// this call fails. `free` does not use the engine.
    pub unsafe fn over_foreign(
        scope: &'s Scope,
        (first, count): (*mut c_void, usize),
        free: unsafe extern "C" fn(*mut c_void, *mut c_void),
        context: *mut c_void,
    ) -> Result<ArrayBuffer<'s>, Exception<'s>> {
        let made = scope.check(|thrown| {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let make = symbols().JSObjectMakeArrayBufferWithBytesNoCopy;
                make(scope.context(), first, count, Some(free), context, thrown)
            }
        });
        made.map(|buffer| ArrayBuffer(Object::from_raw(scope, buffer)))
    }

    /// `None` if the value is not an `ArrayBuffer`; a typed array has one as its property `buffer`.
    pub fn of(scope: &Scope, value: Value<'s>) -> Option<ArrayBuffer<'s>> {
        let object = value.as_object(scope)?;
        // SAFETY: a value of this VM, under its lock; nothing is thrown for an object.
        let class =
            unsafe { (symbols().JSValueGetTypedArrayType)(scope.context(), value.raw(), ptr::null_mut()) };
        (class == ARRAY_BUFFER).then_some(ArrayBuffer(object))
    }

    pub fn object(self) -> Object<'s> {
        self.0
    }

    /// Borrows the bytes. While `body` runs the engine cannot be entered, so nothing else changes
    /// or frees them. `body` is `Send` so that it cannot capture a value or a scope. A detached
    /// buffer has no bytes. Returns `None` for the memory of a WebAssembly instance, which the
    /// engine does not expose. The call pins the buffer: a later transfer copies it.
    ///
    /// # Panics
    /// If `body` enters the engine all the same, through a thread-local variable.
    pub fn with_bytes_mut<R>(self, scope: &Scope, body: impl FnOnce(&mut [u8]) -> R + Send) -> Option<R> {
        let (context, buffer) = (scope.context(), self.0.raw());
        // SAFETY: an `ArrayBuffer` of this VM, under its lock. Both functions accept a detached
        // buffer.
        let (first, count) = unsafe {
            let first = (symbols().JSObjectGetArrayBufferBytesPtr)(context, buffer, ptr::null_mut());
            (first, (symbols().JSObjectGetArrayBufferByteLength)(context, buffer, ptr::null_mut()))
        };
        scope.shared().forbid_entry(|| {
            if count == 0 {
                return Some(body(&mut []));
            }
            if first.is_null() {
                return None;
            }
            // SAFETY: the engine reports address and length; a scope roots the object, and reading
            // the address pinned the bytes. Only this thread runs JavaScript that can reach them,
            // and it does not before `body` returns. Borrows do not nest, so this is the only
            // reference.
            Some(body(unsafe { std::slice::from_raw_parts_mut(first.cast::<u8>(), count) }))
        })
    }
}

/// Runs on any thread: the global allocator is shared by all of them.
pub(crate) unsafe extern "C" fn free(first: *mut c_void, context: *mut c_void) {
    let bytes = ptr::slice_from_raw_parts_mut(first.cast::<u8>(), context.addr());
    // SAFETY: the box that `ArrayBuffer::new` or `Bytes::from_vec` leaked.
    drop(unsafe { Box::from_raw(bytes) });
}
