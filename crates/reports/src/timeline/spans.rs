//! The recorded spans as JSON for the page's script, safe inside a `script` element; each string is
//! written once. Times are whole microseconds since the start.

use std::collections::HashMap;
use std::time::Duration;

use rusk_base::problem::printable;
use rusk_base::timeline::{Span, SpanKind, Timeline, Track};
use rusk_npm::json::quote_into;

use super::{kinds, statistics};

/// `{"total":…,"kinds":[…],"strings":[…],"lanes":[…]}`. A span is
/// `[kind,label,start,length,note,answered,wanted,bytes,files]`, shorter where the rest is 0; kinds
/// and strings are numbers, string 0 is empty; `answered` counts from the start, `wanted` backwards
/// from it.
pub fn render(timeline: &Timeline) -> String {
    let mut strings = StringTable::default();
    strings.number("");
    let mut json = format!("{{\"total\":{},\"kinds\":[", timeline.total.as_micros());
    for (index, kind) in SpanKind::ALL.into_iter().enumerate() {
        let row = kinds::describe(kind);
        let role = if kinds::is_request(kind) { "request" } else { "" };
        push_array(&mut json, index, &[row.name, row.description, role]);
    }
    json.push_str("],\"lanes\":[");
    for (index, track) in lanes(timeline).into_iter().enumerate() {
        push_lane(&mut json, index, track, &mut strings);
    }
    json.push_str("],\"phases\":{");
    for (index, phase) in statistics::phases(timeline).into_iter().enumerate() {
        json.push_str(if index == 0 { "" } else { "," });
        quote_into(&mut json, &printable(&phase.label));
        json.push(':');
        quote_into(&mut json, kinds::phase_color(&phase.label));
    }
    json.push_str("},\"strings\":");
    push_array(&mut json, 0, &strings.list);
    json.push('}');
    // `<` occurs only in strings, where the escape is equivalent; no `</script>` or `<!--` is left.
    json.replace('<', "\\u003c")
}

/// The lanes that have spans; the main thread first, connections, which are tall, after the
/// threads.
fn lanes(timeline: &Timeline) -> Vec<&Track> {
    let rank = |track: &&Track| {
        let order = ["main", "packuments", "unpack", "link", "connection"];
        order.iter().position(|name| *name == track.name).unwrap_or(order.len())
    };
    let mut lanes: Vec<&Track> = timeline.tracks.iter().filter(|track| !track.spans.is_empty()).collect();
    lanes.sort_by_key(|track| (rank(track), track.number));
    lanes
}

fn push_lane(json: &mut String, index: usize, track: &Track, strings: &mut StringTable) {
    json.push_str(if index == 0 { "[" } else { ",[" });
    quote_into(json, &statistics::lane_name(track));
    json.push_str(",[");
    let mut spans: Vec<&Span> = track.spans.iter().collect();
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    for (index, span) in spans.into_iter().enumerate() {
        push_span(json, index, span, strings);
    }
    json.push_str("]]");
}

fn push_span(json: &mut String, index: usize, span: &Span, strings: &mut StringTable) {
    let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let kind = SpanKind::ALL.iter().position(|kind| *kind == span.kind).expect("all kinds are there");
    let start = microseconds(span.start);
    let fields = [
        kind as u64,
        strings.number(&span.label),
        start,
        microseconds(span.end).saturating_sub(start),
        strings.number(&span.note),
        span.response_started.map_or(0, |at| microseconds(at).saturating_sub(start)),
        span.queued_at.map_or(0, |at| start.saturating_sub(microseconds(at))),
        span.bytes,
        span.files,
    ];
    let length = fields.iter().rposition(|field| *field != 0).map_or(0, |last| last + 1).max(4);
    let fields: Vec<String> = fields[..length].iter().map(u64::to_string).collect();
    json.push_str(if index == 0 { "[" } else { ",[" });
    json.push_str(&fields.join(","));
    json.push(']');
}

fn push_array(json: &mut String, index: usize, strings: &[impl AsRef<str>]) {
    json.push_str(if index == 0 { "[" } else { ",[" });
    for (index, text) in strings.iter().enumerate() {
        json.push_str(if index == 0 { "" } else { "," });
        quote_into(json, &printable(text.as_ref()));
    }
    json.push(']');
}

/// Strings by number, each once: a package's name is on six spans.
#[derive(Default)]
struct StringTable {
    list: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl StringTable {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.list.len() as u64;
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

#[cfg(test)]
mod tests;
