//! Import scanner: which specifiers the JavaScript below a directory imports. In: a directory. Out:
//! each file with its specifiers and how they are imported. A heuristic: strings after `require(`,
//! `import(`, `from` and `import`, including those in comments and strings, which are specifiers as
//! well.

use rusk_modules::Kind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Larger files are generated, and have no new specifiers.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// Longer strings are not specifiers.
const SPECIFIER_BYTES_MAX: usize = 200;

/// A specifier, and how it is imported.
pub type Import = (String, Kind);

/// Files in order, each with its specifiers in order.
pub fn scan(directory: &Path) -> Vec<(PathBuf, Vec<Import>)> {
    let mut files = Vec::new();
    collect(directory, &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|file| {
            let specifiers = specifiers(&String::from_utf8_lossy(&std::fs::read(&file).ok()?));
            (!specifiers.is_empty()).then_some((file, specifiers))
        })
        .collect()
}

/// Symbolic links are not followed: their targets are scanned where they are.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, files),
            Ok(kind) if kind.is_file() => {
                let is_script =
                    path.extension().is_some_and(|end| ["js", "mjs", "cjs"].iter().any(|js| end == *js));
                if is_script && entry.metadata().is_ok_and(|metadata| metadata.len() <= FILE_BYTES_MAX) {
                    files.push(path);
                }
            }
            _ => {}
        }
    }
}

/// Each specifier once for `require` and once for `import`, in alphabetical order.
pub fn specifiers(text: &str) -> Vec<Import> {
    let mut found = BTreeSet::new();
    for word in ["require", "import", "from"] {
        for (at, _) in text.match_indices(word) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|character| character.is_alphanumeric() || matches!(character, '_' | '$')) {
                continue;
            }
            let rest = text[at + word.len()..].trim_start();
            let rest = rest.strip_prefix('(').unwrap_or(rest).trim_start();
            found.extend(literal(rest).map(|specifier| (specifier, word == "require")));
        }
    }
    let kind = |is_require| if is_require { Kind::Require } else { Kind::Import };
    found.into_iter().map(|(specifier, is_require)| (specifier, kind(is_require))).collect()
}

/// The content of a string literal without escapes that begins here.
fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let body = &text[1..];
    let end = body.find([quote, '\n', '\\'])?;
    let is_complete = body[end..].starts_with(quote) && end <= SPECIFIER_BYTES_MAX;
    (is_complete && !body[..end].contains("${")).then(|| body[..end].to_owned())
}
