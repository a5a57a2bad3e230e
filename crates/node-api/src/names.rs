//! Property names that addons pass as strings of C, as values of JavaScript. In: bytes. Out: the
//! same value each time: the engine then finds the property without looking the name up in its
//! table. Absent: names that are long or not ASCII, and those beyond a limit; they are made anew.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rusk_jsc::{Root, Scope, Value};

/// Names of a runtime at most: more than its addons have in their sources.
const NAMES_MAX: usize = 4096;
const NAME_BYTES_MAX: usize = 64;

/// The names of a runtime, which stay until it ends.
#[derive(Default)]
pub struct Names(RefCell<HashMap<Box<[u8]>, Root, BuildHasherDefault<NameHasher>>>);

/// Short strings of the program's own code need no defence against collisions.
#[derive(Default)]
struct NameHasher(u64);

impl NameHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        // The table takes its first bits and its last ones.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }
}

impl Names {
    /// The value of a name.
    pub fn value<'s>(&self, scope: &'s Scope, bytes: &[u8]) -> Value<'s> {
        if let Some(root) = self.0.borrow().get(bytes) {
            let word = root.borrow(scope).word();
            // SAFETY: names are not removed while the runtime, and so the scope, is there.
            return unsafe { Value::from_word(word) };
        }
        let value = scope.string_from_utf8_lossy(bytes);
        let mut names = self.0.borrow_mut();
        if bytes.len() <= NAME_BYTES_MAX && bytes.is_ascii() && names.len() < NAMES_MAX {
            names.insert(bytes.into(), Root::new(scope, value));
        }
        value
    }

    pub fn clear(&self) {
        let names = self.0.take();
        drop(names);
    }
}

#[cfg(test)]
mod tests;
