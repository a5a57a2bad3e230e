//! Shared `Uint32Array`: memory that Rust and JavaScript read and write without a call, for example
//! flags of an event loop. In: its length. Out: a `Uint32Array` for JavaScript, atomics for Rust.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::engine::symbols;
use crate::exception::Exception;
use crate::object::Object;
use crate::scope::Scope;

/// `kJSTypedArrayTypeUint32Array`.
const UINT32_ARRAY: i32 = 6;

/// The Rust side. The memory is freed when both sides are dropped.
#[derive(Clone)]
pub struct SharedU32Array<const COUNT: usize>(Arc<[AtomicU32; COUNT]>);

impl<const COUNT: usize> SharedU32Array<COUNT> {
    /// Initialized with zeros.
    pub fn new(scope: &Scope) -> Result<(SharedU32Array<COUNT>, Object<'_>), Exception<'_>> {
        const { assert!(COUNT > 0, "an array without memory has nothing to share") };
        let words = Arc::new([const { AtomicU32::new(0) }; COUNT]);
        let theirs = Arc::into_raw(Arc::clone(&words)).cast_mut().cast::<c_void>();
        let array = scope.check(|thrown| {
            // SAFETY: the memory lives as long as the reference that `release` drops, once.
            // JavaScript accesses it on this thread.
            unsafe {
                let release = Some(release::<COUNT> as unsafe extern "C" fn(_, _));
                let make = symbols().JSObjectMakeTypedArrayWithBytesNoCopy;
                make(scope.context(), UINT32_ARRAY, theirs, COUNT * size_of::<u32>(), release, theirs, thrown)
            }
        })?;
        Ok((SharedU32Array(words), Object::from_raw(scope, array)))
    }

    /// # Panics
    /// If the index is out of range.
    pub fn load(&self, index: usize) -> u32 {
        self.0[index].load(Ordering::Relaxed)
    }

    /// # Panics
    /// If the index is out of range.
    pub fn store(&self, index: usize, value: u32) {
        self.0[index].store(value, Ordering::Relaxed);
    }
}

unsafe extern "C" fn release<const COUNT: usize>(_: *mut c_void, words: *mut c_void) {
    // SAFETY: the reference that `SharedU32Array::new` leaked.
    drop(unsafe { Arc::from_raw(words.cast::<[AtomicU32; COUNT]>()) });
}
