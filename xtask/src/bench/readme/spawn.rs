//! Tables of `bench spawn`: the targets, then each measure with a row per scenario and a column per
//! method. Medians in microseconds. Runtimes also have a chart.

use crate::bench::results_file::{self, grouped, members, number_of};
use crate::bench::spawn::Comparison;
use crate::bench::spawn::results;
use crate::bench::spawn::results::{Measure, SampleSummary, SpawnRow};
use crate::bench::spawn::scenario::{self, Scenario, Watch};
use crate::bench::spawn::targets::{self, SpawnTarget};
use rusk_npm::json::Node;
use rusk_testkit::bar_chart::{self, Bar, Panel, Theme};
use std::fmt::Write;

/// docs/performance/spawn.md: ways to start a process.
pub fn tables() -> Result<String, String> {
    let file = results::file(&Comparison::Library);
    match results_file::find(file) {
        Some(text) => draw(&results_file::parse(file, &text)?, file, "../../", targets::OF_LIBRARY, TABLES),
        None => Ok("\nNo results are stored: `cargo xtask bench spawn` makes them.\n".to_owned()),
    }
}

const RUNTIMES: Comparison = Comparison::Runtimes { rusk: None, node: None };

/// docs/performance/runtime.md: runtimes compared with each other.
pub fn runtimes() -> Result<String, String> {
    let file = results::file(&RUNTIMES);
    let Some(text) = results_file::find(file) else {
        return Ok("\nNo results are stored: `cargo xtask bench spawn --runtimes` makes them.\n".to_owned());
    };
    let rendered =
        draw(&results_file::parse(file, &text)?, file, "../../", targets::OF_RUNTIMES, OF_RUNTIMES)?;
    let [light, dark] = Theme::ALL.map(picture_file);
    Ok(format!(
        "\n<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\n  \
         <img alt=\"Time to start a process: bars for each runtime in four scenarios\" src=\"{light}\">\n</picture>\n{rendered}"
    ))
}

/// The file of the chart, in `docs/performance`.
pub fn picture_file(theme: Theme) -> String {
    format!("spawn-{}.svg", theme.name())
}

/// The chart of runtimes; `None` if nothing was measured for it.
pub fn picture(theme: Theme) -> Result<Option<String>, String> {
    let file = results::file(&RUNTIMES);
    let Some(text) = results_file::find(file) else { return Ok(None) };
    let rows = rows(&results_file::parse(file, &text)?);
    let panels: Vec<Panel> = PANELS.iter().map(|panel| panel.draw(&rows)).collect();
    Ok(Some(bar_chart::draw("Starting a process from JavaScript", &panels, theme)))
}

struct Charted {
    title: &'static str,
    scenario: &'static str,
    measure: Measure,
    /// Appended to the name of a runtime, gives the method.
    suffix: &'static str,
}

const PANELS: &[Charted] = &[
    Charted {
        title: "waited for, three pipes",
        scenario: "pipes",
        measure: Measure::Reaped,
        suffix: " sync",
    },
    Charted {
        title: "waited for, 10,000 open",
        scenario: "open-10000-pipes",
        measure: Measure::Reaped,
        suffix: " sync",
    },
    Charted {
        title: "waited for, 1 GiB touched",
        scenario: "gib-pipes",
        measure: Measure::Reaped,
        suffix: " sync",
    },
    Charted { title: "loop blocked, three pipes", scenario: "pipes", measure: Measure::Call, suffix: "" },
    Charted {
        title: "loop blocked, 10,000 open",
        scenario: "open-10000-pipes",
        measure: Measure::Call,
        suffix: "",
    },
    Charted {
        title: "loop blocked, 1 GiB touched",
        scenario: "gib-pipes",
        measure: Measure::Call,
        suffix: "",
    },
];

impl Charted {
    fn draw(&self, rows: &[SpawnRow]) -> Panel {
        let bar = |name: &'static str| {
            let method = format!("{name}{}", self.suffix);
            let row = rows.iter().find(|row| row.is(self.scenario, &method) && row.failure.is_none());
            let summary = row.and_then(|row| row.find(self.measure));
            Bar {
                label: name.to_owned(),
                ms: summary.map(|summary| summary.p50 / 1000.0),
                absent: "not measured",
                is_own: name == "rusk",
            }
        };
        Panel { title: self.title.to_owned(), bars: ["rusk", "bun", "node", "deno"].map(bar).into() }
    }
}

/// A table of one number per row.
struct Table {
    description: &'static str,
    measure: Measure,
    of: fn(&SampleSummary) -> f64,
    shows: fn(&Scenario) -> bool,
    /// Which methods have a column. Synchronous methods end in ` sync`: their call returns when the
    /// child has exited.
    columns: Columns,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    All,
    Waiting,
    Others,
}

fn is_plain(scenario: &Scenario) -> bool {
    scenario.watch == Watch::Reaped
}

const TABLES: &[Table] = &[
    Table {
        description: "The call returns after",
        measure: Measure::Call,
        of: |summary| summary.p50,
        shows: |scenario| scenario.watch != Watch::Timer,
        columns: Columns::Others,
    },
    Table {
        description: "The program runs, and the parent can know it, after",
        measure: Measure::Exec,
        of: |summary| summary.p50,
        shows: |scenario| is_plain(scenario) && scenario.flight == 1,
        columns: Columns::Others,
    },
    Table {
        description: "The child is reaped after",
        measure: Measure::Reaped,
        of: |summary| summary.p50,
        shows: is_plain,
        columns: Columns::Others,
    },
    Table {
        description: "The child is reaped after, mean",
        measure: Measure::Reaped,
        of: |summary| summary.mean,
        shows: |scenario| scenario.name == "plain",
        columns: Columns::All,
    },
    Table {
        description: "Processor time of the parent, each child, mean",
        measure: Measure::ParentCpu,
        of: |summary| summary.mean,
        shows: is_plain,
        columns: Columns::Others,
    },
    Table {
        description: "Processor time of the child itself, mean",
        measure: Measure::ChildCpu,
        of: |summary| summary.mean,
        shows: is_plain,
        columns: Columns::Others,
    },
    Table {
        description: "Children a second",
        measure: Measure::PerSecond,
        of: |summary| summary.p50,
        shows: |scenario| scenario.flight > 1,
        columns: Columns::Others,
    },
    Table {
        description: "How late a 1 kHz timer of another thread is meanwhile, 99th percentile",
        measure: Measure::TimerDelay,
        of: |summary| summary.p99,
        shows: |scenario| scenario.watch == Watch::Timer,
        columns: Columns::Others,
    },
];

const OF_RUNTIMES: &[Table] = &[
    Table {
        description: "Waited for (`spawnSync`)",
        measure: Measure::Reaped,
        of: |summary| summary.p50,
        shows: |scenario| scenario.flight == 1,
        columns: Columns::Waiting,
    },
    Table {
        description: "The loop is blocked by `spawn` for",
        measure: Measure::Call,
        of: |summary| summary.p50,
        shows: |_| true,
        columns: Columns::Others,
    },
    Table {
        description: "The exit of the child is reported after",
        measure: Measure::Reaped,
        of: |summary| summary.p50,
        shows: |_| true,
        columns: Columns::Others,
    },
    Table {
        description: "Processor time of the parent, each child, mean",
        measure: Measure::ParentCpu,
        of: |summary| summary.mean,
        shows: |_| true,
        columns: Columns::All,
    },
];

fn rows(root: &Node<'_>) -> Vec<SpawnRow> {
    root.find("rows").map(Node::elements).unwrap_or_default().iter().map(SpawnRow::read).collect()
}

/// `root_directory`: relative path from the document to the root.
fn draw(
    root: &Node<'_>,
    file: &str,
    root_directory: &str,
    targets: &[SpawnTarget],
    tables: &[Table],
) -> Result<String, String> {
    let rows = rows(root);
    let methods = root.find("methods").map(Node::elements).unwrap_or_default();
    let methods: Vec<&str> = methods.iter().filter_map(Node::as_str).collect();
    let rounds = results_file::text(root, "rounds").parse().map_err(|_| format!("{file}: no `rounds`"))?;
    let mut out = format!("\n{}", results_file::run_line(root, rounds));
    for (name, version) in members(root, "versions") {
        let _ = write!(out, ", {name} {}", number_of(version));
    }
    let _ = writeln!(out, "; load before: {}\n", results_file::text(root, "load_before"));
    out.push_str(&target_table(targets, &rows));
    for table in tables {
        out.push_str(&table.draw(&rows, &methods));
    }
    let _ = writeln!(out, "\nEvery round: [bench/results/{file}]({root_directory}bench/results/{file})");
    Ok(out)
}

fn target_table(targets: &[SpawnTarget], rows: &[SpawnRow]) -> String {
    let mut out = results_file::table_head(&["target", "measured", "result"].map(str::to_owned));
    for target in targets {
        let (found, verdict) = target.verdict(rows);
        let cells = [target.target_text(), found, verdict.to_owned()];
        out.push_str(&results_file::table_line(target.description, cells.into_iter()));
    }
    out
}

impl Table {
    /// Methods without any number in it have no column.
    fn draw(&self, rows: &[SpawnRow], methods: &[&str]) -> String {
        let is_measured = |scenario: &Scenario| rows.iter().any(|row| row.scenario == scenario.name);
        let has_line = |scenario: &&Scenario| (self.shows)(scenario) && is_measured(scenario);
        let scenarios: Vec<&Scenario> = scenario::ALL.iter().filter(has_line).collect();
        let number = |scenario: &Scenario, method: &str| {
            let row = rows.iter().find(|row| row.is(scenario.name, method) && row.failure.is_none())?;
            row.find(self.measure).map(self.of)
        };
        let is_shown = |method: &&&str| {
            let waits = method.ends_with(" sync");
            let fits = match self.columns {
                Columns::All => true,
                Columns::Waiting => waits,
                Columns::Others => !waits,
            };
            fits && scenarios.iter().any(|scenario| number(scenario, method).is_some())
        };
        let methods: Vec<&&str> = methods.iter().filter(is_shown).collect();
        let heads: Vec<String> = methods.iter().map(|method| (**method).to_owned()).collect();
        let mut out = format!("\n{}:\n\n{}", self.description, results_file::table_head(&heads));
        for scenario in scenarios {
            let cells = methods.iter().map(|method| number(scenario, method).map_or("–".to_owned(), shown));
            out.push_str(&results_file::table_line(scenario.description, cells));
        }
        out
    }
}

fn shown(number: f64) -> String {
    grouped(&if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") })
}

#[cfg(test)]
mod tests;
