//! Structures (hidden classes) of objects, part of the unstable ABI. In: a value, the address of a
//! class. Out: the structure, with which another object of that class can be made. Used in releases
//! whose source was reviewed and where a probe has the expected layout.
//!
//! The header of a cell begins with the low half of its structure's address. The high half is the
//! same for all of a process and is in the engine's configuration. A structure has the address of
//! its `ClassInfo` (WebKit's `StructureID.h`, `Structure.h`, `JSCConfig.h`).

use std::ffi::CStr;

use crate::scope::Scope;
use crate::string::fast::{peek, peek_into};
use crate::symbols::{Opaque, RawValue};
use crate::value::Value;

/// The configuration, which has a page of its own.
pub(crate) const CONFIGURATION: &CStr = c"g_config";
/// `sizeof(Structure)` is 112.
pub(crate) const STRUCTURE_BYTES: usize = 112;
/// `ConfigSizeToProtect`.
const CONFIGURATION_BYTES: usize = 16 * 1024;
const LOW_HALF: u64 = 0xffff_ffff;
/// User-space addresses have no more bits.
const ADDRESS_BITS: u32 = 47;

/// Base address of structures, and the offset of the class in one.
#[derive(Clone, Copy)]
pub(crate) struct Structures {
    base: u64,
    class_offset: usize,
}

impl Structures {
    /// Reads an object that may be of the class, with process_vm_readv(2). `None`: it is not, or
    /// the layout is not the expected one. `configuration`: its address.
    pub fn probe(scope: &Scope, sample: Value<'_>, class: u64, configuration: usize) -> Option<Structures> {
        let id = scope.shared().layout()?.structure_id(sample.raw())?;
        find(configuration, |base| Some(Structures { base, class_offset: find_class(class, base, id)? }))
    }

    /// The word of a cell's structure that refers to its class.
    ///
    /// # Safety
    /// The cell is alive.
    pub unsafe fn class_slot(self, cell: RawValue) -> *mut usize {
        // SAFETY: a cell begins with its structure ID.
        let id = unsafe { *cell.cast::<u32>() };
        let structure = (self.base | u64::from(id)) as *mut u8;
        structure.wrapping_add(self.class_offset).cast()
    }

    /// The structure of an object of the class; `None`: it is of another class.
    pub fn of(self, scope: &Scope, value: Value<'_>, class: u64) -> Option<*mut Opaque> {
        let id = scope.shared().layout()?.structure_id(value.raw())?;
        let structure = (self.base | u64::from(id)) as *mut u8;
        // SAFETY: a cell's header refers to a structure, which lives as long as the cell, which a
        // scope roots; `probe` verified the offset of the class.
        let found = unsafe { *structure.add(self.class_offset).cast::<u64>() };
        (found == class).then_some(structure.cast())
    }
}

/// The structure of a cell, wherever the base address is in the configuration.
pub(crate) fn structure_of(scope: &Scope, cell: RawValue, configuration: usize) -> Option<*mut u8> {
    let id = scope.shared().layout()?.structure_id(cell)?;
    find(configuration, |base| structure(base, id).map(|_| (base | u64::from(id)) as *mut u8))
}

/// The base address of structures, by that of a cell.
pub(crate) fn base_of(scope: &Scope, cell: RawValue, configuration: usize) -> Option<u64> {
    let id = scope.shared().layout()?.structure_id(cell)?;
    find(configuration, |base| structure(base, id).map(|_| base))
}

/// The address of the structure with an ID.
#[inline]
pub(crate) fn structure_at(base: u64, id: u32) -> *const u8 {
    (base | u64::from(id)) as *const u8
}

/// Tries the words of the configuration that may be the base address of structures.
fn find<T>(configuration: usize, make: impl FnMut(u64) -> Option<T>) -> Option<T> {
    let mut configuration_bytes = [0; CONFIGURATION_BYTES];
    peek_into(configuration as *const u8, &mut configuration_bytes)?;
    words(&configuration_bytes)
        .filter(|word| *word != 0 && word & LOW_HALF == 0 && word >> ADDRESS_BITS == 0)
        .find_map(make)
}

/// The structure with that ID, if the base address is right.
fn structure(base: u64, id: u32) -> Option<[u8; STRUCTURE_BYTES]> {
    let structure: [u8; STRUCTURE_BYTES] = peek((base | u64::from(id)) as *const u8)?;
    let number = |bytes: &[u8]| u32::from_ne_bytes(bytes[..4].try_into().expect("four bytes"));
    // The structure of structures is its own structure.
    let own = number(&structure);
    let of_own = peek::<4>((base | u64::from(own)) as *const u8)?;
    (own != 0 && number(&of_own) == own).then_some(structure)
}

/// The offset of the class in it.
fn find_class(class: u64, base: u64, id: u32) -> Option<usize> {
    words(&structure(base, id)?).position(|word| word == class).map(|index| index * 8)
}

/// The words of a piece of memory.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
}
