//! The table and the chart of docs/performance/messages.md: the cost of sending
//! a value to another thread.

use super::runtime;
use crate::bench::messages::{CASE, TARGETS};
use crate::bench::results_file;
use crate::bench::runtime::row::{self, RuntimeRow};
use rusk_testkit::bar_chart::{self, Bar, Panel, Theme};

const NAME: &str = "messages";

/// The chart, the targets, the medians.
pub fn tables() -> Result<String, String> {
    let rendered = runtime::rendered(NAME, TARGETS, "../..")?;
    if results_file::find(&format!("{NAME}.json")).is_none() {
        return Ok(rendered);
    }
    let [light, dark] = Theme::ALL.map(picture_file);
    Ok(format!(
        "\n<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\n  \
         <img alt=\"Time to send a value to another thread: bars for each runtime and kind of value\" src=\"{light}\">\n</picture>\n{rendered}"
    ))
}

/// The file of the chart, in `docs/performance`.
pub fn picture_file(theme: Theme) -> String {
    format!("messages-{}.svg", theme.name())
}

/// A measured number: its title, its name in the results, and how many of them make a millisecond.
const PANELS: &[(&str, &str, f64)] = &[
    ("send 11 characters", "send 11 characters, ns", 1e6),
    ("send 14 KB", "send 14 KB, ns", 1e6),
    ("send 3 MB", "send 3 MB, ns", 1e6),
    ("send an object of ten fields", "send ten fields, ns", 1e6),
    ("ten fields, until they are there", "ten fields there, ns", 1e6),
    ("to another worker and back", "round trip, µs", 1e3),
];

/// The chart; `None` if nothing was measured for it.
pub fn picture(theme: Theme) -> Result<Option<String>, String> {
    let Some(rows) = runtime::rows(NAME)? else { return Ok(None) };
    let panels: Vec<Panel> = PANELS.iter().map(|panel| rendered(panel, &rows)).collect();
    Ok(Some(bar_chart::draw("Sending to another thread", &panels, theme)))
}

fn rendered((title, what, in_a_millisecond): &(&str, &str, f64), rows: &[RuntimeRow]) -> Panel {
    let bar = |name: &'static str| Bar {
        label: name.to_owned(),
        ms: row::find(rows, CASE, what, name).map(|row| row.median() / in_a_millisecond),
        absent: "not measured",
        is_own: name == "rusk",
    };
    Panel { title: (*title).to_owned(), bars: ["rusk", "bun", "node", "deno"].map(bar).into() }
}
