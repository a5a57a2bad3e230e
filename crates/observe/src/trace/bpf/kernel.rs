//! BPF objects of a trace in the kernel: maps, the ring buffer, programs at tracepoints. In:
//! nothing, but it needs privileges. Out: a ring buffer with records, from the time the tracepoints
//! are attached.

use std::ffi::CStr;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rusk_base::sys::bpf::{self, BpfMap, RingBuffer};
use rusk_base::sys::metadata::{self, SymlinkMode};
use rusk_base::sys::mmap::Mmap;
use rusk_base::sys::{self, Errno, Mode, OFlags};
use rusk_base::{Problem, Result};

use super::btf::Btf;
use super::programs::{self, BpfContext, Offsets, TracerIdentity};
use crate::problem;
use crate::syscalls::{Arch, Syscall};

/// The kernel's BTF.
const TYPES: &str = "/sys/kernel/btf/vmlinux";

/// Kernels have 5 to 10 MB of it.
const TYPES_BYTES_MAX: u64 = 256 << 20;

/// The PID namespace of our own process id.
const NAMESPACE: &str = "/proc/self/ns/pid";

/// Room for about 20,000 records. The kernel allocates all of it at once, which takes 0.3 ms per
/// MiB.
const RING_BYTES: u32 = 2 << 20;

/// A quarter of the buffer: at two million calls a second the rest lasts for another 9 ms, in which
/// we must wake up.
const WAKE_AT_BYTES: u32 = RING_BYTES / 4;

/// Concurrent threads; further ones are counted as lost. The kernel allocates entries on demand,
/// but even an empty map of 65,536 entries takes it a millisecond.
const THREADS_MAX: u32 = 16_384;

/// Tracepoints of processes, and those of system calls, in the order in which they are attached. A
/// process that was added must be seen to exit.
const PROCESS_TRACEPOINTS: [(&CStr, BuildProgram); 2] =
    [(c"sched_process_exit", programs::on_exit), (c"sched_process_fork", programs::on_fork)];
const SYSCALL_TRACEPOINTS: [(&CStr, BuildProgram); 2] =
    [(c"sys_exit", programs::on_sys_exit), (c"sys_enter", programs::on_sys_enter)];

/// Builds the program of a tracepoint.
type BuildProgram = fn(&BpfContext) -> Vec<u64>;

/// The BPF objects, which exist while it lives.
pub struct Kernel {
    lost: BpfMap,
    pub ring: RingBuffer,
    /// Keeps their file descriptors open.
    _others: [BpfMap; 3],
    process_programs: [OwnedFd; 2],
    syscall_programs: [OwnedFd; 2],
    links: Vec<OwnedFd>,
}

impl Kernel {
    pub fn prepare() -> Result<Kernel> {
        let refused = |what: &'static str| move |error: Errno| problem::no_bpf(what, error, "");
        let threads = BpfMap::hash(programs::KEY_BYTES, programs::THREAD_BYTES, THREADS_MAX)
            .map_err(refused("a map"))?;
        let empty = BpfMap::array(programs::THREAD_BYTES, 2).map_err(refused("a map"))?;
        let mut first = [0; programs::THREAD_BYTES];
        first[programs::IS_FIRST..].fill(1);
        empty.update(&1_u32.to_ne_bytes(), &first).map_err(refused("a map"))?;
        let lost = BpfMap::array(8, 1).map_err(refused("a map"))?;
        let paths = BpfMap::array(4, 2 * programs::CALLS as u32).map_err(refused("a map"))?;
        let ring = RingBuffer::new(RING_BYTES).map_err(refused("a ring"))?;
        for (number, argument) in path_arguments() {
            paths.update(&number.to_ne_bytes(), &argument.to_ne_bytes()).map_err(refused("a map"))?;
        }
        let raw = |fd: &dyn AsFd| fd.as_fd().as_raw_fd();
        let context = BpfContext {
            threads: raw(&threads),
            paths: raw(&paths),
            ring: raw(&ring),
            wake_at: WAKE_AT_BYTES,
            lost: raw(&lost),
            empty: raw(&empty),
            offsets: offsets()?,
            own: own().map_err(refused("reading our PID namespace"))?,
        };
        let process_programs = load(PROCESS_TRACEPOINTS, &context)?;
        let syscall_programs = load(SYSCALL_TRACEPOINTS, &context)?;
        let _others = [threads, empty, paths];
        Ok(Kernel { lost, ring, _others, process_programs, syscall_programs, links: Vec::new() })
    }

    /// From now on our next child is traced, with all its descendants.
    pub fn attach_processes(&mut self) -> Result<()> {
        self.links.extend(attach(PROCESS_TRACEPOINTS, &self.process_programs)?);
        Ok(())
    }

    /// From now on every system call of the system runs the programs.
    pub fn attach_syscalls(&mut self) -> Result<()> {
        self.links.extend(attach(SYSCALL_TRACEPOINTS, &self.syscall_programs)?);
        Ok(())
    }

    pub fn detach(&mut self) {
        self.links.clear();
    }

    pub fn lost(&self) -> u64 {
        let count = self.lost.lookup(&0_u32.to_ne_bytes()).unwrap_or_default();
        count.try_into().map(u64::from_ne_bytes).unwrap_or_default()
    }
}

fn load(points: [(&CStr, BuildProgram); 2], context: &BpfContext) -> Result<[OwnedFd; 2]> {
    let load = |make: BuildProgram| {
        bpf::load(&make(context)).map_err(|(error, log)| problem::no_bpf("a program", error, &log))
    };
    let [(_, first), (_, second)] = points;
    Ok([load(first)?, load(second)?])
}

fn attach(points: [(&CStr, BuildProgram); 2], programs: &[OwnedFd; 2]) -> Result<Vec<OwnedFd>> {
    let attach = |(point, program): ((&CStr, BuildProgram), &OwnedFd)| bpf::attach(point.0, program.as_fd());
    let attached: sys::Result<Vec<OwnedFd>> = points.into_iter().zip(programs).map(attach).collect();
    attached.map_err(|error| problem::no_bpf("a tracepoint", error, ""))
}

/// By number, those of 32-bit calls after the others: the index of the path argument plus 1.
fn path_arguments() -> Vec<(u32, u32)> {
    let own = (0..programs::CALLS as u32).map(|number| (number, Syscall { arch: Arch::OWN, number }));
    let compat = (0..programs::CALLS as u32)
        .map(|number| (programs::CALLS as u32 + number, Syscall { arch: Arch::I386, number }));
    own.chain(compat)
        .filter_map(|(index, call)| Some((index, call.traits().path?.index as u32 + 1)))
        .collect()
}

/// Our identity in the kernel, also within a container.
fn own() -> sys::Result<TracerIdentity> {
    /// `MINORBITS` of the kernel's device numbers.
    const MINOR_BITS: u32 = 20;
    let namespace = metadata::stat(NAMESPACE, SymlinkMode::Follow)?;
    let device = u64::from(namespace.stx_dev_major) << MINOR_BITS | u64::from(namespace.stx_dev_minor);
    Ok(TracerIdentity { process: std::process::id(), device, inode: namespace.stx_ino })
}

fn offsets() -> Result<Offsets, Problem> {
    let none = |error| problem::no_bpf("reading the kernel's BTF", error, "");
    let bytes = types().map_err(none)?;
    let btf = Btf::parse(&bytes).ok_or_else(|| none(Errno::INVAL))?;
    let [task, info] = btf.structs(["task_struct", "thread_info"]).ok_or_else(|| none(Errno::INVAL))?;
    let task = task.offsets(["pid", "tgid", "exit_code", "thread_info"]);
    let [pid, tgid, exit_code, thread_info] = task.ok_or_else(|| none(Errno::INVAL))?;
    let status = match Arch::OWN {
        Arch::X86_64 => info.offsets(["status"]).map(|[status]| thread_info + status),
        _ => None,
    };
    Ok(Offsets { pid, tgid, exit_code, status })
}

/// Mapped if the kernel supports it (6.16), since a tenth of it is accessed. Otherwise read, which
/// takes 1,300 system calls.
fn types() -> Result<BtfData, Errno> {
    let file = sys::openat(sys::CWD, TYPES, OFlags::RDONLY, Mode::empty())?;
    match Mmap::open(file.as_fd(), TYPES_BYTES_MAX) {
        Ok(map) => Ok(BtfData::Mapped(map)),
        Err(_) => std::fs::read(TYPES).map(BtfData::Read).map_err(|_| Errno::IO),
    }
}

enum BtfData {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Deref for BtfData {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            BtfData::Mapped(map) => map,
            BtfData::Read(bytes) => bytes,
        }
    }
}
