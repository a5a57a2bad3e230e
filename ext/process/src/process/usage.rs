//! The part of `internalBinding('process')` about time and memory. In: nothing. Out: numbers; time
//! in words that both sides see, so that a reading makes no object.

use std::cell::RefCell;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusk_base::sys::process::{self, UsageScope};
use rusk_base::sys::{self, CWD, Mode, OFlags};
use rusk_jsc::{Exception, Object, Outcome, Root, Scope, SharedU32Array};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::int;

thread_local! {
    /// What JavaScript sees of the clock: seconds in two words, nanoseconds. A short function
    /// captures nothing.
    static READING: RefCell<Option<SharedU32Array<3>>> = const { RefCell::new(None) };
}

/// Bytes of a page, of which /proc counts memory: the same on every processor that we know.
const PAGE_BYTES: f64 = 4096.0;

pub(super) fn add_to<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_clock(scope, natives)?;
    add_fast(scope, natives, "usage", |scope, call| {
        let of = if int(scope, call, 0)? == 0 { UsageScope::Process } else { UsageScope::Thread };
        list(scope, &process::resource_usage(of).map(|number| number as f64))
    })?;
    add(scope, natives, "milestones", |scope, _| list(scope, &RuntimeState::current().times.milestones()))?;
    add(scope, natives, "loop", |scope, _| list(scope, &RuntimeState::current().times.of_loop()))?;
    add_fast(scope, natives, "rss", |scope, _| Ok(scope.number(resident())))?;
    add_fast(scope, natives, "memory", |scope, _| {
        let heap = scope.heap_statistics();
        let extra = heap.extra as f64;
        list(scope, &[resident(), heap.capacity as f64, heap.used as f64, extra, extra])
    })?;
    add(scope, natives, "constrainedMemory", |scope, _| Ok(scope.number(limit().unwrap_or(0.0))))?;
    add(scope, natives, "availableMemory", |scope, _| {
        let free = available();
        let left = limit().filter(|limit| *limit > 0.0).map(|limit| limit - resident());
        Ok(scope.number(left.map_or(free, |left| left.min(free).max(0.0))))
    })
}

fn add_clock<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    let (words, array) = SharedU32Array::<3>::new(scope)?;
    let array = Root::new(scope, array.value());
    READING.set(Some(words));
    add(scope, natives, "clock", move |scope, _| Ok(array.value(scope)))?;
    add_fast(scope, natives, "readClock", |scope, _| {
        let (seconds, nanoseconds) = process::monotonic();
        READING.with_borrow(|words| {
            let words = words.as_ref().expect("it is there as long as this function is");
            words.store(0, seconds as u32);
            words.store(1, (seconds >> 32) as u32);
            words.store(2, nanoseconds);
        });
        Ok(scope.undefined())
    })?;
    // When the process began, and how many milliseconds later this thread did.
    add(scope, natives, "origin", |scope, _| {
        let origin = origin();
        let later = RuntimeState::current().times.began().saturating_duration_since(origin.began);
        let seconds = origin.monotonic.as_secs() as f64;
        let nanoseconds = f64::from(origin.monotonic.subsec_nanos());
        list(scope, &[seconds, nanoseconds, origin.wall.as_secs_f64() * 1e3, later.as_secs_f64() * 1e3])
    })
}

/// When the process began, by each clock.
struct Origin {
    began: Instant,
    monotonic: Duration,
    wall: Duration,
}

static ORIGIN: OnceLock<Origin> = OnceLock::new();

/// That of the thread which asks first: the main one, which does before it starts another.
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

/// For threads that this one starts.
pub fn note_origin() {
    origin();
}

/// Bytes of this process that are in memory.
fn resident() -> f64 {
    // Seven numbers.
    let mut text = [0; 7 * 21];
    let open = sys::openat(CWD, c"/proc/self/statm", OFlags::RDONLY, Mode::empty());
    let count = open.and_then(|file| sys::read(file.as_fd(), &mut text)).unwrap_or(0);
    let mut numbers = text[..count].split(u8::is_ascii_whitespace);
    let pages = numbers.nth(1).and_then(|pages| str::from_utf8(pages).ok()?.parse::<f64>().ok());
    pages.unwrap_or(0.0) * PAGE_BYTES
}

/// Bytes that programs may still have, as the kernel guesses.
pub(in super::super) fn available() -> f64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kibibytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) * 1024.0
}

/// The lowest limit among our control group and those around it; `None`: there is none.
fn limit() -> Option<f64> {
    let own = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?.trim_matches('/').to_owned();
    let mut folder = std::path::PathBuf::from("/sys/fs/cgroup").join(path);
    let mut lowest: Option<f64> = None;
    while folder.starts_with("/sys/fs/cgroup") {
        let text = std::fs::read_to_string(folder.join("memory.max")).unwrap_or_default();
        if let Ok(limit) = text.trim().parse::<f64>() {
            lowest = Some(lowest.map_or(limit, |lowest| lowest.min(limit)));
        }
        folder.pop();
    }
    lowest
}

fn list<'s>(scope: &'s Scope, numbers: &[f64]) -> Outcome<'s> {
    let numbers: Vec<_> = numbers.iter().map(|number| scope.number(*number)).collect();
    scope.array(&numbers).map(Object::value)
}
