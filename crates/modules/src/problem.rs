//! Messages of resolution errors for people. The codes are Node's.

use std::path::Path;

use rusk_base::Problem;

use crate::error::{Parts, Reason};

pub(crate) fn unresolved(importer: &Path, parts: &Parts) -> Problem {
    let specifier = &parts.specifier;
    let (line, notes) = match &parts.reason {
        Reason::NoFile { path } => no_file(specifier, path, &[]),
        Reason::NoFileWithExtension { path } => no_file(specifier, path, &parts.options.extensions),
        Reason::NoPackage { name } => (
            format!("`{specifier}` is not there"),
            vec![format!("no directory `{name}` in any node_modules above")],
        ),
        Reason::NoMain { directory, main } => (
            format!("`{specifier}` has no file to begin with"),
            vec![format!("{} names `{main}`, and there is no index", manifest(directory))],
        ),
        Reason::NotExported { directory, subpath } => (
            format!("`{specifier}` is not exported: `exports` has nothing for `{subpath}`"),
            vec![manifest(directory), conditions(parts)],
        ),
        Reason::NotImported { directory } => (
            format!("`{specifier}` is not defined: `imports` has nothing for it"),
            vec![
                directory.as_deref().map_or_else(|| "no package.json above".to_owned(), manifest),
                conditions(parts),
            ],
        ),
        Reason::InvalidTarget { directory, key, target } => (
            format!(
                "`{key}` leads to `{target}`, expected a path that begins with `./` and stays in the package"
            ),
            vec![manifest(directory)],
        ),
        Reason::InvalidManifest { directory, reason } => {
            (format!("`{}` cannot be used: {reason}", manifest(directory)), Vec::new())
        }
        Reason::InvalidSubpath { directory, key, .. } => {
            (format!("`{specifier}` is nothing that `{key}` may stand for"), vec![manifest(directory)])
        }
        Reason::InvalidName { expected } => (no_name(specifier, expected), Vec::new()),
        Reason::InvalidUrl(error) => (no_name(specifier, error.expected()), Vec::new()),
        Reason::IsDirectory { path } => {
            (format!("`{specifier}` is a directory, expected a file"), vec![path.display().to_string()])
        }
        Reason::InvalidConfig { file, reason } => {
            (format!("`{}` cannot be used: {reason}", file.display()), Vec::new())
        }
        Reason::UnknownBuiltin => (format!("there is no builtin module `{specifier}`"), Vec::new()),
    };
    let problem = Problem::new(parts.code.name(), line);
    let problem = problem.note(format!("wanted by {}", importer.display()));
    notes.into_iter().fold(problem, Problem::note)
}

fn no_name(specifier: &str, expected: &str) -> String {
    format!("`{specifier}` names no module: expected {expected}")
}

fn no_file(specifier: &str, path: &Path, extensions: &[String]) -> (String, Vec<String>) {
    let mut note = format!("looked for {}", path.display());
    if !extensions.is_empty() {
        note += &format!(", also with {}", extensions.join(", "));
    }
    (format!("`{specifier}` is not there"), vec![note])
}

fn manifest(directory: &Path) -> String {
    directory.join("package.json").display().to_string()
}

fn conditions(parts: &Parts) -> String {
    format!("conditions: {}", parts.kind.conditions(&parts.options).join(", "))
}
