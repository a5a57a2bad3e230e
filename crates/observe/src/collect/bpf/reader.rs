//! Records of the ring, made into a ledger. In: records in order. Out: what the program and all
//! that it started did, and when it ended. Absent: where records come from.

use std::collections::HashMap;

use rusk_base::sys::stopped_child::now_ns;

use super::programs::{self, Raw};
use crate::calls::{Aim, Arch, Call};
use crate::collect::{Asked, Window};
use crate::ledger::{ExitStatus, Ledger, Record};

/// What a call returns within the kernel when a signal breaks it off: ERESTARTSYS to
/// ERESTART_RESTARTBLOCK.
const RESTARTS: std::ops::RangeInclusive<i64> = -516..=-512;
const SIGKILL: i64 = 9;

pub struct Reader {
    /// As the kernel numbers it, which in a container is not as we do; none until it is made.
    root: Option<i32>,
    pub ledger: Ledger,
    pub window: Window,
    current_dir: String,
    /// Before it, the child makes test calls.
    has_begun: bool,
    pub has_ended: bool,
    pub over_ns: u64,
    /// Calls that a signal broke off, by thread: what follows says what became of them.
    broken: HashMap<i32, Vec<u8>>,
    /// Threads that are there, by process: the first one may end before the others.
    alive: HashMap<i32, u32>,
}

impl Reader {
    pub fn new(asked: &Asked) -> Reader {
        let current_dir = asked.current_dir.to_string_lossy().into_owned();
        Reader {
            root: None,
            ledger: Ledger::new(0, &current_dir, now_ns()),
            window: Window::new(asked.until),
            current_dir,
            has_begun: false,
            has_ended: false,
            over_ns: 0,
            broken: HashMap::new(),
            alive: HashMap::new(),
        }
    }

    pub fn record(&mut self, bytes: &[u8]) {
        let Some(raw) = Raw::parse(bytes).filter(|_| !self.window.is_over) else { return };
        if let Some(broken) = self.broken.remove(&raw.thread) {
            self.settle(&broken, &raw);
        }
        match raw.kind {
            programs::KIND_CALL if RESTARTS.contains(&raw.result) => {
                self.broken.insert(raw.thread, bytes.to_vec());
            }
            programs::KIND_CALL => self.call(&raw),
            programs::KIND_MADE if self.root.is_none() => {
                self.root = Some(raw.process);
                self.alive.insert(raw.process, 1);
            }
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

    /// A call that was broken off has returned, to the signal's handler, or to be made again;
    /// unless its thread was killed in it by the end of its process. A tracer would not hear of
    /// that return, and the program neither.
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
            let is_exec = call.traits().path.is_some_and(|path| path.aim == Aim::Exec);
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
            0 => ExitStatus::Code((code >> 8 & 0xff) as i32),
            signal => ExitStatus::Signal(signal as i32),
        };
        self.ledger.end(raw.process, raw.start_ns, end);
        if self.root == Some(raw.process) {
            self.has_ended = true;
            self.over_ns = raw.start_ns;
        }
    }
}

#[cfg(test)]
mod tests;
