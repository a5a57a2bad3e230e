//! Watching by BPF, where the rights are there: small programs at the kernel's tracepoints write a record a call into a
//! ring, and the watched program never stops. In: what to start. Out: a ledger. The tree is followed by a map of threads
//! that the kernel's own fork adds to, so that no child is missed.

mod assembler;
mod btf;
mod programs;

use std::collections::HashMap;
use std::ffi::CStr;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use rusk_base::sys::bpf::{self, Ring, Table};
use rusk_base::sys::held::{Released, now_ns};
use rusk_base::sys::map::Map;
use rusk_base::sys::signals::Relay;
use rusk_base::sys::{self, Errno, Mode, OFlags};
use rusk_base::{Problem, Result};

use super::{Asked, Program, Subject, Watched, Window};
use crate::calls::{Aim, Arch, Call};
use crate::ledger::{End, Ledger, Record};
use crate::problem;
use crate::report::Watch;
use btf::Btf;
use programs::{Ground, Offsets, Raw};

/// Where the kernel publishes its types.
const TYPES: &str = "/sys/kernel/btf/vmlinux";

/// Kernels have 5 to 10 MB of them.
const TYPES_BYTES_MAX: u64 = 256 << 20;

/// Test calls before the program begins: a tenth of a millisecond of them.
const TEST_CALLS: u32 = 256;

/// Room for some 40,000 records: two million calls a second, if we look as often as we want to. Half of it lost some of a
/// million calls a second on a busy machine.
const RING_BYTES: u32 = 4 << 20;

/// Threads at a time; those beyond are counted as lost. The kernel makes room for each when it comes, but a table of
/// 65,536 takes it a millisecond to begin with.
const THREADS_MAX: u32 = 16_384;

/// How often the ring is looked at. A record wakes nobody, which is what makes it cheap.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What a call returns within the kernel when a signal breaks it off: ERESTARTSYS to ERESTART_RESTARTBLOCK.
const RESTARTS: std::ops::RangeInclusive<i64> = -516..=-512;
const SIGKILL: i64 = 9;

pub fn watch(subject: &Subject<'_>) -> Result<Watched> {
    let Subject { asked, relay, .. } = *subject;
    let mut kernel = Kernel::prepare()?;
    let held = subject.hold(TEST_CALLS)?;
    let root = held.process;
    kernel.attach()?;
    kernel.follow(root)?;
    relay.pass_to(root as u32);
    let released = held.release().map_err(|error| problem::lost("its start", error))?;
    let mut reader = Reader::new(root, asked);
    while !reader.window.is_over && !reader.has_ended {
        let ended = released.ends_within(LOOK_EVERY);
        kernel.ring.drain(|record| reader.record(record));
        reader.window.look(now_ns());
        reader.has_ended |= ended.map_err(|error| problem::lost("its end", error))?;
    }
    let program = finish(&mut reader, &mut kernel, released, relay)?;
    let overhead_ns = subject.overhead(&program.1, TEST_CALLS)?;
    let watch = Watch {
        collector: "bpf",
        on_one_processor: false,
        until: reader.window.words(),
        is_reached: reader.window.is_over,
        wall_ns: reader.over_ns.saturating_sub(reader.window.begun_ns),
        overhead_ns,
        lost: kernel.lost(),
    };
    let program = match program {
        (Some(end), _) => Program::Ended(end),
        (None, released) => Program::Runs(released),
    };
    Ok(Watched { ledger: reader.ledger, watch, program })
}

/// The program's end, where that is what ended the watch; every thread is gone by then, and has said all.
fn finish(
    reader: &mut Reader,
    kernel: &mut Kernel,
    released: Released,
    relay: &Relay,
) -> Result<(Option<End>, Released)> {
    let mut end = None;
    if reader.has_ended && !reader.window.is_over {
        relay.wait_for_end();
        kernel.ring.drain(|record| reader.record(record));
        end = Some(released.wait().map_err(|error| problem::lost("its end", error))?);
    }
    kernel.let_go();
    if reader.over_ns == 0 {
        reader.over_ns = now_ns();
    }
    Ok((end, released))
}

/// What stands in the kernel while it lives.
struct Kernel {
    threads: Table,
    lost: Table,
    ring: Ring,
    /// Kept for their descriptors.
    _others: [Table; 2],
    programs: Vec<(&'static CStr, OwnedFd)>,
    points: Vec<OwnedFd>,
}

impl Kernel {
    fn prepare() -> Result<Kernel> {
        let refused = |what: &'static str| move |error: Errno| problem::no_bpf(what, error, "");
        let threads = Table::hash(4, programs::THREAD_BYTES, THREADS_MAX).map_err(refused("a map"))?;
        let empty = Table::array(programs::THREAD_BYTES, 1).map_err(refused("a map"))?;
        let lost = Table::array(8, 1).map_err(refused("a map"))?;
        let paths = Table::array(4, 2 * programs::CALLS as u32).map_err(refused("a map"))?;
        let ring = Ring::new(RING_BYTES).map_err(refused("a ring"))?;
        for (number, argument) in path_arguments() {
            paths.put(&number.to_ne_bytes(), &argument.to_ne_bytes()).map_err(refused("a map"))?;
        }
        let number = |fd: &dyn AsFd| fd.as_fd().as_raw_fd();
        let ground = Ground {
            threads: number(&threads),
            paths: number(&paths),
            ring: number(&ring),
            lost: number(&lost),
            empty: number(&empty),
            offsets: offsets()?,
        };
        let mut loaded = Vec::new();
        // Calls come last: a thread must not be known by its calls before it is known by its making.
        for (name, program) in [
            (c"sched_process_fork", programs::made(&ground)),
            (c"sched_process_exec", programs::exec(&ground)),
            (c"sched_process_exit", programs::gone(&ground)),
            (c"sys_exit", programs::leave(&ground)),
            (c"sys_enter", programs::enter(&ground)),
        ] {
            let program =
                bpf::load(&program).map_err(|(error, said)| problem::no_bpf("a program", error, &said))?;
            loaded.push((name, program));
        }
        Ok(Kernel { threads, lost, ring, _others: [empty, paths], programs: loaded, points: Vec::new() })
    }

    /// From now on every call in the system passes by.
    fn attach(&mut self) -> Result<()> {
        for (name, program) in &self.programs {
            let point = bpf::attach(name, program.as_fd());
            self.points.push(point.map_err(|error| problem::no_bpf("a tracepoint", error, ""))?);
        }
        Ok(())
    }

    fn follow(&self, process: i32) -> Result<()> {
        let record = [0; programs::THREAD_BYTES];
        let done = self.threads.put(&process.to_ne_bytes(), &record);
        done.map_err(|error| problem::no_bpf("a map", error, ""))
    }

    fn let_go(&mut self) {
        self.points.clear();
    }

    fn lost(&self) -> u64 {
        let count = self.lost.find(&0_u32.to_ne_bytes()).unwrap_or_default();
        count.try_into().map(u64::from_ne_bytes).unwrap_or_default()
    }
}

/// By number, those of 32 bits behind the others: 1 more than the argument that is a path.
fn path_arguments() -> Vec<(u32, u32)> {
    let own = (0..programs::CALLS as u32).map(|number| (number, Call { arch: Arch::OWN, number }));
    let small = (0..programs::CALLS as u32)
        .map(|number| (programs::CALLS as u32 + number, Call { arch: Arch::I386, number }));
    own.chain(small).filter_map(|(place, call)| Some((place, call.traits().path?.index as u32 + 1))).collect()
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

/// Mapped, where the kernel is new enough (6.16): a tenth of them is looked at. Else read, which takes 1,300 calls.
fn types() -> Result<Types, Errno> {
    let file = sys::openat(sys::CURRENT, TYPES, OFlags::RDONLY, Mode::empty())?;
    match Map::open(file.as_fd(), TYPES_BYTES_MAX) {
        Ok(map) => Ok(Types::Mapped(map)),
        Err(_) => std::fs::read(TYPES).map(Types::Read).map_err(|_| Errno::IO),
    }
}

enum Types {
    Mapped(Map),
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

struct Reader {
    root: i32,
    ledger: Ledger,
    window: Window,
    current_dir: String,
    /// Before it, the child makes test calls.
    has_begun: bool,
    has_ended: bool,
    over_ns: u64,
    /// Calls that a signal broke off, by thread: what follows says what became of them.
    broken: HashMap<i32, Vec<u8>>,
    /// Threads that are there, by process: the first one may end before the others.
    alive: HashMap<i32, u32>,
}

impl Reader {
    fn new(root: i32, asked: &Asked) -> Reader {
        let current_dir = asked.current_dir.to_string_lossy().into_owned();
        let ledger = Ledger::new(root, &current_dir, now_ns());
        let window = Window::new(asked.until);
        Reader {
            root,
            ledger,
            window,
            current_dir,
            has_begun: false,
            has_ended: false,
            over_ns: 0,
            broken: HashMap::new(),
            alive: HashMap::from([(root, 1)]),
        }
    }

    fn record(&mut self, bytes: &[u8]) {
        let Some(raw) = Raw::parse(bytes).filter(|_| !self.window.is_over) else { return };
        if let Some(broken) = self.broken.remove(&raw.thread) {
            self.settle(&broken, &raw);
        }
        match raw.kind {
            programs::KIND_CALL if RESTARTS.contains(&raw.result) => {
                self.broken.insert(raw.thread, bytes.to_vec());
            }
            programs::KIND_CALL => self.call(&raw),
            programs::KIND_MADE if raw.thread == raw.process => {
                self.alive.insert(raw.process, 1);
                self.ledger.begin(raw.process, raw.result as i32, raw.start_ns);
            }
            programs::KIND_MADE => {
                *self.alive.entry(raw.process).or_default() += 1;
                self.ledger.thread(raw.process);
            }
            programs::KIND_GONE => self.gone(&raw),
            _ => {}
        }
    }

    /// A call that was broken off has returned, to the signal's handler, or to be made again; unless its thread was killed
    /// in it by the end of its process. A tracer would not hear of that return, and the program neither.
    fn settle(&mut self, broken: &[u8], next: &Raw<'_>) {
        let is_killed = next.kind == programs::KIND_GONE && matches!(next.result & 0x7f, 0 | SIGKILL);
        match Raw::parse(broken) {
            Some(_) if is_killed => self.ledger.unfinished(next.process),
            Some(raw) => self.call(&raw),
            None => {}
        }
    }

    fn call(&mut self, raw: &Raw<'_>) {
        let arch = if raw.is_32 { Arch::I386 } else { Arch::OWN };
        let call = Call { arch, number: raw.number };
        if !self.has_begun {
            if call.traits().path.is_none_or(|path| path.aim != Aim::Exec) {
                return;
            }
            self.has_begun = true;
            self.ledger = Ledger::new(self.root, &self.current_dir, raw.start_ns);
            self.window.begin(raw.start_ns);
        }
        let record = Record {
            process: raw.process,
            thread: raw.thread,
            call,
            duration_ns: raw.time_ns,
            result: raw.result,
            arguments: raw.arguments,
            path: raw.path,
        };
        let at_ns = raw.start_ns + raw.time_ns;
        self.ledger.call(&record, at_ns);
        self.window.call(&record);
        if self.window.is_over {
            self.over_ns = at_ns;
        }
    }

    fn gone(&mut self, raw: &Raw<'_>) {
        if raw.time_ns != 0 {
            self.ledger.unfinished(raw.process);
        }
        let alive = self.alive.entry(raw.process).or_default();
        *alive = alive.saturating_sub(1);
        if *alive > 0 {
            return;
        }
        self.alive.remove(&raw.process);
        // As `wait(2)` has it: the status above, a signal below.
        let code = raw.result as u32;
        let end = match code & 0x7f {
            0 => End::Code((code >> 8 & 0xff) as i32),
            signal => End::Signal(signal as i32),
        };
        self.ledger.end(raw.process, raw.start_ns, end);
        if raw.process == self.root {
            self.has_ended = true;
            self.over_ns = raw.start_ns;
        }
    }
}

#[cfg(test)]
mod tests;
