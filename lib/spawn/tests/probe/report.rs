//! Report of what a started program finds: arguments, environment, fds, attributes. In: the role
//! `report`, with the path of a file or `-` for its stdout. Out: [`Report`], lines of a key and a
//! value.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::io::Read;
use std::os::fd::RawFd;

use rusk_spawn::{Command, Exit, Stdio};

use super::{SpawnVariant, command};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    lines: Vec<(String, String)>,
}

/// The report of a program that is started in this variant with this setup.
#[track_caller]
pub fn report(variant: SpawnVariant, set_up: impl FnOnce(&mut Command)) -> Report {
    let mut command = command(variant, "report");
    command.arg("-").stdout(Stdio::Pipe);
    set_up(&mut command);
    read(&command, variant)
}

/// The report of a command whose stdout is a pipe.
#[track_caller]
pub fn read(command: &Command, variant: SpawnVariant) -> Report {
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{variant:?}: {error}"));
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    match child.wait() {
        Ok(Exit::Status(0)) => Report::parse(&text),
        other => panic!("{variant:?}: {other:?}"),
    }
}

impl Report {
    pub fn parse(text: &str) -> Report {
        let pair = |line: &str| line.split_once(' ').map(|(key, value)| (key.to_owned(), value.to_owned()));
        Report { lines: text.lines().filter_map(pair).collect() }
    }

    pub fn all(&self, key: &str) -> Vec<&str> {
        self.lines.iter().filter(|(known, _)| known == key).map(|(_, value)| value.as_str()).collect()
    }

    /// The only value of this key.
    #[track_caller]
    pub fn one(&self, key: &str) -> &str {
        let all = self.all(key);
        assert_eq!(all.len(), 1, "{key}: {all:?}");
        all[0]
    }

    /// A signal set of `/proc/self/status`.
    pub fn signals(&self, key: &str) -> u64 {
        u64::from_str_radix(self.one(key), 16).unwrap()
    }

    /// The open fds with their device and inode.
    pub fn fds(&self) -> BTreeMap<RawFd, String> {
        let pair = |value: &str| {
            let (number, identity) = value.split_once(' ').unwrap();
            (number.parse().unwrap(), identity.to_owned())
        };
        self.all("fd").into_iter().map(pair).collect()
    }

    /// The open fds.
    pub fn numbers(&self) -> Vec<RawFd> {
        self.fds().into_keys().collect()
    }
}

/// The role.
pub fn write(args: &[String]) {
    let numbers = open_numbers();
    let mut text = String::new();
    let mut say = |key: &str, value: &dyn std::fmt::Display| text.push_str(&format!("{key} {value}\n"));
    for number in numbers {
        say("fd", &format!("{number} {}", identity(number).unwrap_or_default()));
    }
    for arg in std::env::args_os() {
        say("arg", &arg.as_encoded_bytes().escape_ascii());
    }
    for variable in variables() {
        say("variable", &variable.escape_ascii());
    }
    if let Ok(dir) = std::env::current_dir() {
        say("dir", &dir.display());
    }
    // SAFETY: no pointers.
    unsafe {
        say("process", &libc::getpid());
        say("parent", &libc::getppid());
        say("session", &libc::getsid(0));
        say("group", &libc::getpgrp());
        say("nice", &libc::getpriority(libc::PRIO_PROCESS, 0));
        let mut signal = 0;
        libc::prctl(libc::PR_GET_PDEATHSIG, &raw mut signal);
        say("parent-death", &signal);
    }
    say("foreground", &foreground());
    for kind in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] {
        if let Ok(name) = std::fs::read_link(format!("/proc/self/ns/{kind}")) {
            say(&format!("namespace-{kind}"), &name.display());
        }
    }
    for (name, resource) in [("core", libc::RLIMIT_CORE), ("nofile", libc::RLIMIT_NOFILE)] {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the kernel writes one limit.
        unsafe { libc::getrlimit(resource, &mut limit) };
        say("limit", &format!("{name} {} {}", limit.rlim_cur, limit.rlim_max));
    }
    for line in std::fs::read_to_string("/proc/self/status").unwrap_or_default().lines() {
        if let Some((key, value)) = line.split_once(':') {
            say(key, &value.trim());
        }
    }
    if args[0] == "-" { write_to_output(text.as_bytes()) } else { std::fs::write(&args[0], text).unwrap() }
}

fn write_to_output(mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: the kernel only reads the text.
        let written = unsafe { libc::write(1, text.as_ptr().cast(), text.len()) };
        assert!(written > 0, "{}", std::io::Error::last_os_error());
        text = &text[written as usize..];
    }
}

/// The foreground group of the controlling terminal, or -1 without one.
fn foreground() -> i32 {
    // SAFETY: the path ends in a NUL; the fd is closed again.
    unsafe {
        let terminal = libc::open(c"/dev/tty".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOCTTY);
        let group = libc::tcgetpgrp(terminal);
        libc::close(terminal);
        group
    }
}

fn variables() -> Vec<Vec<u8>> {
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    let mut found = Vec::new();
    // SAFETY: libc's array, ended by a null, of strings that end in NULs.
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            found.push(CStr::from_ptr(*next).to_bytes().to_vec());
            next = next.add(1);
        }
    }
    found
}

/// From `/proc`, else by probing each number up to a limit.
pub fn open_numbers() -> Vec<RawFd> {
    const ASKED_MAX: RawFd = 1 << 16;
    let listed = std::fs::read_dir("/proc/self/fd").map(|dir| {
        let numbers = dir.map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap());
        numbers.collect::<Vec<RawFd>>()
    });
    let candidates = listed.unwrap_or_else(|_| (0..ASKED_MAX).collect());
    // SAFETY: no pointers. The fd of the listing is closed by now.
    candidates.into_iter().filter(|number| unsafe { libc::fcntl(*number, libc::F_GETFD) } >= 0).collect()
}

/// Device and inode; None if it is not open.
pub fn identity(number: RawFd) -> Option<String> {
    // SAFETY: a zeroed stat is valid; the kernel fills it.
    unsafe {
        let mut found = std::mem::zeroed::<libc::stat>();
        (libc::fstat(number, &mut found) == 0).then(|| format!("{}:{}", found.st_dev, found.st_ino))
    }
}
