//! The rules of vocabulary find what is planted, and nothing else.

use super::names;
use super::not_yet::{self, Finding};
use super::prose;
use super::source::Source;
use super::vocabulary;

/// The lines in which words of prose are found.
#[track_caller]
fn check_prose(path: &str, text: &str, lines: &[usize]) {
    let found = vocabulary::banned_prose(&Source::new(path, text));
    let found: Vec<usize> = found.into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, lines, "{path}:\n{text}");
}

/// The names that are found.
#[track_caller]
fn check_names(path: &str, text: &str, banned: &[&str]) {
    let found = vocabulary::banned_names(&Source::new(path, text));
    assert_eq!(found.len(), banned.len(), "{found:?}");
    for ((_, message), name) in found.iter().zip(banned) {
        assert!(message.starts_with(&format!("`{name}`")), "{message}");
    }
}

#[test]
fn private_words_in_comments_are_found() {
    check_prose("crates/x/src/a.rs", "//! A reader.\nfn a() {} // Nobody calls it.\n", &[2]);
    check_prose("crates/x/js/a.js", "'use strict';\n/**\n * The listener is told.\n */\nlet told;\n", &[3]);
    check_prose("lib/x/a.rs", "/// Goes through\n/// the folder's files.\nstruct A;\n", &[2]);
}

#[test]
fn private_words_in_markdown_are_found() {
    check_prose("docs/a.md", "# A\n\nThe file is read as it\nlies on the disk, by whoever asks.\n", &[3, 4]);
    check_prose("docs/a.md", "The texts it asked\nof the kernel.\n", &[1, 1]);
    check_prose("fixtures/x/README.md", "A folder.\n", &[1]);
}

#[test]
fn private_words_in_help_and_errors_are_found() {
    let row = "const A: Row = Row { help: \"Say what it asked of the kernel\", name: \"told\" };\n";
    check_prose("crates/command-line/src/flags/table/commands.rs", row, &[1, 1]);
    check_prose("crates/x/src/problem.rs", "fn a() { f(\"the folder is missing\") }\n", &[1]);
    check_prose("crates/x/src/other.rs", row, &[]);
}

#[test]
fn quotations_code_and_paths_are_not_prose() {
    check_prose(
        "docs/a.md",
        "Not `told`, nor\n`a told\nb`, see [x](y/folder.md).\n\n```\nfolder\n```\n",
        &[],
    );
    check_prose("crates/x/src/a.rs", "// `Folder` of [`told`]\nlet told = \"nobody\";\n", &[]);
    check_prose("crates/x/js/a.js", "const a = `// told ${b ? `nobody` : /\\/\\/ whom/}`;\n", &[]);
    check_prose("docs/a.md", "ASCII letters, a one-letter flag, told_by, akin, src/folder.\n", &[]);
    check_prose("fixtures/x/page.md", "A folder.\n", &[]);
}

#[test]
fn private_names_are_found() {
    check_names(
        "crates/x/src/a.rs",
        "struct Held;\nfn was_told() {}\nmod place;\n",
        &["Held", "was_told", "place"],
    );
    check_names("crates/x/src/a.rs", "enum Event { Open(u8, u8), Come, Letters(A) }\n", &["Come", "Letters"]);
    check_names("crates/x/src/a.rs", "// fn told()\nfn is_held(a: &str) { f(\"fn told()\") }\n", &[]);
    check_names("crates/x/src/elsewhere.rs", "", &["elsewhere"]);
}

#[test]
fn private_names_in_javascript_are_found() {
    check_names("crates/x/js/a.js", "function told(a) {\n", &["told"]);
    check_names("crates/x/js/a.js", "class Shelf extends B {\n  async come(a, b) {\n", &["Shelf", "come"]);
    check_names(
        "crates/x/js/a.js",
        "const nobodyWaits = (a) => a;\nx.said = function () {};\n",
        &["nobodyWaits", "said"],
    );
    check_names("crates/x/js/a.js", "if (told(a)) {\n// function told() {\ncome(1);\n", &[]);
    check_names("crates/x/js/internal/told.js", "", &["told"]);
}

#[test]
fn names_of_every_kind_are_seen() {
    let code = "pub enum A<T> {\n    #[x(y)]\n    First,\n    Second { a: u8, b: u8 },\n    Third(T, u8) = 3,\n}\nfn f() {}\n";
    let names = names::defined(&Source::new("crates/x/src/a.rs", code));
    let names: Vec<(&str, usize)> = names.iter().map(|name| (name.name.as_str(), name.line)).collect();
    assert_eq!(names, [("A", 1), ("f", 7), ("First", 3), ("Second", 4), ("Third", 5), ("a", 1)]);
}

/// The lines that are too wide.
#[track_caller]
fn check_columns(path: &str, text: &str, lines: &[usize]) {
    let found = prose::wide_lines(&Source::new(path, text));
    let found: Vec<usize> = found.into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, lines, "{text}");
}

#[test]
fn wide_lines_are_found() {
    let words = "word ".repeat(26);
    check_columns("crates/x/src/a.rs", &format!("// short\n// {words}\n"), &[2]);
    check_columns("crates/x/src/a.rs", &format!("f(\"{words}\");\n"), &[]);
    check_columns("crates/x/js/a.js", &format!("/**\n * {words}\n */\n"), &[2]);
    check_columns("docs/a.md", &format!("{words}\n| {words} |\n```\n{words}\n```\n"), &[1]);
    check_columns("docs/a.md", &format!("[{words}](a.md)\n"), &[]);
}

#[test]
fn long_paragraphs_are_found() {
    let long = |text: &str| prose::long_paragraphs(&Source::new("docs/a.md", text));
    let line = format!("{}\n", "word ".repeat(30));
    assert_eq!(long(&format!("# A\n\n{}", line.repeat(3))), [(3, 90)]);
    assert_eq!(long(&format!("{line}{line}\n{line}")), []);
    assert_eq!(long(&format!("- {line}- {line}- {line}")), []);
    assert_eq!(long(&format!("```\n{}```\n", line.repeat(3))), []);
}

#[test]
fn a_builtin_begins_with_a_comment() {
    assert!(prose::begins_with_comment("// @ts-check\n'use strict';\n\n// Timers of Node.\n"));
    assert!(!prose::begins_with_comment("// @ts-check\n'use strict';\n\nconst a = 1;\n// Timers.\n"));
}

fn findings(groups: &[&str]) -> Vec<Finding> {
    let finding = |group: &&str| Finding { group: (*group).to_owned(), text: format!("{group}/a.rs:1: no") };
    groups.iter().map(finding).collect()
}

#[test]
fn a_count_that_grows_fails() {
    let counts = not_yet::parse("crates/a words 1\n");
    assert!(not_yet::differences("words", &findings(&["crates/a"]), &counts).is_empty());
    let wrong = not_yet::differences("words", &findings(&["crates/a", "crates/a"]), &counts);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert_eq!(not_yet::differences("words", &findings(&["crates/a", "crates/b"]), &counts).len(), 2);
}

#[test]
fn a_count_that_is_no_longer_needed_fails() {
    let counts = not_yet::parse("# head\ncrates/a words 2\ncrates/a names 1\n");
    assert_eq!(not_yet::differences("words", &[], &counts).len(), 1);
    assert!(not_yet::differences("words", &findings(&["crates/a"]), &counts).is_empty());
}

#[test]
fn an_update_moves_counts_and_raises_no_sum() {
    let counts = || not_yet::parse("crates/a names 7\ncrates/a words 2\n");
    let moved = not_yet::updated("words", &findings(&["crates/b"]), counts());
    assert_eq!(moved, Ok(not_yet::parse("crates/a names 7\ncrates/b words 1\n")));
    assert!(not_yet::updated("words", &findings(&["crates/a", "crates/a", "crates/a"]), counts()).is_err());
}
