//! The page `reference/error-codes.md`: every error code with its messages and hints, collected
//! from the constructors in the files `problem.rs`. In: the sources. Out: Markdown. Absent: the
//! Rust grammar; a constructor that cannot be read fails.

mod constructors;

use super::markdown::{head, item};
use constructors::{Constructor, UNKNOWN, constructors};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Crates and what their errors are about, in the order of the page.
const SUBJECTS: &[(&str, &str)] = &[
    ("crates/command-line", "Command line"),
    ("crates/rusk", "Projects and programs"),
    ("crates/runtime", "Runtime"),
    ("crates/embedded", "Single-file executables"),
    ("crates/test-runner", "Tests"),
    ("crates/bundler", "Bundles"),
    ("crates/install", "Installs"),
    ("crates/configuration", "Configuration of installs"),
    ("crates/screen", "Output"),
    ("crates/git", "Packages from Git repositories"),
    ("crates/resolver", "Resolving dependencies"),
    ("crates/global", "Global packages"),
    ("crates/deploy", "Deployments"),
    ("crates/templates", "Templates of projects"),
    ("crates/watch", "Watch mode"),
    ("crates/lockfiles", "Lockfiles"),
    ("crates/npm", "package.json, bun.lock, bunfig.toml, .npmrc"),
    ("crates/registry", "Registry and network"),
    ("crates/store", "Package store and tarballs"),
    ("crates/pack", "Packing and publishing"),
    ("crates/signatures", "Provenance of publications"),
    ("crates/reports", "Reports"),
    ("crates/scripts", "Scripts and programs of packages"),
    ("crates/dependency-scripts", "Install scripts of dependencies"),
    ("crates/jail", "Jail of install scripts"),
    ("crates/observe", "Tracing"),
    ("crates/sysroot", "Sysroot and images"),
    ("crates/base", "Files"),
];

pub fn page() -> Result<String, String> {
    let mut out = head(
        "Error codes",
        "Every error that rusk itself reports has a code, shown as `error[CODE]` and as `error.code` with \
         `--json`. Codes are stable; messages may change. Words in capitals stand for values. Errors of \
         JavaScript programs and of module resolution have Node's codes instead (`ENOENT`, `ERR_MODULE_NOT_FOUND`).",
    );
    let by_crate = collect()?;
    for path in by_crate.keys() {
        if !SUBJECTS.iter().any(|(known, _)| known == path) {
            return Err(format!(
                "{path} has error codes; add it to SUBJECTS in xtask/src/docs/error_codes.rs"
            ));
        }
    }
    for (path, subject) in SUBJECTS {
        let Some(codes) = by_crate.get(*path) else { continue };
        out.push_str(&format!("\n## {subject}\n"));
        for (code, all) in codes {
            out.push_str(&format!("\n### `{code}`\n\n"));
            all.iter().for_each(|constructor| out.push_str(&item(&line(constructor))));
        }
    }
    Ok(out)
}

fn line(constructor: &Constructor) -> String {
    let message = match constructor.message.as_str() {
        UNKNOWN => "*(the message depends on the case)*",
        message => message,
    };
    match constructor.hints.is_empty() {
        true => message.to_owned(),
        false => format!("{message} *Hint:* {}", constructor.hints.join("; or ")),
    }
}

type Codes = BTreeMap<String, Vec<Constructor>>;

/// Error codes with their constructors, by crate.
fn collect() -> Result<BTreeMap<String, Codes>, String> {
    let root = crate::files::root();
    let mut files = Vec::new();
    for directory in ["crates", "ext", "lib"] {
        find_files(&root.join(directory), &mut files);
    }
    files.sort();
    let mut out: BTreeMap<String, Codes> = BTreeMap::new();
    for file in files {
        let shown = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{shown}: {error}"))?;
        let name: Vec<&str> = shown.split('/').take(2).collect();
        for constructor in constructors(&text).map_err(|error| format!("{shown}:{error}"))? {
            let codes = out.entry(name.join("/")).or_default();
            let all = codes.entry(constructor.code.clone()).or_default();
            if !all.contains(&constructor) {
                all.push(constructor);
            }
        }
    }
    Ok(out)
}

/// The files `problem.rs` below a directory.
fn find_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != "tests" {
            find_files(&path, files);
        } else if entry.file_name() == "problem.rs" {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests;
