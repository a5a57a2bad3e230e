//! Runs the scripts of packages: those of one package in order, packages side by side once those
//! that they depend on are done. In: packages. Out: the problems of optional packages, or that of
//! the first other one. Output is kept, and shown with a problem only.

use std::io::Write as _;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusk_base::{Problem, Result};
use rusk_jail::{Jail, SharedRoots};
use rusk_npm::script_approvals::NetworkAccess;
use rusk_scripts::{Caller, Exit, Job, Schedule, Script, Streams, TaskEvent, TaskProcesses};

use crate::commands::LifecycleScript;
use crate::denial_report::DenialReport;
use crate::granted_path::WritableDirs;
use crate::workplace::Workplace;
use crate::{own_files, private_directory, problem};

/// `SIGKILL`, for a script whose installer was killed.
const KILL: i32 = 9;

/// A script that runs longer is killed: builds of large packages take some minutes.
const SCRIPT_LIMIT: Duration = Duration::from_secs(30 * 60);
/// How often [`ScriptEvent::Running`] is sent.
const TICK: Duration = Duration::from_secs(1);
/// Bytes of a package's output that are kept, from its end.
const OUTPUT_BYTES_MAX: usize = 256 << 10;
/// Lines of output that are shown with a problem.
const SHOWN_LINES_MAX: usize = 40;

/// A package whose scripts are approved.
#[derive(Clone, Debug)]
pub struct ScriptedPackage {
    /// `name@version`, without the credentials of a URL.
    pub label: String,
    pub name: String,
    /// For the environment of its scripts: that of a release, else the one in package.json.
    pub version: Option<String>,
    /// As in an approval.
    pub integrity: String,
    /// Absolute, as all paths here.
    pub dir: PathBuf,
    /// In the isolated layout, the entry of the virtual store that has the package and links to its
    /// dependencies. Builds by gyp write beside the package.
    pub entry: Option<PathBuf>,
    pub scripts: Vec<LifecycleScript>,
    pub network: NetworkAccess,
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// Indices of the packages whose scripts must have ended before.
    pub waits_for: Vec<usize>,
    /// Whether the project works without it: then its failure is not the project's.
    pub is_optional: bool,
}

/// Whether scripts are confined.
pub enum Confinement {
    Jail(SharedRoots),
    /// `--no-jail`
    None,
}

/// What all scripts share.
pub struct DependencyScripts<'a> {
    pub project_dir: &'a Path,
    pub caller: &'a Caller,
    /// A directory with headers of Node-API, for node-gyp; `None` if there is none.
    pub headers: Option<&'a Path>,
    /// Where private directories are made.
    pub temporary: &'a Path,
    pub confinement: &'a Confinement,
    /// What all scripts may read besides the system and the packages around them.
    pub readable: &'a [PathBuf],
    /// Where scripts of any package may write, or could in an earlier install: links there may be
    /// theirs.
    pub written: &'a [PathBuf],
    /// How many packages' scripts run at the same time.
    pub concurrency: usize,
    /// A file to which hosts are written that scripts were refused, one a line.
    pub refused_hosts: Option<&'a Path>,
}

/// What happens while scripts run.
pub enum ScriptEvent<'a> {
    Started {
        package: &'a ScriptedPackage,
        script: &'a LifecycleScript,
    },
    /// The scripts of a package succeeded, and went on without the network that the jail denied.
    /// `flags` of `rusk approve` grant it.
    DeniedNetwork {
        package: &'a ScriptedPackage,
        hosts: Vec<String>,
        flags: String,
    },
    /// At least once a second: the scripts of these packages run, and how long scripts have run.
    Running {
        packages: Vec<&'a str>,
        for_time: Duration,
    },
    /// The same of files of the project, as the scripts' output says.
    DeniedFiles {
        package: &'a ScriptedPackage,
        what: Vec<String>,
        flags: String,
    },
}

/// The scripts of a package that run now.
struct RunningPackage<'a> {
    package: &'a ScriptedPackage,
    workplace: Workplace,
    jail: Option<Jail>,
    /// Index of the script.
    step: usize,
    output: Vec<u8>,
    deadline: Instant,
    exit: Option<std::io::Result<Exit>>,
    is_closed: bool,
    is_too_long: bool,
}

/// Runs all scripts. The result are the optional packages that failed.
pub fn run(
    packages: &[ScriptedPackage],
    context: &DependencyScripts<'_>,
    on_event: &mut dyn FnMut(ScriptEvent<'_>),
) -> Result<Vec<(usize, Problem)>> {
    private_directory::remove_abandoned(context.temporary);
    let waits = packages.iter().map(|package| package.waits_for.clone()).collect();
    let mut schedule = Schedule::new(waits, context.concurrency);
    let mut processes = TaskProcesses::open().map_err(problem::no_processes)?;
    let mut running: Vec<Option<RunningPackage<'_>>> = packages.iter().map(|_| None).collect();
    let mut failures = Vec::new();
    let started = Instant::now();
    let result = loop {
        while let Some(task) = schedule.start_next() {
            match begin(&packages[task], context) {
                Ok(begun) => running[task] = Some(begun),
                Err(problem) => failures.push((task, problem)),
            }
            advance(task, &mut running[task], &mut processes, context, on_event, &mut failures);
            if running[task].is_none() {
                schedule.end(task);
            }
        }
        if let Some(problem) = take_fatal(packages, &mut failures) {
            break Err(problem);
        }
        if running.iter().all(Option::is_none) {
            break Ok(());
        }
        if let Err(problem) = wait(&mut processes, &mut running) {
            break Err(problem);
        }
        let labels = running.iter().flatten().map(|begun| begun.package.label.as_str()).collect();
        on_event(ScriptEvent::Running { packages: labels, for_time: started.elapsed() });
        for (task, slot) in running.iter_mut().enumerate() {
            if slot.as_ref().is_some_and(|begun| begun.exit.is_some() && begun.is_closed) {
                advance(task, slot, &mut processes, context, on_event, &mut failures);
                if slot.is_none() {
                    schedule.end(task);
                }
            }
        }
    };
    processes.kill_all();
    result.map(|()| failures)
}

fn begin<'a>(package: &'a ScriptedPackage, context: &DependencyScripts<'_>) -> Result<RunningPackage<'a>> {
    let dirs = WritableDirs::of(context.written.iter().map(PathBuf::as_path));
    let dir = own_files::open(context.project_dir, &package.dir, &dirs)?;
    own_files::make_own(dir.as_fd(), &package.dir)?;
    let workplace = Workplace::new(context.temporary)?;
    let jail = workplace.jail(package, dir.as_fd(), &dirs, context)?;
    Ok(RunningPackage {
        package,
        workplace,
        jail,
        step: 0,
        output: Vec::new(),
        deadline: Instant::now() + SCRIPT_LIMIT,
        exit: None,
        is_closed: false,
        is_too_long: false,
    })
}

/// Starts the next script of a package, or ends the package.
fn advance(
    task: usize,
    slot: &mut Option<RunningPackage<'_>>,
    processes: &mut TaskProcesses,
    context: &DependencyScripts<'_>,
    on_event: &mut dyn FnMut(ScriptEvent<'_>),
    failures: &mut Vec<(usize, Problem)>,
) {
    let Some(running) = slot else { return };
    if let (Some(path), true) = (context.refused_hosts, running.exit.is_some()) {
        running.write_refused_hosts(path);
    }
    let failed = match running.exit.take() {
        None => None,
        Some(Ok(Exit::DONE)) if !running.is_too_long => {
            running.step += 1;
            None
        }
        Some(result) => Some(running.failure(result, context)),
    };
    let started = match failed {
        Some(problem) => Err(problem),
        None => match running.package.scripts.get(running.step) {
            None => {
                if let Some(denied) = running.denials(context) {
                    denied.events().into_iter().for_each(&mut *on_event);
                }
                Ok(false)
            }
            Some(script) => {
                on_event(ScriptEvent::Started { package: running.package, script });
                running.start(task, script, processes, context).map(|()| true)
            }
        },
    };
    match started {
        Ok(true) => {}
        Ok(false) => *slot = None,
        Err(problem) => {
            failures.push((task, problem));
            *slot = None;
        }
    }
}

/// The problem of a package that is not optional.
fn take_fatal(packages: &[ScriptedPackage], failures: &mut Vec<(usize, Problem)>) -> Option<Problem> {
    let at = failures.iter().position(|(task, _)| !packages[*task].is_optional)?;
    Some(failures.remove(at).1)
}

/// Waits for one event. What a script leaves behind is killed when the script ends.
fn wait(processes: &mut TaskProcesses, running: &mut [Option<RunningPackage<'_>>]) -> Result<()> {
    let deadline = running.iter().flatten().map(|begun| begun.deadline).min();
    let limit = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).min(TICK));
    let (mut signal, mut has_ended) = (None, false);
    let mut on_event = |event: TaskEvent<'_>| match event {
        TaskEvent::Output { task, bytes, .. } => {
            if let Some(begun) = &mut running[task] {
                begun.keep(bytes);
            }
        }
        TaskEvent::Ended { task, result } => {
            has_ended = true;
            if let Some(begun) = &mut running[task] {
                begun.exit = Some(result);
            }
        }
        TaskEvent::Closed { task } => {
            if let Some(begun) = &mut running[task] {
                begun.is_closed = true;
            }
        }
        TaskEvent::Signal(number) => signal = Some(number),
        TaskEvent::Timeout => {}
    };
    processes.next(limit, &mut on_event).map_err(problem::no_processes)?;
    if has_ended {
        processes.kill_leftovers();
    }
    if let Some(number) = signal {
        return Err(problem::interrupted(number));
    }
    let now = Instant::now();
    for (task, begun) in running.iter_mut().enumerate() {
        if let Some(begun) = begun.as_mut().filter(|begun| begun.deadline <= now && !begun.is_too_long) {
            begun.is_too_long = true;
            processes.kill(task);
        }
    }
    Ok(())
}

impl RunningPackage<'_> {
    fn start(
        &mut self,
        task: usize,
        script: &LifecycleScript,
        processes: &mut TaskProcesses,
        context: &DependencyScripts<'_>,
    ) -> Result<()> {
        let mut environment = self.workplace.environment(self.package, context);
        let jail = self.jail.as_ref();
        let confine = |command: &mut rusk_spawn::Command| match jail {
            Some(jail) => jail.confine(command).map_err(|_| std::io::ErrorKind::Other.into()),
            None => {
                command.new_session().parent_death_signal(KILL);
                Ok(())
            }
        };
        let described = Script { name: script.name, command: &script.command, arguments: &[] };
        let job = Job::script(described, &mut environment, &self.package.dir, Streams::Confined(&confine));
        (self.exit, self.is_closed) = (None, false);
        self.deadline = Instant::now() + SCRIPT_LIMIT;
        processes.start(task, &job).map_err(|error| problem::script_start(self.package, script, error))
    }

    /// An error is not reported: the script's own matters.
    fn write_refused_hosts(&self, path: &Path) {
        let hosts = self.jail.as_ref().map(Jail::refused_hosts).unwrap_or_default();
        let text: String = hosts.iter().map(|host| format!("{host}\n")).collect();
        let file = std::fs::OpenOptions::new().append(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
    }

    /// Keeps the end of the output.
    fn keep(&mut self, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
        let excess = self.output.len().saturating_sub(2 * OUTPUT_BYTES_MAX);
        if excess > 0 {
            self.output.drain(..self.output.len() - OUTPUT_BYTES_MAX);
        }
    }

    /// The problem of the script that ended so, with the end of its output.
    fn failure(&self, result: std::io::Result<Exit>, context: &DependencyScripts<'_>) -> Problem {
        let script = &self.package.scripts[self.step];
        let problem = match result {
            _ if self.is_too_long => problem::script_too_long(self.package, script, SCRIPT_LIMIT.as_secs()),
            Ok(exit) => problem::script_failed(self.package, script, exit),
            Err(error) => return problem::script_start(self.package, script, error),
        };
        let output = String::from_utf8_lossy(&self.output);
        let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
        let shown = &lines[lines.len().saturating_sub(SHOWN_LINES_MAX)..];
        let problem = shown.iter().fold(problem, |problem, line| problem.note(format!("| {line}")));
        let problem = match looks_for_project(&self.package.dir, &output) {
            true => problem.note(BESIDE_THE_STORE),
            false => problem,
        };
        let unresolved = self.jail.as_ref().map(Jail::unresolved_hosts).unwrap_or_default();
        let problem = unresolved.iter().fold(problem, |problem, host| {
            problem.note(format!("`{host}` is granted, but no address outside of this machine was found"))
        });
        match self.denials(context) {
            Some(denied) => denied.explain(problem),
            None => problem,
        }
    }

    /// `None`: there is no jail.
    fn denials(&self, context: &DependencyScripts<'_>) -> Option<DenialReport<'_>> {
        let jail = self.jail.as_ref()?;
        let output = String::from_utf8_lossy(&self.output);
        let is_allowed = |path: &Path| self.workplace.may_write(self.package, path);
        Some(DenialReport::new(self.package, &output, &is_allowed, jail.refused_hosts(), context))
    }
}

/// A package that takes the directory above its node_modules for the project.
const BESIDE_THE_STORE: &str =
    "it looks for the project above its own directory; with `--linker=hoisted` it is there";

/// Whether a script of the isolated layout has not found a package.json in its package's place.
fn looks_for_project(package: &Path, output: &str) -> bool {
    let node_modules = package.ancestors().find(|dir| dir.ends_with("node_modules"));
    let place = node_modules.and_then(Path::parent);
    let place = place.filter(|place| place.parent().is_some_and(is_virtual_store));
    place.is_some_and(|place| output.contains(&place.join("package.json").display().to_string()))
}

/// Whether a directory is `node_modules/.bun` or the like; packages have no leading dot.
fn is_virtual_store(dir: &Path) -> bool {
    let name = dir.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
        && dir.parent().is_some_and(|above| above.ends_with("node_modules"))
}
