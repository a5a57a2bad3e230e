//! Clock, memory and resource usage of the process: a part of `internalBinding('process')`. Out:
//! numbers. The clock is written to memory that JavaScript shares, so reading it allocates nothing.

use std::cell::RefCell;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusk_base::sys::process::{self, UsageScope};
use rusk_base::sys::{self, CWD, Mode, OFlags};
use rusk_jsc::{Exception, Object, Outcome, Root, Scope, SharedU32Array};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::i32_argument;

thread_local! {
    /// The clock as JavaScript reads it: low and high 32 bits of the seconds, nanoseconds. A
    /// static, because a fast call cannot capture values.
    static CLOCK: RefCell<Option<SharedU32Array<3>>> = const { RefCell::new(None) };
}

/// Page size, the unit of memory in /proc; the same on all supported architectures.
const PAGE_BYTES: f64 = 4096.0;

rusk_runtime::shared_constants! {
    /// Argument of `usage`.
    mod usage_scope: i32 {
        PROCESS = 0,
        THREAD = 1,
    }
}

pub(super) fn add_to<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_constants(scope, binding, "usageScope", usage_scope::ALL)?;
    add_clock(scope, binding)?;
    add_fast(scope, binding, "usage", |scope, call| {
        let target = if i32_argument(scope, call, 0)? == usage_scope::PROCESS {
            UsageScope::Process
        } else {
            UsageScope::Thread
        };
        list(scope, &process::resource_usage(target).map(|number| number as f64))
    })?;
    add(scope, binding, "milestones", |scope, _| list(scope, &RuntimeState::current().times.milestones()))?;
    add(scope, binding, "loop", |scope, _| list(scope, &RuntimeState::current().times.of_loop()))?;
    add_fast(scope, binding, "rss", |scope, _| Ok(scope.number(resident())))?;
    add_fast(scope, binding, "memory", |scope, _| {
        let heap = scope.heap_statistics();
        let extra = heap.extra as f64;
        list(scope, &[resident(), heap.capacity as f64, heap.used as f64, extra, extra])
    })?;
    add(scope, binding, "constrainedMemory", |scope, _| Ok(scope.number(cgroup_limit().unwrap_or(0.0))))?;
    add(scope, binding, "availableMemory", |scope, _| {
        let free = available();
        let left = cgroup_limit().filter(|limit| *limit > 0.0).map(|limit| limit - resident());
        Ok(scope.number(left.map_or(free, |left| left.min(free).max(0.0))))
    })
}

fn add_clock<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    let (clock, array) = SharedU32Array::<3>::new(scope)?;
    let array = Root::new(scope, array.value());
    CLOCK.set(Some(clock));
    add(scope, binding, "clock", move |scope, _| Ok(array.value(scope)))?;
    add_fast(scope, binding, "readClock", |scope, _| {
        let (seconds, nanoseconds) = process::monotonic();
        CLOCK.with_borrow(|clock| {
            let clock = clock.as_ref().expect("set before this function is added");
            clock.store(0, seconds as u32);
            clock.store(1, (seconds >> 32) as u32);
            clock.store(2, nanoseconds);
        });
        Ok(scope.undefined())
    })?;
    // Start of the process on both clocks, and the start of this thread in milliseconds after it.
    add(scope, binding, "origin", |scope, _| {
        let origin = origin();
        let later = RuntimeState::current().times.began().saturating_duration_since(origin.began);
        let seconds = origin.monotonic.as_secs() as f64;
        let nanoseconds = f64::from(origin.monotonic.subsec_nanos());
        list(scope, &[seconds, nanoseconds, origin.wall.as_secs_f64() * 1e3, later.as_secs_f64() * 1e3])
    })
}

/// Start of the process on each clock.
struct Origin {
    began: Instant,
    monotonic: Duration,
    wall: Duration,
}

static ORIGIN: OnceLock<Origin> = OnceLock::new();

/// Computed by the main thread, before it starts another one.
fn origin() -> &'static Origin {
    ORIGIN.get_or_init(|| {
        let began = RuntimeState::current().times.began();
        let since = began.elapsed();
        let (seconds, nanoseconds) = process::monotonic();
        let monotonic = Duration::new(seconds, nanoseconds).saturating_sub(since);
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().saturating_sub(since);
        Origin { began, monotonic, wall }
    })
}

/// Computes the origin, for threads that this one starts.
pub fn note_origin() {
    origin();
}

/// Resident set size in bytes.
fn resident() -> f64 {
    // statm has seven numbers.
    let mut buffer = [0; 7 * 21];
    let open = sys::openat(CWD, c"/proc/self/statm", OFlags::RDONLY, Mode::empty());
    let count = open.and_then(|file| sys::read(file.as_fd(), &mut buffer)).unwrap_or(0);
    let mut numbers = buffer[..count].split(u8::is_ascii_whitespace);
    let pages = numbers.nth(1).and_then(|pages| str::from_utf8(pages).ok()?.parse::<f64>().ok());
    pages.unwrap_or(0.0) * PAGE_BYTES
}

/// The kernel's estimate of available memory, in bytes (`MemAvailable`).
pub(in super::super) fn available() -> f64 {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kibibytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) * 1024.0
}

/// The lowest `memory.max` of this process's cgroup and its ancestors; `None`: there is no cgroup
/// v2.
fn cgroup_limit() -> Option<f64> {
    let cgroup = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?.trim_matches('/').to_owned();
    let mut directory = std::path::PathBuf::from("/sys/fs/cgroup").join(path);
    let mut lowest: Option<f64> = None;
    while directory.starts_with("/sys/fs/cgroup") {
        let limit = std::fs::read_to_string(directory.join("memory.max")).unwrap_or_default();
        if let Ok(limit) = limit.trim().parse::<f64>() {
            lowest = Some(lowest.map_or(limit, |lowest| lowest.min(limit)));
        }
        directory.pop();
    }
    lowest
}

fn list<'s>(scope: &'s Scope, numbers: &[f64]) -> Outcome<'s> {
    let numbers: Vec<_> = numbers.iter().map(|number| scope.number(*number)).collect();
    scope.array(&numbers).map(Object::value)
}
