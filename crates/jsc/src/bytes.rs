//! Bytes of typed arrays, `DataView`s, `ArrayBuffer`s and `SharedArrayBuffer`s. In: a value. Out: a
//! borrow of the bytes that it views, during which no JavaScript can run; and a `Uint8Array` made
//! of a `Vec` without a copy. Absent: borrows by another thread while JavaScript runs; it gets a
//! copy.
//!
//! The public functions pin the buffer, which is then copied on transfer, and first move a small
//! array out of the heap. Where the layout is verified ([`crate::layout`]), neither happens.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicI64, Ordering};

use crate::engine::symbols;
use crate::exception::Exception;
use crate::layout::ByteSpan;
use crate::object::Object;
use crate::scope::Scope;
use crate::string::{CodeUnits, StringHandle};
use crate::value::Value;

/// `kJSTypedArrayTypeUint8Array`.
const UINT8_ARRAY: i32 = 3;
/// `kJSTypedArrayTypeArrayBuffer`.
const ARRAY_BUFFER: i32 = 9;
/// `kJSTypedArrayTypeNone`, which the API also returns for a `Float16Array` and a `DataView`.
const NONE: i32 = 10;

/// A view of a buffer, or of a part of it.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'s>(Object<'s>);

/// An integer in a `SharedArrayBuffer`.
#[derive(Clone, Copy, Debug)]
pub struct SharedInteger<'s> {
    address: *const u8,
    is_wide: bool,
    _scope: PhantomData<&'s ()>,
}

impl<'s> Bytes<'s> {
    /// `None` if the value has no bytes.
    pub fn of(scope: &'s Scope, value: Value<'s>) -> Option<Bytes<'s>> {
        if scope.shared().layout().is_some_and(|layout| layout.byte_span(scope, value).is_some()) {
            return Some(Bytes(Object::of_value(value)));
        }
        let object = value.as_object(scope)?;
        // SAFETY: a value of this VM, under its lock; nothing is thrown for an object.
        match unsafe { (symbols().JSValueGetTypedArrayType)(scope.context(), value.raw(), ptr::null_mut()) } {
            ARRAY_BUFFER => array_of_buffer(scope, object).map(Bytes),
            NONE => array_of_view(scope, value).map(Bytes),
            _ => Some(Bytes(object)),
        }
    }

    /// Hands the bytes to JavaScript as a `Uint8Array` without a copy. They are freed after the
    /// array was collected, on any thread.
    pub fn from_vec(scope: &'s Scope, bytes: Vec<u8>) -> Result<Object<'s>, Exception<'s>> {
        let bytes = Box::into_raw(bytes.into_boxed_slice());
        let (first, count) = (bytes.cast::<c_void>(), bytes.len());
        let array = scope.check(|thrown| {
            // SAFETY: the engine owns the bytes from here on; it frees them once with `free`, even
            // if this call fails.
            unsafe {
                let free = Some(crate::buffer::free as unsafe extern "C" fn(_, _));
                let make = symbols().JSObjectMakeTypedArrayWithBytesNoCopy;
                let context = ptr::without_provenance_mut(count);
                make(scope.context(), UINT8_ARRAY, first, count, free, context, thrown)
            }
        })?;
        Ok(Object::from_raw(scope, array))
    }

    /// Borrows the bytes. While `body` runs the engine cannot be entered, so nothing else changes
    /// or frees them. `body` is `Send` so that it cannot capture a value or a scope. A view of a
    /// detached buffer has no bytes.
    ///
    /// # Panics
    /// If `body` enters the engine all the same, through a thread-local variable.
    pub fn with_bytes_mut<R>(self, scope: &Scope, body: impl FnOnce(&mut [u8]) -> R + Send) -> R {
        let span = self.span(scope);
        // SAFETY: the address was read just now and the engine is not entered since; borrows do not
        // nest, so this is the only reference.
        scope.shared().forbid_entry(|| body(unsafe { slice_mut(span) }))
    }

    /// Borrows the bytes and the code units of a string; `None` if `text` is not a string.
    ///
    /// # Panics
    /// As [`Bytes::with_bytes_mut`].
    pub fn with_bytes_and_string<R>(
        self,
        scope: &Scope,
        string: Value<'_>,
        body: impl FnOnce(&mut [u8], CodeUnits<'_>) -> R + Send,
    ) -> Option<R> {
        let handle = StringHandle::of(scope, string)?;
        let span = self.span(scope);
        // SAFETY: as in `with_bytes_mut`; the code units of a string are never inside a buffer, and
        // a scope roots the string.
        Some(scope.shared().forbid_entry(|| unsafe { body(slice_mut(span), handle.code_units()) }))
    }

    /// Borrows two views, which may overlap, for reading.
    ///
    /// # Panics
    /// As [`Bytes::with_bytes_mut`].
    pub fn with_both<R>(
        self,
        scope: &Scope,
        other: Bytes<'_>,
        body: impl FnOnce(&[u8], &[u8]) -> R + Send,
    ) -> R {
        // Reading the second address may move a small array out of the heap, but only once.
        let _moved = other.span(scope);
        let spans = [self.span(scope), other.span(scope)];
        // SAFETY: as in `with_bytes_mut`; both are only read.
        scope.shared().forbid_entry(|| unsafe { body(slice_mut(spans[0]), slice_mut(spans[1])) })
    }

    /// Makes a string of a range of the bytes if all of it is ASCII, else returns `None`. The range
    /// is clamped to the length.
    pub fn ascii_string(self, scope: &'s Scope, part: Range<usize>) -> Option<Value<'s>> {
        fn cut(bytes: &[u8], part: Range<usize>) -> &[u8] {
            let end = part.end.min(bytes.len());
            &bytes[part.start.min(end)..end]
        }
        let count = self.with_bytes_mut(scope, |bytes| {
            let bytes = cut(bytes, part.clone());
            bytes.is_ascii().then_some(bytes.len())
        })?;
        Some(scope.string_with(count, |units| {
            self.with_bytes_mut(scope, |bytes| units.copy_from_slice(&cut(bytes, part)[..count]));
        }))
    }

    /// Address and length, for C code. They hold until JavaScript detaches, resizes or, for a small
    /// array whose `buffer` was never read, moves the bytes.
    pub fn address(self, scope: &Scope) -> (*mut u8, usize) {
        self.span(scope)
    }

    /// Element type, address and length in bytes of a typed array whose bytes stay where they are
    /// until it is detached or resized, as far as that is known without its `buffer`. The type is
    /// the index of its class in [`Bytes::TYPES`].
    pub fn fixed(scope: &Scope, value: Value<'_>) -> Option<(usize, *mut u8, usize)> {
        let ((first, count), class) = scope.shared().layout()?.fixed_view(scope, value)?;
        Some((usize::from(class), first, count))
    }

    /// Classes of typed arrays, by the index in [`Bytes::fixed`].
    pub const TYPES: [&'static str; 12] = [
        "Int8Array",
        "Uint8Array",
        "Uint8ClampedArray",
        "Int16Array",
        "Uint16Array",
        "Int32Array",
        "Uint32Array",
        "Float16Array",
        "Float32Array",
        "Float64Array",
        "BigInt64Array",
        "BigUint64Array",
    ];

    /// A copy of the bytes.
    pub fn copy(self, scope: &Scope) -> Vec<u8> {
        self.with_bytes_mut(scope, |bytes| bytes.to_vec())
    }

    pub fn len(self, scope: &Scope) -> usize {
        self.span(scope).1
    }

    pub fn is_empty(self, scope: &Scope) -> bool {
        self.len(scope) == 0
    }

    /// The integer of four or eight bytes at `offset` of a `SharedArrayBuffer`, which other threads
    /// may change; its memory never moves. `None`: not aligned, or out of range.
    pub fn shared_integer(self, scope: &Scope, offset: usize, is_wide: bool) -> Option<SharedInteger<'s>> {
        let (first, count) = self.span(scope);
        let width = if is_wide { 8 } else { 4 };
        let end = offset.checked_add(width).filter(|end| *end <= count)?;
        let address = first.wrapping_add(end - width).cast_const();
        address.addr().is_multiple_of(width).then_some(SharedInteger {
            address,
            is_wide,
            _scope: PhantomData,
        })
    }

    /// Address and length, valid until the engine is entered again.
    fn span(self, scope: &Scope) -> ByteSpan {
        if let Some(span) = scope.shared().layout().and_then(|layout| layout.byte_span(scope, self.0.value()))
        {
            return span;
        }
        let (context, array) = (scope.context(), self.0.raw());
        // SAFETY: a typed array known to the public API, of this VM, under its lock.
        unsafe {
            let first = (symbols().JSObjectGetTypedArrayBytesPtr)(context, array, ptr::null_mut());
            let count = (symbols().JSObjectGetTypedArrayByteLength)(context, array, ptr::null_mut());
            let offset = (symbols().JSObjectGetTypedArrayByteOffset)(context, array, ptr::null_mut());
            match first.is_null() {
                true => (ptr::null_mut(), 0),
                false => (first.cast::<u8>().add(offset), count),
            }
        }
    }
}

impl SharedInteger<'_> {
    /// The address, which is the same for all threads that share the memory.
    pub fn address(self) -> usize {
        self.address.addr()
    }

    /// The value, read as `Atomics.load` does.
    pub fn load(self) -> i64 {
        // SAFETY: aligned and within a buffer that a value of the scope keeps alive. Shared memory
        // is never moved or freed before that, and the engine accesses it with atomics of the same
        // width.
        unsafe {
            match self.is_wide {
                true => AtomicI64::from_ptr(self.address.cast_mut().cast()).load(Ordering::SeqCst),
                false => AtomicI32::from_ptr(self.address.cast_mut().cast()).load(Ordering::SeqCst).into(),
            }
        }
    }
}

/// # Safety
/// The span was reported by the engine just now, and only the slice is used for `'a`.
unsafe fn slice_mut<'a>((first, count): ByteSpan) -> &'a mut [u8] {
    match count == 0 || first.is_null() {
        true => &mut [],
        // SAFETY: as promised.
        false => unsafe { std::slice::from_raw_parts_mut(first, count) },
    }
}

/// A typed array over a whole buffer.
fn array_of_buffer<'s>(scope: &'s Scope, buffer: Object<'_>) -> Option<Object<'s>> {
    let made = scope.check(|thrown| {
        // SAFETY: a buffer of this VM, under its lock.
        unsafe {
            let make = symbols().JSObjectMakeTypedArrayWithArrayBuffer;
            make(scope.context(), UINT8_ARRAY, buffer.raw(), thrown)
        }
    });
    // A detached buffer cannot be viewed, and has no bytes.
    made.map(|array| Object::from_raw(scope, array)).ok().or_else(|| Bytes::from_vec(scope, Vec::new()).ok())
}

/// A typed array over the bytes of a view that the public API does not know.
fn array_of_view<'s>(scope: &'s Scope, value: Value<'_>) -> Option<Object<'s>> {
    let known = scope.shared().view_script.borrow().as_ref().map(|root| root.value(scope));
    let function = known.or_else(|| {
        let made = scope.evaluate_static(VIEW_SCRIPT, "bytes.js").ok()?;
        scope.shared().view_script.replace(Some(crate::Root::new(scope, made)));
        Some(made)
    });
    let view = function?.as_function(scope)?;
    view.call(scope, &[value]).ok()?.as_object(scope)
}

/// Reads the view by the accessors of the prototypes, which its own properties cannot shadow.
const VIEW_SCRIPT: &str = "(() => {
  const getters = (prototype) => ['buffer', 'byteOffset', 'byteLength']
    .map((name) => Object.getOwnPropertyDescriptor(prototype, name).get);
  const classes = [getters(Object.getPrototypeOf(Uint8Array.prototype)), getters(DataView.prototype)];
  const { apply } = Reflect, Array = Uint8Array;
  return (view) => {
    for (let i = 0; i < 2; i++) {
      try {
        const [buffer, offset, length] = classes[i];
        return new Array(apply(buffer, view, []), apply(offset, view, []), apply(length, view, []));
      } catch {}
    }
  };
})()";
