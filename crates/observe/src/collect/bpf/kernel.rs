//! What stands in the kernel while a program is watched: maps, the ring, programs at tracepoints.
//! In: nothing but rights. Out: a ring of records, from the moment that each tracepoint is passed
//! by.

use std::ffi::CStr;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rusk_base::sys::bpf::{self, BpfMap, RingBuffer};
use rusk_base::sys::metadata::{self, SymlinkMode};
use rusk_base::sys::mmap::Mmap;
use rusk_base::sys::{self, Errno, Mode, OFlags};
use rusk_base::{Problem, Result};

use super::btf::Btf;
use super::programs::{self, Ground, Offsets, Own};
use crate::calls::{Arch, Call};
use crate::problem;

/// Where the kernel publishes its types.
const TYPES: &str = "/sys/kernel/btf/vmlinux";

/// Kernels have 5 to 10 MB of them.
const TYPES_BYTES_MAX: u64 = 256 << 20;

/// Where our own number holds.
const NAMESPACE: &str = "/proc/self/ns/pid";

/// Room for some 20,000 records: the kernel makes all of it at once, which takes it 0.3 ms a MiB.
const RING_BYTES: u32 = 2 << 20;

/// A quarter: at two million calls a second the rest lasts 9 ms more, in which we are to be woken.
const WAKE_AT_BYTES: u32 = RING_BYTES / 4;

/// Threads at a time; those beyond are counted as lost. The kernel makes room for each when it
/// comes, but a table of 65,536 takes it a millisecond to begin with.
const THREADS_MAX: u32 = 16_384;

/// Tracepoints that tell of processes, and those that tell of calls, in the order in which they are
/// attached. Whoever is made is known from then on, and must be seen to end.
const OF_PROCESSES: [(&CStr, Make); 2] =
    [(c"sched_process_exit", programs::gone), (c"sched_process_fork", programs::made)];
const OF_CALLS: [(&CStr, Make); 2] = [(c"sys_exit", programs::leave), (c"sys_enter", programs::enter)];

/// The program of a tracepoint.
type Make = fn(&Ground) -> Vec<u64>;

/// What stands in the kernel while it lives.
pub struct Kernel {
    lost: BpfMap,
    pub ring: RingBuffer,
    /// Kept for their descriptors.
    _others: [BpfMap; 3],
    of_processes: [OwnedFd; 2],
    of_calls: [OwnedFd; 2],
    points: Vec<OwnedFd>,
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
        let number = |fd: &dyn AsFd| fd.as_fd().as_raw_fd();
        let ground = Ground {
            threads: number(&threads),
            paths: number(&paths),
            ring: number(&ring),
            wake_at: WAKE_AT_BYTES,
            lost: number(&lost),
            empty: number(&empty),
            offsets: offsets()?,
            own: own().map_err(refused("a look at our own number"))?,
        };
        let of_processes = load(OF_PROCESSES, &ground)?;
        let of_calls = load(OF_CALLS, &ground)?;
        let _others = [threads, empty, paths];
        Ok(Kernel { lost, ring, _others, of_processes, of_calls, points: Vec::new() })
    }

    /// From now on the next child of ours is followed, and all that it makes.
    pub fn attach_processes(&mut self) -> Result<()> {
        self.points.extend(attach(OF_PROCESSES, &self.of_processes)?);
        Ok(())
    }

    /// From now on every call in the system passes by.
    pub fn attach_calls(&mut self) -> Result<()> {
        self.points.extend(attach(OF_CALLS, &self.of_calls)?);
        Ok(())
    }

    pub fn let_go(&mut self) {
        self.points.clear();
    }

    pub fn lost(&self) -> u64 {
        let count = self.lost.lookup(&0_u32.to_ne_bytes()).unwrap_or_default();
        count.try_into().map(u64::from_ne_bytes).unwrap_or_default()
    }
}

fn load(points: [(&CStr, Make); 2], ground: &Ground) -> Result<[OwnedFd; 2]> {
    let load = |make: Make| {
        bpf::load(&make(ground)).map_err(|(error, said)| problem::no_bpf("a program", error, &said))
    };
    let [(_, first), (_, second)] = points;
    Ok([load(first)?, load(second)?])
}

fn attach(points: [(&CStr, Make); 2], programs: &[OwnedFd; 2]) -> Result<Vec<OwnedFd>> {
    let attach = |(point, program): ((&CStr, Make), &OwnedFd)| bpf::attach(point.0, program.as_fd());
    let attached: sys::Result<Vec<OwnedFd>> = points.into_iter().zip(programs).map(attach).collect();
    attached.map_err(|error| problem::no_bpf("a tracepoint", error, ""))
}

/// By number, those of 32 bits behind the others: 1 more than the argument that is a path.
fn path_arguments() -> Vec<(u32, u32)> {
    let own = (0..programs::CALLS as u32).map(|number| (number, Call { arch: Arch::OWN, number }));
    let small = (0..programs::CALLS as u32)
        .map(|number| (programs::CALLS as u32 + number, Call { arch: Arch::I386, number }));
    own.chain(small).filter_map(|(place, call)| Some((place, call.traits().path?.index as u32 + 1))).collect()
}

/// Who we are to the kernel, from within whatever container.
fn own() -> sys::Result<Own> {
    /// `MINORBITS` of the kernel's own numbers of devices.
    const MINOR_BITS: u32 = 20;
    let namespace = metadata::stat(NAMESPACE, SymlinkMode::Follow)?;
    let device = u64::from(namespace.stx_dev_major) << MINOR_BITS | u64::from(namespace.stx_dev_minor);
    Ok(Own { process: std::process::id(), device, inode: namespace.stx_ino })
}

fn offsets() -> Result<Offsets, Problem> {
    let none = |error| problem::no_bpf("a look at the kernel's types", error, "");
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

/// Mapped, where the kernel is new enough (6.16): a tenth of them is looked at. Else read, which
/// takes 1,300 calls.
fn types() -> Result<Types, Errno> {
    let file = sys::openat(sys::CWD, TYPES, OFlags::RDONLY, Mode::empty())?;
    match Mmap::open(file.as_fd(), TYPES_BYTES_MAX) {
        Ok(map) => Ok(Types::Mapped(map)),
        Err(_) => std::fs::read(TYPES).map(Types::Read).map_err(|_| Errno::IO),
    }
}

enum Types {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Deref for Types {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Types::Mapped(map) => map,
            Types::Read(bytes) => bytes,
        }
    }
}
