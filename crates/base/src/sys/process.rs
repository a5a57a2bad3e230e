//! What a process has used, and what the machine has: time, memory, faults, folders, its name. In:
//! nothing. Out: numbers as the kernel counts them. Absent: what is read from files of /proc.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use rustix::process::{self, Pid, Signal};
use rustix::time::{ClockId, clock_gettime};

use super::{Errno, Result};

/// UsageScope whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageScope {
    Process,
    Thread,
}

/// The fields of `getrusage(2)`, microseconds first, in its order.
pub fn resource_usage(of: UsageScope) -> [i64; 16] {
    let who = match of {
        UsageScope::Process => libc::RUSAGE_SELF,
        UsageScope::Thread => libc::RUSAGE_THREAD,
    };
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` has room for the answer, and zeroes are a valid one.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let micros = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
    [
        micros(usage.ru_utime),
        micros(usage.ru_stime),
        usage.ru_maxrss,
        usage.ru_ixrss,
        usage.ru_idrss,
        usage.ru_isrss,
        usage.ru_minflt,
        usage.ru_majflt,
        usage.ru_nswap,
        usage.ru_inblock,
        usage.ru_oublock,
        usage.ru_msgsnd,
        usage.ru_msgrcv,
        usage.ru_nsignals,
        usage.ru_nvcsw,
        usage.ru_nivcsw,
    ]
}

/// The kernel's number of the calling thread.
pub fn thread_id() -> i32 {
    rustix::thread::gettid().as_raw_nonzero().get()
}

/// What a thread of this process has used, of user and system, in microseconds. `ESRCH`: there is
/// none of that number.
pub fn thread_cpu_micros(number: i32) -> Result<[f64; 2]> {
    let text = std::fs::read_to_string(format!("/proc/self/task/{number}/stat")).map_err(|_| Errno::SRCH)?;
    // Its name, in brackets, may have anything in it. `proc(5)`: fields 14 and 15 are ticks.
    let fields = text.rsplit(") ").next().unwrap_or("").split(' ').skip(11).take(2);
    let micros: Vec<f64> =
        fields.filter_map(|ticks| ticks.parse::<f64>().ok()).map(|ticks| ticks * TICK_MICROS).collect();
    micros.try_into().map_err(|_| Errno::SRCH)
}

/// The kernel tells processor time in hundredths of a second.
const TICK_MICROS: f64 = 10_000.0;

/// Seconds and nanoseconds of the clock that never goes back.
pub fn monotonic() -> (u64, u32) {
    let now = clock_gettime(ClockId::Monotonic);
    (now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Seconds since the machine began, with those it slept.
pub fn uptime() -> f64 {
    let now = clock_gettime(ClockId::Boottime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// How much there was to do in the last 1, 5 and 15 minutes.
pub fn load_averages() -> [f64; 3] {
    // `sysinfo(2)`: fixed point, 16 bits behind it.
    seen().loads.map(|load| load as f64 / 65536.0)
}

/// Bytes of memory, all of it.
pub fn total_memory() -> u64 {
    let seen = seen();
    seen.totalram.saturating_mul(u64::from(seen.mem_unit))
}

fn seen() -> libc::sysinfo {
    let mut seen = MaybeUninit::<libc::sysinfo>::zeroed();
    // SAFETY: room for the answer, and zeroes are a valid one.
    unsafe {
        libc::sysinfo(seen.as_mut_ptr());
        seen.assume_init()
    }
}

/// Processors that this process may run on.
pub fn available_processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// System, name, release, version, machine.
pub fn uname() -> [String; 5] {
    let mut name = MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: room for the answer, and zeroes are a valid one.
    let name = unsafe {
        libc::uname(name.as_mut_ptr());
        name.assume_init()
    };
    [&name.sysname, &name.nodename, &name.release, &name.version, &name.machine].map(|field| {
        let bytes: Vec<u8> =
            field.iter().take_while(|byte| **byte != 0).map(|byte| byte.cast_unsigned()).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The version of the C library that is loaded: `2.36`.
pub fn glibc_version() -> String {
    // SAFETY: it gives a text that ends with zero and stays.
    unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) }.to_string_lossy().into_owned()
}

/// The folder of the process. `ENOENT`: it is no more.
pub fn current_dir() -> Result<std::ffi::CString> {
    process::getcwd(Vec::new())
}

/// `umask(2)`; without a mask it stays as it is. Out: the one before.
pub fn umask(mask: Option<u32>) -> u32 {
    let before = process::umask(super::Mode::from_raw_mode(mask.unwrap_or(0)));
    if mask.is_none() {
        process::umask(before);
    }
    before.as_raw_mode()
}

pub fn parent_id() -> i32 {
    process::getppid().map_or(0, |parent| parent.as_raw_nonzero().get())
}

/// `kill(2)`, with all that it takes: groups, everybody, a look whether one is there.
pub fn kill(number: i32, signal: i32) -> Result<()> {
    // SAFETY: numbers alone.
    match unsafe { libc::kill(number, signal) } {
        0 => Ok(()),
        _ => {
            Err(Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)))
        }
    }
}

/// Ends this process by `SIGABRT`, with a core where those are wanted.
pub fn abort() -> ! {
    // SAFETY: the default disposition holds no pointer.
    unsafe { libc::signal(libc::SIGABRT, libc::SIG_DFL) };
    let own: Pid = process::getpid();
    let _ = process::kill_process(own, Signal::ABORT);
    // SAFETY: never returns, whatever the signal did.
    unsafe { libc::abort() }
}

/// Ends this process without anything being taken apart.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: takes a number and does not return.
    unsafe { libc::_exit(code) }
}

/// The name that the kernel shows for this process; 15 bytes of it count.
pub fn set_name(name: &str) {
    let name: Vec<u8> = name.bytes().filter(|byte| *byte != 0).take(15).collect();
    if let Ok(name) = std::ffi::CString::new(name) {
        let _ = rustix::thread::set_name(&name);
    }
}

/// Local time is by this zone from now on; without any, by the system's.
pub fn set_time_zone(zone: Option<&str>) {
    unsafe extern "C" {
        safe fn tzset();
    }
    let name = c"TZ".as_ptr();
    // SAFETY: texts that end in NULs. The environment is read by this thread alone: rusk hands it
    // on as values.
    unsafe {
        match zone.and_then(|zone| std::ffi::CString::new(zone).ok()) {
            Some(zone) => libc::setenv(name, zone.as_ptr(), 1),
            None => libc::unsetenv(name),
        };
    }
    tzset();
}

/// Fills it with what nobody can guess, from the kernel.
pub fn fill_random(mut bytes: &mut [u8]) -> Result<()> {
    while !bytes.is_empty() {
        // SAFETY: writes within the bytes.
        let written = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
        match usize::try_from(written) {
            Ok(written) => bytes = &mut bytes[written..],
            Err(_) => match std::io::Error::last_os_error().raw_os_error() {
                Some(libc::EINTR) => {}
                error => return Err(Errno::from_raw_os_error(error.unwrap_or(libc::EIO))),
            },
        }
    }
    Ok(())
}
