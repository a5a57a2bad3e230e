//! Reader of BPF records: adds them to a ledger. In: records in order. Out: the ledger of the
//! program and its descendants, and the program's end. Absent: the ring buffer.

use std::collections::HashMap;

use rusk_base::sys::stopped_child::now_ns;

use super::programs::{self, RawRecord};
use crate::ledger::{ExitStatus, Ledger, Record};
use crate::syscalls::{Arch, PathOperation, Syscall};
use crate::trace::{TraceOptions, TraceWindow};

/// Kernel-internal results of a call that a signal interrupted: ERESTARTSYS to
/// ERESTART_RESTARTBLOCK.
const RESTARTS: std::ops::RangeInclusive<i64> = -516..=-512;
const SIGKILL: i64 = 9;

pub struct Reader {
    /// The root process's id in the initial PID namespace, which differs from ours in a container;
    /// `None` before the fork.
    root: Option<i32>,
    pub ledger: Ledger,
    pub window: TraceWindow,
    current_dir: String,
    /// Before that, the child makes probe calls.
    has_begun: bool,
    pub has_ended: bool,
    pub stop_ns: u64,
    /// System calls that a signal interrupted, by thread; the next record shows their outcome.
    interrupted: HashMap<i32, Vec<u8>>,
    /// Live threads by process: the first one may end before the others.
    alive: HashMap<i32, u32>,
}

impl Reader {
    pub fn new(options: &TraceOptions) -> Reader {
        let current_dir = options.current_dir.to_string_lossy().into_owned();
        Reader {
            root: None,
            ledger: Ledger::new(0, &current_dir, now_ns()),
            window: TraceWindow::new(options.stop),
            current_dir,
            has_begun: false,
            has_ended: false,
            stop_ns: 0,
            interrupted: HashMap::new(),
            alive: HashMap::new(),
        }
    }

    pub fn record(&mut self, bytes: &[u8]) {
        let Some(raw) = RawRecord::parse(bytes).filter(|_| !self.window.is_over) else { return };
        if let Some(interrupted) = self.interrupted.remove(&raw.thread) {
            self.resolve_interrupted(&interrupted, &raw);
        }
        match raw.kind {
            programs::KIND_CALL if RESTARTS.contains(&raw.result) => {
                self.interrupted.insert(raw.thread, bytes.to_vec());
            }
            programs::KIND_CALL => self.syscall(&raw),
            programs::KIND_FORK if self.root.is_none() => {
                self.root = Some(raw.process);
                self.alive.insert(raw.process, 1);
            }
            programs::KIND_FORK if raw.thread == raw.process => {
                self.alive.insert(raw.process, 1);
                self.ledger.on_fork(raw.process, raw.result as i32, raw.start_ns);
            }
            programs::KIND_FORK => {
                *self.alive.entry(raw.process).or_default() += 1;
                self.ledger.on_new_thread(raw.process);
            }
            programs::KIND_EXIT => self.on_exit(&raw),
            _ => {}
        }
    }

    /// Counts an interrupted call: it returned to the signal handler, or is restarted. It is
    /// unfinished if its thread was killed in it, which a tracer would not see either.
    fn resolve_interrupted(&mut self, interrupted: &[u8], next: &RawRecord<'_>) {
        let is_killed = next.kind == programs::KIND_EXIT && matches!(next.result & 0x7f, 0 | SIGKILL);
        match RawRecord::parse(interrupted) {
            Some(_) if is_killed => self.ledger.unfinished(next.process),
            Some(raw) => self.syscall(&raw),
            None => {}
        }
    }

    fn syscall(&mut self, raw: &RawRecord<'_>) {
        let arch = if raw.is_32 { Arch::I386 } else { Arch::OWN };
        let call = Syscall { arch, number: raw.number };
        if !self.has_begun {
            let is_exec = call.traits().path.is_some_and(|path| path.operation == PathOperation::Exec);
            let Some(root) = self.root.filter(|_| is_exec) else { return };
            self.has_begun = true;
            self.ledger = Ledger::new(root, &self.current_dir, raw.start_ns);
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
            self.stop_ns = at_ns;
        }
    }

    fn on_exit(&mut self, raw: &RawRecord<'_>) {
        if raw.time_ns != 0 {
            self.ledger.unfinished(raw.process);
        }
        let alive = self.alive.entry(raw.process).or_default();
        *alive = alive.saturating_sub(1);
        if *alive > 0 {
            return;
        }
        self.alive.remove(&raw.process);
        // Exit status and signal are encoded as in wait(2).
        let code = raw.result as u32;
        let end = match code & 0x7f {
            0 => ExitStatus::Code((code >> 8 & 0xff) as i32),
            signal => ExitStatus::Signal(signal as i32),
        };
        self.ledger.on_exit(raw.process, raw.start_ns, end);
        if self.root == Some(raw.process) {
            self.has_ended = true;
            self.stop_ns = raw.start_ns;
        }
    }
}

#[cfg(test)]
mod tests;
