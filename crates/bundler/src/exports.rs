//! Paths and names of outputs, and exports of modules that are data.

use std::path::{Path, PathBuf};

use crate::data_module::{DataModule, MemberValue};
use crate::module::{Export, Module, Part};
use crate::symbols::{DEFAULT, SymbolIndex};

/// Adds `default`, and the members of an object; each is a part of its own.
pub(crate) fn add_data_exports(module: &mut Module, data: &DataModule) {
    for (index, member) in data.members.iter().enumerate() {
        let name = member.name.clone();
        let symbol = index as SymbolIndex;
        module.exports.insert(name.clone(), Export::Local(symbol));
        module.declared.insert(symbol, vec![index]);
        module.root_symbols.push((symbol, name));
        let uses = match member.value {
            MemberValue::Text(_) => Vec::new(),
            MemberValue::Property => vec![DEFAULT],
        };
        module.parts.push(Part { uses, ..Part::default() });
    }
    module.exports.insert("default".to_owned(), Export::Local(DEFAULT));
    module.declared.insert(DEFAULT, vec![data.members.len()]);
    module.parts.push(Part::default());
}

/// A path relative to a directory, which need not contain it.
pub(crate) fn relative_path(from: &Path, to: &Path) -> String {
    if !to.is_absolute() {
        return to.to_string_lossy().into_owned();
    }
    if let (Some(from), Some(to)) = (from.to_str(), to.to_str())
        && is_plain(from)
        && is_plain(to)
    {
        return plain_relative_path(from.trim_end_matches('/'), to);
    }
    rusk_base::files::relative(from, to).to_string_lossy().into_owned()
}

/// Whether a path has no names that stand for nothing or for other ones.
fn is_plain(path: &str) -> bool {
    path.starts_with('/') && !path.contains("//") && !path.contains("/.")
}

/// As [`relative_path`]: maps have thousands of paths.
fn plain_relative_path(from: &str, to: &str) -> String {
    let equal = from.bytes().zip(to.bytes()).take_while(|(left, right)| left == right).count();
    let is_end = |path: &str| path.len() == equal || path.as_bytes()[equal] == b'/';
    // Up to the last name that both have.
    let common = match is_end(from) && is_end(to) {
        true => equal,
        false => from.as_bytes()[..equal].iter().rposition(|&byte| byte == b'/').unwrap_or(0),
    };
    let up = from[common..].matches('/').count();
    let rest = to[common..].trim_matches('/');
    let mut path = "../".repeat(up);
    path.push_str(rest);
    path.truncate(path.trim_end_matches('/').len());
    path
}

/// Fills a naming template. `source`: the file's path relative to the root. `extension`: `""` for
/// that of the source.
pub(crate) fn output_path(template: &str, source: &Path, extension: &str, content: &[u8]) -> PathBuf {
    fill_template(template, source, extension, &hash(content))
}

/// The same with a hash that is known.
pub(crate) fn fill_template(template: &str, source: &Path, extension: &str, hash: &str) -> PathBuf {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let extension = match extension {
        "" => source.extension().unwrap_or_default().to_string_lossy().into_owned(),
        extension => extension.to_owned(),
    };
    let directory = source.parent().unwrap_or(Path::new("")).to_string_lossy().replace("..", "_.._");
    let filled = template
        .replace("[dir]", &directory)
        .replace("[name]", &name)
        .replace("[hash]", hash)
        .replace("[ext]", &extension);
    let filled = filled.trim_start_matches("./").trim_start_matches('/');
    // An extension that is missing leaves a dot, a directory that is missing a slash.
    filled.trim_end_matches('.').split('/').filter(|part| !part.is_empty() && *part != ".").collect()
}

pub(crate) const HASH_CHARACTERS: usize = 8;

/// Characters that depend on the content.
pub(crate) fn hash(content: &[u8]) -> String {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut number = rusk_hashes::xx3(content, 0);
    let mut text = String::with_capacity(HASH_CHARACTERS);
    for _ in 0..HASH_CHARACTERS {
        text.push(char::from(DIGITS[(number % 32) as usize]));
        number /= 32;
    }
    text
}

#[cfg(test)]
mod tests;
