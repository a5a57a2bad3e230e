//! The HTML page of a trace report: one file without a script that loads no other resources. In:
//! a report. Out: its text: numbers, bars by time, latencies as a map, paths, the tree of processes
//! over time.

mod heatmap;
mod process_tree;

use rusk_observe::Report;
use rusk_observe::paths::PathCount;
use rusk_observe::report::{PathLookups, ReportRow};
use rusk_observe::table::{operation_name, overhead, phase_name, suggestion, time};

use crate::timeline::format::{count, escaped};

/// Content security policy: the page may load nothing.
const CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Rows that are always shown; the others are in a `details` element.
const ROWS: usize = 20;
/// Rows of a process's own table.
const MEMBER_ROWS: usize = 12;

pub fn render(report: &Report) -> String {
    let title = escaped(&report.command.join(" "));
    let parts = [
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n".to_owned(),
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{CONTENT_SECURITY_POLICY}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n".to_owned(),
        format!("<title>{title}: system calls</title>\n<style>\n"),
        include_str!("page.css").to_owned(),
        "</style>\n</head>\n<body>\n".to_owned(),
        header(report, &title),
        phases(report),
        calls(report, "Calls that work", false),
        calls(report, "Calls that wait", true),
        heatmap::section(report),
        errors(report),
        patterns(report),
        paths(&report.lookups),
        process_tree::section(report),
        footer(report),
        "</body>\n</html>\n".to_owned(),
    ];
    parts.concat()
}

fn header(report: &Report, title: &str) -> String {
    let watch = &report.info;
    let affinity = match (watch.collector, watch.is_pinned) {
        ("ptrace", true) => ", tracer and program pinned to one CPU",
        _ => "",
    };
    let window = match (watch.until.as_str(), watch.is_condition_met) {
        ("exit", _) => String::new(),
        (until, true) => format!(" Traced until {}.", escaped(until)),
        (until, false) => format!(" It was to be traced until {}, which did not happen.", escaped(until)),
    };
    let lost = match watch.lost {
        0 => String::new(),
        lost => format!(" {} records were lost and are not counted.", count(lost)),
    };
    let work: u64 = report.rows.iter().filter(|row| !row.waits).map(|row| row.stats.total_ns).sum();
    let errors: u64 = report.rows.iter().map(|row| row.stats.error_count()).sum();
    let tiles = [
        (time(watch.wall_ns), "total"),
        (count(report.count()), "calls"),
        (time(work), "in calls that work"),
        (count(errors), "errors"),
        (count(report.processes_count()), "processes"),
        (count(report.threads()), "threads"),
    ];
    let tiles: Vec<String> =
        tiles.iter().map(|(number, about)| format!("<li><b>{number}</b> {about}</li>\n")).collect();
    format!(
        "<header>\n<h1>{title}</h1>\n<p class=\"meta\">Collected by {}{affinity}, overhead {}.{window}{lost}</p>\n\
         <ul class=\"tiles\">\n{}</ul>\n</header>\n",
        watch.collector,
        overhead(report),
        tiles.concat()
    )
}

/// A bar is as long as the phase's share of the whole.
fn phases(report: &Report) -> String {
    let whole = report.info.wall_ns.max(1) as f64;
    let lines = report.phases.iter().map(|stage| {
        format!(
            "<tr><td style=\"padding-left:{}em\"><b>{}</b></td><td class=\"bar\"><i class=\"work\" style=\"width:{:.2}%\"></i></td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
            stage.depth,
            escaped(phase_name(stage).trim_start()),
            (100.0 * stage.wall_ns as f64 / whole).min(100.0),
            time(stage.wall_ns),
            count(stage.count()),
            count(stage.errors()),
            time(stage.time_ns(false)),
            time(stage.time_ns(true)),
        )
    });
    match report.phases.is_empty() {
        true => String::new(),
        false => format!(
            "<section>\n<h2>Phases</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>phase</th><th></th><th class=\"n\">took</th>\
             <th class=\"n\">calls</th><th class=\"n\">errors</th><th class=\"n\">work</th><th class=\"n\">waiting</th></tr></thead>\n\
             <tbody>\n{}</tbody>\n</table></div>\n</section>\n",
            lines.collect::<String>()
        ),
    }
}

fn calls(report: &Report, title: &str, waits: bool) -> String {
    let rows: Vec<&ReportRow> = report.rows.iter().filter(|row| row.waits == waits).collect();
    if rows.is_empty() {
        return String::new();
    }
    let (first, rest) = rows.split_at(rows.len().min(ROWS));
    let rest = match rest {
        [] => String::new(),
        rest => format!(
            "<details><summary class=\"more\">{} more</summary>\n{}</details>\n",
            rest.len(),
            calls_table(rest)
        ),
    };
    format!("<section>\n<h2>{title}</h2>\n{}{rest}</section>\n", calls_table(first))
}

/// A bar is as long as the call's share of the longest one's time.
fn calls_table(rows: &[&ReportRow]) -> String {
    let longest = rows.iter().map(|row| row.stats.total_ns).max().unwrap_or_default().max(1);
    let lines = rows.iter().map(|row| {
        let (stats, times) = (&row.stats, &row.stats.times);
        let class = if row.waits { "wait" } else { "work" };
        let share = 100.0 * stats.total_ns as f64 / longest as f64;
        let errors = if stats.error_count() == 0 { String::new() } else { count(stats.error_count()) };
        format!(
            "<tr><td><b>{}</b></td><td class=\"bar\"><i class=\"{class}\" style=\"width:{share:.2}%\"></i></td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{errors}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td></tr>\n",
            escaped(&row.name),
            time(stats.total_ns),
            count(stats.count()),
            time(times.percentile(50)),
            time(times.percentile(90)),
            time(times.percentile(99)),
            time(times.max()),
        )
    });
    format!(
        "<div class=\"wide\"><table>\n<thead><tr><th>call</th><th></th><th class=\"n\">time</th><th class=\"n\">calls</th>\
         <th class=\"n\">errors</th><th class=\"n\">p50</th><th class=\"n\">p90</th><th class=\"n\">p99</th><th class=\"n\">max</th>\
         </tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
        lines.collect::<String>()
    )
}

fn errors(report: &Report) -> String {
    let errors = report.errors();
    if errors.is_empty() {
        return String::new();
    }
    let rows = errors.iter().map(|(name, sum, calls)| {
        let calls: Vec<String> =
            calls.iter().map(|(call, times)| format!("{} {}", escaped(call), count(*times))).collect();
        format!(
            "<tr><td><b>{name}</b></td><td class=\"n\">{}</td><td>{}</td></tr>\n",
            count(*sum),
            calls.join(", ")
        )
    });
    table("Errors", &["error", "#times", "of"], rows)
}

fn patterns(report: &Report) -> String {
    let rows = report.patterns.iter().map(|pattern| {
        let (text, suggestion) = (escaped(&pattern.text), escaped(&suggestion(pattern)));
        format!(
            "<tr><td class=\"n\">{}</td><td><code>{text}</code></td><td>{suggestion}</td></tr>\n",
            count(pattern.misses)
        )
    });
    table("Failed lookups by remedy", &["#lookups", "path", "remedy"], rows)
}

fn paths(looks: &[PathLookups]) -> String {
    let of = |looks: &PathLookups| {
        let title = format!(
            "{}: {} lookups, {} failed",
            operation_name(looks.operation),
            count(looks.count),
            count(looks.failed)
        );
        let row = |found: &PathCount| {
            format!(
                "<tr><td class=\"n\">{}</td><td><code>{}</code></td></tr>\n",
                count(found.count),
                escaped(&found.path)
            )
        };
        let sides = [
            table_of(&["#times", "most frequent"], looks.top.iter().map(row)),
            table_of(&["#times", "most frequent failures"], looks.top_failed.iter().map(row)),
        ];
        format!("<h3>{title}</h3>\n<div class=\"sides\">{}</div>\n", sides.concat())
    };
    match looks.is_empty() {
        true => String::new(),
        false => {
            format!("<section>\n<h2>Paths</h2>\n{}</section>\n", looks.iter().map(of).collect::<String>())
        }
    }
}

/// Empty if there are no rows.
fn table(title: &str, heads: &[&str], rows: impl Iterator<Item = String>) -> String {
    match table_of(heads, rows) {
        table if table.is_empty() => table,
        table => format!("<section>\n<h2>{title}</h2>\n{table}</section>\n"),
    }
}

/// A heading that starts with `#` is above numbers.
fn table_of(heads: &[&str], rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.collect();
    let heads = heads.iter().map(|head| match head.strip_prefix('#') {
        Some(head) => format!("<th class=\"n\">{head}</th>"),
        None => format!("<th>{head}</th>"),
    });
    match rows.is_empty() {
        true => rows,
        false => format!(
            "<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
            heads.collect::<String>()
        ),
    }
}

fn footer(report: &Report) -> String {
    let left_out = match report.dropped_lookups {
        0 => String::new(),
        several => format!("{} lookups of further paths are left out. ", count(several)),
    };
    format!(
        "<footer><p>{left_out}Percentiles are within an eighth; counts, sums and the longest are exact. The overhead of the \
         collector, measured with test calls, is subtracted from the times of ptrace. This page has no script and loads no other resources. \
         It contains the arguments of the command and paths of this computer.</p></footer>\n"
    )
}

#[cfg(test)]
mod tests;
