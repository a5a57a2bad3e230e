//! Messages between a process and its zygote: a request of fixed size, with the plan's arrays in a
//! memfd, and a reply of fixed size, with a pidfd. Both ends are the same program: no byte order,
//! no version.

use std::os::fd::OwnedFd;

use crate::kernel::{self, Errno};
use crate::plan::{Action, Arrays, FdSource, PlanLayout};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ZygoteRequest {
    strings_len: usize,
    pointers_len: usize,
    actions_len: usize,
    sources_len: usize,
    layout: PlanLayout,
    /// `CLONE_NEW*`.
    pub namespaces: u64,
    /// The second fd is a cgroup's directory.
    pub has_cgroup: bool,
    gap: [u8; 7],
}

const _: () = assert!(
    size_of::<ZygoteRequest>() == 5 * size_of::<u64>() + size_of::<PlanLayout>() + 8
        && size_of::<PlanLayout>() == 16,
    "a request has no gap: it is sent as its bytes"
);

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Reply {
    pub pid: i32,
    pub clone_errno: i32,
    pub step: u32,
    pub errno: i32,
}

impl ZygoteRequest {
    /// Writes the arrays into a memfd, the strings last: only they need no alignment.
    pub fn write(
        arrays: &Arrays,
        namespaces: u64,
        has_cgroup: bool,
    ) -> Result<(ZygoteRequest, OwnedFd), Errno> {
        let request = ZygoteRequest {
            strings_len: arrays.strings_len,
            pointers_len: arrays.pointers_len,
            actions_len: arrays.actions_len,
            sources_len: arrays.sources_len,
            layout: arrays.layout,
            namespaces,
            has_cgroup,
            gap: [0; 7],
        };
        // SAFETY: the plan's own arrays, with their lengths.
        let parts = unsafe {
            [
                bytes_of(arrays.pointers, arrays.pointers_len),
                bytes_of(arrays.actions, arrays.actions_len),
                bytes_of(arrays.sources, arrays.sources_len),
                bytes_of(arrays.strings, arrays.strings_len),
            ]
        };
        Ok((request, kernel::memory_file(&parts.concat())?))
    }

    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: plain numbers, without padding.
        unsafe { bytes_of(self, 1) }
    }

    /// The length of the memfd.
    pub fn memory_bytes(&self) -> usize {
        self.strings_at().wrapping_add(self.strings_len)
    }

    /// The arrays in the mapped memfd.
    pub fn arrays(&self, memory: *mut u8) -> Arrays {
        Arrays {
            strings: memory.wrapping_add(self.strings_at()),
            strings_len: self.strings_len,
            pointers: memory.cast(),
            pointers_len: self.pointers_len,
            actions: memory.wrapping_add(self.actions_at()).cast(),
            actions_len: self.actions_len,
            sources: memory.wrapping_add(self.sources_at()).cast(),
            sources_len: self.sources_len,
            layout: self.layout,
        }
    }

    fn actions_at(&self) -> usize {
        self.pointers_len.wrapping_mul(size_of::<u64>())
    }

    fn sources_at(&self) -> usize {
        self.actions_at().wrapping_add(self.actions_len.wrapping_mul(size_of::<Action>()))
    }

    fn strings_at(&self) -> usize {
        self.sources_at().wrapping_add(self.sources_len.wrapping_mul(size_of::<FdSource>()))
    }
}

impl Reply {
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: four numbers, without padding.
        unsafe { bytes_of(self, 1) }
    }
}

/// # Safety
/// There are `count` values at `start`, which outlive the result.
unsafe fn bytes_of<'a, T>(start: *const T, count: usize) -> &'a [u8] {
    // SAFETY: guaranteed by the caller.
    unsafe { std::slice::from_raw_parts(start.cast(), count.wrapping_mul(size_of::<T>())) }
}
