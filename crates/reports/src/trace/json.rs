//! The object that `rusk trace --json` prints, on one line. Its shape is documented in
//! docs/tools/trace.md.

use rusk_npm::json::text::{array, line, object, string};
use rusk_observe::ledger::ExitStatus;
use rusk_observe::miss_patterns::{MissPattern, Suggestion};
use rusk_observe::paths::PathCount;
use rusk_observe::report::{PathLookups, PhaseReport, ProcessReport, Report, ReportRow};
use rusk_observe::syscalls::error_name;
use rusk_observe::table::operation_name;

/// Incremented when the meaning of a member changes; adding a member is compatible.
pub const VERSION: u32 = 1;

pub fn text(report: &Report) -> String {
    let watch = &report.info;
    line(&[
        ("version", VERSION.to_string()),
        ("command", array(report.command.iter().map(|word| string(word)))),
        ("collector", string(watch.collector)),
        ("onOneProcessor", watch.is_pinned.to_string()),
        ("until", string(&watch.until)),
        ("untilReached", watch.is_condition_met.to_string()),
        ("wallNs", watch.wall_ns.to_string()),
        ("overheadNs", watch.overhead_ns.to_string()),
        ("lost", watch.lost.to_string()),
        ("calls", rows(&report.rows)),
        ("paths", looks(&report.lookups)),
        ("pathsLeftOut", report.dropped_lookups.to_string()),
        ("phases", array(report.phases.iter().map(stage))),
        ("patterns", array(report.patterns.iter().map(pattern))),
        ("processes", array(report.processes.iter().map(member))),
    ])
}

fn rows(rows: &[ReportRow]) -> String {
    array(rows.iter().map(|row| {
        let (stats, times) = (&row.stats, &row.stats.times);
        let errors: Vec<(String, String)> =
            stats.errors.iter().map(|(errno, count)| (error_name(*errno), count.to_string())).collect();
        let errors: Vec<(&str, String)> =
            errors.iter().map(|(name, count)| (name.as_str(), count.clone())).collect();
        object(&[
            ("name", string(&row.name)),
            ("waits", row.waits.to_string()),
            ("count", stats.count().to_string()),
            ("errors", object(&errors)),
            ("totalNs", stats.total_ns.to_string()),
            ("p50Ns", times.percentile(50).to_string()),
            ("p90Ns", times.percentile(90).to_string()),
            ("p99Ns", times.percentile(99).to_string()),
            ("maxNs", times.max().to_string()),
            ("octaves", array(times.octaves().iter().map(u64::to_string))),
        ])
    }))
}

fn stage(stage: &PhaseReport) -> String {
    object(&[
        ("name", string(&stage.name)),
        ("depth", stage.depth.to_string()),
        ("beside", stage.is_other_thread.to_string()),
        ("times", stage.times.to_string()),
        ("wallNs", stage.wall_ns.to_string()),
        ("calls", rows(&stage.rows)),
    ])
}

fn looks(looks: &[PathLookups]) -> String {
    let counts = |counts: &[PathCount]| {
        array(
            counts
                .iter()
                .map(|found| object(&[("path", string(&found.path)), ("count", found.count.to_string())])),
        )
    };
    array(looks.iter().map(|looks| {
        object(&[
            ("aim", string(operation_name(looks.operation))),
            ("count", looks.count.to_string()),
            ("missed", looks.failed.to_string()),
            ("top", counts(&looks.top)),
            ("topMissed", counts(&looks.top_failed)),
        ])
    }))
}

fn pattern(pattern: &MissPattern) -> String {
    let suggestion = match pattern.suggestion {
        Suggestion::Absent => "absent",
        Suggestion::Name => "name",
        Suggestion::List => "list",
    };
    object(&[
        ("pattern", string(&pattern.text)),
        ("remedy", string(suggestion)),
        ("misses", pattern.misses.to_string()),
        ("places", pattern.paths.to_string()),
    ])
}

fn member(member: &ProcessReport) -> String {
    let null = || "null".to_owned();
    let (code, signal) = match member.end {
        Some(ExitStatus::Code(code)) => (code.to_string(), null()),
        Some(ExitStatus::Signal(signal)) => (null(), signal.to_string()),
        None => (null(), null()),
    };
    let programs = member
        .programs
        .iter()
        .map(|(at_ns, path)| object(&[("path", string(path)), ("atNs", at_ns.to_string())]));
    object(&[
        ("id", member.id.to_string()),
        ("parent", member.parent.map_or_else(null, |index| index.to_string())),
        ("standsFor", member.process_count.to_string()),
        ("programs", array(programs)),
        ("fromNs", member.start_ns.to_string()),
        ("untilNs", member.end_ns.map_or_else(null, |at_ns| at_ns.to_string())),
        ("code", code),
        ("signal", signal),
        ("threads", member.threads.to_string()),
        ("unfinished", member.unfinished.to_string()),
        ("calls", rows(&member.rows)),
        ("paths", looks(&member.lookups)),
    ])
}
