//! `cargo xtask docs`: pages of the documentation that are generated from tables of the code and
//! from data files. In: `rusk_command_line::reference`, the sources, `docs/compatibility/*.json`.
//! Out: Markdown. A test compares the pages with it, so no flag, key, variable or error code is
//! undocumented.

mod cli;
mod compatibility;
mod configuration;
mod environment;
mod error_codes;
mod exit_codes;
mod fuzzing;
mod markdown;

use crate::files;

/// A generated page.
struct Page {
    path: &'static str,
    text: fn() -> Result<String, String>,
}

const PAGES: &[Page] = &[
    Page { path: "docs/reference/cli.md", text: cli::page },
    Page { path: "docs/reference/configuration.md", text: configuration::page },
    Page { path: "docs/reference/environment.md", text: environment::page },
    Page { path: "docs/reference/error-codes.md", text: error_codes::page },
    Page { path: "docs/reference/exit-codes.md", text: exit_codes::page },
    Page { path: "docs/contributing/fuzzing.md", text: fuzzing::page },
    Page { path: "docs/compatibility/node.md", text: compatibility::node },
    Page { path: "docs/compatibility/bun.md", text: compatibility::bun },
    Page { path: "docs/compatibility/web.md", text: compatibility::web },
];

/// Writes every generated page.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("`cargo xtask docs` takes no arguments, found `{argument}`"));
    }
    for page in PAGES {
        files::write(&files::root().join(page.path), &(page.text)()?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
