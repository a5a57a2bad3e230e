//! What it takes rusk to begin, in system calls: `rusk --version`, an install with nothing to do,
//! one from the cache, a script. In: the program. Out: calls by name, as the program's own `trace`
//! counts them, and how they compare with counts that are held.

use crate::project::Project;
use crate::registry::{Package, Server};
use rusk_npm::json::{self, Dialect, Node, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Enough that one call more for each of them is seen, few enough that nothing else is.
const PACKAGES: usize = 10;

/// Whose number depends on who was faster, or on where the kernel puts a thread's heap: libc gives
/// back what lies before an address that it likes. And `fcntl`: a debug build asks about each
/// descriptor before it closes it.
const BY_CHANCE: &[&str] = &["futex", "sched_yield", "restart_syscall", "munmap", "fcntl"];

/// How often is up to the allocator and to libc's start of a thread.
const OF_LIBC: &[&str] = &[
    "brk",
    "mmap",
    "mremap",
    "mprotect",
    "madvise",
    "getrandom",
    "rseq",
    "set_robust_list",
    "rt_sigprocmask",
];

/// What loads a program asks these, how often depends on the libraries of the machine.
const OF_LOADER: &[&str] = &[
    "access",
    "arch_prctl",
    "close",
    "execve",
    "faccessat",
    "fstat",
    "newfstatat",
    "openat",
    "pread64",
    "prlimit64",
    "read",
    "set_tid_address",
    "statx",
];

/// Where io_uring is forbidden, what it would be asked at once is asked one by one.
const OF_IO_URING: &[&str] = &["io_uring_setup", "io_uring_enter", "statx"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `rusk --version`: the least that anything takes.
    Version,
    /// An install with nothing to do.
    Idle,
    /// An install without node_modules, everything else being there.
    Warm,
    /// `rusk run`, until it becomes the script's shell.
    Script,
}

impl Case {
    pub const ALL: &[Case] = &[Case::Version, Case::Idle, Case::Warm, Case::Script];

    pub fn name(self) -> &'static str {
        match self {
            Case::Version => "version",
            Case::Idle => "idle install",
            Case::Warm => "warm install",
            Case::Script => "script",
        }
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Case::Version => &["--version"],
            Case::Idle | Case::Warm => &["install"],
            Case::Script => &["run", "nothing"],
        }
    }
}

/// A project of ten packages, installed, and the registry that it was installed from.
pub struct Start {
    rusk: PathBuf,
    project: Project,
    server: Server,
}

impl Start {
    /// Installs the project; an error says why that cannot be done.
    pub fn new(rusk: &Path) -> Result<Start, String> {
        let names: Vec<String> = (0..PACKAGES).map(|number| format!("package-{number}")).collect();
        let package = |name: &String| {
            let manifest =
                format!(r#"{{ "bin": "cli.js", "+files": {{ "cli.js": "", "lib/{name}.js": "" }} }}"#);
            Package::new(name).version("1.0.0", &manifest)
        };
        let dependencies: Vec<String> = names.iter().map(|name| format!(r#""{name}": "1.0.0""#)).collect();
        let manifest = format!(
            r#"{{ "name": "app", "dependencies": {{ {} }}, "scripts": {{ "nothing": "true" }} }}"#,
            dependencies.join(", ")
        );
        // Where the project is decides how many directories are looked at on the way to it.
        let project = Project::in_memory();
        project.write("package.json", manifest);
        let start =
            Start { rusk: rusk.to_owned(), project, server: Server::start(names.iter().map(package)) };
        start.succeed(start.environment(Command::new(rusk).arg("install")))?;
        Ok(start)
    }

    /// The project as the case needs it.
    pub fn prepare(&self, case: Case) {
        if case == Case::Warm {
            self.project.remove("node_modules");
        }
    }

    /// The command, to be run after [`Start::prepare`].
    pub fn command(&self, case: Case) -> Command {
        let mut command = Command::new(&self.rusk);
        self.environment(command.args(case.words()));
        command
    }

    /// The calls of one run. Of several, the leanest says most: marks that are a moment old are not
    /// believed, so an install that follows another one at once may look closer than it has to.
    pub fn count(&self, case: Case, rounds: usize) -> Result<Calls, String> {
        let mut counts = Vec::new();
        for _ in 0..rounds.max(1) {
            self.prepare(case);
            counts.push(self.trace(case)?);
        }
        Ok(counts.into_iter().min_by_key(Calls::held).expect("there is a round"))
    }

    fn trace(&self, case: Case) -> Result<Calls, String> {
        let report = self.project.home().join("report.json");
        let mut command = Command::new(&self.rusk);
        command.args(["trace", "--json", "--collector=ptrace", "--output"]).arg(&report);
        if case == Case::Script {
            command.arg("--until=exec");
        }
        command.arg("--").arg(&self.rusk).args(case.words());
        self.succeed(self.environment(&mut command))?;
        Calls::of_report(&self.project.read("../home/report.json"))
    }

    /// One run of a program that also counts its own calls: what `rusk trace --json` says of it, by
    /// phase, and what it said itself on standard error.
    pub fn recorded(&self, case: Case) -> Result<(String, String), String> {
        self.prepare(case);
        let report = self.project.home().join("report.json");
        let mut command = Command::new(&self.rusk);
        command.args(["trace", "--json", "--collector=ptrace", "--output"]).arg(&report).args(["--", "env"]);
        command
            .args(["RUSK_TRACE_PHASES=1", "RUSK_STARTUP_TRACE=syscalls"])
            .arg(&self.rusk)
            .args(case.words());
        let said = self.succeed(self.environment(&mut command))?;
        Ok((self.project.read("../home/report.json"), said))
    }

    fn environment<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.current_dir(self.project.path()).env_clear().env("HOME", self.project.home());
        command.env("PATH", "/usr/bin:/bin").env("npm_config_registry", self.server.url())
    }

    /// What it said on standard error, which is the error where it failed.
    fn succeed(&self, command: &mut Command) -> Result<String, String> {
        let output = command.output().map_err(|error| format!("{}: {error}", self.rusk.display()))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(said) } else { Err(said) }
    }
}

/// How often each call was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    pub counts: BTreeMap<String, u64>,
    /// Whether the kernel refused io_uring.
    pub lacks_io_uring: bool,
}

impl Calls {
    /// The output of `rusk trace --json`.
    pub fn of_report(text: &str) -> Result<Calls, String> {
        let root = json::parse(text.trim_end(), Dialect::Strict).map_err(|error| format!("{error}"))?;
        let mut calls = Calls::default();
        for call in root.find("calls").ok_or("a report without `calls`")?.elements() {
            let name = call.find("name").and_then(Node::as_str).ok_or("a call without `name`")?;
            let count = call.find("count").and_then(whole).ok_or("a call without `count`")?;
            *calls.counts.entry(name.to_owned()).or_default() += count;
            let errors = call.find("errors").map(Node::members).unwrap_or_default();
            calls.lacks_io_uring |= name == "io_uring_setup" && !errors.is_empty();
        }
        Ok(calls)
    }

    /// An object of names and counts, as they are stored.
    pub fn of_object(node: &Node<'_>) -> Calls {
        let member = |member: &json::Member<'_>| Some((member.key.as_ref().to_owned(), whole(&member.node)?));
        let counts = node.members().iter().filter_map(member).collect();
        Calls { counts, lacks_io_uring: false }
    }

    /// All calls but those whose number changes by chance.
    pub fn held(&self) -> u64 {
        self.without(BY_CHANCE).values().sum()
    }

    /// The others.
    pub fn by_chance(&self) -> u64 {
        self.counts.values().sum::<u64>() - self.held()
    }

    /// On another machine than the one where counts were kept, the program's own calls can be
    /// compared, those of the libc and of what loads the program cannot. Those that `--version`
    /// makes are taken off, so that they do not come in through names that both use; of `--version`
    /// itself the names are left out.
    #[must_use]
    pub fn own(&self, case: Case, version: &Calls, lacks_io_uring: bool) -> Calls {
        let mut counts = self.without(&[BY_CHANCE, OF_LIBC].concat());
        if lacks_io_uring {
            counts.retain(|name, _| !OF_IO_URING.contains(&name.as_str()));
        }
        if case == Case::Version {
            counts.retain(|name, _| !OF_LOADER.contains(&name.as_str()));
        } else {
            for (name, count) in &mut counts {
                *count = count.saturating_sub(version.counts.get(name).copied().unwrap_or_default());
            }
        }
        Calls { counts, lacks_io_uring }
    }

    /// Where there are more calls than were held, which ones: `openat 5 -> 6, statx 0 -> 1`. `None`
    /// when there are not.
    pub fn grown(&self, held: &Calls) -> Option<String> {
        if self.held() <= held.held() {
            return None;
        }
        let before = |name: &str| held.counts.get(name).copied().unwrap_or_default();
        let more = self.without(BY_CHANCE).into_iter().filter(|(name, count)| *count > before(name));
        let said: Vec<String> =
            more.map(|(name, count)| format!("{name} {} -> {count}", before(&name))).collect();
        Some(said.join(", "))
    }

    fn without(&self, names: &[&str]) -> BTreeMap<String, u64> {
        let kept = self.counts.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        kept.map(|(name, count)| (name.clone(), *count)).collect()
    }
}

fn whole(node: &Node<'_>) -> Option<u64> {
    match node.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// What is held of each case: `{ "rows": [{ "case": …, "calls": { name: count } }] }`.
pub fn held(text: &str) -> Result<Vec<(Case, Calls)>, String> {
    let root = json::parse(text, Dialect::Strict).map_err(|error| format!("{error}"))?;
    let rows = root.find("rows").ok_or("no `rows`")?.elements();
    let row = |case: &Case| {
        let named = |row: &&Node<'_>| row.find("case").and_then(Node::as_str) == Some(case.name());
        let calls = rows.iter().find(named).and_then(|row| row.find("calls"));
        Ok((*case, Calls::of_object(calls.ok_or_else(|| format!("nothing is held of `{}`", case.name()))?)))
    };
    Case::ALL.iter().map(row).collect()
}

#[cfg(test)]
mod tests;
