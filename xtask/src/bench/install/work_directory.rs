//! Working directory of a benchmark session: a project that all tools share, and a home for each
//! tool. In: a tool and a scenario. Out: one timed run with its verified tree, or an error.

use super::fixture::{Fixture, WorkspaceDialect};
use super::row::InstallSample;
use super::scenario::{Change, Scenario};
use super::throttle::Throttle;
use super::tool::Tool;
use super::tree::{self, Tree};
use crate::{files, process};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Packuments of the registry expire after five minutes. An older cache is used once before the
/// measurement.
const CACHE_AGE_MAX: Duration = Duration::from_secs(200);
/// How often node_modules is removed and installed before the measurement.
const AGAIN_BEFORE: usize = 9;

pub struct WorkDirectory<'a> {
    fixture: &'a Fixture,
    top: PathBuf,
    project: PathBuf,
    throttle: Option<&'a Throttle>,
    /// Whether caches must also have the packages of `update`.
    updates: bool,
    /// Tools whose cache is full, and when it was filled.
    filled: RefCell<BTreeMap<&'static str, Instant>>,
}

/// A timed run, and the tree that it created.
pub struct TimedRun {
    pub sample: InstallSample,
    pub tree: Tree,
}

impl<'a> WorkDirectory<'a> {
    pub fn new(
        directory: &Path,
        fixture: &'a Fixture,
        throttle: Option<&'a Throttle>,
        scenarios: &[Scenario],
    ) -> Result<WorkDirectory<'a>, String> {
        let top = directory.join("rusk-bench");
        files::empty(&top)?;
        let updates = scenarios.iter().any(|scenario| scenario.change == Change::Manifest);
        let (project, filled) = (top.join("project"), RefCell::default());
        Ok(WorkDirectory { fixture, top, project, throttle, updates, filled })
    }

    pub fn remove(&self) -> Result<(), String> {
        files::remove(&self.top)
    }

    fn home(&self, tool: &Tool) -> PathBuf {
        self.top.join("homes").join(tool.name)
    }

    fn lock(&self, tool: &Tool) -> PathBuf {
        self.top.join("locks").join(tool.name)
    }

    /// Fills the tool's cache and stores its lockfile.
    pub fn prepare(&self, tool: &Tool) -> Result<(), String> {
        self.empty_home(tool)?;
        if self.updates {
            self.copy(tool)?;
            self.fixture.update_in(&self.project, dialect(tool))?;
            self.install(&mut tool.prepare(&self.project, &self.home(tool)))?;
        }
        self.copy(tool)?;
        self.install(&mut tool.prepare(&self.project, &self.home(tool)))?;
        tree::check(&self.project)?;
        let lock = files::find(&self.project.join(tool.kind.lockfile));
        files::write(&self.lock(tool), &lock.ok_or_else(|| format!("it made no {}", tool.kind.lockfile))?)?;
        self.filled.borrow_mut().insert(tool.name, Instant::now());
        Ok(())
    }

    /// Removes a tool's home when it is no longer needed, to free memory.
    pub fn forget(&self, tool: &Tool) -> Result<(), String> {
        self.filled.borrow_mut().remove(tool.name);
        files::remove(&self.home(tool))
    }

    /// One timed run in a scenario.
    pub fn sample(&self, tool: &Tool, scenario: Scenario) -> Result<TimedRun, String> {
        self.arrange(tool, scenario)?;
        let mut command = tool.command(scenario, &self.project, &self.home(tool));
        if let Some(throttle) = self.throttle {
            throttle.enable();
        }
        let ended = self.install(&mut command);
        let traffic = self.throttle.map(Throttle::disable);
        let sample = InstallSample::of(&ended?.cost, traffic);
        Ok(TimedRun { sample, tree: self.checked(tool)? })
    }

    /// System calls of the tool and its children, counted in a separate run because tracing is
    /// slow.
    pub fn count_calls(&self, tool: &Tool, scenario: Scenario) -> Result<u64, String> {
        self.arrange(tool, scenario)?;
        let plain = tool.command(scenario, &self.project, &self.home(tool));
        let counts = self.top.join("calls");
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-c", "-o"]).arg(&counts).arg(plain.get_program()).args(plain.get_args());
        traced.current_dir(&self.project).env_clear();
        traced.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        self.install(&mut traced)?;
        let counts = files::find(&counts).unwrap_or_default();
        total_calls(&counts).ok_or_else(|| "strace counted nothing".to_owned())
    }

    /// Brings project and cache into the state of the scenario.
    fn arrange(&self, tool: &Tool, scenario: Scenario) -> Result<(), String> {
        if scenario.cache {
            self.fill(tool, scenario)?;
        }
        self.copy(tool)?;
        if scenario.modules || scenario.lockfile {
            let lock = files::find(&self.lock(tool)).unwrap_or_default();
            files::write(&self.project.join(tool.kind.lockfile), &lock)?;
        }
        let frozen = Scenario { modules: false, change: Change::Nothing, lockfile: true, ..scenario };
        let install = || self.install(&mut tool.command(frozen, &self.project, &self.home(tool)));
        if scenario.modules {
            install()?;
        }
        match scenario.change {
            Change::Nothing => {}
            Change::Manifest => self.fixture.update_in(&self.project, dialect(tool))?,
            Change::Again => {
                for _ in 0..AGAIN_BEFORE {
                    install()?;
                    self.remove_modules()?;
                }
            }
        }
        if !scenario.lockfile {
            files::remove_file(&self.project.join(tool.kind.lockfile))?;
        }
        if !scenario.cache {
            self.empty_home(tool)?;
        }
        Ok(())
    }

    /// Fills the cache completely. Where packuments are read, they must have been fetched within
    /// the last minutes.
    fn fill(&self, tool: &Tool, scenario: Scenario) -> Result<(), String> {
        let age = self.filled.borrow().get(tool.name).map(Instant::elapsed);
        let reads_packuments = !scenario.lockfile || scenario.change == Change::Manifest;
        match age {
            None => self.prepare(tool),
            Some(age) if age > CACHE_AGE_MAX && reads_packuments => {
                self.copy(tool)?;
                self.install(&mut tool.prepare(&self.project, &self.home(tool)))?;
                self.filled.borrow_mut().insert(tool.name, Instant::now());
                Ok(())
            }
            Some(_) => Ok(()),
        }
    }

    fn empty_home(&self, tool: &Tool) -> Result<(), String> {
        self.filled.borrow_mut().remove(tool.name);
        files::empty(&self.home(tool))?;
        files::write(&self.home(tool).join(".npmrc"), &Tool::npmrc())?;
        files::write(&self.home(tool).join(".bunfig.toml"), Tool::BUNFIG)
    }

    fn copy(&self, tool: &Tool) -> Result<(), String> {
        self.fixture.copy_to(&self.project, dialect(tool))
    }

    /// As `rm -rf node_modules`, for workspace members too.
    fn remove_modules(&self) -> Result<(), String> {
        for manifest in super::fixture::manifests(&self.project) {
            files::remove(&manifest.with_file_name("node_modules"))?;
        }
        Ok(())
    }

    /// The tree is complete, and there is a lockfile: a tool that did nothing is not fast.
    fn checked(&self, tool: &Tool) -> Result<Tree, String> {
        let tree = tree::check(&self.project)?;
        match self.project.join(tool.kind.lockfile).is_file() {
            true => Ok(tree),
            false => Err(format!("it made no {}", tool.kind.lockfile)),
        }
    }

    /// A failure is one line, without local paths.
    fn install(&self, command: &mut Command) -> Result<process::CompletedProcess, String> {
        process::succeed(command).map_err(|message| reason(&message, &self.top))
    }
}

fn dialect(tool: &Tool) -> WorkspaceDialect {
    match tool.kind.lacks_workspace_protocol {
        true => WorkspaceDialect::Star,
        false => WorkspaceDialect::Protocol,
    }
}

/// The status, and the line of output that describes the failure best: an error; for yarn any
/// numbered line that is not narration; else the first one.
fn reason(message: &str, top: &Path) -> String {
    const LINE_BYTES_MAX: usize = 160;
    const NARRATION: [&str; 3] = ["YN0000", "YN0013", "YN0085"];
    let mut lines = message.lines().map(str::trim);
    let status = lines.next().unwrap_or_default();
    let is_error = |line: &&str| line.to_ascii_lowercase().contains("error");
    let is_number =
        |line: &&str| line.contains("YN0") && !NARRATION.iter().any(|number| line.contains(number));
    let reason_line =
        lines.clone().find(is_number).or_else(|| lines.clone().find(is_error)).or_else(|| lines.next());
    let line = format!("{status}: {}", reason_line.unwrap_or_default()).replace(&*top.to_string_lossy(), "…");
    line.chars().filter(|character| !character.is_control()).take(LINE_BYTES_MAX).collect()
}

/// The number in the last line of `strace -c`.
fn total_calls(counts: &str) -> Option<u64> {
    let total = counts.lines().find(|line| line.trim_end().ends_with(" total"))?;
    total.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests;
