//! Property names that addons pass as strings of C, as values of JavaScript. In: bytes. Out: the
//! same value each time: the engine then finds the property without looking the name up in its
//! table. Most names are constants of an addon, at the same address in each call: there they are
//! found first. Absent: names that are long or not ASCII, and those beyond a limit; they are made
//! anew.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::rc::Rc;

use rusk_jsc::{Root, Scope, Value};

use crate::abi::{Name, Status};

/// Names of a runtime at most: more than its addons have in their sources.
const NAMES_MAX: usize = 4096;
const NAME_BYTES_MAX: usize = 64;
/// Addresses that are remembered, a power of two.
const PLACES: usize = 512;

/// The names of a runtime, which stay until it ends.
#[derive(Default)]
pub struct Names {
    all: RefCell<HashMap<Box<[u8]>, Rc<KnownName>>>,
    /// By the address of a string, which may have changed.
    places: RefCell<Vec<Option<Rc<KnownName>>>>,
}

struct KnownName {
    text: CString,
    root: Root,
}

impl KnownName {
    fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        // SAFETY: names are not removed while the runtime, and so the scope, is there.
        unsafe { Value::from_word(self.root.borrow(scope).word()) }
    }
}

impl Names {
    /// The value of a name; `InvalidArg`: null.
    pub fn value<'s>(&self, scope: &'s Scope, name: Name<'_>) -> Result<Value<'s>, Status> {
        let place = place(name.address());
        if let Some(Some(known)) = self.places.borrow().get(place)
            && name.is(&known.text)
        {
            return Ok(known.value(scope));
        }
        let bytes = name.bytes().ok_or(Status::InvalidArg)?;
        let Some(known) = self.find(scope, bytes) else { return Ok(scope.string_from_utf8_lossy(bytes)) };
        let mut places = self.places.borrow_mut();
        places.resize_with(PLACES, || None);
        places[place] = Some(Rc::clone(&known));
        Ok(known.value(scope))
    }

    /// A name of the table, which gets it if it has room.
    fn find(&self, scope: &Scope, bytes: &[u8]) -> Option<Rc<KnownName>> {
        let mut all = self.all.borrow_mut();
        if let Some(known) = all.get(bytes) {
            return Some(Rc::clone(known));
        }
        if bytes.len() > NAME_BYTES_MAX || !bytes.is_ascii() || all.len() >= NAMES_MAX {
            return None;
        }
        let root = Root::new(scope, scope.string_from_utf8_lossy(bytes));
        let known = Rc::new(KnownName { text: CString::new(bytes).ok()?, root });
        all.insert(bytes.into(), Rc::clone(&known));
        Some(known)
    }

    pub fn clear(&self) {
        let names = (self.places.take(), self.all.take());
        drop(names);
    }
}

/// Constants are next to each other, so neighbours have places of their own.
fn place(address: usize) -> usize {
    (address ^ address >> 9) % PLACES
}

#[cfg(test)]
mod tests;
