//! Worker process of the test runner: runs test files one after another. With isolation each has a
//! runtime with a global object of its own, in the VM of those before; one that a file has left
//! unchanged is new to the next file, too. In: lines on the control
//! socket. Out: events of files. A file that has changed the process itself is the last one here.

use std::path::Path;

use rusk_base::sys::{self, fd, worker_process};
use rusk_runtime::{Runtime, RuntimeState, Stop};
use rusk_test_runner::frame::FrameWriter;
use rusk_test_runner::protocol::{CONTROL_FD, PIPE_FD, WorkerCommand};
use rustix::process::Signal;

use crate::event_queue::EventQueue;
use crate::kept_builtins;
use crate::request::{self, TestFile, WorkerRequest};
use crate::reuse::ReusePolicy;
use crate::structures;

/// Bytes read from the control socket at once.
const READ_BYTES: usize = 64 * 1024;

/// After so many files a process has read what each file needs, and after twice as many its
/// compilers have run, and so on. What they and the start have read more than once files need are
/// pages of the engine, of this program and of bytecode, which each process counts as its own.
const WARM_FILES: usize = 8;

/// Why a worker cannot go on.
#[derive(Debug)]
pub enum WorkerFailure {
    /// The program has ended it.
    Stopped(Stop),
    System(sys::Errno),
}

impl From<Stop> for WorkerFailure {
    fn from(stop: Stop) -> WorkerFailure {
        WorkerFailure::Stopped(stop)
    }
}

impl From<sys::Errno> for WorkerFailure {
    fn from(error: sys::Errno) -> WorkerFailure {
        WorkerFailure::System(error)
    }
}

/// What is known from one file to the next.
struct Worker {
    /// `None`: a runtime is to be made.
    runtime: Option<Runtime>,
    /// No file has run in the runtime.
    is_fresh: bool,
    has_written_cache: bool,
    reuse: ReusePolicy,
    /// Files that have run.
    files: usize,
}

/// Serves requests until the other process is gone.
pub fn serve(runtime: Runtime) -> Result<(), WorkerFailure> {
    // Programs that tests start do not inherit the socket.
    worker_process::set_close_on_exec(CONTROL_FD)?;
    worker_process::set_close_on_exec(PIPE_FD)?;
    worker_process::put_at(PIPE_FD, 1)?;
    worker_process::put_at(PIPE_FD, 2)?;
    worker_process::lead_group()?;
    worker_process::end_with_parent()?;
    // Where it is refused, grandchildren of a file outlive it.
    let _ = worker_process::adopt_orphans();
    rusk_modules::builtins::add_test_packages();
    let mut control = Control::default();
    let mut worker = Worker {
        runtime: Some(runtime),
        is_fresh: true,
        has_written_cache: false,
        reuse: ReusePolicy::default(),
        files: 0,
    };
    loop {
        // While the other process finds files, or has no more.
        worker.prepare()?;
        let Some(lines) = control.read()? else { return Ok(()) };
        for line in lines {
            match WorkerCommand::parse(&line) {
                Some(WorkerCommand::Settings { token, settings }) => {
                    let events = EventQueue::new(FrameWriter::new(token));
                    request::set(WorkerRequest::new(settings.to_owned(), events));
                }
                Some(WorkerCommand::Bytecode { number, root }) => {
                    RuntimeState::current().open_test_bytecode(Path::new(root), number);
                }
                Some(WorkerCommand::Finish) => {
                    worker.write_bytecode();
                    return Ok(());
                }
                Some(WorkerCommand::Run { is_isolated, files }) => worker.run(&files, is_isolated)?,
                None => {}
            }
        }
    }
}

impl Worker {
    fn run(&mut self, files: &[(usize, String)], is_isolated: bool) -> Result<(), WorkerFailure> {
        let files: Vec<TestFile> =
            files.iter().map(|(index, path)| TestFile { index: *index, path: path.clone() }).collect();
        if is_isolated {
            for (at, file) in files.iter().enumerate() {
                // Of no use to the last one.
                request::set_watched(
                    at + 1 < files.len() && (structures::are_watched() || self.reuse.looks()),
                );
                self.run_together(std::slice::from_ref(file), is_isolated)?;
                if self.runtime.as_ref().is_some_and(Runtime::has_changed_process) {
                    // Also after the last file: the runner would send another request.
                    WorkerEvent::Retired.send();
                    sys::process::exit_now(0);
                }
            }
        } else {
            self.run_together(&files, is_isolated)?;
        }
        WorkerEvent::Done { has_bytecode: RuntimeState::current().has_new_test_bytecode() }.send();
        Ok(())
    }

    fn write_bytecode(&self) {
        if let Some(runtime) = &self.runtime {
            runtime.turn(|scope| RuntimeState::current().write_test_bytecode(scope));
        }
    }

    /// Runs files that share a global object.
    fn run_together(&mut self, files: &[TestFile], is_isolated: bool) -> Result<(), WorkerFailure> {
        let runtime = self.runtime(is_isolated)?;
        request::begin(files);
        runtime.call_builtin(crate::MAIN, "run")?;
        // Most files have run by then.
        if !request::is_done() {
            runtime.run_builtin_until(crate::MAIN, "wait", request::is_done)?;
        }
        self.is_fresh = false;
        if !self.has_written_cache {
            self.has_written_cache = true;
            let runtime = self.runtime.as_ref().expect("it was used above");
            runtime.turn(|scope| RuntimeState::current().write_bytecode_cache(scope));
        }
        self.end_children();
        self.files += files.len();
        if self.files >= WARM_FILES
            && self.files.is_power_of_two()
            && let Some(runtime) = &self.runtime
        {
            runtime.release_file_pages();
        }
        Ok(())
    }

    /// Makes a runtime for files that are not known yet.
    fn prepare(&mut self) -> Result<(), WorkerFailure> {
        self.runtime(true)?.call_builtin(crate::MAIN, "prepare")?;
        Ok(())
    }

    /// The runtime for the next files: a new one if they are to find nothing of those before.
    fn runtime(&mut self, is_isolated: bool) -> Result<&Runtime, WorkerFailure> {
        let mut runtime = self.runtime.take().expect("each call puts one back");
        if is_isolated && !self.is_fresh {
            if !self.is_reusable(&runtime)? {
                runtime = runtime.renew();
            }
            self.is_fresh = true;
        }
        Ok(self.runtime.insert(runtime))
    }

    /// Whether files have left the global object unchanged. If it was not watched, none knows.
    fn is_reusable(&mut self, runtime: &Runtime) -> Result<bool, WorkerFailure> {
        if !structures::are_watched() {
            return Ok(false);
        }
        request::set_reusable(false);
        // All microtasks have run before, and what is still pending is counted.
        runtime.call_builtin(crate::MAIN, "judge")?;
        let is_reusable = request::is_reusable();
        if !is_reusable && kept_builtins::take_has_new() {
            structures::clear();
            return Ok(false);
        }
        self.reuse.note(is_reusable);
        if !is_reusable {
            structures::clear();
            if let [.., last] = &request::files()[..] {
                request::current().send(&format!("{{\"t\":\"changed\",\"i\":{}}}\n", last.index));
            }
        }
        Ok(is_reusable)
    }

    /// What a file has started is not for the next one to find.
    fn end_children(&self) {
        if !worker_process::has_children() {
            return;
        }
        for child in worker_process::children() {
            let _ = sys::process::kill(child, Signal::KILL.as_raw());
        }
    }
}

/// Events that the worker itself sends.
enum WorkerEvent {
    /// All files of a request have run.
    Done { has_bytecode: bool },
    /// The process ends, and runs no other file.
    Retired,
}

impl WorkerEvent {
    fn send(self) {
        request::current().send(match self {
            WorkerEvent::Done { has_bytecode: false } => "{\"t\":\"bye\"}\n",
            WorkerEvent::Done { has_bytecode: true } => "{\"t\":\"bye\",\"b\":1}\n",
            WorkerEvent::Retired => "{\"t\":\"retired\"}\n",
        });
    }
}

/// The control socket.
#[derive(Default)]
struct Control {
    /// The beginning of a line whose end was not received.
    partial: Vec<u8>,
}

impl Control {
    /// Waits for lines; `None`: the other process is gone.
    fn read(&mut self) -> sys::Result<Option<Vec<String>>> {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let count = fd::borrow(CONTROL_FD, |control| sys::read(control, &mut buffer))?;
            if count == 0 {
                return Ok(None);
            }
            self.partial.extend_from_slice(&buffer[..count]);
            let Some(end) = self.partial.iter().rposition(|byte| *byte == b'\n') else { continue };
            let rest = self.partial.split_off(end + 1);
            let whole = std::mem::replace(&mut self.partial, rest);
            return Ok(Some(String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()));
        }
    }
}
