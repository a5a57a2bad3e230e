//! Scripts that run side by side: each in a process group of its own, without standard input, its
//! output through pipes. In: jobs, by number. Out: events, one at a time. Absent: their order,
//! printing.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::signal_handler::SignalHandler;
use rusk_spawn::{Event, Key, Stream, Streams as ChildStreams};
use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

use crate::program::Job;
use crate::start::Exit;

/// The signals that end all scripts.
const ENDING: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

const SIGNALS: u64 = 0;
const CHILDREN: u64 = 1;

/// Something happened; `task` is the number that [`TaskProcesses::start`] was called with.
#[derive(Debug)]
pub enum TaskEvent<'a> {
    Output {
        task: usize,
        stream: OutputStream,
        bytes: &'a [u8],
    },
    /// The script's process has ended. Its descendants may go on writing.
    Ended {
        task: usize,
        result: io::Result<Exit>,
    },
    /// The script and all its descendants have closed their output.
    Closed {
        task: usize,
    },
    /// This process received a signal that usually ends it.
    Signal(i32),
    /// The limit has passed.
    Timeout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    Stdout,
    Stderr,
}

pub struct TaskProcesses {
    children: ChildStreams,
    signals: SignalHandler,
    epoll: Epoll,
    tasks: BTreeMap<Key, RunningTask>,
    /// Process groups whose leaders have ended, and that had other processes then.
    leftover_groups: Vec<Pid>,
    has_signals: bool,
    has_child_events: bool,
}

struct RunningTask {
    task: usize,
    /// The process group, which has the child's number.
    group: Option<Pid>,
    open_streams: u8,
    has_ended: bool,
}

impl TaskProcesses {
    /// Catches the signals that end a program until this value is dropped.
    pub fn open() -> io::Result<TaskProcesses> {
        let children = ChildStreams::open().map_err(raw)?;
        let signals = SignalHandler::install()?;
        for signal in ENDING {
            signals.add(signal.as_raw())?;
        }
        let epoll = Epoll::new()?;
        epoll.add(signals.waker(), SIGNALS, EventFlags::IN)?;
        epoll.add(children.as_fd(), CHILDREN, EventFlags::IN)?;
        Ok(TaskProcesses {
            children,
            signals,
            epoll,
            tasks: BTreeMap::new(),
            leftover_groups: Vec::new(),
            has_signals: false,
            has_child_events: false,
        })
    }

    /// Starts a job whose streams are [`crate::Streams::Piped`] or `Confined`. An error of its
    /// start may also be the result with which it ends.
    pub fn start(&mut self, task: usize, job: &Job<'_>) -> io::Result<()> {
        let child = job.starting_child()?.into_inner();
        let group = Pid::from_raw(child.id());
        let key = self.children.add(child).map_err(raw)?;
        self.tasks.insert(key, RunningTask { task, group, open_streams: 2, has_ended: false });
        Ok(())
    }

    /// Waits for the next event and passes it on.
    pub fn next(
        &mut self,
        limit: Option<Duration>,
        on_event: &mut dyn FnMut(TaskEvent<'_>),
    ) -> io::Result<()> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        loop {
            if self.has_signals {
                self.has_signals = false;
                if let Some(signal) = self.signals.take_pending()?.first() {
                    on_event(TaskEvent::Signal(*signal));
                    return Ok(());
                }
            }
            if self.has_child_events {
                match self.children.next(Some(Duration::ZERO)).map_err(raw)? {
                    Some(event) => match forward(&mut self.tasks, &mut self.leftover_groups, event, on_event)
                    {
                        true => return Ok(()),
                        false => continue,
                    },
                    None => self.has_child_events = false,
                }
            }
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let mut ready: Vec<ReadyEvent> = Vec::new();
            self.epoll.wait(&mut ready, remaining)?;
            self.has_signals = ready.iter().any(|event| event.token == SIGNALS);
            self.has_child_events = ready.iter().any(|event| event.token == CHILDREN);
            if ready.is_empty() && remaining == Some(Duration::ZERO) {
                on_event(TaskEvent::Timeout);
                return Ok(());
            }
        }
    }

    /// Sends a signal to every script that runs, and to what scripts have started and left.
    pub fn signal_all(&mut self, signal: Signal) {
        // The number of a group is not reused while it has a process, nor while its leader was not
        // waited for.
        self.leftover_groups.retain(|group| test_kill_process_group(*group).is_ok());
        let running = self.tasks.values().filter(|task| !task.has_ended).filter_map(|task| task.group);
        for leader in running {
            kill_group_or_leader(leader, signal);
        }
        for group in &self.leftover_groups {
            let _ = kill_process_group(*group, signal);
        }
    }

    /// Kills what ended scripts have left behind.
    pub fn kill_leftovers(&mut self) {
        for group in self.leftover_groups.drain(..) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Kills a script with its descendants.
    pub fn kill(&mut self, task: usize) {
        for running in self.tasks.values().filter(|running| running.task == task && !running.has_ended) {
            if let Some(group) = running.group {
                kill_group_or_leader(group, Signal::KILL);
            }
        }
    }

    /// Kills all scripts with their descendants.
    pub fn kill_all(&mut self) {
        self.signal_all(Signal::KILL);
        self.leftover_groups.clear();
    }

    /// Whether processes that scripts have started are left after the scripts.
    pub fn has_leftovers(&mut self) -> bool {
        self.leftover_groups.retain(|group| test_kill_process_group(*group).is_ok());
        !self.leftover_groups.is_empty()
    }

    /// Whether scripts run, or descendants of them hold their output open.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }
}

/// A child that is still starting has no group of its own yet. It may also have ended.
fn kill_group_or_leader(leader: Pid, signal: Signal) {
    if kill_process_group(leader, signal).is_err() {
        let _ = kill_process(leader, signal);
    }
}

/// Passes an event of a child on; false if it means nothing to the caller.
fn forward(
    tasks: &mut BTreeMap<Key, RunningTask>,
    leftover_groups: &mut Vec<Pid>,
    event: Event<'_>,
    on_event: &mut dyn FnMut(TaskEvent<'_>),
) -> bool {
    let key = match &event {
        Event::Chunk { key, .. } | Event::Closed { key, .. } | Event::Fed { key, .. } => *key,
        Event::Ended { key, .. } => *key,
    };
    let Some(running) = tasks.get_mut(&key) else { return false };
    let task = running.task;
    match event {
        Event::Chunk { stream, bytes, .. } => {
            let stream = match stream {
                Stream::Stdout => OutputStream::Stdout,
                Stream::Stderr => OutputStream::Stderr,
            };
            on_event(TaskEvent::Output { task, stream, bytes });
            return true;
        }
        Event::Closed { .. } => {
            running.open_streams = running.open_streams.saturating_sub(1);
            if running.open_streams > 0 {
                return false;
            }
            let has_ended = running.has_ended;
            on_event(TaskEvent::Closed { task });
            if has_ended {
                tasks.remove(&key);
            }
        }
        Event::Ended { result, .. } => {
            running.has_ended = true;
            leftover_groups.extend(running.group.filter(|group| test_kill_process_group(*group).is_ok()));
            let is_closed = running.open_streams == 0;
            on_event(TaskEvent::Ended { task, result: result.map(Exit::of).map_err(raw) });
            if is_closed {
                tasks.remove(&key);
            }
        }
        Event::Fed { .. } => return false,
    }
    true
}

fn raw(error: rusk_spawn::Error) -> io::Error {
    io::Error::from_raw_os_error(error.errno())
}
