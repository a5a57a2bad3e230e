//! `bench readme`: generates the tables and charts of README files and docs from stored results.
//! In: the JSON files of `bench/results`. Out: Markdown between two marks, and pictures. A test
//! compares the files with it.

mod conformance;
mod install;
mod messages;
mod repositories;
mod resolve;
mod run;
mod runtime;
mod servers;
mod spawn;
mod sysroot;
mod trace;
mod verdaccio;

use super::build;
use super::commands;
use super::install::baseline;
use super::install::results::Network;
use super::load;
use crate::files;
use rusk_testkit::bar_chart::Theme;

/// A generated section of a Markdown file.
struct GeneratedSection {
    file: &'static str,
    begin: &'static str,
    draw: fn() -> Result<String, String>,
}

const SECTIONS: &[GeneratedSection] = &[
    GeneratedSection {
        file: "README.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: install::summary,
    },
    GeneratedSection {
        file: "docs/performance/installs.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: install::tables,
    },
    GeneratedSection {
        file: "docs/performance/installs.md",
        begin: "<!-- scripts, drawn by `cargo xtask bench readme` -->\n",
        draw: run::tables,
    },
    GeneratedSection {
        file: "docs/performance/installs.md",
        begin: "<!-- commands, drawn by `cargo xtask bench readme` -->\n",
        draw: || runtime::rendered(commands::NAME, commands::TARGETS, "../.."),
    },
    GeneratedSection {
        file: "docs/performance/installs.md",
        begin: "<!-- baseline, drawn by `cargo xtask bench readme` -->\n",
        draw: || runtime::rendered(baseline::NAME, baseline::TARGETS, "../.."),
    },
    GeneratedSection {
        file: "docs/performance/installs.md",
        begin: "<!-- load, drawn by `cargo xtask bench readme` -->\n",
        draw: load::tables,
    },
    GeneratedSection {
        file: "docs/performance/bundler.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: || runtime::rendered(build::NAME, build::TARGETS, "../.."),
    },
    GeneratedSection {
        file: "docs/performance/module-resolution.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: resolve::tables,
    },
    GeneratedSection {
        file: "docs/performance/spawn.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: spawn::tables,
    },
    GeneratedSection {
        file: "docs/compatibility/conformance.md",
        begin: "<!-- node, drawn by `cargo xtask bench readme` -->\n",
        draw: conformance::node,
    },
    GeneratedSection {
        file: "docs/compatibility/conformance.md",
        begin: "<!-- openssl-3.5, drawn by `cargo xtask bench readme` -->\n",
        draw: conformance::openssl,
    },
    GeneratedSection {
        file: "docs/compatibility/conformance.md",
        begin: "<!-- node-api, drawn by `cargo xtask bench readme` -->\n",
        draw: conformance::node_api,
    },
    GeneratedSection {
        file: "docs/compatibility/conformance.md",
        begin: "<!-- programs, drawn by `cargo xtask bench readme` -->\n",
        draw: conformance::programs,
    },
    GeneratedSection {
        file: "docs/compatibility/conformance.md",
        begin: "<!-- wpt, drawn by `cargo xtask bench readme` -->\n",
        draw: conformance::wpt,
    },
    GeneratedSection {
        file: "docs/compatibility/conformance.md",
        begin: "<!-- test262, drawn by `cargo xtask bench readme` -->\n",
        draw: conformance::test262,
    },
    GeneratedSection {
        file: "docs/compatibility/repositories.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: repositories::table,
    },
    GeneratedSection {
        file: "docs/package-manager/registries-and-auth.md",
        begin: "<!-- verdaccio, drawn by `cargo xtask bench readme` -->\n",
        draw: verdaccio::table,
    },
    GeneratedSection {
        file: "docs/performance/runtime.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: runtime::tables,
    },
    GeneratedSection {
        file: "docs/performance/messages.md",
        begin: "<!-- drawn by `cargo xtask bench readme` -->\n",
        draw: messages::tables,
    },
    GeneratedSection {
        file: "docs/performance/servers.md",
        begin: "<!-- http, drawn by `cargo xtask bench readme` -->\n",
        draw: servers::http_tables,
    },
    GeneratedSection {
        file: "docs/performance/servers.md",
        begin: "<!-- tls, drawn by `cargo xtask bench readme` -->\n",
        draw: servers::tls_tables,
    },
    GeneratedSection {
        file: "docs/performance/runtime.md",
        begin: "<!-- spawn, drawn by `cargo xtask bench readme` -->\n",
        draw: spawn::runtimes,
    },
    GeneratedSection {
        file: "docs/performance/trace-and-sysroot.md",
        begin: "<!-- sysroot, drawn by `cargo xtask bench readme` -->\n",
        draw: sysroot::cost,
    },
    GeneratedSection {
        file: "docs/performance/trace-and-sysroot.md",
        begin: "<!-- cost, drawn by `cargo xtask bench readme` -->\n",
        draw: trace::cost,
    },
    GeneratedSection {
        file: "docs/performance/trace-and-sysroot.md",
        begin: "<!-- counts, drawn by `cargo xtask bench readme` -->\n",
        draw: trace::counts,
    },
];
const COLUMNS_MAX: usize = 100;
const END: &str = "<!-- end -->\n";

/// Writes the tables into their files, and the pictures.
pub fn write() -> Result<(), String> {
    for drawing in SECTIONS {
        files::write(&files::root().join(drawing.file), &drawing.rendered()?)?;
    }
    for (file, rendered) in pictures()? {
        match rendered {
            Some(text) => files::write(&files::root().join(file), &text)?,
            None => files::remove_file(&files::root().join(file))?,
        }
    }
    Ok(())
}

/// Each picture's path and content; `None` if nothing was measured.
fn pictures() -> Result<Vec<(String, Option<String>)>, String> {
    let mut pictures = Vec::new();
    for line in [Network::Unthrottled, Network::Throttled] {
        for theme in Theme::ALL {
            let file = format!("docs/performance/{}", install::picture_file(line, theme));
            pictures.push((file, install::picture(line, theme)?));
        }
    }
    for theme in Theme::ALL {
        pictures.push((format!("docs/performance/{}", spawn::picture_file(theme)), spawn::picture(theme)?));
        pictures
            .push((format!("docs/performance/{}", messages::picture_file(theme)), messages::picture(theme)?));
        for chart in servers::CHARTS {
            pictures.push((format!("docs/performance/{}", chart.picture_file(theme)), chart.picture(theme)?));
        }
    }
    Ok(pictures)
}

impl GeneratedSection {
    /// The file with its tables replaced.
    fn rendered(&self) -> Result<String, String> {
        let file = self.file;
        let text = files::find(&files::root().join(file)).ok_or_else(|| format!("no {file}"))?;
        with_tables(&text, self.begin, &wrapped(&(self.draw)()?))
            .ok_or_else(|| format!("{file}: expected the marks of `bench readme`"))
    }
}

/// Wraps prose at [`COLUMNS_MAX`]; tables, headings and HTML are unchanged.
fn wrapped(markdown: &str) -> String {
    let mut out = String::new();
    for line in markdown.lines() {
        let is_prose = !line.starts_with(['|', '#', '<', ' ']);
        let mut column = 0;
        for word in line.split_inclusive(' ').filter(|_| is_prose) {
            let width = word.trim_end().chars().count();
            if column > 0 && column + width > COLUMNS_MAX {
                out.truncate(out.trim_end().len());
                out.push('\n');
                column = 0;
            }
            out.push_str(word);
            column += word.chars().count();
        }
        out.push_str(if is_prose { "\n" } else { line });
        out.push_str(if is_prose { "" } else { "\n" });
    }
    out
}

/// Replaces the text between the two marks.
fn with_tables(text: &str, begin: &str, tables: &str) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{begin}{tables}{END}{after}"))
}

#[cfg(test)]
mod tests;
