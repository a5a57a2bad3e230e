//! Tables and charts of docs/performance/servers.md: servers under load, TLS and cryptography.

use super::runtime;
use crate::bench::runtime::row::{self, RuntimeRow};
use crate::bench::{http, results_file, tls};
use rusk_testkit::bar_chart::{self, Bar, Panel, Theme};

/// A chart of one benchmark.
pub struct ServerChart {
    /// Of the results, and the case of their rows.
    name: &'static str,
    title: &'static str,
    panels: &'static [ServerPanel],
}

/// A measured number: its title, its name in the results, and how many of them make a millisecond.
type ServerPanel = (&'static str, &'static str, f64);

const MICROSECONDS: f64 = 1e3;
const MILLISECONDS: f64 = 1.0;

pub const CHARTS: &[ServerChart] = &[
    ServerChart {
        name: http::CASE,
        title: "Time per request or message",
        panels: &[
            ("Bun.serve, a string", "Bun.serve string, µs", MICROSECONDS),
            ("Bun.serve, a static route", "Bun.serve static, µs", MICROSECONDS),
            ("Bun.serve, JSON", "Bun.serve JSON, µs", MICROSECONDS),
            ("node:http", "node:http hello, µs", MICROSECONDS),
            ("express", "express, µs", MICROSECONDS),
            ("fastify", "fastify, µs", MICROSECONDS),
            ("koa", "koa, µs", MICROSECONDS),
            ("hono", "hono, µs", MICROSECONDS),
            ("WebSocket echo, 64 B", "WebSocket echo 64 B, µs", MICROSECONDS),
        ],
    },
    ServerChart {
        name: tls::CASE,
        title: "TLS and cryptography",
        panels: &[
            ("a full handshake", "full handshake, µs", MICROSECONDS),
            ("a resumed handshake", "resumed handshake, µs", MICROSECONDS),
            ("1 GiB from the server", "1 GiB from the server, ms", MILLISECONDS),
            ("a request of HTTPS", "request, µs", MICROSECONDS),
            ("a request of HTTP/2", "HTTP/2 request, µs", MICROSECONDS),
            ("AES-256-GCM of 1 KiB", "AES-256-GCM, 1 KiB, µs", MICROSECONDS),
        ],
    },
];

pub fn http_tables() -> Result<String, String> {
    let rendered = runtime::rendered(http::CASE, http::TARGETS, "../..")?;
    Ok(with_picture(&CHARTS[0], &rendered))
}

pub fn tls_tables() -> Result<String, String> {
    let rendered = runtime::rendered(tls::CASE, tls::TARGETS, "../..")?;
    Ok(with_picture(&CHARTS[1], &rendered))
}

fn with_picture(chart: &ServerChart, rendered: &str) -> String {
    if results_file::find(&format!("{}.json", chart.name)).is_none() {
        return rendered.to_owned();
    }
    let [light, dark] = Theme::ALL.map(|theme| chart.picture_file(theme));
    format!(
        "\n<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\n  \
         <img alt=\"{}: bars for each runtime\" src=\"{light}\">\n</picture>\n{rendered}",
        chart.title
    )
}

impl ServerChart {
    /// The file, in `docs/performance`.
    pub fn picture_file(&self, theme: Theme) -> String {
        format!("{}-{}.svg", self.name, theme.name())
    }

    /// `None` if nothing was measured for it.
    pub fn picture(&self, theme: Theme) -> Result<Option<String>, String> {
        let Some(rows) = runtime::rows(self.name)? else { return Ok(None) };
        let panels: Vec<Panel> = self.panels.iter().map(|panel| self.panel(panel, &rows)).collect();
        Ok(Some(bar_chart::draw(self.title, &panels, theme)))
    }

    fn panel(&self, (title, what, in_a_millisecond): &ServerPanel, rows: &[RuntimeRow]) -> Panel {
        let bar = |name: &'static str| Bar {
            label: name.to_owned(),
            ms: row::find(rows, self.name, what, name).map(|row| row.median() / in_a_millisecond),
            absent: "none",
            is_own: name == "rusk",
        };
        Panel { title: (*title).to_owned(), bars: ["rusk", "bun", "node", "deno"].map(bar).into() }
    }
}
