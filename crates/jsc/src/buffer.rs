//! Bytes that both sides see. In: owned bytes, which are not copied. Out: an `ArrayBuffer`; and its
//! bytes, lent to Rust while no JavaScript can run. Absent: views of it: those are
//! [`crate::Bytes`].

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
    /// The bytes go to JavaScript as they lie. They are freed when the object was collected, on
    /// whichever thread that is.
    pub fn new(scope: &'s Scope, bytes: Vec<u8>) -> Result<ArrayBuffer<'s>, Exception<'s>> {
        let bytes = Box::into_raw(bytes.into_boxed_slice());
        let (first, count) = (bytes.cast::<c_void>(), bytes.len());
        // The length comes back by the context, of which the engine sees nothing but the number.
        let context = ptr::without_provenance_mut(count);
        scope
            .check(|thrown| {
                // SAFETY: the bytes are the engine's from here on; it frees them once, by `free`,
                // whether this succeeds.
                unsafe {
                    let free = Some(free as unsafe extern "C" fn(_, _));
                    let make = symbols().JSObjectMakeArrayBufferWithBytesNoCopy;
                    make(scope.context(), first, count, free, context, thrown)
                }
            })
            .map(|buffer| ArrayBuffer(Object::from_raw(scope, buffer)))
    }

    /// `None` if the value is no `ArrayBuffer`; a typed array has one, as its property `buffer`.
    pub fn of(scope: &Scope, value: Value<'s>) -> Option<ArrayBuffer<'s>> {
        let object = value.as_object(scope)?;
        // SAFETY: a value of this VM, under its lock; what it could throw is nothing for an object.
        let class =
            unsafe { (symbols().JSValueGetTypedArrayType)(scope.context(), value.raw(), ptr::null_mut()) };
        (class == ARRAY_BUFFER).then_some(ArrayBuffer(object))
    }

    pub fn object(self) -> Object<'s> {
        self.0
    }

    /// Lends the bytes to Rust: while `body` runs, the engine cannot be entered, so nobody else
    /// changes or frees them. `body` is `Send` so that it can bring no value and no scope along. A
    /// buffer that was transferred has no bytes; `None`: the memory of a WebAssembly instance,
    /// which the engine does not give away. From here on the buffer is transferred by a copy.
    ///
    /// # Panics
    /// When the engine is entered by `body` all the same, through a thread-local variable.
    pub fn with_bytes_mut<R>(self, scope: &Scope, body: impl FnOnce(&mut [u8]) -> R + Send) -> Option<R> {
        let (context, buffer) = (scope.context(), self.0.raw());
        // SAFETY: an `ArrayBuffer` of this VM, under its lock. Both may be asked of one that was
        // transferred.
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
            // SAFETY: the engine says where and how many; the object is kept by a scope, and asking
            // has pinned the bytes. Only this thread runs JavaScript that knows them, and it does
            // not before `body` returns; `lend` is not nested, so this is the one reference.
            Some(body(unsafe { std::slice::from_raw_parts_mut(first.cast::<u8>(), count) }))
        })
    }
}

/// On any thread: the global allocator is for all of them.
pub(crate) unsafe extern "C" fn free(first: *mut c_void, context: *mut c_void) {
    let bytes = ptr::slice_from_raw_parts_mut(first.cast::<u8>(), context.addr());
    // SAFETY: the box that `ArrayBuffer::new` or `Bytes::from_vec` gave away.
    drop(unsafe { Box::from_raw(bytes) });
}
