//! Worker process of the test runner: waits for requests and forks a child for each, which runs
//! its files with the memory of the prepared runtime. In: lines on the control socket. Out: in the
//! child, that it is to run; in the worker, lines about children. A worker that is asked to run a
//! request itself does not fork.

use std::os::fd::{AsFd, OwnedFd};

use rusk_base::sys::fork::{self, ChildEnd, ForkPlan, ForkSide};
use rusk_base::sys::{self, Errno, fd};
use rusk_runtime::{Runtime, Stop};
use rusk_test_runner::frame::FrameWriter;
use rusk_test_runner::protocol::{CONTROL_FD, Notice, RequestEnd, WorkerCommand, slot_fd};
use rustix::event::{PollFd, PollFlags, poll};

use crate::request::{self, WorkerRequest};

/// What a worker process does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerStep {
    /// Run the request that was received.
    Run,
    /// There are no more requests.
    End,
}

/// Bytes read from the control socket at once.
const READ_BYTES: usize = 64 * 1024;

/// Loads what all test files need. In a process that forks it runs before the first request.
pub fn prepare(runtime: &Runtime) -> Result<(), Stop> {
    rusk_modules::builtins::add_test_packages();
    runtime.call_builtin(crate::MAIN, "prepare")?;
    runtime.run_builtin(crate::MAIN, "warmUp")
}

/// A child that runs a request.
struct RunningChild {
    slot: usize,
    process: i32,
    pidfd: OwnedFd,
}

struct Server<'a> {
    runtime: &'a Runtime,
    /// Mark of event frames.
    token: String,
    settings: String,
    plan: Option<ForkPlan>,
    children: Vec<RunningChild>,
    /// The beginning of a line whose end was not received.
    partial: Vec<u8>,
}

/// Serves requests until one is to run in this process, or there are no more.
pub fn serve(runtime: &Runtime) -> sys::Result<WorkerStep> {
    // Programs that tests start do not inherit the pipes.
    fork::set_close_on_exec(CONTROL_FD)?;
    (0..).map_while(|slot| fork::set_close_on_exec(slot_fd(slot)).ok()).for_each(drop);
    let mut server = Server {
        runtime,
        token: String::new(),
        settings: "{}".to_owned(),
        plan: None,
        children: Vec::new(),
        partial: Vec::new(),
    };
    loop {
        let (has_commands, ended) = server.wait()?;
        server.take_ended(&ended)?;
        if !has_commands {
            continue;
        }
        let Some(lines) = server.read()? else {
            server.kill_all();
            return Ok(WorkerStep::End);
        };
        for line in lines {
            if server.obey(&line)? == Some(WorkerStep::Run) {
                return Ok(WorkerStep::Run);
            }
        }
    }
}

impl Server<'_> {
    /// Waits for a command or the end of a child. Out: whether there are commands, the indexes of
    /// children that have ended.
    fn wait(&self) -> sys::Result<(bool, Vec<usize>)> {
        fd::borrow(CONTROL_FD, |control| {
            let pidfds = self.children.iter().map(|child| child.pidfd.as_fd());
            let mut watched: Vec<PollFd<'_>> = std::iter::once(control)
                .chain(pidfds)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
                .collect();
            match poll(&mut watched, None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
            let is_ready = |at: &usize| !watched[*at].revents().is_empty();
            let ended = (1..watched.len()).filter(is_ready).map(|at| at - 1).collect();
            Ok((is_ready(&0), ended))
        })
    }

    fn take_ended(&mut self, ended: &[usize]) -> sys::Result<()> {
        for &at in ended.iter().rev() {
            let Some(end) = fork::try_wait(self.children[at].process)? else { continue };
            let child = self.children.swap_remove(at);
            // What the file has started is not for the next one to find.
            let _ = sys::process::kill(-child.process, kill_signal());
            let end = match end {
                ChildEnd::Code(code) => RequestEnd::Code(code),
                ChildEnd::Signal(signal) => RequestEnd::Signal(signal),
            };
            notify(&Notice::Ended { slot: child.slot, end })?;
        }
        Ok(())
    }

    /// Complete lines that were received; `None`: the other process is gone.
    fn read(&mut self) -> sys::Result<Option<Vec<String>>> {
        let mut buffer = vec![0; READ_BYTES];
        let count = fd::borrow(CONTROL_FD, |control| sys::read(control, &mut buffer))?;
        if count == 0 {
            return Ok(None);
        }
        self.partial.extend_from_slice(&buffer[..count]);
        let Some(end) = self.partial.iter().rposition(|byte| *byte == b'\n') else {
            return Ok(Some(Vec::new()));
        };
        let rest = self.partial.split_off(end + 1);
        let whole = std::mem::replace(&mut self.partial, rest);
        Ok(Some(String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()))
    }

    fn obey(&mut self, line: &str) -> sys::Result<Option<WorkerStep>> {
        match WorkerCommand::parse(line) {
            Some(WorkerCommand::Settings { token, settings }) => {
                (self.token, self.settings) = (token.to_owned(), settings.to_owned());
            }
            Some(WorkerCommand::Kill { slot }) => {
                for child in self.children.iter().filter(|child| child.slot == slot) {
                    let _ = sys::process::kill(-child.process, kill_signal());
                }
            }
            Some(WorkerCommand::Run { slot, forks: false, request }) => {
                fork::end_with_parent()?;
                self.begin_request(slot, request)?;
                return Ok(Some(WorkerStep::Run));
            }
            Some(WorkerCommand::Run { slot, forks: true, request }) => {
                return self.fork(slot, request);
            }
            None => {}
        }
        Ok(None)
    }

    fn text(&self, request: &str) -> String {
        format!("{{\"settings\":{},{}", self.settings, request.strip_prefix('{').unwrap_or(request))
    }

    fn fork(&mut self, slot: usize, request: &str) -> sys::Result<Option<WorkerStep>> {
        if self.plan.is_none() {
            self.runtime.stop_scavenger();
            self.plan = Some(ForkPlan::read());
        }
        match fork::fork() {
            Ok(ForkSide::Child) => {
                let plan = self.plan.take().expect("it was read above");
                plan.renew()?;
                fork::lead_group(None)?;
                fork::end_with_parent()?;
                fd::close(CONTROL_FD)?;
                self.children.clear();
                self.begin_request(slot, request)?;
                Ok(Some(WorkerStep::Run))
            }
            Ok(ForkSide::Parent(process)) => {
                // Also the child does so: whichever of the two is first.
                let _ = fork::lead_group(Some(process));
                self.children.push(RunningChild { slot, process, pidfd: fork::open_pidfd(process)? });
                Ok(None)
            }
            Err(_) => notify(&Notice::CannotFork { slot }).map(|()| None),
        }
    }

    /// Connects this process's output and events to the pipe of a slot.
    fn begin_request(&self, slot: usize, request: &str) -> sys::Result<()> {
        let pipe = slot_fd(slot);
        fork::put_at(pipe, 1)?;
        fork::put_at(pipe, 2)?;
        request::set(WorkerRequest::new(self.text(request), FrameWriter::new(&self.token), pipe));
        Ok(())
    }

    fn kill_all(&self) {
        for child in &self.children {
            let _ = sys::process::kill(-child.process, kill_signal());
        }
    }
}

fn notify(notice: &Notice) -> sys::Result<()> {
    fd::write_all_raw(CONTROL_FD, notice.line().as_bytes())
}

/// SIGKILL: a test may ignore any other signal.
fn kill_signal() -> i32 {
    rustix::process::Signal::KILL.as_raw()
}
