//! Which class of the engine's an object is of, by its structure. In: a value, the address of a
//! class. Out: the structure, with which another object of that class can be made. Past the public
//! functions; only in releases whose source was read, and where a sample is laid out as expected.
//!
//! A cell's header begins with the low half of its structure's address, the high half is the same
//! for all of a process and stands in the engine's configuration, and a structure holds the address
//! of its `ClassInfo` (WebKit's `StructureID.h`, `Structure.h`, `JSCConfig.h`).

use std::ffi::CStr;

use crate::scope::Scope;
use crate::string::fast::{peek, peek_into};
use crate::symbols::{Opaque, RawValue};
use crate::value::Value;

/// The configuration, a page of its own.
pub(crate) const CONFIGURATION: &CStr = c"g_config";
/// `sizeof(Structure)` is 112.
const STRUCTURE_BYTES: usize = 112;
/// `ConfigSizeToProtect`.
const CONFIGURATION_BYTES: usize = 16 * 1024;
const LOW_HALF: u64 = 0xffff_ffff;
/// Addresses of programs have no more bits.
const ADDRESS_BITS: u32 = 47;

/// Where structures lie, and where in one its class stands.
#[derive(Clone, Copy)]
pub(crate) struct Structures {
    base: u64,
    class_offset: usize,
}

impl Structures {
    /// Looks at what may be an object of the class, through the kernel. `None`: it is none, or
    /// something is not as expected. `configuration`: where that of the engine lies.
    pub fn probe(scope: &Scope, sample: Value<'_>, class: u64, configuration: usize) -> Option<Structures> {
        let id = scope.shared().layout()?.structure_id(sample.raw())?;
        find(configuration, |base| Some(Structures { base, class_offset: find_class(class, base, id)? }))
    }

    /// Where the structure of a cell names its class.
    ///
    /// # Safety
    /// The cell is alive.
    pub unsafe fn class_slot(self, cell: RawValue) -> *mut usize {
        // SAFETY: a cell begins with the number of its structure.
        let id = unsafe { *cell.cast::<u32>() };
        let structure = (self.base | u64::from(id)) as *mut u8;
        structure.wrapping_add(self.class_offset).cast()
    }

    /// The structure of an object of the class; `None`: it is something else.
    pub fn of(self, scope: &Scope, value: Value<'_>, class: u64) -> Option<*mut Opaque> {
        let id = scope.shared().layout()?.structure_id(value.raw())?;
        let structure = (self.base | u64::from(id)) as *mut u8;
        // SAFETY: what a cell's header names is a structure, and lives as long as the cell, which a
        // scope keeps; `learn` saw where its class stands.
        let found = unsafe { *structure.add(self.class_offset).cast::<u64>() };
        (found == class).then_some(structure.cast())
    }
}

/// The structure of a cell, wherever in the configuration it is said where structures begin.
pub(crate) fn structure_of(scope: &Scope, cell: RawValue, configuration: usize) -> Option<*mut u8> {
    let id = scope.shared().layout()?.structure_id(cell)?;
    find(configuration, |base| structure(base, id).map(|_| (base | u64::from(id)) as *mut u8))
}

/// What can be made of one of the addresses in the configuration at which structures may begin.
fn find<T>(configuration: usize, make: impl FnMut(u64) -> Option<T>) -> Option<T> {
    let mut words_of_all = [0; CONFIGURATION_BYTES];
    peek_into(configuration as *const u8, &mut words_of_all)?;
    words(&words_of_all)
        .filter(|word| *word != 0 && word & LOW_HALF == 0 && word >> ADDRESS_BITS == 0)
        .find_map(make)
}

/// The structure of that number, if structures begin there.
fn structure(base: u64, id: u32) -> Option<[u8; STRUCTURE_BYTES]> {
    let structure: [u8; STRUCTURE_BYTES] = peek((base | u64::from(id)) as *const u8)?;
    let number = |bytes: &[u8]| u32::from_ne_bytes(bytes[..4].try_into().expect("four bytes"));
    // The structure of structures is its own.
    let own = number(&structure);
    let of_own = peek::<4>((base | u64::from(own)) as *const u8)?;
    (own != 0 && number(&of_own) == own).then_some(structure)
}

/// Where the class stands in it.
fn find_class(class: u64, base: u64, id: u32) -> Option<usize> {
    words(&structure(base, id)?).position(|word| word == class).map(|place| place * 8)
}

/// What stands in memory, word by word.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
}
