//! Memory for generated code: the same pages twice, once to write and once to run, so that no page
//! is both. In: code. Out: its address in either mapping. Absent: reuse of single pieces.

use std::ptr;

/// Room for some hundred stubs.
const BLOCK_BYTES: usize = 128 * 1024;
/// Code begins at multiples of a cache line.
const ALIGNMENT: usize = 64;

/// The blocks of a thread.
pub struct CodeMemory {
    blocks: Vec<CodePages>,
}

struct CodePages {
    writable: *mut u8,
    executable: *mut u8,
    used: usize,
}

impl CodeMemory {
    pub const fn new() -> CodeMemory {
        CodeMemory { blocks: Vec::new() }
    }

    /// Copies code; where it runs and where it is written. `None`: the kernel grants no such
    /// memory.
    pub fn add(&mut self, code: &[u8]) -> Option<(*const u8, *mut u8)> {
        if code.len() > BLOCK_BYTES {
            return None;
        }
        if self.blocks.last().is_none_or(|block| block.used + code.len() > BLOCK_BYTES) {
            self.blocks.push(CodePages::map()?);
        }
        let block = self.blocks.last_mut()?;
        let place = block.used;
        block.used = (place + code.len()).next_multiple_of(ALIGNMENT);
        // SAFETY: within the block, of which nothing else uses this part.
        unsafe {
            block.writable.add(place).copy_from_nonoverlapping(code.as_ptr(), code.len());
            Some((block.executable.add(place), block.writable.add(place)))
        }
    }
}

impl CodePages {
    fn map() -> Option<CodePages> {
        // SAFETY: a name with a NUL; the descriptor is used and closed below.
        let file = unsafe { libc::memfd_create(c"rusk-ffi".as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return None;
        }
        let map = |protection| {
            // SAFETY: a new mapping of a file that has this size.
            let address =
                unsafe { libc::mmap(ptr::null_mut(), BLOCK_BYTES, protection, libc::MAP_SHARED, file, 0) };
            (address != libc::MAP_FAILED).then_some(address.cast::<u8>())
        };
        // SAFETY: the descriptor is open.
        let is_sized = unsafe { libc::ftruncate(file, BLOCK_BYTES as libc::off_t) } == 0;
        let mapped = is_sized
            .then(|| (map(libc::PROT_READ | libc::PROT_WRITE), map(libc::PROT_READ | libc::PROT_EXEC)));
        // SAFETY: opened above, closed once; mappings stay.
        unsafe { libc::close(file) };
        match mapped? {
            (Some(writable), Some(executable)) => Some(CodePages { writable, executable, used: 0 }),
            (one, other) => {
                one.into_iter().chain(other).for_each(unmap);
                None
            }
        }
    }
}

fn unmap(address: *mut u8) {
    // SAFETY: a mapping of that size, which nothing uses any more.
    unsafe { libc::munmap(address.cast(), BLOCK_BYTES) };
}

impl Drop for CodePages {
    fn drop(&mut self) {
        unmap(self.writable);
        unmap(self.executable);
    }
}
