//! Tables and charts of `bench install`, for README.md and docs/performance/installs.md. Medians,
//! with the spread of the samples in brackets.

use crate::bench::install::plan::GENERATED;
use crate::bench::install::results::{self, Network, Results, ResultsKey};
use crate::bench::install::row::{self, InstallRow};
use crate::bench::install::targets::{self, AllResults};
use crate::bench::install::{fixture, scenario, tool};
use crate::bench::median::spread;
use crate::bench::results_file::{grouped, number_of, table_head, table_line};
use rusk_testkit::bar_chart::{self, Bar, Panel, Theme, duration};
use std::fmt::Write;

const NOTHING_STORED: &str = "\nNo results are stored: `cargo xtask bench install` makes them.\n";

/// The fixture that the charts show.
const CHARTED: &str = "application";
const CHARTED_NETWORKS: [(Network, &str); 2] =
    [(Network::Unthrottled, "unthrottled"), (Network::Throttled, "throttled")];

/// README.md: one chart, and how many targets are reached.
pub fn summary() -> Result<String, String> {
    let results = results::all()?;
    if results.is_empty() {
        return Ok(NOTHING_STORED.to_owned());
    }
    let mut out = pictures(&results, "docs/performance/", &CHARTED_NETWORKS[..1]);
    let passed = targets::ALL.iter().filter(|target| target.verdict(&results).1 == "pass").count();
    let _ = writeln!(
        out,
        "\n{passed} of {} targets are reached: see [docs/performance/installs.md](docs/performance/installs.md).",
        targets::ALL.len()
    );
    Ok(out)
}

/// docs/performance/installs.md: everything.
pub fn tables() -> Result<String, String> {
    let results = results::all()?;
    if results.is_empty() {
        return Ok(NOTHING_STORED.to_owned());
    }
    let mut out = pictures(&results, "", &CHARTED_NETWORKS);
    out.push_str("\n## Targets\n\n");
    out.push_str(&target_table(&results));
    for fixture in fixture::COMMITTED {
        for (key, results) in results.iter().filter(|(key, _)| key.fixture == *fixture) {
            section(&mut out, key, results);
        }
    }
    out.push_str(&scaling(&results));
    Ok(out)
}

/// One chart; `None` if nothing was measured for it.
pub fn picture(network: Network, theme: Theme) -> Result<Option<String>, String> {
    let results = results::all()?;
    let key = ResultsKey::new(CHARTED, "tmpfs", network);
    Ok(results.get(&key).map(|results| draw(&key, results, theme)))
}

/// The file of a chart, in `docs/performance`.
pub fn picture_file(network: Network, theme: Theme) -> String {
    let name = CHARTED_NETWORKS.iter().find(|(known, _)| *known == network).map_or("", |(_, name)| name);
    format!("benchmark-{name}-{}.svg", theme.name())
}

fn draw(key: &ResultsKey, results: &Results, theme: Theme) -> String {
    let bar = |scenario: &str, name: &'static str| {
        let row = results.rows.iter().find(|row| row.is(scenario, name));
        let is_failed = row.is_some_and(|row| row.failure.is_some());
        Bar {
            label: name.to_owned(),
            ms: results.find(scenario, name).map(|row| row.median(row::wall)),
            absent: if is_failed { "failed" } else { "not measured" },
            is_own: name == "rusk",
        }
    };
    let plain: Vec<&str> = tool::names().filter(|name| !tool::is_variant(name)).collect();
    let panels: Vec<Panel> = scenario::PUBLISHED
        .iter()
        .map(|name| Panel {
            title: description(name),
            bars: plain.iter().map(|tool| bar(name, tool)).collect(),
        })
        .collect();
    bar_chart::draw(&format!("Installing {}, by what is there before", title(key, results)), &panels, theme)
}

fn pictures(results: &AllResults, directory: &str, networks: &[(Network, &str)]) -> String {
    let mut out = String::new();
    for &(network, _) in networks {
        let key = ResultsKey::new(CHARTED, "tmpfs", network);
        let Some(results) = results.get(&key) else { continue };
        let file = |theme| format!("{directory}{}", picture_file(network, theme));
        let _ = writeln!(
            out,
            "\n<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\">\n  \
             <img alt=\"Time to install {}: bars for each tool in nine scenarios\" src=\"{}\">\n</picture>",
            file(Theme::Dark),
            title(&key, results),
            file(Theme::Light)
        );
    }
    out
}

/// `the application (699 packages), tmpfs, no throttling`
fn title(key: &ResultsKey, results: &Results) -> String {
    let tree = results.rows.iter().find(|row| row.tool == "rusk" && row.is_complete()).map(|row| row.tree);
    let packages = tree.map(|tree| format!(" ({} packages)", grouped(&tree.packages.to_string())));
    format!(
        "the {}{}, {}, {}",
        key.fixture,
        packages.unwrap_or_default(),
        key.filesystem,
        key.network.description()
    )
}

fn description(name: &str) -> String {
    scenario::find(name).map_or_else(|| name.to_owned(), |scenario| scenario.description.to_owned())
}

fn target_table(results: &AllResults) -> String {
    let mut out = table_head(&["target", "measured", "result", "least"].map(str::to_owned));
    for target in targets::ALL {
        let (found, verdict) = target.verdict(results);
        let cells = [target.target_text(), found, verdict.to_owned(), target.lower_bound(results)];
        out.push_str(&table_line(target.description, cells.into_iter()));
    }
    out
}

/// One file: when and where it was measured, the numbers of each tool, failures.
fn section(out: &mut String, key: &ResultsKey, results: &Results) {
    let _ = writeln!(out, "\n## {}\n", capitalized(&title(key, results)));
    let rounds = results.rows.iter().map(|row| row.samples.len()).max().unwrap_or_default();
    let _ = write!(out, "{}, up to {rounds} rounds: {}", results.date, results.machine);
    for run in &results.runs {
        let _ = write!(out, "; load before: {}", run.load_before);
        if run.round_trip_ms > 0.0 {
            let (ms, rate) = (run.round_trip_ms, run.megabytes_per_second * 8.0);
            let _ = write!(out, "; throttling as measured: {ms:.1} ms, {rate:.0} Mbit/s");
        }
    }
    out.push_str(".\n\n");
    let (plain, variants): (Vec<&str>, Vec<&str>) = tool::names().partition(|name| !tool::is_variant(name));
    for tools in [plain, variants] {
        let measured = |tool: &&str| results.rows.iter().any(|row| row.tool == **tool);
        let tools: Vec<&str> = tools.into_iter().filter(measured).collect();
        if !tools.is_empty() {
            out.push_str(&measures(results, &tools));
        }
    }
    failures(out, results);
    let file = key.file();
    let _ = writeln!(out, "\nEvery sample: [bench/results/{file}](../../bench/results/{file})");
}

/// A number of a row, formatted.
type Shown = (&'static str, fn(&InstallRow) -> Option<String>);

const MEASURES: &[Shown] = &[
    ("wall", |row| {
        let walls = row.list(row::wall);
        let spread =
            if walls.len() > 1 { format!(" ({:.0} %)", 100.0 * spread(&walls)) } else { String::new() };
        Some(format!("{}{spread}", duration(row.median(row::wall))))
    }),
    ("CPU", |row| Some(duration(row.median(row::cpu)))),
    ("peak memory, MiB", |row| Some(format!("{:.0}", row.median(row::peak)))),
    ("system calls", |row| Some(grouped(&row.system_calls?.to_string()))),
    ("files made", |row| Some(grouped(&row.tree.files.to_string()))),
];

/// One table for each measure that has numbers: a row per scenario, a column per tool.
fn measures(results: &Results, tools: &[&str]) -> String {
    let mut out = String::new();
    let heads: Vec<String> = tools
        .iter()
        .map(|tool| {
            format!("{tool} {}", results.versions.get(*tool).map_or("", |version| number_of(version)))
        })
        .collect();
    for (says_measure, shown) in MEASURES {
        let mut lines = String::new();
        for scenario in scenario::PUBLISHED.iter().chain([&scenario::AGAIN]) {
            let cell = |tool: &&str| results.find(scenario, tool).and_then(shown);
            if tools.iter().any(|tool| cell(tool).is_some()) {
                let cells = tools.iter().map(|tool| cell(tool).unwrap_or_else(|| "–".to_owned()));
                lines.push_str(&table_line(&description(scenario), cells));
            }
        }
        if !lines.is_empty() {
            let _ = write!(out, "{}:\n\n{}{lines}\n", capitalized(says_measure), table_head(&heads));
        }
    }
    out
}

/// What could not be measured, and why.
fn failures(out: &mut String, results: &Results) {
    let failed: Vec<&InstallRow> = results.rows.iter().filter(|row| row.failure.is_some()).collect();
    if !failed.is_empty() {
        out.push_str("Failed:\n\n");
    }
    for row in failed {
        let message = row.failure.as_deref().unwrap_or_default().replace('`', "'");
        let _ = writeln!(out, "- {}, {}: `{message}`", row.tool, description(&row.scenario));
    }
}

/// Generated projects, each with twice the packages of the previous one.
fn scaling(results: &AllResults) -> String {
    let results =
        GENERATED.map(|fixture| results.get(&ResultsKey::new(fixture, "tmpfs", Network::Unthrottled)));
    if results.iter().all(Option::is_none) {
        return String::new();
    }
    let heads = GENERATED.map(|name| name.replace("generated-", "") + " packages");
    let mut out = format!(
        "\n## Generated packages, tmpfs, no throttling\n\nTime, and how many times that of half as many packages:\n\n{}",
        table_head(&heads)
    );
    for name in ["cache+lockfile", "cache", "all-three"] {
        for tool in ["rusk", "bun"] {
            let times = results.map(|results| Some(results?.find(name, tool)?.median(row::wall)));
            let cells = (0..times.len()).map(|index| {
                let Some(ms) = times[index] else { return "–".to_owned() };
                let half = index.checked_sub(1).and_then(|before| times[before]);
                let ratio = half.map(|half| format!(" (× {:.2})", ms / half)).unwrap_or_default();
                format!("{}{ratio}", duration(ms))
            });
            out.push_str(&table_line(&format!("{}: {tool}", description(name)), cells));
        }
    }
    out
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + characters.as_str())
}

#[cfg(test)]
mod tests;
