//! The timeline page: one HTML file that loads no other resources. Text and tables are in the HTML;
//! its script draws the lanes from the spans, which it contains as JSON.

use std::time::Duration;

use rusk_base::Problem;
use rusk_base::timeline::{Span, SpanKind, Timeline, Track};
use rusk_configuration::request::Goal;
use rusk_install::Summary;

use super::format::{count, date, escaped, time};
use super::{kinds, spans, statistics};
use crate::text::{bytes_text, counted, outcome};

/// The content of the page.
pub struct PageContent<'a> {
    pub command: &'a str,
    pub project: &'a str,
    pub goal: Goal,
    /// Seconds since 1970.
    pub began_s: u64,
    /// Name, version and platform of rusk.
    pub program: &'a str,
    pub processors: usize,
    pub outcome: Result<&'a Summary, &'a Problem>,
    pub timeline: &'a Timeline,
}

/// Rows of the table of the longest spans.
const SLOWEST_COUNT: usize = 20;

/// Content security policy: the page may load nothing.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

pub fn render(content: &PageContent<'_>) -> String {
    let title = format!("rusk {} in {}", content.command, content.project);
    let parts = [
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n".to_owned(),
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{CONTENT_SECURITY_POLICY}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n".to_owned(),
        format!("<title>{}: timeline</title>\n<style>\n", escaped(&title)),
        include_str!("page.css").to_owned(),
        "</style>\n</head>\n<body>\n".to_owned(),
        header(content),
        phases(content.timeline),
        include_str!("lanes.html").to_owned(),
        by_kind(content.timeline),
        slowest(content.timeline),
        footer(content.timeline),
        "<script type=\"application/json\" id=\"recorded\">".to_owned(),
        spans::render(content.timeline),
        "</script>\n<script>\n".to_owned(),
        include_str!("page.js").to_owned(),
        "</script>\n</body>\n</html>\n".to_owned(),
    ];
    parts.concat()
}

fn header(content: &PageContent<'_>) -> String {
    let outcome = match content.outcome {
        Ok(summary) => format!("<p class=\"outcome\">{}</p>\n", escaped(&done(content, summary))),
        Err(problem) => {
            let phase = statistics::phases(content.timeline).last().map_or("start-up", |span| &span.label);
            let problem = escaped(&problem.to_string());
            format!(
                "<p class=\"outcome failed\">Failed in phase: {}</p>\n<pre>{problem}</pre>\n",
                escaped(phase)
            )
        }
    };
    let program = escaped(content.program);
    let processors = match content.processors {
        1 => "1 CPU".to_owned(),
        several => format!("{several} CPUs"),
    };
    format!(
        "<header>\n<h1>rusk {} <span>in {}</span></h1>\n{outcome}<p class=\"meta\">{program}, {processors}, {}</p>\n{}</header>\n",
        escaped(content.command),
        escaped(content.project),
        date(content.began_s),
        tiles(content),
    )
}

fn done(content: &PageContent<'_>, summary: &Summary) -> String {
    let by_stat = !statistics::phases(content.timeline).iter().any(|phase| phase.label == "resolve");
    let shown = outcome(summary, content.goal);
    match by_stat {
        true => format!(
            "{shown}. The up-to-date check of inodes and times was enough: no lockfile was read, no connection opened."
        ),
        false => shown,
    }
}

/// The main numbers, large.
fn tiles(content: &PageContent<'_>) -> String {
    let sums = statistics::by_kind(content.timeline);
    let of = |kind: SpanKind| sums.iter().find(|sum| sum.kind == kind);
    let mut tiles = vec![(time(content.timeline.total), "total".to_owned())];
    if let Ok(summary) = content.outcome {
        tiles.push((count(summary.installed as u64), "packages".to_owned()));
    }
    let requests: usize =
        [SpanKind::Packument, SpanKind::Tarball].into_iter().filter_map(of).map(|sum| sum.count).sum();
    if requests > 0 {
        let connections = counted(of(SpanKind::Connect).map_or(0, |sum| sum.count), "connection");
        let noun = if requests == 1 { "request" } else { "requests" };
        tiles.push((count(requests as u64), format!("{noun} over {connections}")));
    }
    for (kind, noun) in [(SpanKind::Packument, "packuments"), (SpanKind::Tarball, "tarballs")] {
        if let Some(sum) = of(kind) {
            tiles.push((bytes_text(sum.bytes), format!("of {noun} received")));
        }
    }
    for (kind, about) in [(SpanKind::Unpack, "files unpacked"), (SpanKind::Link, "files linked")] {
        if let Some(sum) = of(kind) {
            tiles.push((count(sum.files), about.to_owned()));
        }
    }
    let tiles: Vec<String> =
        tiles.iter().map(|(number, about)| format!("<li><b>{number}</b> {about}</li>\n")).collect();
    format!("<ul class=\"tiles\">\n{}</ul>\n", tiles.concat())
}

/// A bar of the whole time, and the phases in it.
fn phases(timeline: &Timeline) -> String {
    let phases = statistics::phases(timeline);
    let total = timeline.total.max(Duration::from_micros(1)).as_secs_f64();
    let (mut bar, mut list) = (String::new(), String::new());
    let mut until = Duration::ZERO;
    for phase in phases.into_iter().filter(|phase| statistics::length(phase) >= Duration::from_micros(1)) {
        let share = |time: Duration| 100.0 * time.as_secs_f64() / total;
        let (length, gap) = (statistics::length(phase), phase.start.saturating_sub(until));
        until = phase.end;
        let (name, colour) = (escaped(&phase.label), kinds::phase_color(&phase.label));
        bar.push_str(&format!(
            "<i class=\"{colour}\" style=\"margin-left:{:.3}%;width:{:.3}%\" title=\"{name} {}\"></i>",
            share(gap),
            share(length),
            time(length),
        ));
        list.push_str(&format!(
            "<li><i class=\"{colour}\"></i> {name} <b>{}</b>{}</li>\n",
            time(length),
            match share(length) {
                0.0..0.05 => String::new(),
                share => format!(" <small>{share:.1} %</small>"),
            },
        ));
    }
    format!(
        "<section>\n<h2>Phases of the main thread</h2>\n<div class=\"bar\">{bar}</div>\n<ul class=\"phases\">\n{list}</ul>\n</section>\n"
    )
}

fn by_kind(timeline: &Timeline) -> String {
    let rows: Vec<String> = statistics::by_kind(timeline).iter().map(kind_row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<section>\n<h2>Work by kind</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>kind</th><th>description</th>\
         <th class=\"n\">count</th><th class=\"n\">time with at least one</th><th class=\"n\">sum</th>\
         <th class=\"n\">amount</th><th>longest</th></tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n</section>\n",
        rows.concat()
    )
}

fn kind_row(sum: &statistics::KindStatistics<'_>) -> String {
    let row = kinds::describe(sum.kind);
    format!(
        "<tr><td><i class=\"{name}\"></i> {name}</td><td>{about}</td><td class=\"n\">{times}</td><td class=\"n\">{passed}</td>\
         <td class=\"n\">{added}</td><td class=\"n\">{amount}</td><td>{longest} <b>{label}</b></td></tr>\n",
        name = row.name,
        about = row.description,
        times = count(sum.count as u64),
        passed = time(sum.passed),
        added = time(sum.added),
        amount = amount(sum.bytes, sum.files),
        longest = time(statistics::length(sum.longest)),
        label = escaped(&sum.longest.label),
    )
}

fn amount(bytes: u64, files: u64) -> String {
    match (bytes, files) {
        (0, 0) => String::new(),
        (bytes, 0) => bytes_text(bytes),
        (0, files) => format!("{} files", count(files)),
        (bytes, files) => format!("{}, {} files", bytes_text(bytes), count(files)),
    }
}

fn slowest(timeline: &Timeline) -> String {
    let slowest = statistics::slowest(timeline, SLOWEST_COUNT);
    if slowest.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = slowest.into_iter().map(|(track, span)| slowest_row(track, span)).collect();
    format!(
        "<section>\n<h2 id=\"slowest-title\">Longest spans</h2>\n<div class=\"wide\"><table>\n<thead><tr><th class=\"n\">time</th>\
         <th>kind</th><th>label</th><th>lane</th><th class=\"n\">start</th><th class=\"n\">first byte after</th>\
         <th class=\"n\">amount</th></tr></thead>\n<tbody id=\"slowest\">\n{}</tbody>\n</table></div>\n</section>\n",
        rows.concat()
    )
}

fn slowest_row(track: &Track, span: &Span) -> String {
    let name = kinds::describe(span.kind).name;
    format!(
        "<tr><td class=\"n\">{}</td><td><i class=\"{name}\"></i> {name}</td><td><b>{}</b></td><td>{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        time(statistics::length(span)),
        escaped(&span.label),
        escaped(&statistics::lane_name(track)),
        time(span.start),
        span.response_started.map(|at| time(at.saturating_sub(span.start))).unwrap_or_default(),
        amount(span.bytes, span.files),
    )
}

fn footer(timeline: &Timeline) -> String {
    let left_out = match timeline.dropped {
        0 => String::new(),
        several => format!("{} further spans were not recorded. ", count(several as u64)),
    };
    format!(
        "<footer><p>{left_out}Times are relative to the start of `main`; the time that the kernel takes to start the process is not included. \
         This page loads no other resources. It contains names of packages and hosts but no credentials.</p></footer>\n"
    )
}

#[cfg(test)]
mod tests;
