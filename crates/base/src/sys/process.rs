//! Process and system information: resource usage, memory, load, host name, umask, signals, time
//! zone. In: nothing, mostly. Out: the kernel's numbers. Absent: what only files in /proc have.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use rustix::process::{self, Pid, Signal};
use rustix::time::{ClockId, clock_gettime};

use super::{Errno, Result};

/// Whose resource usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageScope {
    Process,
    Thread,
}

/// The fields of `struct rusage` in their order; times in microseconds.
pub fn resource_usage(scope: UsageScope) -> [i64; 16] {
    let who = match scope {
        UsageScope::Process => libc::RUSAGE_SELF,
        UsageScope::Thread => libc::RUSAGE_THREAD,
    };
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` has room for the result, and zeroes are a valid value.
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

/// `gettid(2)`.
pub fn thread_id() -> i32 {
    rustix::thread::gettid().as_raw_nonzero().get()
}

/// User and system CPU time of a thread of this process, in microseconds. `ESRCH` if there is no
/// such thread.
pub fn thread_cpu_micros(thread: i32) -> Result<[f64; 2]> {
    let text = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).map_err(|_| Errno::SRCH)?;
    // The thread's name, in parentheses, may contain anything. Fields 14 and 15 are ticks: proc(5).
    let fields = text.rsplit(") ").next().unwrap_or("").split(' ').skip(11).take(2);
    let micros: Vec<f64> =
        fields.filter_map(|ticks| ticks.parse::<f64>().ok()).map(|ticks| ticks * TICK_MICROS).collect();
    micros.try_into().map_err(|_| Errno::SRCH)
}

/// The kernel reports CPU time in hundredths of a second (`USER_HZ`).
const TICK_MICROS: f64 = 10_000.0;

/// `CLOCK_MONOTONIC`: seconds and nanoseconds.
pub fn monotonic() -> (u64, u32) {
    let now = clock_gettime(ClockId::Monotonic);
    (now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Seconds since boot, including time in suspend.
pub fn uptime() -> f64 {
    let now = clock_gettime(ClockId::Boottime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// Load averages of the last 1, 5 and 15 minutes.
pub fn load_averages() -> [f64; 3] {
    // `sysinfo(2)`: fixed point with 16 fractional bits.
    sysinfo().loads.map(|load| load as f64 / 65536.0)
}

/// Total memory in bytes.
pub fn total_memory() -> u64 {
    let info = sysinfo();
    info.totalram.saturating_mul(u64::from(info.mem_unit))
}

fn sysinfo() -> libc::sysinfo {
    let mut info = MaybeUninit::<libc::sysinfo>::zeroed();
    // SAFETY: `info` has room for the result, and zeroes are a valid value.
    unsafe {
        libc::sysinfo(info.as_mut_ptr());
        info.assume_init()
    }
}

/// CPUs that this process may run on.
pub fn available_processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// `uname(2)`: system, host name, release, version, machine.
pub fn uname() -> [String; 5] {
    let mut name = MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: `name` has room for the result, and zeroes are a valid value.
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

/// The version of the loaded C library, for example `2.36`.
pub fn glibc_version() -> String {
    // SAFETY: returns a static string that ends with a NUL.
    unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) }.to_string_lossy().into_owned()
}

/// `getcwd(2)`. `ENOENT` if the current directory was removed.
pub fn current_dir() -> Result<std::ffi::CString> {
    process::getcwd(Vec::new())
}

/// `umask(2)`: sets the mask if there is one. Returns the former mask.
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

/// `kill(2)`, including process groups, all processes (-1) and signal 0.
pub fn kill(number: i32, signal: i32) -> Result<()> {
    // SAFETY: only integers are passed.
    match unsafe { libc::kill(number, signal) } {
        0 => Ok(()),
        _ => {
            Err(Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)))
        }
    }
}

/// Ends this process by `SIGABRT`, with a core dump if the system writes one.
pub fn abort() -> ! {
    // SAFETY: the default disposition holds no pointer.
    unsafe { libc::signal(libc::SIGABRT, libc::SIG_DFL) };
    let own: Pid = process::getpid();
    let _ = process::kill_process(own, Signal::ABORT);
    // SAFETY: never returns, whatever the signal did.
    unsafe { libc::abort() }
}

/// `_exit(2)`: ends this process without cleanup.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: takes an integer and does not return.
    unsafe { libc::_exit(code) }
}

/// Sets the name of the main thread, which is the process's name in ps(1); 15 bytes at most.
pub fn set_name(name: &str) {
    let name: Vec<u8> = name.bytes().filter(|byte| *byte != 0).take(15).collect();
    if let Ok(name) = std::ffi::CString::new(name) {
        let _ = rustix::thread::set_name(&name);
    }
}

/// Sets the time zone of local time; `None` means the system's.
pub fn set_time_zone(zone: Option<&str>) {
    unsafe extern "C" {
        safe fn tzset();
    }
    let name = c"TZ".as_ptr();
    // SAFETY: strings that end with a NUL. Only this thread reads the process's environment: rusk
    // passes it on as values.
    unsafe {
        match zone.and_then(|zone| std::ffi::CString::new(zone).ok()) {
            Some(zone) => libc::setenv(name, zone.as_ptr(), 1),
            None => libc::unsetenv(name),
        };
    }
    tzset();
}

/// Fills the slice with random bytes from the kernel (`getrandom(2)`).
pub fn fill_random(mut bytes: &mut [u8]) -> Result<()> {
    while !bytes.is_empty() {
        // SAFETY: writes within the slice.
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
