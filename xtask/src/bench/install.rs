//! `bench install`: times every package manager in every scenario. Tools take turns within each
//! round and share one project directory, so that the state of the file system affects all of them
//! alike; one local registry serves all of them. In: arguments. Out: tables, targets,
//! `bench/results/install-….json`.

pub mod baseline;
pub mod fixture;
pub mod floor;
pub mod generator;
mod network_probe;
pub mod plan;
mod recorder;
pub mod recording;
pub mod registry;
pub mod results;
pub mod row;
pub mod scenario;
mod table;
pub mod targets;
mod throttle;
pub mod tool;
mod tree;
mod work_directory;

use crate::{peers, process, report};
use fixture::Fixture;
use plan::Session;
use registry::{OnMissing, Registry};
use results::{Network, Results, ResultsKey, Run};
use row::InstallRow;
use scenario::Scenario;
use std::collections::BTreeMap;
use throttle::Throttle;
use tool::Tool;
use work_directory::WorkDirectory;

/// Measures scenario by scenario, so that a run can be stopped. A missed target is reported, and is
/// not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let plan = plan::parse(arguments)?;
    let rusk = match &plan.rusk {
        Some(program) => program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?,
        None => peers::rusk()?,
    };
    if plan.sessions.iter().any(|session| session.tools.iter().any(|name| tool::is_floor(name))) {
        peers::build("xtask")?;
    }
    let tools = Tool::all(&rusk, &peers::install()?);
    if let Some(program) = &plan.baseline {
        return baseline::run(&plan, tools, program);
    }
    let mut all = results::all()?;
    for session in &plan.sessions {
        let fixture = Fixture::find(&session.fixture)?;
        recording::find(&fixture)?;
        let key = ResultsKey::new(&fixture.name, &report::filesystem(&session.directory), session.network);
        let own = all.entry(key.clone()).or_default();
        own.remove_other_machines(&session.directory)?;
        own.versions.extend(versions(&tools, session));
        measure(session, &fixture, &tools, own, &mut |own| {
            if plan.store { own.write(&key, &session.directory) } else { Ok(()) }
        })?;
    }
    targets::print(&all);
    Ok(())
}

/// Measures one session; `store` is called after each scenario.
fn measure(
    session: &Session,
    fixture: &Fixture,
    tools: &[Tool],
    results: &mut Results,
    store: &mut dyn FnMut(&Results) -> Result<(), String>,
) -> Result<(), String> {
    let mut run = Run::start_now();
    let port = if session.network == Network::Unthrottled { registry::PORT } else { registry::UPSTREAM_PORT };
    let _registry = Registry::start(port, OnMissing::NotFound)?;
    let throttle = if session.network == Network::Throttled { Some(Throttle::start()?) } else { None };
    if let Some(throttle) = &throttle {
        (run.round_trip_ms, run.megabytes_per_second) = network_probe::measure(throttle)?;
    }
    let tools: Vec<&Tool> = tools.iter().filter(|tool| session.tools.contains(&tool.name)).collect();
    let work = WorkDirectory::new(&session.directory, fixture, throttle.as_ref(), &session.scenarios)?;
    let failed = prepare(&work, session, &tools);
    for &scenario in &session.scenarios {
        let participants: Vec<&Tool> =
            tools.iter().copied().filter(|tool| session.has(tool.name, scenario)).collect();
        let rows = participants.iter().map(|tool| {
            let failure = failed.get(tool.name).cloned();
            InstallRow { failure, ..InstallRow::new(scenario.name, tool.name, &run.name) }
        });
        let mut rows: Vec<InstallRow> = rows.collect();
        sample(&work, session, scenario, &participants, &mut rows);
        if session.network == Network::Unthrottled {
            count_calls(&work, scenario, &participants, &mut rows);
        }
        results.merge(&run, &rows);
        table::print(session, scenario, results);
        store(results)?;
    }
    work.remove()
}

/// Fills all caches; returns errors by tool.
#[allow(clippy::print_stderr, reason = "a run takes minutes, and prints its progress")]
fn prepare(work: &WorkDirectory<'_>, session: &Session, tools: &[&Tool]) -> BTreeMap<&'static str, String> {
    eprintln!("{}, {}, {}", session.fixture, session.directory.display(), session.network.description());
    let failure = |tool: &&Tool| Some((tool.name, work.prepare(tool).err()?));
    tools.iter().filter_map(failure).collect()
}

/// Each round runs every tool once and starts with the next tool. A tool that fails gets no more
/// samples; its error is stored.
fn sample(
    work: &WorkDirectory<'_>,
    session: &Session,
    scenario: Scenario,
    tools: &[&Tool],
    rows: &mut [InstallRow],
) {
    for round in 0..session.rounds {
        for index in 0..tools.len() {
            let index = (index + round) % tools.len();
            let (tool, row) = (tools[index], &mut rows[index]);
            if row.failure.is_some() || (tool.kind.is_slow && round >= session.slow_rounds) {
                continue;
            }
            match work.sample(tool, scenario) {
                Ok(run) => {
                    row.samples.push(run.sample);
                    row.tree = run.tree;
                }
                Err(message) => row.failure = Some(message),
            }
        }
    }
}

/// A tool that cannot be traced has no count. A slow tool takes minutes under strace, so it is
/// traced only in the main scenarios.
fn count_calls(work: &WorkDirectory<'_>, scenario: Scenario, tools: &[&Tool], rows: &mut [InstallRow]) {
    let is_traced =
        |tool: &Tool| !tool.kind.is_slow || ["all-three", "cache+lockfile"].contains(&scenario.name);
    for (tool, row) in tools.iter().zip(rows).filter(|(tool, row)| is_traced(tool) && row.is_complete()) {
        row.system_calls = work.count_calls(tool, scenario).ok();
    }
}

fn versions(tools: &[Tool], session: &Session) -> Vec<(String, String)> {
    let measured = tools.iter().filter(|tool| session.tools.contains(&tool.name));
    let version = |tool: &Tool| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
    measured.map(|tool| (tool.name.to_owned(), version(tool))).collect()
}
