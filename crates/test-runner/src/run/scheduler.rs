//! Scheduler: hands files to lanes, and waits for what their worker processes send. In: jobs. Out:
//! items for the printer. Each lane has a process, which runs requests of several files one after
//! another. One that has ended is replaced, and takes no other file with it.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use rusk_base::Result;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::signal_handler::SignalHandler;
use rusk_base::sys::{self, Errno, file_pages, signal_relay, worker_process};
use rustix::process::Signal;

use super::lane::{self, Lane, LaneEvent, Running};
use super::printer::Printer;
use super::{Host, Job};
use crate::frame::FrameReader;
use crate::options::TestOptions;
use crate::pool::{READ_BYTES, WorkerProcess};
use crate::problem;
use crate::protocol::{RequestEnd, WORKERS_MAX, WorkerCommand};
use crate::report::FileReport;
use crate::reporter::ReportStreams;

/// Token of the process that has started this one; lanes have two tokens each.
const PARENT: u64 = u64::MAX;

/// Token of signals.
const SIGNALS: u64 = u64::MAX - 1;

/// Characters of the mark of event frames.
const TOKEN_BYTES: usize = 16;

/// Files of one request with isolation; the last ones are handed out one by one.
const REQUEST_FILES_MAX: usize = 16;

/// Requests for which each lane has files left while requests are large.
const REQUESTS_LEFT: usize = 4;

/// Bun's, too. A few small files are done by then.
const PARALLEL_DELAY: Duration = Duration::from_millis(5);

/// To start a process takes about half of this, on a processor that could run files meanwhile.
const PROCESS_WORTH: Duration = Duration::from_millis(100);

/// A process with so many files left gets the next request: it would wait while this one gathers.
const FILES_LEFT: usize = 8;

/// How long a run waits for workers that write bytecode, which takes some 100 ms at most.
const WRITING_MAX: Duration = Duration::from_secs(5);

/// What workers send in this time is read at once: each line by itself would cost a wakeup.
const GATHERING: Duration = Duration::from_millis(1);

pub struct Scheduler {
    epoll: Epoll,
    token: String,
    /// `None`: its process has ended, or was not started yet.
    lanes: Vec<Option<Lane>>,
    is_isolated: bool,
    settings: String,
    /// Whose bytecode workers use and write; `None`: none.
    bytecode: Option<String>,
    jobs: Vec<Job>,
    /// When the other lanes begin; `None`: they have.
    others_at: Option<Instant>,
    delay: Duration,
    is_delay_given: bool,
    are_lanes_given: bool,
    load_limit: Duration,
    /// The process that has started this one, if the run is to end with it.
    parent: Option<OwnedFd>,
    /// While files run. `None`: nothing can be said about an interrupted run.
    signals: Option<SignalHandler>,
    /// Files that wait. Without isolation each lane takes all of its files at once.
    queue: VecDeque<usize>,
}

impl Scheduler {
    /// Starts a worker, which is ready by the time that the files are found.
    pub fn start(options: &TestOptions, host: &Host<'_>) -> Result<Scheduler> {
        let lanes = match (options.parallel, options.is_isolated) {
            (Some(count), _) => count as usize,
            (None, true) => host.processors,
            (None, false) => 1,
        };
        let mut scheduler = Scheduler {
            epoll: Epoll::new().map_err(|error| problem::no_worker("epoll_create", error))?,
            token: token()?,
            lanes: Vec::new(),
            is_isolated: options.is_isolated,
            settings: String::new(),
            bytecode: None,
            jobs: Vec::new(),
            others_at: None,
            delay: options.parallel_delay.unwrap_or(PARALLEL_DELAY),
            is_delay_given: options.parallel_delay.is_some(),
            are_lanes_given: options.parallel.is_some(),
            load_limit: lane::load_limit(options.timeout_ms),
            parent: None,
            signals: None,
            queue: VecDeque::new(),
        };
        if options.leaves_no_orphans {
            let failed = |error| problem::no_worker("pidfd_open", error);
            worker_process::adopt_orphans().map_err(failed)?;
            let parent = worker_process::open_pidfd(sys::process::parent_id()).map_err(failed)?;
            scheduler.watch(parent.as_fd(), PARENT)?;
            scheduler.parent = Some(parent);
        }
        scheduler.lanes.resize_with(lanes.clamp(1, WORKERS_MAX), || None);
        scheduler.start_process(0, host)?;
        Ok(scheduler)
    }

    /// All files together are expected to take so long: whether they are worth further processes,
    /// and at once, unless flags say so.
    pub fn expect(&mut self, expected: Duration) {
        let is_short = expected < PROCESS_WORTH;
        if is_short && !self.are_lanes_given {
            self.lanes.truncate(1);
        }
        if !is_short && !self.is_delay_given {
            self.delay = Duration::ZERO;
        }
    }

    fn watch(&self, fd: std::os::fd::BorrowedFd<'_>, token: u64) -> Result<()> {
        self.epoll.add(fd, token, EventFlags::IN).map_err(|error| problem::no_worker("epoll_ctl", error))
    }

    /// A process for a lane.
    fn start_process(&mut self, at: usize, host: &Host<'_>) -> Result<()> {
        let (process, pipe) = WorkerProcess::start(&host.worker, at + 1)?;
        self.watch(process.control(), control_token(at))?;
        self.watch(pipe.as_fd(), pipe_token(at))?;
        let reader = FrameReader::new(&self.token);
        let lane = Lane { process, pipe, reader, running: None, is_finishing: false };
        if !self.settings.is_empty() {
            self.send_settings(at, &lane);
        }
        self.lanes[at] = Some(lane);
        Ok(())
    }

    fn send_settings(&self, at: usize, lane: &Lane) {
        if let Some(root) = &self.bytecode {
            lane.process.send(&WorkerCommand::Bytecode { number: at + 1, root });
        }
        lane.process.send(&WorkerCommand::Settings { token: &self.token, settings: &self.settings });
    }

    /// How many files run at the same time.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Workers use the bytecode of earlier runs of this project, and write what is new.
    pub fn cache_bytecode(&mut self, root: &Path) {
        self.bytecode = root.to_str().filter(|root| !root.contains('\n')).map(str::to_owned);
    }

    /// Runs all jobs, or until the printer has seen too many failures.
    pub fn run(
        &mut self,
        jobs: Vec<Job>,
        settings: &str,
        printer: &mut Printer,
        host: &mut Host<'_>,
    ) -> Result<()> {
        self.queue = (0..jobs.len()).collect();
        (self.jobs, self.settings) = (jobs, settings.to_owned());
        for (at, lane) in self.lanes.iter().enumerate() {
            if let Some(lane) = lane {
                self.send_settings(at, lane);
            }
        }
        self.catch_interrupts()?;
        self.begin_next(0, host)?;
        self.others_at = Some(Instant::now() + self.delay);
        let mut ready: Vec<ReadyEvent> = Vec::new();
        while self.is_running() {
            if self.others_at.is_some_and(|at| at <= Instant::now()) {
                self.others_at = None;
                // What follows needs a part of the code that the start has read.
                file_pages::release(&[]);
                for at in 1..self.lanes.len() {
                    self.begin_next(at, host)?;
                }
            }
            let timeout = self.timeout();
            self.epoll.wait(&mut ready, timeout).map_err(|error| problem::no_worker("epoll_wait", error))?;
            // The terminal has sent the signal to the workers, too: their ends are no failures.
            if let Some(signal) = self.take_signal(&ready) {
                self.kill_all();
                printer.report_mut().interrupted_by = Some(signal);
                return printer.stop(self.unfinished(), &mut output(host));
            }
            for event in &ready {
                if event.token == PARENT {
                    self.kill_all();
                    return Err(problem::parent_ended());
                }
                let at = (event.token / 2) as usize;
                match event.token % 2 {
                    0 => self.read_pipe(at, printer, host)?,
                    _ => self.process_end(at, printer, host)?,
                }
                if printer.bails() {
                    self.kill_all();
                    return printer.stop(self.unfinished(), &mut output(host));
                }
            }
            self.stop_blocked();
            if self.is_running() {
                output(host).stderr.flush().map_err(problem::output_closed)?;
                std::thread::sleep(GATHERING);
            }
        }
        Ok(())
    }

    /// Ctrl-C ends the run with a report; the second one ends it without. A run that ignores Ctrl-C
    /// goes on.
    fn catch_interrupts(&mut self) -> Result<()> {
        if signal_relay::is_ignored(Signal::INT.as_raw()) {
            return Ok(());
        }
        let handler = SignalHandler::install().ok();
        self.signals = handler.filter(|handler| handler.add(Signal::INT.as_raw()).is_ok());
        match &self.signals {
            Some(handler) => self.watch(handler.waker(), SIGNALS),
            None => Ok(()),
        }
    }

    fn take_signal(&mut self, ready: &[ReadyEvent]) -> Option<i32> {
        ready.iter().find(|event| event.token == SIGNALS)?;
        // Dropping it restores what the signal did before.
        self.signals.take()?.take_pending().ok()?.first().copied()
    }

    fn is_running(&self) -> bool {
        self.lanes.iter().flatten().any(|lane| lane.running.is_some())
    }

    /// Until the next lane would be blocked for too long.
    fn timeout(&self) -> Option<Duration> {
        let running = self.lanes.iter().flatten().filter_map(|lane| lane.running.as_ref());
        let deadline = running.filter_map(Running::deadline).chain(self.others_at).min();
        deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    // --- requests

    /// Gives a lane the next request; nothing if there is none.
    fn begin_next(&mut self, at: usize, host: &mut Host<'_>) -> Result<()> {
        let count = self.request_files();
        if count == 0 {
            return Ok(());
        }
        if self.lanes[at].is_none() {
            self.start_process(at, host)?;
        }
        let files: Vec<usize> = self.queue.drain(..count).collect();
        let request = self.request(&files);
        let shown = self.jobs[files[0]].shown.clone();
        if let Some(lane) = &mut self.lanes[at] {
            lane.running = Some(Running::new(files, &shown, self.load_limit));
            lane.process.send(&request);
        }
        Ok(())
    }

    /// Gives a lane that is about to end its request the next one, unless there are so few files
    /// that another lane might have to wait for it.
    fn begin_ahead(&mut self, at: usize) {
        if !self.is_isolated || self.queue.len() <= self.lanes.len() * REQUESTS_LEFT {
            return;
        }
        let count = self.request_files();
        let is_due =
            |running: &Running| running.requests == 1 && running.files.len() <= FILES_LEFT.min(count);
        if !self.lanes[at].as_ref().and_then(|lane| lane.running.as_ref()).is_some_and(is_due) {
            return;
        }
        let files: Vec<usize> = self.queue.drain(..count).collect();
        let request = self.request(&files);
        if let Some(lane) = &mut self.lanes[at]
            && let Some(running) = &mut lane.running
        {
            lane.process.send(&request);
            running.add(files);
        }
    }

    fn request(&self, files: &[usize]) -> WorkerCommand<'static> {
        let path = |index: &usize| (*index, self.jobs[*index].path.to_string_lossy().into_owned());
        WorkerCommand::Run { is_isolated: self.is_isolated, files: files.iter().map(path).collect() }
    }

    /// How many files the next request has.
    fn request_files(&self) -> usize {
        let lanes = self.lanes.len();
        match self.is_isolated {
            true => {
                let fair = self.queue.len().div_ceil(lanes * REQUESTS_LEFT);
                fair.min(REQUEST_FILES_MAX)
            }
            // What was taken is the same for each lane.
            false => self.queue.len().min(self.jobs.len().div_ceil(lanes)),
        }
    }

    // --- what processes send

    fn read_pipe(&mut self, at: usize, printer: &mut Printer, host: &mut Host<'_>) -> Result<()> {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let Some(lane) = &mut self.lanes[at] else { return Ok(()) };
            match sys::read(lane.pipe.as_fd(), &mut buffer) {
                Ok(0) => {
                    // All writers are gone, and the pipe would stay readable.
                    let _ = self.epoll.remove(lane.pipe.as_fd());
                    return Ok(());
                }
                Ok(count) => {
                    let pieces = lane.reader.push(&buffer[..count]);
                    let jobs = &self.jobs;
                    let name =
                        |index: usize| jobs.get(index).map_or_else(String::new, |job| job.shown.clone());
                    let events = lane.take(pieces, &name);
                    self.show(at, events, printer, host)?;
                    self.end_request(at, host)?;
                }
                Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
                Err(error) => return Err(problem::no_worker("read", error)),
            }
        }
    }

    /// A lane whose files have all run takes the next ones.
    fn end_request(&mut self, at: usize, host: &mut Host<'_>) -> Result<()> {
        let Some(lane) = &mut self.lanes[at] else { return Ok(()) };
        if lane.running.as_ref().is_none_or(|running| !running.is_done()) {
            self.begin_ahead(at);
            return Ok(());
        }
        let has_bytecode = lane.running.take().is_some_and(|running| running.has_bytecode);
        self.begin_next(at, host)?;
        if let Some(lane) = &mut self.lanes[at]
            && has_bytecode
            && lane.running.is_none()
        {
            lane.process.send(&WorkerCommand::Finish);
            lane.is_finishing = true;
        }
        Ok(())
    }

    fn show(
        &mut self,
        at: usize,
        events: Vec<LaneEvent>,
        printer: &mut Printer,
        host: &mut Host<'_>,
    ) -> Result<()> {
        for event in events {
            match event {
                LaneEvent::Begin(path) => printer.begin(at, path),
                LaneEvent::Item(item) => printer.item(at, item, &mut output(host))?,
                LaneEvent::FileEnd(report) => printer.end(at, report, &mut output(host))?,
                LaneEvent::Changed(path) => printer.report_mut().changed.push(path),
            }
        }
        Ok(())
    }

    /// The process of a lane has ended: its control socket says nothing else.
    fn process_end(&mut self, at: usize, printer: &mut Printer, host: &mut Host<'_>) -> Result<()> {
        self.read_pipe(at, printer, host)?;
        let Some(mut lane) = self.lanes[at].take() else { return Ok(()) };
        let _ = self.epoll.remove(lane.process.control());
        let end = match lane.process.wait() {
            Some(rusk_spawn::Exit::Status(code)) => RequestEnd::Code(code),
            Some(rusk_spawn::Exit::Signal { number, .. }) => RequestEnd::Signal(number),
            None => RequestEnd::Code(0),
        };
        let rest = lane.reader.finish();
        let mut events = lane.take(rest, &|_| String::new());
        if let Some(mut running) = lane.running.take() {
            let name = |index: usize| self.jobs[index].shown.clone();
            events.extend(running.process_end(end, &name));
            running.files.into_iter().rev().for_each(|file| self.queue.push_front(file));
        }
        self.show(at, events, printer, host)?;
        self.begin_next(at, host)
    }

    // --- ends

    /// Waits until workers have written their bytecode; without it the next run is slower.
    pub fn finish(&mut self) {
        let (until, mut ready) = (Instant::now() + WRITING_MAX, Vec::new());
        while self.lanes.iter().flatten().any(|lane| lane.is_finishing) {
            let left = until.saturating_duration_since(Instant::now());
            let is_over = left.is_zero() || self.epoll.wait(&mut ready, Some(left)).is_err();
            if is_over || ready.iter().any(|event| event.token == PARENT || event.token == SIGNALS) {
                return;
            }
            for event in &ready {
                let at = (event.token / 2) as usize;
                match event.token % 2 {
                    0 => self.forget_pipe(at),
                    _ => self.forget(at),
                }
            }
        }
    }

    /// A worker that writes has nothing more to say.
    fn forget_pipe(&self, at: usize) {
        if let Some(lane) = &self.lanes[at] {
            let _ = self.epoll.remove(lane.pipe.as_fd());
        }
    }

    /// The process of a lane has ended.
    fn forget(&mut self, at: usize) {
        self.forget_pipe(at);
        if let Some(mut lane) = self.lanes[at].take() {
            let _ = self.epoll.remove(lane.process.control());
            let _ = lane.process.wait();
        }
    }

    /// What files have done that have not ended, with their lanes.
    fn unfinished(&mut self) -> Vec<(usize, Box<FileReport>)> {
        let unfinished = |(at, lane): (usize, &mut Option<Lane>)| {
            let running = lane.as_mut()?.running.take()?;
            Some((at, running.unfinished()?))
        };
        self.lanes.iter_mut().enumerate().filter_map(unfinished).collect()
    }

    /// Ends the processes of files that block their event loop.
    fn stop_blocked(&mut self) {
        let now = Instant::now();
        for lane in self.lanes.iter_mut().flatten() {
            let Some(running) = &mut lane.running else { continue };
            if running.deadline().is_some_and(|deadline| deadline <= now) {
                running.was_stopped = true;
                lane.process.kill();
            }
        }
    }

    fn kill_all(&mut self) {
        self.lanes.iter_mut().flatten().for_each(|lane| lane.process.kill());
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        if self.parent.is_some() {
            self.kill_all();
            worker_process::kill_descendants();
        }
    }
}

fn pipe_token(at: usize) -> u64 {
    at as u64 * 2
}

fn control_token(at: usize) -> u64 {
    at as u64 * 2 + 1
}

/// Random, so that the output of a test cannot look like an event by accident.
fn token() -> Result<String> {
    let mut bytes = [0; TOKEN_BYTES / 2];
    sys::process::fill_random(&mut bytes).map_err(|error| problem::no_worker("getrandom", error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn output<'a>(host: &'a mut Host<'_>) -> ReportStreams<'a> {
    ReportStreams { stdout: &mut *host.stdout, stderr: &mut *host.stderr }
}
