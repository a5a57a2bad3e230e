//! Slot of a child in flight: the memory of its parent that it uses. A stack with a guard, its
//! plan, and the relay socket in which its fds wait. In: a plan to write. Out: addresses that are
//! valid until the kernel has cleared the report's word. Absent: when that is (`pool`).

use std::os::fd::{AsFd, AsRawFd, IntoRawFd, OwnedFd, RawFd};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::child::ChildContext;
use crate::kernel::{self, Errno};
use crate::plan::Plan;
use crate::report::Report;

/// Many times what the actions need in a debug build, and enough for a modest callback. Untouched
/// pages take no memory.
const STACK_BYTES: usize = 64 * 1024;
/// At least a page below the stack, so that a callback with deep recursion crashes instead of
/// overwriting memory.
const GUARD_BYTES: usize = 64 * 1024;

pub struct ChildSlot {
    stack: Stack,
    pub plan: Plan,
    pub context: Option<ChildContext>,
    /// The report of the child in flight.
    pub report: Option<Arc<Report>>,
    /// Present if a low fd was free when it was created.
    pub relay: Option<Relay>,
    /// The relay holds fds that the child has not yet received.
    pub relay_is_loaded: bool,
    /// The child's pipe ends, if the child closes them in the parent's table.
    pub borrowed_ends: [Option<OwnedFd>; 3],
}

/// A socket pair through which a child gets fds after it has unshared its parent's table.
pub struct Relay {
    inlet: OwnedFd,
    outlet: OwnedFd,
}

/// Unsharing copies all lower fds: a relay above this number would cost more than it saves.
const RELAY_NUMBER_MAX: RawFd = 255;

impl Relay {
    /// None if no low fd is free.
    pub fn new() -> Option<Relay> {
        let (outlet, inlet) = kernel::socket_pair(libc::SOCK_DGRAM).ok()?;
        let low = outlet.as_raw_fd().min(inlet.as_raw_fd());
        let (outlet, inlet) = if outlet.as_raw_fd() == low { (outlet, inlet) } else { (inlet, outlet) };
        ((3..=RELAY_NUMBER_MAX).contains(&low)).then_some(Relay { inlet, outlet })
    }

    /// Takes over the number of an fd.
    pub fn new_at(target: OwnedFd) -> Option<Relay> {
        if !(3..=RELAY_NUMBER_MAX).contains(&target.as_raw_fd()) {
            return None;
        }
        let (outlet, inlet) = kernel::socket_pair(libc::SOCK_DGRAM).ok()?;
        let outlet = kernel::dup_over(target, outlet).ok()?;
        Some(Relay { inlet, outlet })
    }

    /// The child's end, as an fd in the shared table.
    pub fn outlet(&self) -> RawFd {
        self.outlet.as_raw_fd()
    }

    /// The parent's end, as an fd in the shared table.
    pub fn inlet(&self) -> RawFd {
        self.inlet.as_raw_fd()
    }

    pub fn send(&self, fds: &[RawFd]) -> Result<(), Errno> {
        kernel::send(self.inlet.as_fd(), &[0], fds)
    }
}

impl ChildSlot {
    pub fn new() -> Result<Box<ChildSlot>, Errno> {
        Ok(Box::new(ChildSlot {
            stack: Stack::new()?,
            plan: Plan::default(),
            context: None,
            report: None,
            relay: None,
            relay_is_loaded: false,
            borrowed_ends: [const { None }; 3],
        }))
    }

    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// Whether the child has released it.
    pub fn is_free(&self) -> bool {
        use std::sync::atomic::Ordering::Acquire;
        self.report.as_ref().is_none_or(|report| report.word.load(Acquire) == 0)
    }

    /// Prepares for the next child. A relay whose fds were not received still holds them: it is
    /// dropped with them.
    pub fn reset(&mut self) {
        use std::sync::atomic::Ordering::Acquire;
        let report = self.report.take();
        let closed = report.as_ref().map_or(0, |report| report.closed.load(Acquire));
        for (index, end) in self.borrowed_ends.iter_mut().filter_map(Option::take).enumerate() {
            if (index as u32) < closed {
                // The child has closed it, and the number may be reused by now.
                let _ = end.into_raw_fd();
            }
        }
        let taken = report.is_none_or(|report| report.received.load(Acquire) != 0);
        if self.relay_is_loaded && !taken {
            self.relay = None;
        }
        self.relay_is_loaded = false;
        self.context = None;
    }
}

/// A stack for a child, with a guard below it.
pub struct Stack {
    mapping: NonNull<libc::c_void>,
}

// SAFETY: only the slot's child writes the memory; the slot is used by one thread at a time.
unsafe impl Send for Stack {}

impl Stack {
    pub fn new() -> Result<Stack, Errno> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK | libc::MAP_NORESERVE;
        let bytes = GUARD_BYTES + STACK_BYTES;
        // SAFETY: a new mapping, at any address.
        let mapping = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if mapping == libc::MAP_FAILED {
            return Err(kernel::errno());
        }
        let stack = Stack { mapping: NonNull::new(mapping).expect("mmap does not choose address 0") };
        let usable = stack.lowest() as *mut libc::c_void;
        // SAFETY: the part above the guard, just mapped and not used yet.
        let opened = unsafe { libc::mprotect(usable, STACK_BYTES, libc::PROT_READ | libc::PROT_WRITE) };
        if opened < 0 { Err(kernel::errno()) } else { Ok(stack) }
    }

    /// The lowest address of the stack, above the guard.
    pub fn lowest(&self) -> u64 {
        self.mapping.as_ptr() as u64 + GUARD_BYTES as u64
    }

    pub fn bytes(&self) -> u64 {
        STACK_BYTES as u64
    }

    /// The initial stack pointer, aligned to a page.
    pub fn top(&self) -> u64 {
        self.lowest() + self.bytes()
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping is owned, and no child uses it: the pool drops only free slots.
        unsafe { libc::munmap(self.mapping.as_ptr(), GUARD_BYTES + STACK_BYTES) };
    }
}
