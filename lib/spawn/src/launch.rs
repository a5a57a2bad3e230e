//! A start: a slot, pipes, the plan, the clone. In: a command. Out: a [`Child`], as soon as it was
//! cloned. The phases stand in [`start`]; each fails without a trace.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicU32};

use crate::child::{self, Launch, Others, Table};
use crate::command::{Command, Mode, TableChoice};
use crate::error::{Error, Result};
use crate::kernel::{self, CloseRange, Errno, Kernel};
use crate::plan::NULL_DEVICE;
use crate::pool::Pool;
use crate::process::Child;
use crate::raw::{self, CloneArgs, OldCloneArgs};
use crate::report::Report;
use crate::slot::{Slot, Stack};
use crate::stdio::Ends;
use crate::step::Step;

/// From this many open descriptors on, to share the table and send the child its own costs less
/// than to copy it.
const CROWD_MIN: RawFd = 256;

/// Of starts without a pidfd, one in so many takes one all the same, to see its number.
const CENSUS_EVERY: u32 = 32;

fn counts_crowd() -> bool {
    static STARTS: AtomicU32 = AtomicU32::new(0);
    STARTS.fetch_add(1, Relaxed).is_multiple_of(CENSUS_EVERY)
}

/// The number that the last pidfd or pipe got. The kernel gives the lowest free one: at least as
/// many are open.
static CROWD: AtomicI32 = AtomicI32::new(0);

pub(crate) fn start(command: &Command) -> Result<Child> {
    let (mode, _) = command.manner();
    let pool = Pool::of_process();
    let mut slot = Taken::from(pool)?;
    let mut ends = Ends::open(command.streams()).map_err(|errno| Error::new(Step::Pipe, errno))?;
    let highest = ends.highest();
    if let Some(number) = highest {
        CROWD.store(number, Relaxed);
    }
    let blocks = !Kernel::probed().clone3 || command.setup.takes_signals_up();
    let signals = blocks.then(BlockedSignals::block);
    command.write(&mut slot.plan, &ends, signals.as_ref().map(|signals| signals.before));

    let report = Arc::new(if mode == Mode::Vfork { Report::new_shared() } else { Report::new() });
    let table = choose_table(command, pool, &mut slot, &mut ends, &report);
    let keeps_pidfd = command.has_pidfd;
    let pidfd_flag =
        if keeps_pidfd || highest.is_none() && counts_crowd() { libc::CLONE_PIDFD as u64 } else { 0 };
    let flags = command.setup.namespaces.flags() | flags_of(mode, table) | pidfd_flag;
    arm(&mut slot, table, &report);
    let born = clone(&slot, flags, command.setup.cgroup.as_ref().map(AsRawFd::as_raw_fd));
    drop(signals);
    if born.is_err() || mode == Mode::Vfork {
        report.clear();
    } else {
        slot.fly();
    }
    let born = born.map_err(|errno| Error::new(Step::Clone, errno))?;
    // SAFETY: the kernel has just made it, and said so to us alone.
    let pidfd = (born.pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(born.pidfd) });
    if pidfd.is_some() {
        CROWD.store(born.pidfd, Relaxed);
    }
    let pidfd = pidfd.filter(|_| keeps_pidfd);
    Ok(Child::from_parts(born.pid, pidfd, report, command.subject(), &mut ends))
}

fn clone(slot: &Slot, flags: u64, cgroup: Option<RawFd>) -> std::result::Result<Born, Errno> {
    let launch = slot.launch.as_ref().expect("the slot is armed");
    // SAFETY: the slot and the report are the child's until the word is cleared; the pool keeps
    // both until then.
    unsafe { clone_onto(slot.stack(), launch, flags, cgroup) }
}

/// Makes slots in which later children fly while this process has few descriptors open: these
/// starts stay cheap when it has many. Each costs two descriptors. Out: how many there are.
///
/// # Errors
/// Want of memory.
pub fn reserve(count: usize) -> Result<usize> {
    let pool = Pool::of_process();
    let mut slots = Vec::new();
    for _ in 0..count {
        slots.push(Taken::from(pool)?);
    }
    Ok(slots.iter().filter(|slot| slot.relay.is_some()).count())
}

/// As [`reserve`], for a process that has many descriptors open already: one slot gets the number
/// of `place`, which has to be 255 or lower, and from then on leads elsewhere. Out: whether there
/// is such a slot now.
///
/// # Errors
/// As [`reserve`].
pub fn reserve_at(place: OwnedFd) -> Result<bool> {
    let pool = Pool::of_process();
    let mut slot = Taken::from(pool)?;
    pool.equip_at(&mut slot, place);
    Ok(slot.relay.is_some())
}

/// A slot that goes back to its pool, unless a child flies with it.
struct Taken {
    pool: &'static Pool,
    slot: Option<Box<Slot>>,
}

impl Taken {
    fn from(pool: &'static Pool) -> Result<Taken> {
        let mut slot = pool.take().map_err(|errno| Error::new(Step::Stack, errno))?;
        pool.equip(&mut slot);
        Ok(Taken { pool, slot: Some(slot) })
    }

    fn fly(mut self) {
        if let Some(slot) = self.slot.take() {
            self.pool.fly(slot);
        }
    }
}

impl std::ops::Deref for Taken {
    type Target = Slot;

    fn deref(&self) -> &Slot {
        self.slot.as_ref().expect("a slot is here until it flies, which ends this value")
    }
}

impl std::ops::DerefMut for Taken {
    fn deref_mut(&mut self) -> &mut Slot {
        self.slot.as_mut().expect("a slot is here until it flies, which ends this value")
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            self.pool.give_back(slot);
        }
    }
}

/// All signals of this thread, blocked until this is dropped.
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

/// Shared where that pays and can be had. What the child is to have is captured before this
/// returns: from then on the caller may close it, and what it opens under the same numbers is not
/// the child's. Ends of pipes that nobody else knows yet are lent instead: the child captures them,
/// and closes them for us.
fn choose_table(command: &Command, pool: &Pool, slot: &mut Slot, ends: &mut Ends, report: &Report) -> Table {
    let (mode, choice) = command.manner();
    let sources = slot.plan.sources().iter().map(|source| source.number);
    let numbers: Vec<RawFd> = sources.filter(|number| *number != NULL_DEVICE).collect();
    let all_lent = numbers.len() == ends.theirs.iter().flatten().count();
    let is_crowded = CROWD.load(Relaxed) >= CROWD_MIN;
    let pays = match choice {
        TableChoice::Chosen => all_lent || is_crowded,
        TableChoice::Awaited => is_crowded,
        TableChoice::Copied => false,
        TableChoice::Shared => true,
    };
    let possible = Kernel::probed().close_range != CloseRange::Missing
        && mode != Mode::Vfork
        && !slot.plan.shape_mut().keeps_others;
    if !pays || !possible {
        return Table::Copied;
    }
    if numbers.is_empty() {
        return Table::Shared { cut: 3, socket: -1 };
    }
    pool.equip(slot);
    let Some(relay) = &slot.relay else { return Table::Copied };
    let (socket, inlet) = (relay.outlet(), relay.inlet());
    if !all_lent && relay.send(&numbers).is_err() {
        return Table::Copied;
    }
    slot.relay_is_loaded = true;
    report.received.store(0, Relaxed);
    let cut = socket as u32 + 1;
    if !all_lent {
        return Table::Shared { cut, socket };
    }
    slot.lent = std::mem::take(&mut ends.theirs);
    Table::Lent { cut, socket, inlet }
}

fn flags_of(mode: Mode, table: Table) -> u64 {
    let vfork = if mode == Mode::Vfork { libc::CLONE_VFORK } else { 0 };
    let files = if table == Table::Copied { 0 } else { libc::CLONE_FILES };
    (libc::CLONE_VM | libc::CLONE_CHILD_CLEARTID | vfork | files) as u64
}

/// Puts all that the child reads into the slot.
fn arm(slot: &mut Slot, table: Table, report: &Arc<Report>) {
    let kernel = Kernel::probed();
    let bound = slot.plan.bind();
    let others = others(kernel, bound.shape.keeps_others);
    let report_at = std::ptr::from_ref(report.of_child());
    slot.launch = Some(Launch { bound, table, others, clears_handlers: !kernel.clone3, report: report_at });
    slot.report = Some(Arc::clone(report));
}

/// How a child keeps all other descriptors from its program.
pub(crate) fn others(kernel: Kernel, keeps_others: bool) -> Others {
    match kernel.close_range {
        _ if keeps_others => Others::Kept,
        CloseRange::Whole => Others::Marked,
        CloseRange::Plain => Others::ClosedAround,
        CloseRange::Missing => Others::Walked,
    }
}

/// Of `clone3` alone; libc has them as a type too narrow.
const CLONE_CLEAR_SIGHAND: u64 = 1 << 32;
const CLONE_INTO_CGROUP: u64 = 1 << 33;

/// A process that exists since now. No pidfd is -1.
pub(crate) struct Born {
    pub pid: i32,
    pub pidfd: RawFd,
}

/// Clones a child that acts out `launch`. It runs in a zygote too: no allocation, no panic.
///
/// # Safety
/// The stack, the launch and all that it points at are the child's alone until its report's word is
/// cleared.
pub(crate) unsafe fn clone_onto(
    stack: &Stack,
    launch: &Launch,
    flags: u64,
    cgroup: Option<RawFd>,
) -> std::result::Result<Born, Errno> {
    // SAFETY: the caller's promise.
    let word = unsafe { (*launch.report).word.as_ptr() } as u64;
    let argument = std::ptr::from_ref(launch).cast::<std::ffi::c_void>();
    let mut pidfd: RawFd = -1;
    let pidfd_at = &raw mut pidfd as u64;
    let is_sibling = flags & libc::CLONE_PARENT as u64 != 0;
    let result = if Kernel::probed().clone3 {
        let args = CloneArgs {
            flags: flags | CLONE_CLEAR_SIGHAND | cgroup.map_or(0, |_| CLONE_INTO_CGROUP),
            pidfd: pidfd_at,
            child_tid: word,
            // A sibling has the signal of who clones it.
            exit_signal: if is_sibling { 0 } else { libc::SIGCHLD as u64 },
            stack: stack.lowest(),
            stack_bytes: stack.bytes(),
            cgroup: cgroup.unwrap_or(0) as u64,
            ..CloneArgs::default()
        };
        // SAFETY: the caller's promise; the arguments live through the call.
        unsafe { raw::clone3(&args, child::enter, argument) }
    } else if cgroup.is_some() {
        return Err(libc::ENOSYS);
    } else {
        let flags = flags | libc::SIGCHLD as u64;
        let args = OldCloneArgs { flags, stack_top: stack.top(), pidfd: pidfd_at, child_tid: word };
        // SAFETY: as above.
        unsafe { raw::clone(&args, child::enter, argument) }
    };
    if result < 0 { Err(result.wrapping_neg() as Errno) } else { Ok(Born { pid: result as i32, pidfd }) }
}
