//! Fuzz targets of what a user or a project gives: keys, globs, filters, ignore files.

use rusk_npm::glob::WorkspacePatterns;
use rusk_npm::workspace_filter::WorkspaceFilter;
use rusk_pack::ignore::{EntryKind, IgnoreRules};
use rusk_terminal::picker::keys::parse_keys;

/// More lines are not tried.
const LINES_MAX: usize = 32;

const PATHS: [&str; 5] = ["packages/a", "packages/a/b", "a-b/node_modules/c", "x", "src/deep/file.test.ts"];

pub const IGNORED: &[&str] =
    &["# comment\n*.log\n/build/\n!build/keep\n**/x/*.t[se]\n\\#a\ndir/\n a?b \n[!a-c]*\n"];

pub const GLOBS: &[&str] =
    &["packages/*\n!packages/x\napps/**\n{a,b}-*/{c,d}\n./x/\n", "**/a/**/b/**\n[a-z]?\n"];

pub const FILTERS: &[&str] =
    &["...^@scope/*[HEAD~1]...\n!./packages/{a,b}/**\n{dir}^...\n[main]\nname\n", "...\n!\n{}\n[]\n"];

pub const KEYS: &[&str] = &["jk\u{1b}[A\u{1b}OB\u{1b}[1~ \r", "\u{1b}[\u{1b}\u{3}\u{4}q"];

/// All bytes that end the input are taken; parts give the keys that the whole does.
pub fn picker_keys(input: &[u8]) {
    let (keys, taken) = parse_keys(input, true);
    assert!(taken == input.len() && keys.len() <= input.len());
    let (first, taken) = parse_keys(input, false);
    assert!(taken <= input.len() && keys.starts_with(&first));
}

/// Rules end for every path.
pub fn ignore_file(input: &[u8]) {
    let rules = IgnoreRules::parse(&String::from_utf8_lossy(input));
    for path in PATHS {
        let name = path.rsplit('/').next();
        for kind in [EntryKind::File, EntryKind::Directory] {
            rules.apply(true, path, name, kind);
        }
    }
}

/// What a wildcard matches is in a directory that may contain it.
pub fn workspace_globs(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let globs: Vec<String> = text.lines().take(LINES_MAX).map(str::to_owned).collect();
    let Ok(patterns) = WorkspacePatterns::parse(&globs) else { return };
    for path in PATHS {
        patterns.matches_link(path);
        if patterns.matches(path)
            && !patterns.paths().iter().any(|named| named == path)
            && let Some((parent, _)) = path.rsplit_once('/')
        {
            assert!(patterns.may_contain(parent), "{globs:?} match {path}");
        }
    }
}

pub fn workspace_filter(input: &[u8]) {
    for line in String::from_utf8_lossy(input).lines().take(LINES_MAX) {
        if let Ok(filter) = WorkspaceFilter::parse(line) {
            assert!(filter.git_ref().is_none_or(|name| !name.is_empty()), "{line:?}");
        }
    }
}
