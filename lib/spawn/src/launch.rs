//! Start of a child: a slot, pipes, the plan, the clone. In: a command. Out: a [`Child`], right
//! after the clone. [`start`] shows the phases; each cleans up after a failure.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicU32};

use crate::child::{self, ChildContext, FdTable, OtherFds};
use crate::command::{Command, Mode, TableChoice};
use crate::error::{Error, Result};
use crate::kernel::{self, CloseRange, Errno, KernelFeatures};
use crate::plan::NULL_DEVICE;
use crate::pool::Pool;
use crate::process::Child;
use crate::raw::{self, CloneArgs, OldCloneArgs};
use crate::report::Report;
use crate::slot::{ChildSlot, Stack};
use crate::stdio::StreamEnds;
use crate::step::Step;

/// From this many open fds on, sharing the table and passing fds costs less than copying the table.
const SHARE_TABLE_MIN: RawFd = 256;

/// Of starts without a pidfd, one in this many takes one anyway, to sample its number.
const FD_SAMPLE_EVERY: u32 = 32;

fn samples_fd_count() -> bool {
    static STARTS: AtomicU32 = AtomicU32::new(0);
    STARTS.fetch_add(1, Relaxed).is_multiple_of(FD_SAMPLE_EVERY)
}

/// The number of the last pidfd or pipe. The kernel returns the lowest free fd: at least as many
/// are open.
static HIGHEST_FD: AtomicI32 = AtomicI32::new(0);

pub(crate) fn start(command: &Command) -> Result<Child> {
    let (mode, _) = command.mode_and_table();
    let pool = Pool::of_process();
    let mut slot = SlotGuard::from(pool)?;
    let mut ends = StreamEnds::open(command.streams()).map_err(|errno| Error::new(Step::Pipe, errno))?;
    let highest_fd = ends.highest_fd();
    if let Some(number) = highest_fd {
        HIGHEST_FD.store(number, Relaxed);
    }
    let blocks = !KernelFeatures::detect().clone3 || command.setup.restores_ignored_signals();
    let signals = blocks.then(BlockedSignals::block);
    command.write(&mut slot.plan, &ends, signals.as_ref().map(|signals| signals.before));

    let report = Arc::new(if mode == Mode::Vfork { Report::new_shared() } else { Report::new() });
    let table = choose_table(command, pool, &mut slot, &mut ends, &report);
    let keeps_pidfd = command.has_pidfd;
    let pidfd_flag =
        if keeps_pidfd || highest_fd.is_none() && samples_fd_count() { libc::CLONE_PIDFD as u64 } else { 0 };
    let flags = command.setup.namespaces.flags() | flags_of(mode, table) | pidfd_flag;
    prepare(&mut slot, table, &report);
    let cloned = clone(&slot, flags, command.setup.cgroup.as_ref().map(AsRawFd::as_raw_fd));
    drop(signals);
    if cloned.is_err() || mode == Mode::Vfork {
        report.clear();
    } else {
        slot.mark_in_flight();
    }
    let cloned = cloned.map_err(|errno| Error::new(Step::Clone, errno))?;
    // SAFETY: the kernel has just created it.
    let pidfd = (cloned.pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(cloned.pidfd) });
    if pidfd.is_some() {
        HIGHEST_FD.store(cloned.pidfd, Relaxed);
    }
    let pidfd = pidfd.filter(|_| keeps_pidfd);
    Ok(Child::from_parts(cloned.pid, pidfd, report, command.error_paths(), &mut ends))
}

fn clone(slot: &ChildSlot, flags: u64, cgroup: Option<RawFd>) -> std::result::Result<ClonedChild, Errno> {
    let context = slot.context.as_ref().expect("the slot has a context");
    // SAFETY: the slot and the report belong to the child until the word is cleared; the pool keeps
    // both until then.
    unsafe { clone_onto(slot.stack(), context, flags, cgroup) }
}

/// Creates slots with a relay for later children, while this process has few open fds: such starts
/// stay cheap when it has many. Each costs two fds. Returns how many there are.
///
/// # Errors
/// Too little memory.
pub fn reserve(count: usize) -> Result<usize> {
    let pool = Pool::of_process();
    let mut slots = Vec::new();
    for _ in 0..count {
        slots.push(SlotGuard::from(pool)?);
    }
    Ok(slots.iter().filter(|slot| slot.relay.is_some()).count())
}

/// Like [`reserve`], for a process that has many open fds already: one slot's relay takes over the
/// number of `fd`, which must be 255 or lower. Returns whether there is such a slot.
///
/// # Errors
/// As [`reserve`].
pub fn reserve_at(fd: OwnedFd) -> Result<bool> {
    let pool = Pool::of_process();
    let mut slot = SlotGuard::from(pool)?;
    pool.attach_relay_at(&mut slot, fd);
    Ok(slot.relay.is_some())
}

/// Returns a slot to its pool, unless it is in flight with a child.
struct SlotGuard {
    pool: &'static Pool,
    slot: Option<Box<ChildSlot>>,
}

impl SlotGuard {
    fn from(pool: &'static Pool) -> Result<SlotGuard> {
        let mut slot = pool.take().map_err(|errno| Error::new(Step::Stack, errno))?;
        pool.attach_relay(&mut slot);
        Ok(SlotGuard { pool, slot: Some(slot) })
    }

    fn mark_in_flight(mut self) {
        if let Some(slot) = self.slot.take() {
            self.pool.mark_in_flight(slot);
        }
    }
}

impl std::ops::Deref for SlotGuard {
    type Target = ChildSlot;

    fn deref(&self) -> &ChildSlot {
        self.slot.as_ref().expect("the slot is present until it is in flight, which consumes this value")
    }
}

impl std::ops::DerefMut for SlotGuard {
    fn deref_mut(&mut self) -> &mut ChildSlot {
        self.slot.as_mut().expect("the slot is present until it is in flight, which consumes this value")
    }
}

impl Drop for SlotGuard {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            self.pool.release(slot);
        }
    }
}

/// Blocks all signals of this thread until dropped.
struct BlockedSignals {
    before: u64,
}

impl BlockedSignals {
    fn block() -> BlockedSignals {
        BlockedSignals { before: kernel::block_signals() }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        kernel::set_signal_mask(self.before);
    }
}

/// Shares the table if that pays and is possible. The child's fds are captured before this returns:
/// the caller may close them afterwards, and reuse their numbers. Pipe ends that no other code
/// knows yet are borrowed instead: the child captures them, and closes them for the parent.
fn choose_table(
    command: &Command,
    pool: &Pool,
    slot: &mut ChildSlot,
    ends: &mut StreamEnds,
    report: &Report,
) -> FdTable {
    let (mode, choice) = command.mode_and_table();
    let sources = slot.plan.sources().iter().map(|source| source.number);
    let numbers: Vec<RawFd> = sources.filter(|number| *number != NULL_DEVICE).collect();
    let all_borrowed = numbers.len() == ends.child.iter().flatten().count();
    let has_many_fds = HIGHEST_FD.load(Relaxed) >= SHARE_TABLE_MIN;
    let pays = match choice {
        TableChoice::Chosen => all_borrowed || has_many_fds,
        TableChoice::Awaited => has_many_fds,
        TableChoice::Copied => false,
        TableChoice::Shared => true,
    };
    let possible = KernelFeatures::detect().close_range != CloseRange::Missing
        && mode != Mode::Vfork
        && !slot.plan.layout_mut().inherits_fds;
    if !pays || !possible {
        return FdTable::Copied;
    }
    if numbers.is_empty() {
        return FdTable::Shared { unshare_from: 3, socket: -1 };
    }
    pool.attach_relay(slot);
    let Some(relay) = &slot.relay else { return FdTable::Copied };
    let (socket, inlet) = (relay.outlet(), relay.inlet());
    if !all_borrowed && relay.send(&numbers).is_err() {
        return FdTable::Copied;
    }
    slot.relay_is_loaded = true;
    report.received.store(0, Relaxed);
    let unshare_from = socket as u32 + 1;
    if !all_borrowed {
        return FdTable::Shared { unshare_from, socket };
    }
    slot.borrowed_ends = std::mem::take(&mut ends.child);
    FdTable::Borrowed { unshare_from, socket, inlet }
}

fn flags_of(mode: Mode, table: FdTable) -> u64 {
    let vfork = if mode == Mode::Vfork { libc::CLONE_VFORK } else { 0 };
    let files = if table == FdTable::Copied { 0 } else { libc::CLONE_FILES };
    (libc::CLONE_VM | libc::CLONE_CHILD_CLEARTID | vfork | files) as u64
}

/// Puts everything that the child reads into the slot.
fn prepare(slot: &mut ChildSlot, table: FdTable, report: &Arc<Report>) {
    let kernel = KernelFeatures::detect();
    let bound = slot.plan.bind();
    let other_fds = other_fds(kernel, bound.layout.inherits_fds);
    let report_at = std::ptr::from_ref(report.child_side());
    slot.context =
        Some(ChildContext { bound, table, other_fds, clears_handlers: !kernel.clone3, report: report_at });
    slot.report = Some(Arc::clone(report));
}

/// How a child prevents its program from inheriting other fds.
pub(crate) fn other_fds(kernel: KernelFeatures, inherits_fds: bool) -> OtherFds {
    match kernel.close_range {
        _ if inherits_fds => OtherFds::Inherited,
        CloseRange::Whole => OtherFds::CloseOnExec,
        CloseRange::Plain => OtherFds::ClosedAround,
        CloseRange::Missing => OtherFds::CloseOnExecByProc,
    }
}

/// Flags of `clone3` only; libc's type is too narrow for them.
const CLONE_CLEAR_SIGHAND: u64 = 1 << 32;
const CLONE_INTO_CGROUP: u64 = 1 << 33;

/// A process that was just cloned. Without a pidfd it is -1.
pub(crate) struct ClonedChild {
    pub pid: i32,
    pub pidfd: RawFd,
}

/// Clones a child that runs the actions in `context`. Also runs in a zygote: no allocation, no
/// panic.
///
/// # Safety
/// The stack, the context and everything that it points to belong to the child until its report's
/// word is cleared.
pub(crate) unsafe fn clone_onto(
    stack: &Stack,
    context: &ChildContext,
    flags: u64,
    cgroup: Option<RawFd>,
) -> std::result::Result<ClonedChild, Errno> {
    // SAFETY: guaranteed by the caller.
    let word = unsafe { (*context.report).word.as_ptr() } as u64;
    let argument = std::ptr::from_ref(context).cast::<std::ffi::c_void>();
    let mut pidfd: RawFd = -1;
    let pidfd_at = &raw mut pidfd as u64;
    let is_sibling = flags & libc::CLONE_PARENT as u64 != 0;
    let result = if KernelFeatures::detect().clone3 {
        let args = CloneArgs {
            flags: flags | CLONE_CLEAR_SIGHAND | cgroup.map_or(0, |_| CLONE_INTO_CGROUP),
            pidfd: pidfd_at,
            child_tid: word,
            // A sibling has the exit signal of the process that clones it.
            exit_signal: if is_sibling { 0 } else { libc::SIGCHLD as u64 },
            stack: stack.lowest(),
            stack_bytes: stack.bytes(),
            cgroup: cgroup.unwrap_or(0) as u64,
            ..CloneArgs::default()
        };
        // SAFETY: guaranteed by the caller; the arguments outlive the call.
        unsafe { raw::clone3(&args, child::child_main, argument) }
    } else if cgroup.is_some() {
        return Err(libc::ENOSYS);
    } else {
        let flags = flags | libc::SIGCHLD as u64;
        let args = OldCloneArgs { flags, stack_top: stack.top(), pidfd: pidfd_at, child_tid: word };
        // SAFETY: as above.
        unsafe { raw::clone(&args, child::child_main, argument) }
    };
    if result < 0 {
        Err(result.wrapping_neg() as Errno)
    } else {
        Ok(ClonedChild { pid: result as i32, pidfd })
    }
}
