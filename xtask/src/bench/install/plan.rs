//! Benchmark plan: what one call of `bench install` measures. In: arguments. Out: sessions, each
//! with one fixture in one directory. Without a selection the plan takes about half an hour;
//! `--complete` selects everything.

use super::baseline;
use super::fixture::{self, Fixture};
use super::results::Network;
use super::scenario::{self, Change, Scenario};
use super::tool;
use crate::files;
use std::path::PathBuf;

/// Where Linux mounts a world-writable tmpfs.
pub const MEMORY: &str = "/dev/shm";

/// One fixture in one directory, throttled or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub fixture: String,
    pub directory: PathBuf,
    pub network: Network,
    /// In the order of [`scenario::ALL`].
    pub scenarios: Vec<Scenario>,
    /// In the order of the tables.
    pub tools: Vec<&'static str>,
    /// Whether variants run only in scenarios with a cache and a lockfile.
    pub limits_variants: bool,
    pub rounds: usize,
    /// Rounds of slow tools.
    pub slow_rounds: usize,
}

pub struct BenchPlan {
    pub sessions: Vec<Session>,
    pub rusk: Option<PathBuf>,
    /// Another build of rusk, which is compared with it instead of other tools.
    pub baseline: Option<PathBuf>,
    pub store: bool,
}

/// What the arguments select; empty fields select the default.
#[derive(Default)]
struct Selection {
    fixtures: Vec<String>,
    directories: Vec<PathBuf>,
    lines: Vec<Network>,
    scenarios: Vec<Scenario>,
    tools: Vec<&'static str>,
    rounds: Option<usize>,
}

/// A part of the default or the complete plan.
#[derive(Clone, Copy)]
struct PlanPart {
    fixture: &'static str,
    filesystem: Filesystem,
    network: Network,
    tools: ToolSelection,
    scenarios: &'static [&'static str],
    rounds: usize,
    /// 0 leaves slow tools out.
    slow_rounds: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filesystem {
    Tmpfs,
    /// The file system of the repository.
    Disk,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolSelection {
    All,
    Plain,
    /// For questions that only concern these two.
    RuskAndBun,
}

const NINE: &[&str] = &scenario::PUBLISHED;

const PART: PlanPart = PlanPart {
    fixture: "application",
    filesystem: Filesystem::Tmpfs,
    network: Network::Unthrottled,
    tools: ToolSelection::Plain,
    scenarios: NINE,
    rounds: 3,
    slow_rounds: 0,
};

const PARTS: &[PlanPart] = &[
    PlanPart { tools: ToolSelection::All, rounds: 5, slow_rounds: 1, ..PART },
    PlanPart { network: Network::Throttled, slow_rounds: 1, ..PART },
    PlanPart { filesystem: Filesystem::Disk, ..PART },
    TENTH_TIME,
    PlanPart { fixture: "server", slow_rounds: 1, ..PART },
    PlanPart { fixture: "server", network: Network::Throttled, ..PART },
    PlanPart { fixture: "workspace", ..PART },
    PlanPart { fixture: "workspace", network: Network::Throttled, rounds: 2, ..PART },
    PlanPart { fixture: "large", rounds: 2, ..PART },
    PlanPart { fixture: "large", network: Network::Throttled, rounds: 1, ..PART },
];

/// The tenth install in a row, where the file system has seen the nine before.
const TENTH_TIME: PlanPart = PlanPart {
    filesystem: Filesystem::Disk,
    tools: ToolSelection::RuskAndBun,
    scenarios: &[scenario::AGAIN],
    ..PART
};

/// Each has twice the packages of the previous one.
pub const GENERATED: [&str; 4] = ["generated-2500", "generated-5000", "generated-10000", "generated-20000"];
const SCALING: PlanPart = PlanPart {
    tools: ToolSelection::RuskAndBun,
    scenarios: &["cache+lockfile", "cache", "all-three"],
    ..PART
};

fn default_parts() -> Vec<PlanPart> {
    let growth = GENERATED.map(|fixture| PlanPart { fixture, ..SCALING });
    PARTS.iter().copied().chain(growth).collect()
}

/// Every fixture on every file system, throttled and unthrottled, with every tool.
fn all_parts() -> Vec<PlanPart> {
    let mut parts = Vec::new();
    for fixture in fixture::COMMITTED {
        for filesystem in [Filesystem::Tmpfs, Filesystem::Disk] {
            for network in [Network::Unthrottled, Network::Throttled] {
                parts.push(PlanPart {
                    fixture,
                    filesystem,
                    network,
                    tools: ToolSelection::All,
                    slow_rounds: 1,
                    ..PART
                });
            }
        }
    }
    parts.push(TENTH_TIME);
    parts.extend(GENERATED.map(|fixture| PlanPart { fixture, ..SCALING }));
    parts
}

/// Parses the arguments.
pub fn parse(arguments: &[String]) -> Result<BenchPlan, String> {
    let mut plan = BenchPlan { sessions: Vec::new(), rusk: None, baseline: None, store: true };
    let mut selection = Selection::default();
    let mut parts = default_parts();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
        match argument.as_str() {
            "--rusk" => plan.rusk = Some(value()?.into()),
            "--baseline" => plan.baseline = Some(value()?.into()),
            "--no-keep" => plan.store = false,
            "--complete" => parts = all_parts(),
            flag => selection.add(flag, value()?)?,
        }
    }
    if plan.baseline.is_some() {
        selection.set_for_baseline();
    }
    plan.sessions = match selection.is_empty() {
        true => parts.iter().map(session).collect(),
        false => selection.sessions(),
    };
    for session in &mut plan.sessions {
        session.rounds = selection.rounds.unwrap_or(session.rounds);
        session.slow_rounds = selection.rounds.unwrap_or(session.slow_rounds);
    }
    Ok(plan)
}

impl Selection {
    fn add(&mut self, flag: &str, value: &str) -> Result<(), String> {
        match flag {
            "--fixture" => {
                if !fixture::COMMITTED.contains(&value) && !value.starts_with("generated-") {
                    return Fixture::find(value).map(drop);
                }
                self.fixtures.push(value.to_owned());
            }
            // Tools get homes below this path and run in other directories, so the path must be
            // absolute.
            "--in" => {
                let directory = std::path::absolute(value).map_err(|error| format!("{value}: {error}"))?;
                if !directory.is_dir() {
                    return Err(format!("expected a directory after `--in`, found `{value}`"));
                }
                self.directories.push(directory);
            }
            "--throttle" => match value {
                "on" => self.lines.push(Network::Throttled),
                "off" => self.lines.push(Network::Unthrottled),
                _ => return Err(format!("expected `on` or `off` after `--throttle`, found `{value}`")),
            },
            "--scenario" => {
                self.scenarios.push(scenario::find(value).ok_or_else(|| format!("no scenario `{value}`"))?);
            }
            "--tools" => {
                for name in value.split(',') {
                    let known = tool::names().find(|known| *known == name);
                    self.tools.push(known.ok_or_else(|| format!("no tool `{name}`"))?);
                }
            }
            "--rounds" => {
                self.rounds = Some(value.parse().map_err(|_| "expected a number after `--rounds`")?);
            }
            _ => return Err(format!("expected a flag of `bench install`, found `{flag}`")),
        }
        Ok(())
    }

    /// The two builds of rusk, without a cache, from the cache, and with nothing to do, unless the
    /// arguments say otherwise.
    fn set_for_baseline(&mut self) {
        self.tools = vec![tool::RUSK_NAME, tool::BASELINE];
        if self.scenarios.is_empty() {
            self.scenarios.extend(baseline::SCENARIOS.iter().filter_map(|name| scenario::find(name)));
        }
        if self.fixtures.is_empty() {
            self.fixtures.push(baseline::FIXTURE.to_owned());
        }
        self.rounds = self.rounds.or(Some(baseline::ROUNDS));
    }

    /// The number of rounds alone selects nothing.
    fn is_empty(&self) -> bool {
        let Selection { fixtures, directories, lines, scenarios, tools, rounds: _ } = self;
        fixtures.is_empty()
            && directories.is_empty()
            && lines.is_empty()
            && scenarios.is_empty()
            && tools.is_empty()
    }

    /// The application on tmpfs, unthrottled, all tools, the nine scenarios, unless the arguments
    /// say otherwise.
    fn sessions(&self) -> Vec<Session> {
        let base = session(&PlanPart { tools: ToolSelection::All, slow_rounds: 1, ..PART });
        let or = |chosen: &[PathBuf], otherwise: &PathBuf| match chosen.is_empty() {
            true => vec![otherwise.clone()],
            false => chosen.to_vec(),
        };
        let fixtures =
            if self.fixtures.is_empty() { vec![base.fixture.clone()] } else { self.fixtures.clone() };
        let lines = if self.lines.is_empty() { vec![Network::Unthrottled] } else { self.lines.clone() };
        let mut sessions = Vec::new();
        for fixture in &fixtures {
            for directory in or(&self.directories, &base.directory) {
                for &network in &lines {
                    let mut session = Session {
                        fixture: fixture.clone(),
                        directory: directory.clone(),
                        network,
                        ..base.clone()
                    };
                    if !self.scenarios.is_empty() {
                        let chosen = |scenario: &&Scenario| self.scenarios.contains(scenario);
                        session.scenarios = scenario::ALL.iter().filter(chosen).copied().collect();
                    }
                    if !self.tools.is_empty() {
                        session.tools = tool::names().filter(|name| self.tools.contains(name)).collect();
                        session.limits_variants = false;
                    }
                    sessions.push(session);
                }
            }
        }
        sessions
    }
}

fn session(part: &PlanPart) -> Session {
    let is_chosen = |name: &&str| match part.tools {
        _ if part.slow_rounds == 0 && tool::is_slow(name) => false,
        ToolSelection::All => true,
        ToolSelection::Plain => !tool::is_variant(name),
        ToolSelection::RuskAndBun => ["rusk", "bun"].contains(name),
    };
    let is_selected = |scenario: &&Scenario| part.scenarios.contains(&scenario.name);
    Session {
        fixture: part.fixture.to_owned(),
        directory: match part.filesystem {
            Filesystem::Tmpfs => PathBuf::from(MEMORY),
            Filesystem::Disk => files::target(),
        },
        network: part.network,
        scenarios: scenario::ALL.iter().filter(is_selected).copied().collect(),
        tools: tool::names().filter(is_chosen).collect(),
        limits_variants: true,
        rounds: part.rounds,
        slow_rounds: part.slow_rounds,
    }
}

impl Session {
    /// Whether a tool takes part in a scenario.
    pub fn has(&self, tool: &str, scenario: Scenario) -> bool {
        let suits_floor = scenario.lockfile && !scenario.modules && scenario.change != Change::Manifest;
        if tool::is_floor(tool) && (!suits_floor || self.network == Network::Throttled) {
            return false;
        }
        let suits_variants = scenario.cache && scenario.lockfile && scenario.change == Change::Nothing;
        !self.limits_variants || !tool::is_variant(tool) || suits_variants
    }
}

#[cfg(test)]
mod tests;
