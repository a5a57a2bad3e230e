//! Imports with a path that is known in part: `import(`./pages/${name}.js`)`, `require('./data/' +
//! name)`. In: the path's expression. Out: a pattern, the files that it matches. As in esbuild such
//! a path begins with `./` or `../`; other paths are for the program that runs.

use std::path::{Path, PathBuf};

use oxc::ast::ast::{BinaryExpression, Expression, TemplateLiteral};
use oxc::syntax::operator::BinaryOperator;
use rusk_base::files;

use crate::loader::Loader;

/// A directory with more files is not meant.
const FILES_MAX: usize = 10_000;

/// Directories below each other.
const DEPTH_MAX: usize = 32;

/// A path with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathPattern {
    /// Text before the first wildcard, between wildcards, after the last one.
    parts: Vec<String>,
}

/// A file that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatchedFile {
    /// As the program would write it: `./data/one.json`.
    pub(crate) specifier: String,
    pub(crate) path: PathBuf,
}

/// A path with `*` for what is not known of it; empty if nothing is.
pub(crate) fn shape(expression: &Expression<'_>) -> String {
    let mut parts = vec![String::new()];
    add(expression, &mut parts);
    match parts.iter().all(String::is_empty) {
        true => String::new(),
        false => parts.join("*"),
    }
}

impl PathPattern {
    /// `None`: all of the path is known, or nothing besides the directory of the file, or it is not
    /// relative.
    pub(crate) fn of(expression: &Expression<'_>) -> Option<PathPattern> {
        let mut parts = vec![String::new()];
        add(expression, &mut parts);
        let is_relative = parts[0].starts_with("./") || parts[0].starts_with("../");
        let names_something = parts.iter().any(|part| part.contains(|one| !matches!(one, '.' | '/')));
        (parts.len() > 1 && is_relative && names_something).then_some(PathPattern { parts })
    }

    /// The names by which a program may mean a file.
    pub(crate) fn names_of<'s>(&self, specifier: &'s str) -> Vec<&'s str> {
        let mut names = vec![specifier];
        let is_open = self.parts.last().is_some_and(String::is_empty);
        let name_start = specifier.rfind('/').map_or(0, |at| at + 1);
        if is_open && let Some(dot) = specifier[name_start..].rfind('.').filter(|&dot| dot > 0) {
            names.push(&specifier[..name_start + dot]);
        }
        names
    }

    /// Files that programs of this file may mean, in the order of their names.
    pub(crate) fn find_files(&self, importer: &Path) -> Vec<MatchedFile> {
        let Some(directory) = importer.parent().filter(|directory| directory.is_absolute()) else {
            return Vec::new();
        };
        let prefix = &self.parts[0][..self.parts[0].rfind('/').map_or(0, |at| at + 1)];
        let mut found = Vec::new();
        let start = files::normalized(&directory.join(prefix));
        self.walk(&start, prefix, DEPTH_MAX, &mut found);
        found.retain(|file| file.path != importer);
        found.sort_by(|one, other| one.specifier.cmp(&other.specifier));
        if found.len() > FILES_MAX { Vec::new() } else { found }
    }

    fn walk(&self, directory: &Path, prefix: &str, depth: usize, found: &mut Vec<MatchedFile>) {
        for (name, entry) in searched_entries(directory) {
            let specifier = format!("{prefix}{name}");
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && depth > 0 && found.len() <= FILES_MAX {
                self.walk(&entry.path(), &format!("{specifier}/"), depth - 1, found);
            } else if !is_directory && self.is_meant(&specifier) {
                found.push(MatchedFile { specifier, path: entry.path() });
            }
        }
    }

    /// An end that is open stands for programs and data, not for all files.
    fn is_meant(&self, specifier: &str) -> bool {
        let extension = Path::new(specifier).extension().unwrap_or_default().to_string_lossy();
        let is_open = self.parts.last().is_some_and(String::is_empty);
        let is_code = !extension.is_empty() && Loader::of_extension(&extension) != Loader::File;
        self.matches(specifier) && (is_code || !is_open) && !specifier.ends_with(".d.ts")
    }

    /// A wildcard that is a whole first name stands for directories, too.
    fn matches(&self, specifier: &str) -> bool {
        let Some(rest) = specifier.strip_prefix(self.parts[0].as_str()) else { return false };
        matches_parts(rest, &self.parts[1..], self.parts[0].ends_with('/'))
    }
}

/// `crosses`: whether the wildcard before the first part may stand for a `/`.
fn matches_parts(text: &str, parts: &[String], crosses: bool) -> bool {
    let Some((part, more)) = parts.split_first() else { return text.is_empty() };
    let is_within = |taken: &str| crosses || !taken.contains('/');
    if more.is_empty() {
        return text.strip_suffix(part.as_str()).is_some_and(|taken| !taken.is_empty() && is_within(taken));
    }
    let ends = text.char_indices().map(|(at, _)| at).skip(1);
    ends.filter(|&at| text[at..].starts_with(part.as_str()) && is_within(&text[..at]))
        .any(|at| matches_parts(&text[at + part.len()..], more, part.ends_with('/')))
}

fn add(expression: &Expression<'_>, parts: &mut Vec<String>) {
    match expression.get_inner_expression() {
        Expression::StringLiteral(text) => add_text(&text.value, parts),
        Expression::TemplateLiteral(template) => add_template(template, parts),
        Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => add_sum(sum, parts),
        _ => add_wildcard(parts),
    }
}

fn add_sum(sum: &BinaryExpression<'_>, parts: &mut Vec<String>) {
    add(&sum.left, parts);
    add(&sum.right, parts);
}

fn add_template(template: &TemplateLiteral<'_>, parts: &mut Vec<String>) {
    for (index, quasi) in template.quasis.iter().enumerate() {
        add_text(quasi.value.cooked.as_ref().map_or("", |text| text.as_str()), parts);
        if let Some(expression) = template.expressions.get(index) {
            add(expression, parts);
        }
    }
}

fn add_text(text: &str, parts: &mut [String]) {
    if let Some(last) = parts.last_mut() {
        last.push_str(text);
    }
}

/// Two wildcards with nothing between them are one.
fn add_wildcard(parts: &mut Vec<String>) {
    if parts.len() == 1 || parts.last().is_some_and(|last| !last.is_empty()) {
        parts.push(String::new());
    }
}

/// The entries of a directory that a pattern may match, with their names: no hidden ones, no
/// packages, none whose name is not UTF-8.
pub(crate) fn searched_entries(directory: &Path) -> impl Iterator<Item = (String, std::fs::DirEntry)> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry)));
    named.filter(|(name, _)| !name.starts_with('.') && name != "node_modules")
}

#[cfg(test)]
mod tests;
