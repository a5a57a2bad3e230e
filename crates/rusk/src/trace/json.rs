//! The object that `rusk trace --json` prints, on one line. Its shape is documented in
//! docs/tools/trace.md.

use rusk_observe::calls::error_name;
use rusk_observe::ledger::ExitStatus;
use rusk_observe::paths::Count;
use rusk_observe::patterns::{Pattern, Remedy};
use rusk_observe::report::{Looks, Member, Report, Row, Stage};
use rusk_observe::table::aim_name;

use crate::screen::json::{array, line, object, string};

/// Rises when a member changes its meaning; one more member is no change.
pub const VERSION: u32 = 1;

pub fn text(report: &Report) -> String {
    let watch = &report.watch;
    line(&[
        ("version", VERSION.to_string()),
        ("command", array(report.command.iter().map(|word| string(word)))),
        ("collector", string(watch.collector)),
        ("onOneProcessor", watch.on_one_processor.to_string()),
        ("until", string(&watch.until)),
        ("untilReached", watch.is_reached.to_string()),
        ("wallNs", watch.wall_ns.to_string()),
        ("overheadNs", watch.overhead_ns.to_string()),
        ("lost", watch.lost.to_string()),
        ("calls", rows(&report.rows)),
        ("paths", looks(&report.looks)),
        ("pathsLeftOut", report.looks_left_out.to_string()),
        ("phases", array(report.phases.iter().map(stage))),
        ("patterns", array(report.patterns.iter().map(pattern))),
        ("processes", array(report.processes.iter().map(member))),
    ])
}

fn rows(rows: &[Row]) -> String {
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

fn stage(stage: &Stage) -> String {
    object(&[
        ("name", string(&stage.name)),
        ("depth", stage.depth.to_string()),
        ("beside", stage.is_beside.to_string()),
        ("times", stage.times.to_string()),
        ("wallNs", stage.wall_ns.to_string()),
        ("calls", rows(&stage.rows)),
    ])
}

fn looks(looks: &[Looks]) -> String {
    let counts = |counts: &[Count]| {
        array(
            counts
                .iter()
                .map(|found| object(&[("path", string(&found.path)), ("count", found.count.to_string())])),
        )
    };
    array(looks.iter().map(|looks| {
        object(&[
            ("aim", string(aim_name(looks.aim))),
            ("count", looks.count.to_string()),
            ("missed", looks.missed.to_string()),
            ("top", counts(&looks.top)),
            ("topMissed", counts(&looks.top_misses)),
        ])
    }))
}

fn pattern(pattern: &Pattern) -> String {
    let remedy = match pattern.remedy {
        Remedy::Absent => "absent",
        Remedy::Name => "name",
        Remedy::List => "list",
    };
    object(&[
        ("pattern", string(&pattern.text)),
        ("remedy", string(remedy)),
        ("misses", pattern.misses.to_string()),
        ("places", pattern.places.to_string()),
    ])
}

fn member(member: &Member) -> String {
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
        ("id", member.number.to_string()),
        ("parent", member.parent.map_or_else(null, |place| place.to_string())),
        ("standsFor", member.stands_for.to_string()),
        ("programs", array(programs)),
        ("fromNs", member.begun_ns.to_string()),
        ("untilNs", member.ended_ns.map_or_else(null, |at_ns| at_ns.to_string())),
        ("code", code),
        ("signal", signal),
        ("threads", member.threads.to_string()),
        ("unfinished", member.unfinished.to_string()),
        ("calls", rows(&member.rows)),
        ("paths", looks(&member.looks)),
    ])
}
