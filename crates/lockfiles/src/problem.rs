//! Everything that can go wrong with a lockfile: one function for each, with its code.

use rusk_base::Problem;
use rusk_npm::json::SyntaxError;

use crate::format::Format;
use crate::yaml::YamlError;

pub(crate) fn several_lockfiles(found: &[Format], named_tool: Option<&str>) -> Problem {
    let names: Vec<&str> = found.iter().map(|format| format.file_name()).collect();
    let problem = Problem::new(
        "lockfile-choice",
        format!("the project has {}, expected one lockfile", names.join(" and ")),
    );
    let problem = match named_tool {
        Some(text) => problem.note(format!("`packageManager` is `{text}`")),
        None => problem,
    };
    let tool = match found.iter().rfind(|format| **format != Format::Bun) {
        Some(Format::Pnpm) => "pnpm@10.0.0",
        Some(Format::Yarn) => "yarn@4.0.0",
        _ => "npm@11.0.0",
    };
    problem.hint(format!(
        "name the program in package.json, as in `\"packageManager\": \"{tool}\"`, or delete the other file"
    ))
}

pub(crate) fn syntax(file: &str, error: &SyntaxError) -> Problem {
    Problem::new("lockfile-syntax", format!("{file} is damaged: {error}"))
        .hint("restore it from version control, or delete it to resolve from nothing")
}

pub(crate) fn yaml_syntax(file: &str, error: &YamlError) -> Problem {
    let YamlError { line, message } = error;
    Problem::new("lockfile-syntax", format!("{file} is damaged: {message}"))
        .note(format!("line {line} of {file}"))
        .hint("restore it from version control, or delete it to resolve from nothing")
}

pub(crate) fn conflict(file: &str, line: usize) -> Problem {
    Problem::new("lockfile-conflict", format!("{file} has a merge conflict at line {line}"))
        .hint("keep one side, then run `rusk install`")
}

pub(crate) fn version(file: &str, line: usize, found: &str, expected: &str) -> Problem {
    Problem::new("lockfile-version", format!("{file} has version `{found}`, expected {expected}"))
        .note(format!("line {line} of {file}"))
}

/// An entry that cannot be what a lockfile says there.
pub(crate) fn entry(file: &str, line: usize, expected: &str) -> Problem {
    Problem::new("lockfile-entry", format!("{file} line {line}: expected {expected}"))
}

/// `reason` completes "bun.lockb is damaged: …".
pub(crate) fn binary_lockfile(reason: &str) -> Problem {
    Problem::new("lockfile-syntax", format!("bun.lockb is damaged: {reason}"))
        .hint("restore it from version control, or delete it to resolve from nothing")
}

pub(crate) fn binary_lockfile_version(found: u32) -> Problem {
    Problem::new("lockfile-version", format!("bun.lockb has version {found}, expected 2 or 3"))
        .hint("write it anew with `bun install --save-text-lockfile`")
}

pub(crate) fn tree_size(label: &str, limit: usize) -> Problem {
    Problem::new("tree-size", format!("node_modules would have more than {limit} packages"))
        .note(format!("the last of them is `{label}`"))
}

pub(crate) fn path_length(label: &str, bytes_max: usize) -> Problem {
    Problem::new("path-length", format!("the path of `{label}` has more than {bytes_max} bytes"))
}

pub(crate) fn pnpm_workspace_syntax(line: u32, column: u32, message: &str) -> Problem {
    Problem::new("pnpm-workspace", format!("pnpm-workspace.yaml is not YAML: {message}"))
        .note(format!("line {line}, column {column}"))
}

pub(crate) fn pnpm_workspace_extensions(expected: &str) -> Problem {
    Problem::new("package-extensions", format!("pnpm-workspace.yaml: expected {expected}"))
}

pub(crate) fn yarnrc_syntax(line: u32, column: u32, message: &str) -> Problem {
    Problem::new("yarnrc", format!(".yarnrc.yml is not a map of settings: {message}"))
        .note(format!("line {line}, column {column}"))
}

pub(crate) fn yarnrc_entry(expected: &str, found: &str) -> Problem {
    Problem::new("yarnrc", format!(".yarnrc.yml: expected {expected}, found {found}"))
}

pub(crate) fn pnpm_workspace_entry(expected: &str, found: &str) -> Problem {
    Problem::new("pnpm-workspace", format!("pnpm-workspace.yaml: expected {expected}, found {found}"))
}

pub(crate) fn pnpm_workspace_edit(file: &str, key: &str, name: &str) -> Problem {
    Problem::new(
        "pnpm-workspace",
        format!("{file}: `{key}` is not written as lines, so `{name}` is not added"),
    )
    .hint("write it with one entry a line, or add the entry by hand")
}
