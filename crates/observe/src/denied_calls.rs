//! Denied calls: runs a program and collects what its descendants were refused: paths, and the
//! network. In: a command. Out: how it ended, and each refusal once. By ptrace: the errors EACCES
//! and EPERM of calls with paths, of `socket(2)` and of `connect(2)`. Absent: the calls of the
//! program itself.

use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Component, Path, PathBuf};

use rusk_base::Result;
use rusk_base::sys::Errno;
use rusk_base::sys::ptrace::{self, Orphan, Stop, SyscallStop};
use rusk_base::sys::signal_relay::SignalRelay;
use rusk_base::sys::stopped_child::{SpawnOptions, StoppedChild};

use crate::problem;
use crate::syscalls::{Arch, Syscall};

/// Calls with a path: its argument, and what is done with it. Before the path of a call whose
/// name ends in `at`, or of `openat2`, `renameat2` and `statx`, is a directory.
const CALLS: &[(&str, usize, CallAccess)] = &[
    ("creat", 0, CallAccess::Create),
    ("execve", 0, CallAccess::Read),
    ("link", 1, CallAccess::Create),
    ("linkat", 3, CallAccess::Create),
    ("mkdir", 0, CallAccess::Write),
    ("mkdirat", 1, CallAccess::Write),
    ("open", 0, CallAccess::OfFlags(1)),
    ("openat", 1, CallAccess::OfFlags(2)),
    ("rename", 1, CallAccess::Create),
    ("renameat", 3, CallAccess::Create),
    ("renameat2", 3, CallAccess::Create),
    ("rmdir", 0, CallAccess::Write),
    ("symlink", 1, CallAccess::Create),
    ("symlinkat", 2, CallAccess::Create),
    ("truncate", 0, CallAccess::Write),
    ("unlink", 0, CallAccess::Write),
    ("unlinkat", 1, CallAccess::Write),
];

#[derive(Clone, Copy)]
enum CallAccess {
    Read,
    Write,
    /// Makes what is no directory, unless it is there.
    Create,
    /// By the flags of `open(2)`, this argument.
    OfFlags(usize),
}

const O_CREAT: u64 = 0o100;
/// `O_WRONLY`, `O_RDWR`, `O_TRUNC`.
const WRITING_FLAGS: u64 = 0o1 | 0o2 | 0o1000;
const AT_FDCWD: i32 = -100;
const AF_INET: u16 = 2;
const AF_INET6: u16 = 10;

/// Longer paths are cut; the kernel's limit is 4096.
const PATH_BYTES_MAX: usize = 4096;
/// `struct sockaddr_in6`.
const ADDRESS_BYTES: usize = 28;
/// More refusals than a person reads.
const DENIALS_MAX: usize = 200;

/// What a program was refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeniedAccess {
    /// An address; `None`: it could not even make a socket.
    Network(Option<SocketAddr>),
    Read(PathBuf),
    Write(PathBuf),
    /// To make a file that is missing.
    Create(PathBuf),
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeniedCalls {
    pub denied: BTreeSet<DeniedAccess>,
    /// The exit code of the program; `None`: a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended the program, or that was sent to us meanwhile.
    pub signal: Option<i32>,
}

/// Runs the program and all its descendants to their end. Signals that are sent to this process
/// meanwhile are forwarded to the program, which goes with it should it be killed.
pub fn run(options: SpawnOptions<'_>) -> Result<DeniedCalls> {
    let relay = SignalRelay::install();
    let stopped =
        StoppedChild::spawn(options).map_err(|_| problem::not_started(options.file, Errno::CHILD))?;
    let root = stopped.process;
    ptrace::seize(root, Orphan::Killed).map_err(problem::no_ptrace)?;
    let lost = |error| problem::lost("ptrace was refused", error);
    ptrace::interrupt(root).map_err(lost)?;
    relay.forward_to(u32::try_from(root).unwrap_or_default());
    let running = stopped.resume().map_err(lost)?;
    let mut collector = DenialCollector { root, pending: HashMap::new(), found: DeniedCalls::default() };
    collector.follow().map_err(lost)?;
    drop(running);
    let DenialCollector { found, .. } = collector;
    Ok(DeniedCalls { signal: relay.last_sent().or(found.signal), ..found })
}

struct DenialCollector {
    root: i32,
    /// By thread: what it is refused if the call that it is in fails.
    pending: HashMap<i32, DeniedAccess>,
    found: DeniedCalls,
}

impl DenialCollector {
    fn follow(&mut self) -> std::result::Result<(), Errno> {
        loop {
            let (thread, stop) = match ptrace::wait_any() {
                Ok(Some(stopped)) => stopped,
                Ok(None) | Err(Errno::CHILD) => return Ok(()),
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error),
            };
            let signal = match stop {
                Stop::Exited(code) if thread == self.root => {
                    self.found.code = Some(code);
                    continue;
                }
                Stop::Killed(signal) if thread == self.root => {
                    // What it started is killed when we end.
                    self.found.signal = Some(signal);
                    return Ok(());
                }
                Stop::Exited(_) | Stop::Killed(_) => continue,
                Stop::Group => {
                    let _ = ptrace::listen(thread);
                    continue;
                }
                Stop::Syscall => {
                    self.on_syscall_stop(thread);
                    0
                }
                Stop::Signal(signal) => signal,
                Stop::Clone(_) | Stop::Exec(_) | Stop::Attached => 0,
            };
            // Fails for a thread that was killed meanwhile.
            let _ = ptrace::resume_to_syscall(thread, signal);
        }
    }

    fn on_syscall_stop(&mut self, thread: i32) {
        match ptrace::syscall_info(thread) {
            Ok(SyscallStop::Entry { arch, number, arguments }) => {
                let name = Arch::from_audit(arch).map(|arch| Syscall { arch, number: number as u32 }.name());
                let access = name.and_then(|name| access(thread, &name, &arguments));
                let is_own = || Path::new(&format!("/proc/{}/task/{thread}", self.root)).exists();
                match access.filter(|_| !is_own()) {
                    Some(access) => drop(self.pending.insert(thread, access)),
                    None => drop(self.pending.remove(&thread)),
                }
            }
            Ok(SyscallStop::Exit { result }) => {
                let is_denied = result == -i64::from(Errno::ACCESS.raw_os_error())
                    || result == -i64::from(Errno::PERM.raw_os_error());
                let access = self.pending.remove(&thread).filter(|_| is_denied);
                if self.found.denied.len() < DENIALS_MAX {
                    self.found.denied.extend(access);
                }
            }
            Ok(SyscallStop::None) | Err(_) => {}
        }
    }
}

/// What a call needs.
fn access(thread: i32, name: &str, arguments: &[u64; 6]) -> Option<DeniedAccess> {
    match name {
        "socket" if matches!(arguments[0] as u16, AF_INET | AF_INET6) => Some(DeniedAccess::Network(None)),
        "connect" => address(thread, arguments[1]).map(|address| DeniedAccess::Network(Some(address))),
        name => {
            let (_, at, access) = CALLS.iter().find(|(known, ..)| *known == name)?;
            let path = path(thread, name, *at, arguments)?;
            let creates = |path: &Path| path.symlink_metadata().is_err();
            Some(match access {
                CallAccess::Create if creates(&path) => DeniedAccess::Create(path),
                CallAccess::OfFlags(flags) if arguments[*flags] & O_CREAT != 0 && creates(&path) => {
                    DeniedAccess::Create(path)
                }
                CallAccess::OfFlags(flags) if arguments[*flags] & (WRITING_FLAGS | O_CREAT) == 0 => {
                    DeniedAccess::Read(path)
                }
                CallAccess::Read => DeniedAccess::Read(path),
                CallAccess::Write | CallAccess::Create | CallAccess::OfFlags(_) => DeniedAccess::Write(path),
            })
        }
    }
}

/// The absolute path of a call, without `.` and `..`.
fn path(thread: i32, name: &str, at: usize, arguments: &[u64; 6]) -> Option<PathBuf> {
    let mut bytes = vec![0; PATH_BYTES_MAX];
    let read = ptrace::read_memory(thread, arguments[at], &mut bytes);
    bytes.truncate(bytes[..read].iter().position(|byte| *byte == 0)?);
    let given = PathBuf::from(String::from_utf8(bytes).ok()?);
    let is_at = at > 0 && (name.ends_with("at") || name.ends_with("at2"));
    let base = match is_at.then(|| arguments[at - 1] as i32) {
        _ if given.is_absolute() => PathBuf::new(),
        Some(dir) if dir != AT_FDCWD => std::fs::read_link(format!("/proc/{thread}/fd/{dir}")).ok()?,
        _ => std::fs::read_link(format!("/proc/{thread}/cwd")).ok()?,
    };
    let mut plain = PathBuf::new();
    for part in base.join(given).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    Some(plain)
}

fn address(thread: i32, at: u64) -> Option<SocketAddr> {
    let mut bytes = [0; ADDRESS_BYTES];
    let read = ptrace::read_memory(thread, at, &mut bytes);
    let port = u16::from_be_bytes([bytes[2], bytes[3]]);
    let ip = match u16::from_ne_bytes([bytes[0], bytes[1]]) {
        AF_INET if read >= 8 => IpAddr::from(Ipv4Addr::new(bytes[4], bytes[5], bytes[6], bytes[7])),
        AF_INET6 if read >= 24 => {
            let segments: [u8; 16] = bytes[8..24].try_into().ok()?;
            IpAddr::from(Ipv6Addr::from(segments))
        }
        _ => return None,
    };
    Some(SocketAddr::new(ip, port))
}
