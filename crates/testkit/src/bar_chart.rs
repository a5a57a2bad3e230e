//! Bar chart as SVG: panels side by side, each with its own scale and a bar for each tool. In:
//! numbers and a theme. Out: a picture that needs no script, font or background.

use std::fmt::Write;

/// All bars of one scenario.
pub struct Panel {
    pub title: String,
    pub bars: Vec<Bar>,
}

pub struct Bar {
    pub label: String,
    /// `None`: failed, or not measured.
    pub ms: Option<f64>,
    /// Shown instead of a number.
    pub absent: &'static str,
    /// Whether the chart is about this one.
    pub is_own: bool,
}

/// GitHub shows its pages in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

struct Colors {
    text: &'static str,
    faint: &'static str,
    own: &'static str,
    other: &'static str,
}

const COLUMNS: usize = 3;
/// The width of a README on GitHub.
const WIDTH: f64 = 840.0;
const GAP: f64 = 26.0;
const HEAD: f64 = 34.0;
const PANEL_HEAD: f64 = 22.0;
const BAR: f64 = 13.0;
const BAR_STEP: f64 = 18.0;
const PANEL_FOOT: f64 = 16.0;
const FOOT: f64 = 20.0;
const LABEL: f64 = 40.0;
/// Space for a number to the right of the longest bar.
const NUMBER: f64 = 58.0;
/// A bar is at most this many times as long as the shortest one of its panel; longer bars are shown
/// cut.
const CUT_AT: f64 = 5.0;

impl Theme {
    pub const ALL: [Theme; 2] = [Theme::Light, Theme::Dark];

    pub fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn colors(self) -> Colors {
        match self {
            Theme::Light => Colors { text: "#1f2328", faint: "#59636e", own: "#c4510f", other: "#a9b4c0" },
            Theme::Dark => Colors { text: "#f0f6fc", faint: "#9198a1", own: "#f0883e", other: "#4f5b69" },
        }
    }
}

/// The whole picture.
pub fn draw(title: &str, panels: &[Panel], theme: Theme) -> String {
    let colors = theme.colors();
    let bars = panels.iter().map(|panel| panel.bars.len()).max().unwrap_or_default();
    let panel_height = PANEL_HEAD + bars as f64 * BAR_STEP + PANEL_FOOT;
    let height = HEAD + panels.len().div_ceil(COLUMNS) as f64 * panel_height + FOOT;
    let title = escaped(title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <text x=\"0\" y=\"16\" font-size=\"15\" font-weight=\"600\" fill=\"{}\">{title}</text>\n",
        colors.text
    );
    let panel_width = (WIDTH - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
    for (index, panel) in panels.iter().enumerate() {
        let x = (index % COLUMNS) as f64 * (panel_width + GAP);
        let y = HEAD + (index / COLUMNS) as f64 * panel_height;
        draw_panel(&mut out, panel, (x, y, panel_width), &colors);
    }
    let foot =
        "Shorter is better. Each panel has its own scale; a bar with a gap is longer than it is drawn.";
    let _ =
        writeln!(out, "<text x=\"0\" y=\"{}\" fill=\"{}\">{foot}</text>\n</svg>", height - 6.0, colors.faint);
    out
}

fn draw_panel(out: &mut String, panel: &Panel, (x, y, width): (f64, f64, f64), colors: &Colors) {
    let shortest = panel.bars.iter().filter_map(|bar| bar.ms).fold(f64::INFINITY, f64::min);
    let longest = panel.bars.iter().filter_map(|bar| bar.ms).fold(0.0, f64::max);
    let full = longest.min(shortest * CUT_AT);
    let room = width - LABEL - NUMBER;
    let title = escaped(&panel.title);
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{}\" font-weight=\"600\" fill=\"{}\">{title}</text>",
        y + 12.0,
        colors.text
    );
    for (index, bar) in panel.bars.iter().enumerate() {
        let top = y + PANEL_HEAD + index as f64 * BAR_STEP;
        let base = top + BAR - 2.5;
        let weight = if bar.is_own { " font-weight=\"600\"" } else { "" };
        let label = escaped(&bar.label);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{base}\" fill=\"{}\"{weight}>{label}</text>", colors.text);
        let from = x + LABEL;
        let Some(ms) = bar.ms else {
            let _ = writeln!(
                out,
                "<text x=\"{from}\" y=\"{base}\" fill=\"{}\">{}</text>",
                colors.faint, bar.absent
            );
            continue;
        };
        let fill = if bar.is_own { colors.own } else { colors.other };
        let length = (room * (ms / full).min(1.0)).max(1.0);
        let mut rect = |from: f64, length: f64| {
            let _ = writeln!(
                out,
                "<rect x=\"{from:.1}\" y=\"{top}\" width=\"{length:.1}\" height=\"{BAR}\" fill=\"{fill}\"/>"
            );
        };
        if ms > full {
            rect(from, length - 12.0);
            rect(from + length - 8.0, 8.0);
        } else {
            rect(from, length);
        }
        let number = duration(ms);
        let after = from + length + 5.0;
        let _ = writeln!(
            out,
            "<text x=\"{after:.1}\" y=\"{base}\" fill=\"{}\"{weight}>{number}</text>",
            colors.text
        );
    }
}

/// Three digits and a unit.
pub fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 0.00095 => format!("{:.0} ns", ms * 1e6),
        ms if ms < 0.00995 => format!("{:.1} µs", ms * 1000.0),
        ms if ms < 0.95 => format!("{:.0} µs", ms * 1000.0),
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms if ms < 9995.0 => format!("{:.2} s", ms / 1000.0),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests;
