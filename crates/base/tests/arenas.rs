//! How many arenas threads have; alone in a process, since those that there are stay.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;

use rusk_base::sys::allocator;

const THREADS: usize = 12;
/// More than a thread caches.
const BLOCK_BYTES: usize = 64 << 10;
/// The C library begins each piece of an arena at a multiple of this; the main thread's has the
/// program's own heap.
const PIECE_BYTES: usize = 64 << 20;

#[test]
fn threads_that_allocate_at_once_share_two_arenas() {
    allocator::limit_retained();
    let all = Barrier::new(THREADS);
    let piece = || {
        let block = black_box(vec![1_u8; BLOCK_BYTES]);
        all.wait();
        block.as_ptr().addr() / PIECE_BYTES
    };
    let pieces: BTreeSet<usize> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(piece)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    assert!(pieces.len() <= 2, "{pieces:x?}");
}
