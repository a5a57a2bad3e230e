//! Runs scripts side by side. In: tasks and what each waits for. Out: how they ended; their output
//! goes to the screen line by line. A failed script ends the others, as does a signal.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rusk_base::Result;
use rusk_scripts::{
    Environment, Exit, Job, Package, Schedule, Script, Streams, TaskEvent, TaskProcesses, TaskState,
    problem as scripts, shell_line,
};
use rustix::process::Signal;

use super::context::RunContext;
use crate::problem;
use rusk_screen::Screen;
use rusk_screen::tasks::{TaskResult, TaskRow, TaskScreen, TaskStatus};

/// Time between a signal to the scripts and SIGKILL.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Time for the output of a script to arrive after its end, where a descendant holds it open.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(100);

/// Time between two checks whether the last processes have ended; no event reports it.
const LEFTOVER_INTERVAL: Duration = Duration::from_millis(5);

/// Time between two updates of the terminal while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// The `pre` script, the script, the `post` script. Step `s` of task `t` is process `3 t + s`.
const STEPS: usize = 3;

/// A script of a package, with its `pre` and `post` scripts.
pub struct Task {
    pub package: Package,
    /// Of the package, relative to the project.
    pub path: String,
    pub script: String,
    /// The file of a program to run in the package's directory; its name is `script`.
    pub program: Option<PathBuf>,
    pub arguments: Vec<OsString>,
    pub label: String,
    /// Positions of the tasks that end before this one starts.
    pub waits: Vec<usize>,
}

pub struct TaskOptions {
    pub concurrency: usize,
    pub stops_on_error: bool,
    pub is_aggregated: bool,
    /// What a task runs, for the result: `script` or `program`.
    pub noun: &'static str,
}

/// Runs all tasks. The exit is that of the first task that failed.
pub fn run(
    tasks: Vec<Task>,
    options: &TaskOptions,
    context: &RunContext,
    screen: &mut Screen,
) -> Result<Exit> {
    let failed = problem::no_task_runner;
    let waits = tasks.iter().map(|task| task.waits.clone()).collect();
    let labels = tasks.iter().map(|task| task.label.clone()).collect();
    let mut run = TaskRun {
        schedule: Schedule::new(waits, options.concurrency),
        processes: TaskProcesses::open().map_err(failed)?,
        screen: TaskScreen::new(screen, labels, options.is_aggregated, options.noun),
        progress: tasks.iter().map(|_| TaskProgress::default()).collect(),
        tasks,
        options,
        context,
        environments: HashMap::new(),
        ending: None,
        signal: None,
        first_failure: None,
    };
    run.start_ready();
    while !run.is_done() {
        run.advance().map_err(failed)?;
    }
    run.finish()
}

/// A task's current script, and the result of the task.
#[derive(Default)]
struct TaskProgress {
    step: usize,
    started: Option<Instant>,
    /// How and when the process of this step ended. Its output may still arrive.
    exit: Option<(Exit, Instant)>,
    is_closed: bool,
    result: Option<TaskResult>,
}

impl TaskProgress {
    /// How the step ended, once its output is complete or takes too long.
    fn step_exit(&self) -> Option<Exit> {
        let (exit, since) = self.exit?;
        (self.is_closed || since.elapsed() >= OUTPUT_TIMEOUT).then_some(exit)
    }
}

struct TaskRun<'a> {
    tasks: Vec<Task>,
    schedule: Schedule,
    processes: TaskProcesses,
    screen: TaskScreen<'a>,
    progress: Vec<TaskProgress>,
    options: &'a TaskOptions,
    context: &'a RunContext,
    /// Those of the scripts of a package, by its directory: finding `node` takes some calls.
    environments: HashMap<PathBuf, Environment>,
    /// When the scripts were asked to end.
    ending: Option<Instant>,
    /// The signal that this process received.
    signal: Option<i32>,
    first_failure: Option<Exit>,
}

impl TaskRun<'_> {
    fn is_done(&self) -> bool {
        self.schedule.count(TaskState::Running) == 0
            && (self.ending.is_some() || self.schedule.count(TaskState::Waiting) == 0)
    }

    fn start_ready(&mut self) {
        while self.ending.is_none() {
            let Some(task) = self.schedule.start_next() else { break };
            self.progress[task].started = Some(Instant::now());
            self.start_step(task);
        }
        self.draw();
    }

    /// Starts the next script of a task: the `pre` script, the script, the `post` script.
    fn start_step(&mut self, task: usize) {
        if let Some(file) = self.tasks[task].program.clone() {
            return self.start_program(task, file);
        }
        let Task { package, script, arguments, .. } = &self.tasks[task];
        let names = [format!("pre{script}"), script.clone(), format!("post{script}")];
        while let Some(name) = names.get(self.progress[task].step) {
            let command = match package.scripts.find(name) {
                Ok(Some(command)) => command,
                _ => {
                    self.progress[task].step += 1;
                    continue;
                }
            };
            let arguments: &[OsString] = if name == script { arguments } else { &[] };
            self.screen.command(task, &shell_line(command, arguments).to_string_lossy());
            let is_colored = self.screen.is_colored();
            let environment = self.environments.entry(package.dir.clone()).or_insert_with(|| {
                let mut environment = self.context.environment_of(package);
                if is_colored {
                    environment.set_default("FORCE_COLOR", "1");
                }
                environment
            });
            let script = Script { name, command, arguments };
            let job = Job::script(script, environment, &package.dir, Streams::Piped);
            let progress = &mut self.progress[task];
            (progress.exit, progress.is_closed) = (None, false);
            if let Err(error) = self.processes.start(task * STEPS + progress.step, &job) {
                let problem = scripts::script_start(name, &package.dir, error);
                self.screen.line(task, &problem.to_string());
                self.end(task, Exit::Code(2));
            }
            return;
        }
        self.end(task, Exit::DONE);
    }

    /// Starts a program; it is the last step.
    fn start_program(&mut self, task: usize, file: PathBuf) {
        let Task { package, script, arguments, .. } = &self.tasks[task];
        self.screen.command(task, &shell_line(script, arguments).to_string_lossy());
        let mut environment = self.context.environment_of(package);
        environment.set_current_dir(&package.dir);
        if self.screen.is_colored() {
            environment.set_default("FORCE_COLOR", "1");
        }
        let argv = [script.into()].into_iter().chain(arguments.iter().cloned()).collect();
        let job = Job::program(file.clone(), argv, &environment, &package.dir, Streams::Piped);
        self.progress[task].step = STEPS - 1;
        if let Err(error) = self.processes.start(task * STEPS + STEPS - 1, &job) {
            self.screen.line(task, &scripts::program_start(&file, &package.dir, error).to_string());
            self.end(task, Exit::Code(2));
        }
    }

    /// Handles one event.
    fn advance(&mut self) -> io::Result<()> {
        let limit = self.limit();
        let (screen, progress, tasks) = (&mut self.screen, &mut self.progress, &self.tasks);
        let mut signal = None;
        self.processes.next(Some(limit), &mut |event| match event {
            TaskEvent::Output { task, stream, bytes } => screen.output(task / STEPS, stream, bytes),
            TaskEvent::Closed { task } => {
                if let Some(progress) = current(progress, task) {
                    progress.is_closed = true;
                }
            }
            TaskEvent::Ended { task, result } => {
                if let Some(progress) = current(progress, task) {
                    let exit = result.unwrap_or_else(|error| {
                        let Task { script, package, .. } = &tasks[task / STEPS];
                        let problem = scripts::script_start(script, &package.dir, error);
                        screen.line(task / STEPS, &problem.to_string());
                        Exit::Code(2)
                    });
                    progress.exit = Some((exit, Instant::now()));
                }
            }
            TaskEvent::Signal(number) => signal = Some(number),
            TaskEvent::Timeout => {}
        })?;
        if let Some(number) = signal {
            self.on_signal(number);
        }
        self.end_steps();
        if self.ending.is_some_and(|since| since.elapsed() >= EXIT_TIMEOUT) {
            self.processes.signal_all(Signal::KILL);
        }
        self.draw();
        Ok(())
    }

    /// How long to wait for the next event.
    fn limit(&self) -> Duration {
        let is_ended = |progress: &&TaskProgress| progress.result.is_none() && progress.exit.is_some();
        if self.progress.iter().any(|progress| is_ended(&progress)) {
            return OUTPUT_TIMEOUT;
        }
        match self.ending {
            Some(since) => EXIT_TIMEOUT.saturating_sub(since.elapsed()).clamp(OUTPUT_TIMEOUT, TICK),
            None => TICK,
        }
    }

    fn end_steps(&mut self) {
        for task in 0..self.tasks.len() {
            let progress = &mut self.progress[task];
            if progress.result.is_none()
                && let Some(exit) = progress.step_exit()
            {
                progress.exit = None;
                self.screen.end_output(task);
                self.on_step_end(task, exit);
            }
        }
    }

    /// The first signal is passed on; after a second one the scripts are killed.
    fn on_signal(&mut self, number: i32) {
        let passed_on = Signal::from_named_raw(number).unwrap_or(Signal::TERM);
        let is_second = self.signal.is_some();
        self.signal = Some(number);
        self.ending.get_or_insert_with(Instant::now);
        self.processes.signal_all(if is_second { Signal::KILL } else { passed_on });
    }

    fn on_step_end(&mut self, task: usize, exit: Exit) {
        let is_last = self.progress[task].step + 1 == STEPS;
        if exit == Exit::DONE && !is_last && self.ending.is_none() {
            self.progress[task].step += 1;
            self.start_step(task);
        } else {
            self.end(task, exit);
        }
        self.start_ready();
    }

    fn end(&mut self, task: usize, exit: Exit) {
        self.schedule.end(task);
        let time = self.progress[task].started.map_or(Duration::ZERO, |started| started.elapsed());
        let was_stopped = self.ending.is_some() && exit != Exit::DONE;
        let result = TaskResult { exit, time, was_stopped };
        self.screen.end_task(task, &result);
        self.progress[task].result = Some(result);
        if exit == Exit::DONE || was_stopped {
            return;
        }
        self.first_failure.get_or_insert(exit);
        if self.options.stops_on_error {
            self.ending = Some(Instant::now());
            self.processes.signal_all(Signal::TERM);
        }
    }

    fn draw(&mut self) {
        let schedule = &self.schedule;
        let pending = |task| (task, schedule.pending(task).collect());
        self.screen.draw(&TaskStatus {
            ended: schedule.count(TaskState::Ended),
            total: schedule.len(),
            running: schedule.in_state(TaskState::Running).collect(),
            waiting: schedule.in_state(TaskState::Waiting).map(pending).collect(),
            is_ending: self.ending.is_some(),
        });
    }

    /// A shell starts background commands with SIGINT ignored: they outlive their script.
    fn end_leftovers(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        self.processes.signal_all(Signal::TERM);
        while self.processes.has_leftovers() && Instant::now() < deadline {
            let mut is_signal = false;
            let on_event = &mut |event: TaskEvent<'_>| is_signal |= matches!(event, TaskEvent::Signal(_));
            self.processes.next(Some(LEFTOVER_INTERVAL), on_event)?;
            if is_signal {
                break;
            }
        }
        self.processes.signal_all(Signal::KILL);
        Ok(())
    }

    /// Ends what scripts have left if they were stopped, and prints the result.
    fn finish(mut self) -> Result<Exit> {
        if self.ending.is_some() {
            self.end_leftovers().map_err(problem::no_task_runner)?;
        }
        let results = self.progress.into_iter().map(|progress| progress.result);
        let rows: Vec<TaskRow<'_>> = self.tasks.iter().zip(results).map(row).collect();
        self.screen.finish(&rows, self.signal.is_some())?;
        Ok(match (self.signal, self.first_failure) {
            (Some(signal), _) => Exit::Signal(signal),
            (None, Some(Exit::Code(code))) => Exit::Code(code),
            (None, Some(exit)) => Exit::Code(exit.code()),
            (None, None) => Exit::DONE,
        })
    }
}

/// The progress of the task whose current step is this process.
fn current(progress: &mut [TaskProgress], process: usize) -> Option<&mut TaskProgress> {
    progress.get_mut(process / STEPS).filter(|progress| progress.step == process % STEPS)
}

fn row((task, result): (&Task, Option<TaskResult>)) -> TaskRow<'_> {
    let package = task.package.scripts.package_name.as_deref();
    TaskRow { label: &task.label, package, path: &task.path, script: &task.script, result }
}
