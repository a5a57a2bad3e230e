//! `bench install --baseline PATH`: two builds of rusk in turn, for the cost of a change. In: the
//! sampled scenarios. Out: a table of ratios, targets, `bench/results/baseline.json`.

use super::fixture::Fixture;
use super::plan::BenchPlan;
use super::results::Results;
use super::tool::{BASELINE, RUSK_NAME, Tool};
use crate::bench::runtime::row::{self, RuntimeRow, RuntimeTarget};
use crate::bench::spawn::results::load_average;
use crate::process;
use crate::report::Json;
use std::path::Path;

pub const NAME: &str = "baseline";
pub const FIXTURE: &str = "generated-700";
pub const SCENARIOS: [&str; 3] = ["nothing", "cache+lockfile", "all-three"];
/// Differences of one percent are looked for.
pub const ROUNDS: usize = 40;

const WALL: &str = "wall, ms";
const CPU: &str = "CPU, ms";

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("cold install: CPU time, relative to the baseline", ["nothing", CPU], Some(BASELINE), 1.02),
    row::target("cold install: time, relative to the baseline", ["nothing", WALL], Some(BASELINE), 1.02),
    row::target(
        "warm install: CPU time, relative to the baseline",
        ["cache+lockfile", CPU],
        Some(BASELINE),
        1.02,
    ),
    row::target("idle install: CPU time, relative to the baseline", ["all-three", CPU], Some(BASELINE), 1.02),
];

/// Measures, prints, stores the results.
pub fn run(plan: &BenchPlan, mut tools: Vec<Tool>, baseline: &Path) -> Result<(), String> {
    let program = baseline.canonicalize().map_err(|error| format!("{}: {error}", baseline.display()))?;
    tools.retain(|tool| [RUSK_NAME, BASELINE].contains(&tool.name));
    let other = tools.iter_mut().find(|tool| tool.name == BASELINE);
    other.expect("it has a row").program = program;
    let load = load_average();
    for session in &plan.sessions {
        let mut results = Results::default();
        super::measure(session, &Fixture::find(&session.fixture)?, &tools, &mut results, &mut |_| Ok(()))?;
        let rows = rows(&results);
        row::print(&rows, TARGETS);
        if plan.store {
            let version = |tool: &Tool| {
                let version = process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
                (tool.name.to_owned(), Json::text(version))
            };
            row::store(NAME, tools.iter().map(version).collect(), &load, session.rounds, &rows)?;
        }
    }
    Ok(())
}

fn rows(results: &Results) -> Vec<RuntimeRow> {
    let mut rows = Vec::new();
    for row in &results.rows {
        for sample in &row.samples {
            for (what, ms) in [(WALL, sample.wall_ms), (CPU, sample.cpu_ms)] {
                row::add_sample(&mut rows, [&row.scenario, what, &row.tool], ms);
            }
        }
    }
    rows
}
