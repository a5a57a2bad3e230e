//! Runs the scripts of packages: those of one package in order, packages side by side once those
//! that they depend on are done. In: packages. Out: the problems of optional packages, or that of
//! the first other one. Output is kept, and shown with a problem only.

use std::io::Write as _;
use std::os::fd::AsFd;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use rusk_base::{Problem, Result, files};
use rusk_jail::{Jail, SharedRoots};
use rusk_npm::script_approvals::{NetworkAccess, ScriptGrants, rendered};
use rusk_scripts::{Caller, Exit, Job, Schedule, Script, Streams, TaskEvent, TaskProcesses, quoted};

use crate::commands::LifecycleScript;
use crate::denials::{self, Denial};
use crate::own_files;
use crate::problem;
use crate::workplace::Workplace;

/// `SIGKILL`, for a script whose installer was killed.
const KILL: i32 = 9;

/// A script that runs longer is killed: builds of large packages take some minutes.
const SCRIPT_LIMIT: Duration = Duration::from_secs(30 * 60);
/// Bytes of a package's output that are kept, from its end.
const OUTPUT_BYTES_MAX: usize = 256 << 10;
/// Lines of output that are shown with a problem.
const SHOWN_LINES_MAX: usize = 40;

/// A package whose scripts are approved.
#[derive(Clone, Debug)]
pub struct ScriptedPackage {
    /// `name@version`
    pub label: String,
    pub name: String,
    pub version: String,
    /// As in an approval.
    pub integrity: String,
    /// Absolute, as all paths here.
    pub dir: PathBuf,
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
    let waits = packages.iter().map(|package| package.waits_for.clone()).collect();
    let mut schedule = Schedule::new(waits, context.concurrency);
    let mut processes = TaskProcesses::open().map_err(problem::no_processes)?;
    let mut running: Vec<Option<RunningPackage<'_>>> = packages.iter().map(|_| None).collect();
    let mut failures = Vec::new();
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
    let dir = own_files::open(context.project_dir, &package.dir)?;
    own_files::make_own(dir.as_fd(), &package.dir)?;
    let workplace = Workplace::new(context.temporary)?;
    let jail = workplace.jail(package, dir.as_fd(), context)?;
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
        Some(result) => Some(running.failure(result)),
    };
    let started = match failed {
        Some(problem) => Err(problem),
        None => match running.package.scripts.get(running.step) {
            None => {
                let denied = running.denied_network().into_iter();
                for event in denied.chain(running.denied_files(context.project_dir)) {
                    on_event(event);
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
    let limit = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
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
    fn failure(&self, result: std::io::Result<Exit>) -> Problem {
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
        match &self.jail {
            Some(jail) => self.with_denials(problem, &output, jail),
            None => problem,
        }
    }

    /// Of hosts with names: other errors of a script that succeeds may be of its own making.
    fn denied_network(&self) -> Option<ScriptEvent<'_>> {
        let denied = self.denials(&String::from_utf8_lossy(&self.output), self.jail.as_ref()?);
        let hosts = denied.seen.into_iter().chain(denied.claimed).filter_map(|denial| match denial {
            Denial::Network(host) if !host.is_empty() => Some(host),
            _ => None,
        });
        let hosts: Vec<String> = hosts.collect();
        let flags = network_flags(&NetworkAccess::Hosts(hosts.clone())).join(" ");
        let package = self.package;
        (!hosts.is_empty()).then_some(ScriptEvent::DeniedNetwork { package, hosts, flags })
    }

    /// Of files that the project has outside of node_modules, such as the hooks of Git.
    fn denied_files(&self, project: &Path) -> Option<ScriptEvent<'_>> {
        let denied = self.denials(&String::from_utf8_lossy(&self.output), self.jail.as_ref()?);
        let files = denied.claimed.into_iter().filter_map(|denial| of_project(denial, project));
        let mut files: Vec<Denial> = files.collect();
        files.dedup();
        let (flags, _) = grant(self.package, &files)?;
        let what = files.iter().map(described).collect();
        Some(ScriptEvent::DeniedFiles { package: self.package, what, flags })
    }

    fn denials(&self, output: &str, jail: &Jail) -> ReportedDenials {
        let package = self.package;
        let is_allowed = |path: &Path| self.workplace.may_write(package, path);
        // Where some hosts are granted, the jail knows which others were refused.
        let refused = jail.refused_hosts();
        let is_known = package.network != NetworkAccess::None || !refused.is_empty();
        ReportedDenials {
            seen: refused.into_iter().map(Denial::Network).collect(),
            claimed: denials::find(output, &is_allowed, is_known),
        }
    }

    fn with_denials(&self, problem: Problem, output: &str, jail: &Jail) -> Problem {
        let package = self.package;
        let ReportedDenials { seen, claimed } = self.denials(output, jail);
        let all: Vec<Denial> = seen.iter().chain(&claimed).cloned().collect();
        let Some((flags, line)) = grant(package, &all) else { return problem };
        let problem = seen
            .iter()
            .fold(problem, |problem, denial| problem.note(format!("the jail denied {}", described(denial))));
        let problem = claimed.iter().fold(problem, |problem, denial| {
            problem.note(format!("the script says that it was denied {}", described(denial)))
        });
        let problem = problem.note(format!("package.json, `rusk.approvedScripts`: {line}"));
        let name = &package.name;
        problem.hint(match claimed.is_empty() {
            true => format!("if it needs this, `rusk approve {name} {flags}` grants it"),
            false => format!(
                "what a script says may be false; if it needs this, `rusk approve {name} {flags}` grants it"
            ),
        })
    }
}

/// What a script was denied.
struct ReportedDenials {
    /// By the jail's own knowledge.
    seen: Vec<Denial>,
    /// By the script's output, which may say anything.
    claimed: Vec<Denial>,
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

/// A denial with a path relative to the project. A file that is missing cannot have been read: what
/// was denied is making it in its directory.
fn of_project(denial: Denial, project: &Path) -> Option<Denial> {
    let (Denial::Read(path) | Denial::Write(path)) = &denial else { return None };
    let is_plain = path.components().all(|part| part != Component::ParentDir);
    let inner =
        path.strip_prefix(project).ok().filter(|inner| is_plain && !inner.starts_with("node_modules"))?;
    if files::exists(path) {
        let inner = inner.to_owned();
        return Some(if matches!(denial, Denial::Write(_)) {
            Denial::Write(inner)
        } else {
            Denial::Read(inner)
        });
    }
    let parent = inner.parent().filter(|parent| *parent != Path::new(""))?;
    Some(Denial::Write(parent.to_owned()))
}

fn described(denial: &Denial) -> String {
    match denial {
        Denial::Network(host) if host.is_empty() => "the network".to_owned(),
        Denial::Network(host) => format!("the network: `{host}`"),
        Denial::Read(path) => format!("reading `{}`", path.display()),
        Denial::Write(path) => format!("writing `{}`", path.display()),
    }
}

/// The flags of `rusk approve` and the line of package.json that allow what was denied.
fn grant(package: &ScriptedPackage, denied: &[Denial]) -> Option<(String, String)> {
    if denied.is_empty() {
        return None;
    }
    let hosts = denied.iter().filter_map(|denial| match denial {
        Denial::Network(host) => Some(host),
        Denial::Read(_) | Denial::Write(_) => None,
    });
    let network = hosts.fold(NetworkAccess::None, |network, host| {
        network.and(match host.as_str() {
            "" => NetworkAccess::All,
            host => NetworkAccess::Hosts(vec![host.to_owned()]),
        })
    });
    let paths = |own: &[PathBuf], writes: bool| {
        let found = denied.iter().filter_map(|denial| match denial {
            Denial::Write(path) if writes => Some(path),
            Denial::Read(path) if !writes => Some(path),
            _ => None,
        });
        own.iter().chain(found).map(|path| path.display().to_string()).collect::<Vec<String>>()
    };
    let mut flags = network_flags(&network);
    let grants = ScriptGrants {
        network: package.network.clone().and(network),
        read: paths(&package.read, false),
        write: paths(&package.write, true),
    };
    flags.extend(grants.read.iter().map(|path| format!("--read {}", quoted(path))));
    flags.extend(grants.write.iter().map(|path| format!("--write {}", quoted(path))));
    let line = rendered(&package.label, &package.integrity, &grants);
    Some((flags.join(" "), line))
}

fn network_flags(network: &NetworkAccess) -> Vec<String> {
    match network {
        NetworkAccess::None => Vec::new(),
        NetworkAccess::Hosts(hosts) => {
            hosts.iter().map(|host| format!("--connect {}", quoted(host))).collect()
        }
        NetworkAccess::All => vec!["--network".to_owned()],
    }
}
