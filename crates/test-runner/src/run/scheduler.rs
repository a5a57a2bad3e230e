//! Scheduler: hands files to lanes, and waits for what lanes and worker processes send. In: jobs.
//! Out: items for the printer. All lanes share one worker that forks a child for each file. Without
//! isolation a process runs all files of its lane; where the worker cannot fork, each file has a
//! process that is started for it.

use std::collections::VecDeque;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rusk_base::Result;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::{self, Errno};
use rusk_npm::json::text;

use super::lane::{Lane, LaneEvent, Running};
use super::printer::Printer;
use super::{Host, Job};
use crate::frame::FrameReader;
use crate::options::TestOptions;
use crate::pool::{READ_BYTES, Received, WorkerProcess};
use crate::problem;
use crate::protocol::{Notice, RequestEnd, SLOTS_MAX, WorkerCommand};
use crate::reporter::ReportStreams;

/// Token of the shared worker's control socket; lanes have two tokens each.
const SHARED: u64 = u64::MAX;

/// Characters of the mark of event frames.
const TOKEN_BYTES: usize = 16;

pub struct Scheduler {
    epoll: Epoll,
    token: String,
    /// Forks a child for each request.
    shared: Option<WorkerProcess>,
    lanes: Vec<Lane>,
    /// Processes of lanes that have one of their own.
    processes: Vec<Option<WorkerProcess>>,
    is_isolated: bool,
    settings: String,
    jobs: Vec<Job>,
    /// Requests that wait.
    queue: VecDeque<Vec<usize>>,
}

impl Scheduler {
    /// Starts a worker, which is ready by the time that the files are found.
    pub fn start(options: &TestOptions, host: &Host<'_>) -> Result<Scheduler> {
        let failed = |error: Errno| problem::no_worker("epoll_create", error);
        let lanes = match (options.parallel, options.is_isolated) {
            (Some(count), _) => count as usize,
            (None, true) => host.processors,
            (None, false) => 1,
        };
        let lanes = lanes.clamp(1, SLOTS_MAX);
        let mut scheduler = Scheduler {
            epoll: Epoll::new().map_err(failed)?,
            token: token()?,
            shared: None,
            lanes: Vec::new(),
            processes: Vec::new(),
            is_isolated: options.is_isolated,
            settings: String::new(),
            jobs: Vec::new(),
            queue: VecDeque::new(),
        };
        scheduler.processes.resize_with(lanes, || None);
        if options.is_isolated {
            let (worker, pipes) = WorkerProcess::start(&host.worker, lanes)?;
            scheduler.watch(worker.control(), SHARED)?;
            for (at, pipe) in pipes.into_iter().enumerate() {
                scheduler.watch(pipe.as_fd(), pipe_token(at))?;
                let reader = FrameReader::new(&scheduler.token);
                scheduler.lanes.push(Lane { pipe, reader, running: None });
            }
            scheduler.shared = Some(worker);
        } else {
            for at in 0..lanes {
                scheduler.start_process(at, host)?;
            }
        }
        Ok(scheduler)
    }

    fn watch(&self, fd: std::os::fd::BorrowedFd<'_>, token: u64) -> Result<()> {
        self.epoll.add(fd, token, EventFlags::IN).map_err(|error| problem::no_worker("epoll_ctl", error))
    }

    /// A process for one lane.
    fn start_process(&mut self, at: usize, host: &Host<'_>) -> Result<()> {
        let (worker, mut pipes) = WorkerProcess::start(&host.worker, 1)?;
        let pipe = pipes.pop().expect("one slot has one pipe");
        self.watch(worker.control(), control_token(at))?;
        self.watch(pipe.as_fd(), pipe_token(at))?;
        if !self.settings.is_empty() {
            worker.send(&WorkerCommand::Settings { token: &self.token, settings: &self.settings })?;
        }
        let lane = Lane { pipe, reader: FrameReader::new(&self.token), running: None };
        match self.lanes.get_mut(at) {
            Some(before) => *before = lane,
            None => self.lanes.push(lane),
        }
        self.processes[at] = Some(worker);
        Ok(())
    }

    /// Runs all jobs, or until the printer has seen too many failures.
    pub fn run(
        &mut self,
        jobs: Vec<Job>,
        settings: &str,
        printer: &mut Printer,
        host: &mut Host<'_>,
    ) -> Result<()> {
        self.queue = requests(jobs.len(), self.is_isolated, self.lanes.len());
        (self.jobs, self.settings) = (jobs, settings.to_owned());
        for worker in self.shared.iter().chain(self.processes.iter().flatten()) {
            worker.send(&WorkerCommand::Settings { token: &self.token, settings })?;
        }
        for at in 0..self.lanes.len() {
            self.begin_next(at, host)?;
        }
        let mut ready: Vec<ReadyEvent> = Vec::new();
        while self.lanes.iter().any(|lane| lane.running.is_some()) {
            let timeout = self.timeout();
            self.epoll.wait(&mut ready, timeout).map_err(|error| problem::no_worker("epoll_wait", error))?;
            for event in &ready {
                match event.token {
                    SHARED => self.read_shared(printer, host)?,
                    token if token % 2 == 0 => self.read_pipe((token / 2) as usize, printer, host)?,
                    token => self.read_own((token / 2) as usize, printer, host)?,
                }
                if printer.bails() {
                    self.kill_all();
                    return printer.stop(&mut output(host));
                }
            }
            self.stop_blocked()?;
        }
        Ok(())
    }

    /// Until the next lane would be blocked for too long.
    fn timeout(&self) -> Option<Duration> {
        let deadlines = self.lanes.iter().filter_map(|lane| lane.running.as_ref()?.deadline());
        deadlines.min().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    // --- requests

    /// Gives a lane the next request; nothing if there is none.
    fn begin_next(&mut self, at: usize, host: &mut Host<'_>) -> Result<()> {
        let Some(files) = self.queue.pop_front() else { return Ok(()) };
        if self.shared.is_none() && self.processes[at].is_none() {
            self.start_process(at, host)?;
        }
        let shown = self.jobs[files[0]].shown.clone();
        let request = self.request(&files, at);
        self.lanes[at].running = Some(Running::new(files, &shown));
        match (&self.shared, &self.processes[at]) {
            (Some(shared), _) => {
                shared.send(&WorkerCommand::Run { slot: at, forks: true, request: &request })
            }
            (None, Some(own)) => own.send(&WorkerCommand::Run { slot: 0, forks: false, request: &request }),
            (None, None) => Ok(()),
        }
    }

    fn request(&self, files: &[usize], at: usize) -> String {
        let file = |index: &usize| {
            let path = self.jobs[*index].path.to_string_lossy();
            format!("[{index},{}]", text::string(&path))
        };
        text::object(&[("files", text::array(files.iter().map(file))), ("worker", (at + 1).to_string())])
    }

    // --- what processes send

    fn read_pipe(&mut self, at: usize, printer: &mut Printer, host: &mut Host<'_>) -> Result<()> {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let lane = &mut self.lanes[at];
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
                }
                Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
                Err(error) => return Err(problem::no_worker("read", error)),
            }
        }
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
            }
        }
        Ok(())
    }

    /// Notices of the shared worker.
    fn read_shared(&mut self, printer: &mut Printer, host: &mut Host<'_>) -> Result<()> {
        let Some(shared) = &mut self.shared else { return Ok(()) };
        let Received::Notices(notices) = shared.receive()? else { return Err(problem::worker_ended()) };
        for notice in notices {
            match notice {
                Notice::Ended { slot, end } => {
                    self.read_pipe(slot, printer, host)?;
                    self.request_end(slot, end, printer, host)?;
                }
                Notice::CannotFork { slot } => {
                    // From now on each request of this lane has a process of its own.
                    let files = self.lanes[slot].running.take().map(|running| running.files);
                    self.queue.extend(files);
                    self.shared = None;
                    for at in 0..self.lanes.len() {
                        if self.lanes[at].running.is_none() {
                            self.begin_next(at, host)?;
                        }
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The control socket of a lane's own process: it says nothing but that the process has ended.
    fn read_own(&mut self, at: usize, printer: &mut Printer, host: &mut Host<'_>) -> Result<()> {
        let Some(process) = &mut self.processes[at] else { return Ok(()) };
        if let Received::Notices(_) = process.receive()? {
            return Ok(());
        }
        let _ = self.epoll.remove(process.control());
        let end = match process.wait() {
            Some(rusk_spawn::Exit::Status(code)) => RequestEnd::Code(code),
            Some(rusk_spawn::Exit::Signal { number, .. }) => RequestEnd::Signal(number),
            None => RequestEnd::Code(0),
        };
        self.processes[at] = None;
        self.read_pipe(at, printer, host)?;
        self.request_end(at, end, printer, host)
    }

    /// The process of a request has ended.
    fn request_end(
        &mut self,
        at: usize,
        end: RequestEnd,
        printer: &mut Printer,
        host: &mut Host<'_>,
    ) -> Result<()> {
        let lane = &mut self.lanes[at];
        let rest = lane.reader.finish();
        let events = lane.take(rest, &|_| String::new());
        self.show(at, events, printer, host)?;
        let Some(mut running) = self.lanes[at].running.take() else { return Ok(()) };
        let events = running.process_end(end);
        self.show(at, events, printer, host)?;
        if !running.files.is_empty() {
            self.queue.push_front(running.files);
        }
        self.begin_next(at, host)
    }

    // --- ends

    /// Ends the processes of files that block their event loop.
    fn stop_blocked(&mut self) -> Result<()> {
        let now = Instant::now();
        for at in 0..self.lanes.len() {
            let Some(running) = &mut self.lanes[at].running else { continue };
            if running.deadline().is_none_or(|deadline| deadline > now) {
                continue;
            }
            running.was_stopped = true;
            match (&self.shared, &mut self.processes[at]) {
                (Some(shared), _) => shared.send(&WorkerCommand::Kill { slot: at })?,
                (None, Some(own)) => own.kill(),
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// The worker kills its children when its control socket is closed.
    fn kill_all(&mut self) {
        self.shared = None;
        for process in self.processes.iter_mut().flatten() {
            process.kill();
        }
    }
}

/// With isolation a request for each file, else one for each lane.
fn requests(count: usize, is_isolated: bool, lanes: usize) -> VecDeque<Vec<usize>> {
    if is_isolated {
        return (0..count).map(|index| vec![index]).collect();
    }
    let of_lane = |lane| (lane..count).step_by(lanes).collect::<Vec<usize>>();
    (0..lanes).map(of_lane).filter(|files| !files.is_empty()).collect()
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
