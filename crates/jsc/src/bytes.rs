//! Bytes that a program has in hand. In: a value: a typed array, a `DataView`, an `ArrayBuffer`, a
//! `SharedArrayBuffer`. Out: the bytes that it shows, lent to Rust while no JavaScript can run; and
//! Rust's bytes as a `Uint8Array` without a copy. Absent: bytes that stay with another thread while
//! JavaScript runs; it takes a copy.
//!
//! By the public functions, whoever asks for the bytes pins the buffer, which is transferred by a
//! copy from then on, and a small array moves out of the heap first. Where the engine is laid out
//! as expected ([`crate::layout`]), neither happens.

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
/// `kJSTypedArrayTypeNone`, which the engine says of a `Float16Array` and a `DataView` too.
const NONE: i32 = 10;

/// A view of bytes: a part of a buffer, or all of it.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'s>(Object<'s>);

/// A number in a `SharedArrayBuffer`.
#[derive(Clone, Copy, Debug)]
pub struct SharedInteger<'s> {
    address: *const u8,
    is_wide: bool,
    _scope: PhantomData<&'s ()>,
}

impl<'s> Bytes<'s> {
    /// `None` if the value has no bytes to show.
    pub fn of(scope: &'s Scope, value: Value<'s>) -> Option<Bytes<'s>> {
        if scope.shared().layout().is_some_and(|layout| layout.byte_span(scope, value).is_some()) {
            return Some(Bytes(Object::of_value(value)));
        }
        let object = value.as_object(scope)?;
        // SAFETY: a value of this VM, under its lock; what it could throw is nothing for an object.
        match unsafe { (symbols().JSValueGetTypedArrayType)(scope.context(), value.raw(), ptr::null_mut()) } {
            ARRAY_BUFFER => view_of_buffer(scope, object).map(Bytes),
            NONE => view_of_view(scope, value).map(Bytes),
            _ => Some(Bytes(object)),
        }
    }

    /// The bytes go to JavaScript as they lie, as a `Uint8Array`. They are freed when it was
    /// collected, on whichever thread that is.
    pub fn from_vec(scope: &'s Scope, bytes: Vec<u8>) -> Result<Object<'s>, Exception<'s>> {
        let bytes = Box::into_raw(bytes.into_boxed_slice());
        let (first, count) = (bytes.cast::<c_void>(), bytes.len());
        let array = scope.check(|thrown| {
            // SAFETY: the bytes are the engine's from here on; it frees them once, by `free`,
            // whether this succeeds.
            unsafe {
                let free = Some(crate::buffer::free as unsafe extern "C" fn(_, _));
                let make = symbols().JSObjectMakeTypedArrayWithBytesNoCopy;
                let context = ptr::without_provenance_mut(count);
                make(scope.context(), UINT8_ARRAY, first, count, free, context, thrown)
            }
        })?;
        Ok(Object::from_raw(scope, array))
    }

    /// Lends the bytes: while `body` runs, the engine cannot be entered, so nobody else changes or
    /// frees them. `body` is `Send` so that it can bring no value and no scope along. A view whose
    /// buffer was transferred has no bytes.
    ///
    /// # Panics
    /// When the engine is entered by `body` all the same, through a thread-local variable.
    pub fn with_bytes_mut<R>(self, scope: &Scope, body: impl FnOnce(&mut [u8]) -> R + Send) -> R {
        let place = self.span(scope);
        // SAFETY: the place was asked for just now, and the engine is not entered; `lend` is not
        // nested, so this is the one reference.
        scope.shared().forbid_entry(|| body(unsafe { slice_mut(place) }))
    }

    /// The same with the letters of a string beside them; `None` if `text` is no string.
    ///
    /// # Panics
    /// As [`Bytes::with_bytes_mut`].
    pub fn with_bytes_and_string<R>(
        self,
        scope: &Scope,
        text: Value<'_>,
        body: impl FnOnce(&mut [u8], CodeUnits<'_>) -> R + Send,
    ) -> Option<R> {
        let handle = StringHandle::of(scope, text)?;
        let place = self.span(scope);
        // SAFETY: as in `lend`; the letters of a string never lie in a buffer, and the string is
        // kept by a scope.
        Some(scope.shared().forbid_entry(|| unsafe { body(slice_mut(place), handle.code_units()) }))
    }

    /// Lends two views, which may show the same bytes, to read.
    ///
    /// # Panics
    /// As [`Bytes::with_bytes_mut`].
    pub fn with_both<R>(
        self,
        scope: &Scope,
        other: Bytes<'_>,
        body: impl FnOnce(&[u8], &[u8]) -> R + Send,
    ) -> R {
        // The second question may move a small array out of the heap, but not twice.
        let _settled = other.span(scope);
        let spans = [self.span(scope), other.span(scope)];
        // SAFETY: as in `lend`; both are only read.
        scope.shared().forbid_entry(|| unsafe { body(slice_mut(spans[0]), slice_mut(spans[1])) })
    }

    /// A string of a part, where all of it is ASCII; `None`: it is not. What is beyond the end is
    /// cut off.
    pub fn ascii_string(self, scope: &'s Scope, part: Range<usize>) -> Option<Value<'s>> {
        fn cut(bytes: &[u8], part: Range<usize>) -> &[u8] {
            let end = part.end.min(bytes.len());
            &bytes[part.start.min(end)..end]
        }
        let count = self.with_bytes_mut(scope, |bytes| {
            let bytes = cut(bytes, part.clone());
            bytes.is_ascii().then_some(bytes.len())
        })?;
        Some(scope.string_with(count, |letters| {
            self.with_bytes_mut(scope, |bytes| letters.copy_from_slice(&cut(bytes, part)[..count]));
        }))
    }

    /// A copy, which may go anywhere.
    pub fn copy(self, scope: &Scope) -> Vec<u8> {
        self.with_bytes_mut(scope, |bytes| bytes.to_vec())
    }

    pub fn len(self, scope: &Scope) -> usize {
        self.span(scope).1
    }

    pub fn is_empty(self, scope: &Scope) -> bool {
        self.len(scope) == 0
    }

    /// The four bytes at `offset`, or the eight, as one number that other threads may change: of a
    /// `SharedArrayBuffer` alone, whose memory stays where it is. `None`: it would lie across two
    /// words, or behind the end.
    pub fn shared_integer(self, scope: &Scope, offset: usize, is_wide: bool) -> Option<SharedInteger<'s>> {
        let (first, count) = self.span(scope);
        let width = if is_wide { 8 } else { 4 };
        let end = offset.checked_add(width).filter(|end| *end <= count)?;
        let place = first.wrapping_add(end - width).cast_const();
        place.addr().is_multiple_of(width).then_some(SharedInteger {
            address: place,
            is_wide,
            _scope: PhantomData,
        })
    }

    /// Where the bytes are, until the engine is entered again.
    fn span(self, scope: &Scope) -> ByteSpan {
        if let Some(place) =
            scope.shared().layout().and_then(|layout| layout.byte_span(scope, self.0.value()))
        {
            return place;
        }
        let (context, array) = (scope.context(), self.0.raw());
        // SAFETY: a typed array that the interface knows, of this VM, under its lock.
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
    /// Where it lies: the same for all threads that have the memory.
    pub fn address(self) -> usize {
        self.address.addr()
    }

    /// What it holds, as `Atomics.load` reads it.
    pub fn load(self) -> i64 {
        // SAFETY: within a buffer that a value of the scope keeps, aligned, and shared memory,
        // which is never given back or moved before, and which the engine and we read and write
        // with atomics of the same width.
        unsafe {
            match self.is_wide {
                true => AtomicI64::from_ptr(self.address.cast_mut().cast()).load(Ordering::SeqCst),
                false => AtomicI32::from_ptr(self.address.cast_mut().cast()).load(Ordering::SeqCst).into(),
            }
        }
    }
}

/// # Safety
/// The place is as the engine says, and nothing but the slice is used for `'a`.
unsafe fn slice_mut<'a>((first, count): ByteSpan) -> &'a mut [u8] {
    match count == 0 || first.is_null() {
        true => &mut [],
        // SAFETY: as promised.
        false => unsafe { std::slice::from_raw_parts_mut(first, count) },
    }
}

/// An array of all that a buffer holds.
fn view_of_buffer<'s>(scope: &'s Scope, buffer: Object<'_>) -> Option<Object<'s>> {
    let made = scope.check(|thrown| {
        // SAFETY: a buffer of this VM, under its lock.
        unsafe {
            let make = symbols().JSObjectMakeTypedArrayWithArrayBuffer;
            make(scope.context(), UINT8_ARRAY, buffer.raw(), thrown)
        }
    });
    // One that was transferred cannot be shown, and has nothing to show.
    made.map(|array| Object::from_raw(scope, array)).ok().or_else(|| Bytes::from_vec(scope, Vec::new()).ok())
}

/// An array of what a view shows that the interface does not know.
fn view_of_view<'s>(scope: &'s Scope, value: Value<'_>) -> Option<Object<'s>> {
    let root = scope.shared().show.get_or_init(|| {
        let function = scope.evaluate_static(SHOW, "bytes.js").and_then(|show| {
            show.as_function(scope).map(|show| show.value()).ok_or_else(|| scope.undefined().into())
        });
        function.map_or_else(|_| None, |show| Some(crate::Root::new(scope, show)))
    });
    let show = root.as_ref()?.value(scope).as_function(scope)?;
    show.call(scope, &[value]).ok()?.as_object(scope)
}

/// Asks by the getters of the language, which no property of the view's own hides.
const SHOW: &str = "(() => {
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
