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
use super::test_runner;
use crate::files;
use rusk_testkit::bar_chart::Theme;

/// A generated section of a Markdown file.
struct GeneratedSection {
    file: &'static str,
    /// Names the section, where its file has several.
    name: &'static str,
    draw: fn() -> Result<String, String>,
}

const fn section(
    file: &'static str,
    name: &'static str,
    draw: fn() -> Result<String, String>,
) -> GeneratedSection {
    GeneratedSection { file, name, draw }
}

const SECTIONS: &[GeneratedSection] = &[
    section("README.md", "", install::summary),
    section("docs/performance/installs.md", "", install::tables),
    section("docs/performance/installs.md", "scripts", run::tables),
    section("docs/performance/installs.md", "commands", || {
        runtime::rendered(commands::NAME, commands::TARGETS, "../..")
    }),
    section("docs/performance/installs.md", "baseline", || {
        runtime::rendered(baseline::NAME, baseline::TARGETS, "../..")
    }),
    section("docs/performance/installs.md", "load", load::tables),
    section("docs/performance/bundler.md", "", || runtime::rendered(build::NAME, build::TARGETS, "../..")),
    section("docs/performance/test-runner.md", "", || {
        runtime::rendered(test_runner::NAME, test_runner::TARGETS, "../..")
    }),
    section("docs/performance/module-resolution.md", "", resolve::tables),
    section("docs/performance/spawn.md", "", spawn::tables),
    section("docs/compatibility/conformance.md", "node", conformance::node),
    section("docs/compatibility/conformance.md", "openssl-3.5", conformance::openssl),
    section("docs/compatibility/conformance.md", "node-api", conformance::node_api),
    section("docs/compatibility/conformance.md", "programs", conformance::programs),
    section("docs/compatibility/conformance.md", "wpt", conformance::wpt),
    section("docs/compatibility/conformance.md", "test262", conformance::test262),
    section("docs/compatibility/repositories.md", "", repositories::table),
    section("docs/package-manager/registries-and-auth.md", "verdaccio", verdaccio::table),
    section("docs/performance/runtime.md", "", runtime::tables),
    section("docs/performance/messages.md", "", messages::tables),
    section("docs/performance/servers.md", "http", servers::http_tables),
    section("docs/performance/servers.md", "tls", servers::tls_tables),
    section("docs/performance/runtime.md", "spawn", spawn::runtimes),
    section("docs/performance/trace-and-sysroot.md", "sysroot", sysroot::cost),
    section("docs/performance/trace-and-sysroot.md", "cost", trace::cost),
    section("docs/performance/trace-and-sysroot.md", "counts", trace::counts),
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
    fn begin(&self) -> String {
        let comma = if self.name.is_empty() { "" } else { ", " };
        format!("<!-- {}{comma}drawn by `cargo xtask bench readme` -->\n", self.name)
    }

    /// The file with its tables replaced.
    fn rendered(&self) -> Result<String, String> {
        let file = self.file;
        let text = files::find(&files::root().join(file)).ok_or_else(|| format!("no {file}"))?;
        with_tables(&text, &self.begin(), &wrapped(&(self.draw)()?))
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
