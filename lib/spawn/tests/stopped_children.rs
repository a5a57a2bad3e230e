//! Children that stop, or are killed, before their exec: others start meanwhile, only the necessary
//! calls wait for them, and their slots are released.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ffi::c_void;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::sync::mpsc::channel;
use std::time::Duration;

use probe::{Role, SpawnVariant, early_variants};
use rusk_spawn::child_calls::{call, pid};
use rusk_spawn::{Child, Command, Exit, Stdio};

mod probe;

const ROLES: &[Role] = &[("stopped", stopped), ("killed", killed)];

const KILLED: Exit = Exit::Signal { number: libc::SIGKILL, dumped_core: false };

unsafe extern "C" fn stop(_context: *mut c_void, _to_parent: i32) -> i32 {
    // SAFETY: a signal to this process.
    let sent = unsafe { call(libc::SYS_kill, [pid() as usize, libc::SIGSTOP as usize, 0, 0, 0, 0]) };
    sent.err().map_or(0, |errno| errno.0)
}

/// Until a byte can be read from the pipe to the parent.
unsafe extern "C" fn await_byte(_context: *mut c_void, from_parent: i32) -> i32 {
    let mut byte = 0_u8;
    let args = [from_parent as usize, &raw mut byte as usize, 1, 0, 0, 0];
    // SAFETY: the kernel writes one byte.
    unsafe { call(libc::SYS_read, args) }.err().map_or(0, |errno| errno.0)
}

fn shell(variant: SpawnVariant, program: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", program]).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
    command
}

fn output(child: &mut Child) -> String {
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    said
}

fn is_stopped(child: &Child) -> bool {
    // SAFETY: a zeroed siginfo is valid; the kernel fills it.
    unsafe {
        let mut found = std::mem::zeroed::<libc::siginfo_t>();
        let flags = libc::WSTOPPED | libc::WNOHANG | libc::WNOWAIT;
        let result = libc::waitid(libc::P_PID, child.id() as libc::id_t, &mut found, flags);
        result == 0 && found.si_pid() == child.id()
    }
}

#[test]
fn stopped_children_do_not_block_starts() {
    probe::run_role("stopped", &[]);
}

fn stopped(_words: &[String]) {
    const STOPPED: usize = 200;
    probe::close_inherited();
    let mut open = Vec::new();
    for variant in early_variants().chain(early_variants()) {
        let mut stopping = shell(variant, "echo went on");
        // SAFETY: raw calls only.
        unsafe { stopping.callback(stop, std::ptr::null_mut(), None) };
        let mut children: Vec<Child> = (0..STOPPED).map(|_| stopping.spawn().unwrap()).collect();
        for child in &mut children {
            probe::wait_until("each has stopped", || is_stopped(child));
            assert!(!child.try_started().unwrap(), "{variant:?}");
            assert_eq!(child.try_wait().unwrap(), None, "{variant:?}");
        }
        for number in 0..50 {
            let mut child = shell(variant, &format!("echo {number}")).spawn().unwrap();
            assert_eq!(output(&mut child), format!("{number}\n"), "{variant:?}");
            assert_eq!(child.wait().unwrap(), Exit::Status(0), "{variant:?}");
        }
        for (number, child) in children.iter_mut().enumerate() {
            let goes_on = number % 2 == 0;
            child.signal(if goes_on { libc::SIGCONT } else { libc::SIGKILL }).unwrap();
            assert_eq!(output(child), if goes_on { "went on\n" } else { "" }, "{variant:?}");
            assert_eq!(child.wait().unwrap(), if goes_on { Exit::Status(0) } else { KILLED }, "{variant:?}");
        }
        drop(children);
        assert_eq!(shell(variant, "").spawn().unwrap().wait().unwrap(), Exit::Status(0), "{variant:?}");
        open.push(probe::open_numbers().len());
    }
    let rounds = open.len() / 2;
    assert!(open[rounds..].iter().all(|count| *count <= open[rounds - 1]), "{open:?}");
    assert!(open[0] < 60, "{open:?}");
}

#[test]
fn children_killed_at_any_moment_close_their_pipes() {
    probe::run_role("killed", &[]);
}

fn killed(_words: &[String]) {
    const KILLS: u32 = 300;
    probe::close_inherited();
    for variant in early_variants() {
        let mut open = Vec::new();
        for round in 0..KILLS {
            let mut command = shell(variant, "read line; echo $line");
            command.stdin(Stdio::Pipe).stderr(if round % 2 == 0 { Stdio::Pipe } else { Stdio::Inherit });
            let mut child = command.spawn().unwrap();
            for _ in 0..round * 20 {
                std::hint::spin_loop();
            }
            child.kill().unwrap();
            assert_eq!(output(&mut child), "", "{variant:?} round {round}");
            if let Some(mut errors) = child.stderr.take() {
                assert_eq!(errors.read(&mut [0; 9]).unwrap(), 0, "{variant:?} round {round}");
            }
            assert_eq!(child.wait().unwrap(), KILLED, "{variant:?} round {round}");
            drop(child);
            open.push(probe::open_numbers().len());
        }
        assert!(open[KILLS as usize - 1] <= open[KILLS as usize / 2] + 2, "{variant:?} {open:?}");
    }
}

#[test]
fn all_waiters_for_one_start_wake_up() {
    for variant in early_variants() {
        let (from_us, to_child): (OwnedFd, OwnedFd) = probe::pipe();
        let mut command = shell(variant, "echo said; echo said >&2");
        command.stderr(Stdio::Pipe);
        // SAFETY: raw calls only.
        unsafe { command.callback(await_byte, std::ptr::null_mut(), Some(from_us)) };
        let mut child = command.spawn().unwrap();
        let (done, all_done) = channel();
        for mut stream in [child.stdout.take().unwrap(), child.stderr.take().unwrap()] {
            let done = done.clone();
            std::thread::spawn(move || {
                let mut said = String::new();
                stream.read_to_string(&mut said).unwrap();
                done.send(said).unwrap();
            });
        }
        let done = done.clone();
        std::thread::spawn(move || done.send(format!("{:?}", child.wait_started().is_ok())).unwrap());
        // Three threads sleep on the same futex word now, or will; the word is cleared once.
        let task = |path: &std::path::Path| std::fs::read_to_string(path.join("syscall")).unwrap_or_default();
        let sleepers = || {
            let tasks = std::fs::read_dir("/proc/self/task").unwrap();
            let futex = format!("{} ", libc::SYS_futex);
            tasks.filter(|found| task(&found.as_ref().unwrap().path()).starts_with(&futex)).count()
        };
        probe::wait_until("all sleep", || sleepers() >= 3);
        std::io::Write::write_all(&mut std::fs::File::from(to_child), b"!").unwrap();
        let mut said: Vec<String> =
            (0..3).map(|_| all_done.recv_timeout(Duration::from_secs(20)).unwrap()).collect();
        said.sort_unstable();
        assert_eq!(said, ["said\n", "said\n", "true"], "{variant:?}");
    }
}
