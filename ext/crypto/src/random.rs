//! Random bytes, the kernel's own. In: room for some. Out: bytes that nobody else is given. Few are
//! taken from what was asked for ahead: the call takes longer than its answer. Absent: numbers of a
//! range; JavaScript makes them.

use std::cell::RefCell;

use rusk_base::sys::{self, process};

/// So many are taken from the store at once.
const FEW: usize = 64;

/// What one call brings without being broken off by a signal: random(7).
const STORE: usize = 256;

struct Store {
    bytes: [u8; STORE],
    /// Behind here they are zero, for nobody is to find out what was given.
    left: usize,
}

thread_local! {
    static AHEAD: RefCell<Store> = const { RefCell::new(Store { bytes: [0; STORE], left: 0 }) };
}

pub fn fill(room: &mut [u8]) -> sys::Result<()> {
    if room.len() > FEW {
        return process::fill_random(room);
    }
    AHEAD.with_borrow_mut(|store| {
        if store.left < room.len() {
            process::fill_random(&mut store.bytes)?;
            store.left = STORE;
        }
        let first = store.left - room.len();
        let given = &mut store.bytes[first..store.left];
        room.copy_from_slice(given);
        given.fill(0);
        store.left = first;
        Ok(())
    })
}

#[cfg(test)]
mod tests;
