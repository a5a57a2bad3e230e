//! The tree of processes: a row each, indented by depth, a bar from its start to its end, and its
//! system calls when opened.

use rusk_observe::ledger::ExitStatus;
use rusk_observe::report::{ProcessReport, Report, ReportRow};
use rusk_observe::table::{depth, time};

use super::{MEMBER_ROWS, calls_table};
use crate::timeline::format::{count, escaped};

/// Limit of the processes shown.
const MEMBERS: usize = 300;
/// Limit of the indentation levels.
const DEPTH: usize = 12;

pub fn section(report: &Report) -> String {
    let whole = report.info.wall_ns.max(1);
    let rows: String = in_order(report)
        .into_iter()
        .take(MEMBERS)
        .map(|member| row(member, depth(report, member).min(DEPTH), whole))
        .collect();
    let more = match report.processes.len().checked_sub(MEMBERS) {
        None | Some(0) => String::new(),
        Some(more) => format!("<p class=\"meta\">{more} more are in the JSON.</p>\n"),
    };
    format!(
        "<section>\n<h2>Processes <small>over {}; a row opens</small></h2>\n<div class=\"tree\">\n{rows}</div>\n{more}</section>\n",
        time(report.info.wall_ns)
    )
}

/// Children directly below their parent, in the order in which they began.
fn in_order(report: &Report) -> Vec<&ProcessReport> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); report.processes.len()];
    let mut waiting = Vec::new();
    for (index, member) in report.processes.iter().enumerate().rev() {
        match member.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(index),
            None => waiting.push(index),
        }
    }
    let mut order = Vec::new();
    while let Some(index) = waiting.pop() {
        order.push(&report.processes[index]);
        waiting.append(&mut children[index]);
    }
    order
}

fn row(member: &ProcessReport, depth: usize, whole: u64) -> String {
    let until = member.end_ns.unwrap_or(whole).min(whole).max(member.start_ns);
    let share = |nanoseconds: u64| 100.0 * nanoseconds as f64 / whole as f64;
    let rows: Vec<&ReportRow> = member.rows.iter().take(MEMBER_ROWS).collect();
    let end = match member.end {
        Some(ExitStatus::Code(0)) => "",
        Some(_) => " bad",
        None => " open",
    };
    format!(
        "<details><summary><span class=\"name\" style=\"padding-left:{}px\"><b>{}</b> <small>{}</small></span>\
         <span class=\"life\"><i class=\"{}{end}\" style=\"margin-left:{:.3}%;width:max(2px,{:.3}%)\"></i></span>\
         <span class=\"n\">{}</span><span class=\"n\">{} calls</span></summary>\n<p class=\"meta\">{}</p>\n{}</details>\n",
        depth * 14,
        escaped(member.name()),
        member.id,
        if member.time_ns(true) > member.time_ns(false) { "wait" } else { "work" },
        share(member.start_ns),
        share(until - member.start_ns),
        time(until - member.start_ns),
        count(member.count()),
        escaped(&story(member)),
        calls_table(&rows),
    )
}

/// A description of a process.
fn story(member: &ProcessReport) -> String {
    let programs: Vec<&str> = member.programs.iter().map(|(_, path)| path.as_str()).collect();
    let threads =
        if member.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", member.threads) };
    let end = match member.end {
        Some(ExitStatus::Code(code)) => format!("exited with {code}"),
        Some(ExitStatus::Signal(signal)) => format!("ended by signal {signal}"),
        None => "still running".to_owned(),
    };
    let looks = member.lookups.iter().map(|looks| looks.failed).sum::<u64>();
    format!(
        "{}; {threads}, began at {}, {end}; {} in working calls, {} in waiting calls; {} failed path lookups",
        programs.join(", then "),
        time(member.start_ns),
        time(member.time_ns(false)),
        time(member.time_ns(true)),
        count(looks)
    )
}
