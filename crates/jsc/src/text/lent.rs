//! A string's letters, lent where they lie. In: a value. Out: its letters, while no JavaScript can
//! run. By the public way the engine makes a string of its interface first, and widens it.

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::symbols::RawString;
use crate::text::{Letters, fast};
use crate::value::{Kind, Value};

impl Value<'_> {
    /// Lends the letters to Rust, as [`crate::Bytes::lend`] lends bytes; `None` if it is no string.
    ///
    /// # Panics
    /// When the engine is entered by `body` all the same, through a thread-local variable.
    pub fn letters<R>(self, scope: &Scope, body: impl FnOnce(Letters<'_>) -> R + Send) -> Option<R> {
        let held = Held::of(scope, self)?;
        // SAFETY: the value is kept by a scope, and the engine is not entered.
        Some(scope.shared().lend(|| body(unsafe { held.letters() })))
    }
}

/// What holds the letters of a string.
pub(crate) enum Held {
    /// The value's own `StringImpl`.
    Own(*const u8),
    /// A string of the interface, released when dropped.
    Copy(RawString),
}

impl Held {
    /// `None` if the value is no string.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<Held> {
        let layout = scope.shared().layout();
        if let Some(letters) = layout.and_then(|layout| layout.whole_string(value)) {
            return Some(Held::Own(letters));
        }
        if value.kind(scope) != Kind::String {
            return None;
        }
        // SAFETY: a string of this VM, under its lock.
        let copy =
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), value.raw(), std::ptr::null_mut()) };
        // No memory for it: nothing is the honest answer that does not end the process.
        (!copy.is_null()).then_some(Held::Copy(copy))
    }

    /// # Safety
    /// The value that it is of is alive, and the engine was not entered since `of` and is not for
    /// `'a`.
    pub unsafe fn letters<'a>(&self) -> Letters<'a> {
        // SAFETY: as promised; a layout was learned only where `fast` is.
        unsafe {
            match *self {
                Held::Own(place) => fast::letters_of_impl(place),
                Held::Copy(string) if engine().fast.is_some() => fast::letters(string),
                Held::Copy(string) => match (symbols().JSStringGetLength)(string) {
                    0 => Letters::Wide(&[]),
                    count => {
                        let first = (symbols().JSStringGetCharactersPtr)(string);
                        Letters::Wide(std::slice::from_raw_parts(first, count))
                    }
                },
            }
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Held::Copy(string) = *self {
            // SAFETY: given to us by `of`, released once, under the lock of the scope that is still
            // open.
            unsafe { (symbols().JSStringRelease)(string) };
        }
    }
}
