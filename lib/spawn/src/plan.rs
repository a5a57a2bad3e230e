//! Plan of a child: the command as flat arrays of numbers and addresses, which the child reads
//! without further code. In: arguments, fds, actions, in order. Out: a [`Plan`] that owns every
//! byte, so that the caller's buffers are free. A zygote gets the same arrays and binds them to its
//! own addresses. Absent: meaning (`command` writes plans, `child` runs them).

use std::ffi::{CStr, c_char};
use std::os::fd::RawFd;

use crate::step::Step;

/// One setup action of the child. The meaning of the fields depends on the step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    pub step: Step,
    pub number: i32,
    pub first: u64,
    pub second: u64,
}

/// An fd for the child: its source, and its target.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FdSource {
    /// The fd in the caller, or [`NULL_DEVICE`].
    pub number: RawFd,
    /// The fd in the child, or [`NO_TARGET`] if only actions refer to it.
    pub target: RawFd,
}

/// `/dev/null`, which the child opens itself.
pub const NULL_DEVICE: RawFd = -2;
pub const NO_TARGET: RawFd = -1;

/// Actions whose `first` holds an offset into the strings until the plan is bound.
fn has_pointer(step: Step) -> bool {
    use Step::{Affinity, Groups, IdMap, Seccomp, SignalMask, WorkingDirectory};
    matches!(step, WorkingDirectory | Affinity | Groups | IdMap | SignalMask | Seccomp)
}

/// Marks the end of an array, in place of an address.
const END: u64 = u64::MAX;

/// Writes only what differs from the previous plan: the children of a slot are mostly similar, and
/// unwritten cache lines need not move between processors.
#[derive(Default)]
pub struct Plan {
    /// Strings and bytes; after `used` are those of an earlier plan.
    strings: Vec<u8>,
    used: usize,
    /// argv (after one spare entry), envp, and the paths to try, each ended by [`END`].
    pointers: Vec<u64>,
    actions: Vec<Action>,
    sources: Vec<FdSource>,
    layout: PlanLayout,
    bound: BoundArrays,
    block: Option<StringBlock>,
}

/// Strings that were contiguous in memory when they were written, as the initial environment of a
/// program is.
struct StringBlock {
    /// Their original addresses.
    addresses: Vec<usize>,
    /// Their offset in the plan.
    at: usize,
    bytes: usize,
    offsets: Vec<u64>,
}

/// The arrays as the child reads them: with addresses in place of offsets.
#[derive(Default)]
struct BoundArrays {
    pointers: Vec<u64>,
    actions: Vec<Action>,
    sources: Vec<FdSource>,
}

/// Offsets of the arrays, and flags of a plan.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct PlanLayout {
    pub envp_at: u32,
    pub candidates_at: u32,
    /// A file that the kernel cannot execute is run by `/bin/sh`, as in `execvp`.
    pub shell_fallback: bool,
    /// Other fds stay open if they are not close-on-exec.
    pub inherits_fds: bool,
    /// Explicit padding: implicit padding would be sent uninitialized in a request to a zygote.
    pub gap: [u8; 6],
}

/// Start of argv; the entry before it is for the shell.
pub const ARGV_AT: usize = 1;

/// Capacity that is retained for the next plan; larger buffers are freed.
const RETAINED_BYTES_MAX: usize = 256 * 1024;

impl Plan {
    pub fn clear(&mut self) {
        if self.strings.capacity() > RETAINED_BYTES_MAX {
            *self = Plan::default();
        }
        self.used = 0;
        self.pointers.clear();
        self.actions.clear();
        self.sources.clear();
        self.layout = PlanLayout::default();
        self.pointers.push(END);
    }

    /// Adds a string and a NUL. The parts must not contain a NUL.
    pub fn string(&mut self, parts: &[&[u8]]) -> u64 {
        let at = self.used as u64;
        for part in parts {
            self.bytes(part);
        }
        self.bytes(&[0]);
        at
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let (at, end) = (self.used, self.used + bytes.len());
        self.used = end;
        if self.strings.len() < end {
            self.strings.resize(end, 0);
        }
        let target = &mut self.strings[at..end];
        if target != bytes {
            target.copy_from_slice(bytes);
        }
        at as u64
    }

    /// Adds an entry to the current array.
    pub fn push_pointer(&mut self, at: u64) {
        self.pointers.push(at);
    }

    /// Adds contiguous NUL-terminated strings, with an entry for each.
    pub fn push_packed(&mut self, packed: &[u8]) {
        let mut rest = packed;
        let mut at = self.bytes(packed);
        while let Ok(string) = CStr::from_bytes_until_nul(rest) {
            let bytes = string.count_bytes() + 1;
            self.pointers.push(at);
            at += bytes as u64;
            rest = &rest[bytes..];
        }
    }

    /// Adds strings of this process, with an entry for each. One comparison finds out whether they
    /// are those of the previous plan.
    ///
    /// # Safety
    /// Each address is that of a NUL-terminated string that does not change during the call.
    pub unsafe fn push_strings(&mut self, addresses: &[usize]) {
        let is_unchanged = |block: &StringBlock| {
            // SAFETY: guaranteed by the caller.
            unsafe { block.is_unchanged(addresses, &self.strings, self.used) }
        };
        if let Some(block) = self.block.as_ref().filter(|block| is_unchanged(block)) {
            self.pointers.extend_from_slice(&block.offsets);
            self.used += block.bytes;
            return;
        }
        let (at, first) = (self.used, self.pointers.len());
        let mut is_one_piece = !addresses.is_empty();
        for (index, address) in addresses.iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            let string = unsafe { CStr::from_ptr(*address as *const c_char) }.to_bytes_with_nul();
            let offset = self.bytes(string);
            self.pointers.push(offset);
            is_one_piece &= addresses.get(index + 1).is_none_or(|next| *next == address + string.len());
        }
        self.block = is_one_piece.then(|| StringBlock {
            addresses: addresses.to_vec(),
            at,
            bytes: self.used - at,
            offsets: self.pointers[first..].to_vec(),
        });
    }

    /// Ends the current array. Returns where the next one begins.
    pub fn end_array(&mut self) -> u32 {
        self.pointers.push(END);
        self.pointers.len() as u32
    }

    pub fn action(&mut self, step: Step, number: i32, first: u64, second: u64) {
        self.actions.push(Action { step, number, first, second });
    }

    /// Returns the source's index, for actions that refer to it.
    pub fn source(&mut self, number: RawFd, target: RawFd) -> i32 {
        self.sources.push(FdSource { number, target });
        self.sources.len() as i32 - 1
    }

    pub fn layout_mut(&mut self) -> &mut PlanLayout {
        &mut self.layout
    }

    pub fn sources(&self) -> &[FdSource] {
        &self.sources
    }

    /// The unbound arrays. Valid until something is added.
    pub fn arrays(&mut self) -> Arrays {
        Arrays {
            strings: self.strings.as_ptr(),
            strings_len: self.used,
            pointers: self.pointers.as_mut_ptr(),
            pointers_len: self.pointers.len(),
            actions: self.actions.as_mut_ptr(),
            actions_len: self.actions.len(),
            sources: self.sources.as_mut_ptr(),
            sources_len: self.sources.len(),
            layout: self.layout,
        }
    }

    /// The plan as a child of this process reads it. Valid until the plan is cleared.
    pub fn bind(&mut self) -> BoundPlan {
        let from = self.arrays();
        let bound = &mut self.bound;
        bound.pointers.resize(self.pointers.len(), 0);
        bound
            .actions
            .resize(self.actions.len(), Action { step: Step::Command, number: 0, first: 0, second: 0 });
        bound.sources.resize(self.sources.len(), FdSource { number: 0, target: 0 });
        let to = Arrays {
            pointers: bound.pointers.as_mut_ptr(),
            actions: bound.actions.as_mut_ptr(),
            sources: bound.sources.as_mut_ptr(),
            ..from
        };
        // SAFETY: both sets of arrays belong to this plan, with the same lengths.
        unsafe { bind(&from, &to) }
    }
}

impl StringBlock {
    /// Whether these strings are at `at` already.
    ///
    /// # Safety
    /// As [`Plan::push_strings`].
    unsafe fn is_unchanged(&self, addresses: &[usize], strings: &[u8], at: usize) -> bool {
        if self.at != at || self.addresses != addresses || strings.len() < at + self.bytes {
            return false;
        }
        // SAFETY: there are strings at these addresses, which were contiguous; only the initial
        // environment is, and it is never unmapped.
        let there = unsafe { std::slice::from_raw_parts(addresses[0] as *const u8, self.bytes) };
        there == &strings[at..at + self.bytes]
    }
}

/// The four arrays of a plan in memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Arrays {
    pub strings: *const u8,
    pub strings_len: usize,
    pub pointers: *mut u64,
    pub pointers_len: usize,
    pub actions: *mut Action,
    pub actions_len: usize,
    pub sources: *mut FdSource,
    pub sources_len: usize,
    pub layout: PlanLayout,
}

/// Turns offsets into addresses, and writes what differs. Also runs in a zygote, in place: it walks
/// by pointer and cannot panic.
///
/// # Safety
/// Both are arrays of the same plan with the same lengths, or the same arrays; `from` is unbound;
/// no other thread touches them.
pub unsafe fn bind(from: &Arrays, to: &Arrays) -> BoundPlan {
    let base = from.strings as u64;
    let mut target_max = 2;
    // SAFETY: within the arrays.
    unsafe {
        let mut index = 0;
        while index < from.pointers_len {
            let at = *from.pointers.wrapping_add(index);
            write_if_changed(
                to.pointers.wrapping_add(index),
                if at == END { 0 } else { base.wrapping_add(at) },
            );
            index = index.wrapping_add(1);
        }
        index = 0;
        while index < from.actions_len {
            let mut action = *from.actions.wrapping_add(index);
            if has_pointer(action.step) {
                action.first = action.first.wrapping_add(base);
            }
            write_if_changed(to.actions.wrapping_add(index), action);
            index = index.wrapping_add(1);
        }
        index = 0;
        while index < from.sources_len {
            let source = *from.sources.wrapping_add(index);
            target_max = target_max.max(source.target);
            write_if_changed(to.sources.wrapping_add(index), source);
            index = index.wrapping_add(1);
        }
    }
    let pointers = to.pointers.cast::<*const u8>();
    BoundPlan {
        argv: pointers.wrapping_add(ARGV_AT),
        envp: pointers.wrapping_add(to.layout.envp_at as usize),
        candidates: pointers.wrapping_add(to.layout.candidates_at as usize),
        actions: to.actions,
        actions_len: to.actions_len,
        sources: to.sources,
        sources_len: to.sources_len,
        target_max,
        layout: to.layout,
    }
}

/// # Safety
/// `target` may be read and written.
unsafe fn write_if_changed<T: Copy + PartialEq>(target: *mut T, value: T) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if *target != value {
            *target = value;
        }
    }
}

/// The addresses of a plan. Valid as long as the plan does not move.
#[repr(C)]
pub struct BoundPlan {
    pub argv: *mut *const u8,
    pub envp: *const *const u8,
    /// Paths to try in turn, ended by a null.
    pub candidates: *const *const u8,
    pub actions: *const Action,
    pub actions_len: usize,
    pub sources: *mut FdSource,
    pub sources_len: usize,
    /// The highest target fd, at least 2.
    pub target_max: RawFd,
    pub layout: PlanLayout,
}

#[cfg(test)]
mod tests;
