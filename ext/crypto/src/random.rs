//! Random bytes of the kernel, with a pool for small requests, because a system call takes longer
//! than filling a few bytes. In: a target. Out: it is filled. Absent: numbers of a range;
//! JavaScript derives them.

use std::cell::RefCell;

use rusk_base::sys::{self, process};

/// Largest request that the pool serves.
const SMALL_MAX: usize = 64;

/// The largest read that signals do not interrupt: random(7).
const POOL_BYTES: usize = 256;

struct RandomPool {
    bytes: [u8; POOL_BYTES],
    /// Number of unused bytes. The used ones after them are zeroed.
    left: usize,
}

thread_local! {
    static POOL: RefCell<RandomPool> = const { RefCell::new(RandomPool { bytes: [0; POOL_BYTES], left: 0 }) };
}

pub fn fill(target: &mut [u8]) -> sys::Result<()> {
    if target.len() > SMALL_MAX {
        return process::fill_random(target);
    }
    POOL.with_borrow_mut(|pool| {
        if pool.left < target.len() {
            process::fill_random(&mut pool.bytes)?;
            pool.left = POOL_BYTES;
        }
        let first = pool.left - target.len();
        let taken = &mut pool.bytes[first..pool.left];
        target.copy_from_slice(taken);
        taken.fill(0);
        pool.left = first;
        Ok(())
    })
}

#[cfg(test)]
mod tests;
