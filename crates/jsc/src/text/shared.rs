//! A string on its way to another thread. In: a value. Out: a handle that may go there, and a
//! string of the VM there with the same letters, copied once when it is made, or over them where
//! they lie. The letters stay where they are: the handle is one more reference to them, in constant
//! time however many there are; only a string that is still in pieces is put together.

use std::any::Any;

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::symbols::{Opaque, RawString};
use crate::text::Letters;
use crate::text::fast::{self, Fast};
use crate::value::{Kind, Value};

/// Letters of a VM's string. It is dropped in a turn of that VM, or when that is gone: the engine
/// may have made an atom of it meanwhile, which stands in a table of the VM's.
pub struct SharedText(Held);

enum Held {
    /// A `StringImpl`, one reference of which is ours.
    Letters(*mut Opaque),
    /// A string of the interface.
    Copy(RawString),
}

// SAFETY: the engine counts references to a string of its interface, and to what that holds, with
// atomics (`OpaqueJSString.h`, `StringImpl.h`); letters never change. Where it is dropped is the
// owner's to see to, as said above.
unsafe impl Send for SharedText {}

impl SharedText {
    /// `None` if the value is no string, or there is no memory to put it together.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<SharedText> {
        let whole = scope.shared().layout().and_then(|layout| layout.whole_string(value));
        if let (Some(letters), Some(fast)) = (whole, &engine().fast) {
            let letters = letters.cast_mut().cast::<Opaque>();
            // SAFETY: the value has it, and is kept by a scope.
            if !letters.is_null() && unsafe { fast.hold(letters) } {
                return Some(SharedText(Held::Letters(letters)));
            }
        }
        if value.kind(scope) != Kind::String {
            return None;
        }
        // SAFETY: a string of this VM, under its lock.
        let raw =
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), value.raw(), std::ptr::null_mut()) };
        (!raw.is_null()).then_some(SharedText(Held::Copy(raw)))
    }

    /// How many bytes its letters take, at most.
    pub fn bytes(&self) -> usize {
        // SAFETY: alive.
        unsafe {
            match self.0 {
                Held::Letters(letters) => match fast::letters_of_impl(letters.cast()) {
                    Letters::Narrow(letters) => letters.len(),
                    Letters::Wide(units) => units.len() * 2,
                },
                Held::Copy(raw) => (symbols().JSStringGetLength)(raw) * 2,
            }
        }
    }

    /// Another handle. It is dropped before this one, and may be so on any thread.
    pub fn again(&self) -> Option<SharedText> {
        match (&self.0, &engine().fast) {
            // SAFETY: alive, by our reference.
            (Held::Letters(letters), Some(fast)) if unsafe { fast.hold(*letters) } => {
                Some(SharedText(Held::Letters(*letters)))
            }
            _ => None,
        }
    }

    /// A string of this scope's VM over the letters where they lie. Behind this, `keeper` is
    /// dropped on whichever thread is done with them last; at once where they had to be copied.
    pub fn into_value<'s>(self, scope: &'s Scope, keeper: Box<dyn Any + Send>) -> Value<'s> {
        let over = engine().fast.as_ref().and_then(Fast::over);
        let (Some(writer), Some(over), Held::Letters(letters)) = (&scope.shared().fast, over, &self.0) else {
            return self.value(scope);
        };
        // SAFETY: letters of a string never change, and it is there until this is dropped, the
        // first of the two. The value takes the reference over.
        unsafe {
            let letters = fast::letters_of_impl(letters.cast_const().cast());
            scope.keep(writer.value(over.make(letters, Box::new((self, keeper)))))
        }
    }

    fn letters(&self) -> Option<Letters<'_>> {
        // SAFETY: alive while this is; such letters are held only where `fast` is.
        unsafe {
            match self.0 {
                Held::Letters(letters) => Some(fast::letters_of_impl(letters.cast())),
                Held::Copy(raw) if engine().fast.is_some() => Some(fast::letters(raw)),
                Held::Copy(_) => None,
            }
        }
    }

    /// A string of this scope's VM.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        match (self.letters(), &self.0) {
            (Some(Letters::Narrow(letters)), _) => scope.text_of_latin1(letters),
            (Some(Letters::Wide(units)), _) => scope.text_of_utf16(units),
            // SAFETY: the text is alive, the context too; the engine copies the letters for it.
            (None, Held::Copy(raw)) => {
                scope.keep(unsafe { (symbols().JSValueMakeString)(scope.context(), *raw) })
            }
            (None, Held::Letters(_)) => scope.undefined(),
        }
    }
}

impl Drop for SharedText {
    fn drop(&mut self) {
        // SAFETY: ours since `of`, given back once; where, its owner sees to.
        unsafe {
            match (&self.0, &engine().fast) {
                (Held::Letters(letters), Some(fast)) => fast.let_go(*letters),
                (Held::Letters(_), None) => {}
                (Held::Copy(raw), _) => (symbols().JSStringRelease)(*raw),
            }
        }
    }
}
