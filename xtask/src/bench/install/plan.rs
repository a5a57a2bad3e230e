//! What one call of `bench install` measures, part by part. In: its arguments. Out: sessions, each
//! one fixture in one place. Without a selection it is what answers most within half an hour;
//! `--complete` is everything; a selection is just that.

use super::fixture::{self, Fixture};
use super::results::Line;
use super::scenario::{self, Change, Scenario};
use super::tool;
use crate::place;
use std::path::PathBuf;

/// Where Linux mounts a tmpfs that everybody may write to.
pub const MEMORY: &str = "/dev/shm";

/// One fixture, in one place, with the brake or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub fixture: String,
    pub folder: PathBuf,
    pub line: Line,
    /// In the order of [`scenario::ALL`].
    pub scenarios: Vec<Scenario>,
    /// In the order of the tables.
    pub tools: Vec<&'static str>,
    /// Variants only where a cache and a lockfile are there, which is what they are for.
    pub limits_variants: bool,
    pub rounds: usize,
    /// Of tools that are slow.
    pub slow_rounds: usize,
}

pub struct Plan {
    pub sessions: Vec<Session>,
    pub rusk: Option<PathBuf>,
    pub keep: bool,
}

/// What the arguments select; nothing where they say nothing.
#[derive(Default)]
struct Selection {
    fixtures: Vec<String>,
    folders: Vec<PathBuf>,
    lines: Vec<Line>,
    scenarios: Vec<Scenario>,
    tools: Vec<&'static str>,
    rounds: Option<usize>,
}

/// A part of the benchmark.
#[derive(Clone, Copy)]
struct Part {
    fixture: &'static str,
    filesystem: Filesystem,
    line: Line,
    tools: Tools,
    scenarios: &'static [&'static str],
    rounds: usize,
    /// Without any, slow tools are left out.
    slow_rounds: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filesystem {
    Tmpfs,
    /// Where the repository stands.
    Disk,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tools {
    All,
    Plain,
    /// Those that take part in the questions that only they answer.
    RuskAndBun,
}

const NINE: &[&str] = &scenario::PUBLISHED;

const PART: Part = Part {
    fixture: "application",
    filesystem: Filesystem::Tmpfs,
    line: Line::Free,
    tools: Tools::Plain,
    scenarios: NINE,
    rounds: 3,
    slow_rounds: 0,
};

const PARTS: &[Part] = &[
    Part { tools: Tools::All, rounds: 5, slow_rounds: 1, ..PART },
    Part { line: Line::Braked, slow_rounds: 1, ..PART },
    Part { filesystem: Filesystem::Disk, ..PART },
    TENTH_TIME,
    Part { fixture: "server", slow_rounds: 1, ..PART },
    Part { fixture: "server", line: Line::Braked, ..PART },
    Part { fixture: "workspace", ..PART },
    Part { fixture: "workspace", line: Line::Braked, rounds: 2, ..PART },
    Part { fixture: "large", rounds: 2, ..PART },
    Part { fixture: "large", line: Line::Braked, rounds: 1, ..PART },
];

/// The tenth time in a row, where a file system remembers the nine before.
const TENTH_TIME: Part =
    Part { filesystem: Filesystem::Disk, tools: Tools::RuskAndBun, scenarios: &[scenario::AGAIN], ..PART };

/// Each has twice the packages of the one before.
pub const GENERATED: [&str; 4] = ["generated-2500", "generated-5000", "generated-10000", "generated-20000"];
const SCALING: Part =
    Part { tools: Tools::RuskAndBun, scenarios: &["cache+lockfile", "cache", "all-three"], ..PART };

fn default_parts() -> Vec<Part> {
    let growth = GENERATED.map(|fixture| Part { fixture, ..SCALING });
    PARTS.iter().copied().chain(growth).collect()
}

/// Every fixture on every file system, with the brake and without, by every tool.
fn all_parts() -> Vec<Part> {
    let mut parts = Vec::new();
    for fixture in fixture::COMMITTED {
        for filesystem in [Filesystem::Tmpfs, Filesystem::Disk] {
            for line in [Line::Free, Line::Braked] {
                parts.push(Part { fixture, filesystem, line, tools: Tools::All, slow_rounds: 1, ..PART });
            }
        }
    }
    parts.push(TENTH_TIME);
    parts.extend(GENERATED.map(|fixture| Part { fixture, ..SCALING }));
    parts
}

/// Reads the arguments.
pub fn parse(arguments: &[String]) -> Result<Plan, String> {
    let mut plan = Plan { sessions: Vec::new(), rusk: None, keep: true };
    let mut selection = Selection::default();
    let mut parts = default_parts();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
        match argument.as_str() {
            "--rusk" => plan.rusk = Some(value()?.into()),
            "--no-keep" => plan.keep = false,
            "--complete" => parts = all_parts(),
            flag => selection.add(flag, value()?)?,
        }
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
            // Tools are told of homes below it, and run elsewhere.
            "--in" => {
                let folder = std::path::absolute(value).map_err(|error| format!("{value}: {error}"))?;
                if !folder.is_dir() {
                    return Err(format!("expected a folder after `--in`, found `{value}`"));
                }
                self.folders.push(folder);
            }
            "--brake" => match value {
                "on" => self.lines.push(Line::Braked),
                "off" => self.lines.push(Line::Free),
                _ => return Err(format!("expected `on` or `off` after `--brake`, found `{value}`")),
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

    /// The number of rounds alone selects nothing.
    fn is_empty(&self) -> bool {
        let Selection { fixtures, folders, lines, scenarios, tools, rounds: _ } = self;
        fixtures.is_empty()
            && folders.is_empty()
            && lines.is_empty()
            && scenarios.is_empty()
            && tools.is_empty()
    }

    /// The application on tmpfs without a brake, all tools and the nine scenarios, except where
    /// something else is said.
    fn sessions(&self) -> Vec<Session> {
        let base = session(&Part { tools: Tools::All, slow_rounds: 1, ..PART });
        let or = |chosen: &[PathBuf], otherwise: &PathBuf| match chosen.is_empty() {
            true => vec![otherwise.clone()],
            false => chosen.to_vec(),
        };
        let fixtures =
            if self.fixtures.is_empty() { vec![base.fixture.clone()] } else { self.fixtures.clone() };
        let lines = if self.lines.is_empty() { vec![Line::Free] } else { self.lines.clone() };
        let mut sessions = Vec::new();
        for fixture in &fixtures {
            for folder in or(&self.folders, &base.folder) {
                for &line in &lines {
                    let mut session =
                        Session { fixture: fixture.clone(), folder: folder.clone(), line, ..base.clone() };
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

fn session(part: &Part) -> Session {
    let is_chosen = |name: &&str| match part.tools {
        _ if part.slow_rounds == 0 && tool::is_slow(name) => false,
        Tools::All => true,
        Tools::Plain => !tool::is_variant(name),
        Tools::RuskAndBun => ["rusk", "bun"].contains(name),
    };
    let is_asked = |scenario: &&Scenario| part.scenarios.contains(&scenario.name);
    Session {
        fixture: part.fixture.to_owned(),
        folder: match part.filesystem {
            Filesystem::Tmpfs => PathBuf::from(MEMORY),
            Filesystem::Disk => place::target(),
        },
        line: part.line,
        scenarios: scenario::ALL.iter().filter(is_asked).copied().collect(),
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
        if tool::is_floor(tool) && (!suits_floor || self.line == Line::Braked) {
            return false;
        }
        let suits_variants = scenario.cache && scenario.lockfile && scenario.change == Change::Nothing;
        !self.limits_variants || !tool::is_variant(tool) || suits_variants
    }
}

#[cfg(test)]
mod tests;
