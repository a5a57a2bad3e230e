//! Prose of a file: the comments of Rust and JavaScript, Markdown without its code, and the strings
//! of help tables and error constructors. Quotations in backticks and code blocks are left out.

use super::lexer::Kind;
use super::source::Source;

/// Columns of a comment and of a line of Markdown. Tables, links and code may be wider.
pub const COLUMNS_MAX: usize = 100;
/// Words of a paragraph of Markdown: more than this is not read.
pub const PARAGRAPH_WORDS_MAX: usize = 80;

/// Adjacent lines of prose, joined by newlines.
pub struct Block {
    /// The number of its first line, counted from 1.
    pub line: usize,
    /// Quotations in backticks are blanked out.
    pub text: String,
}

pub fn blocks(file: &Source) -> Vec<Block> {
    let comments = || joined(file.only(Kind::Comment).lines().map(comment_text));
    match file.language() {
        Some(_) if has_messages(file) => {
            let strings = file.only(Kind::Literal);
            let strings = strings.lines().map(|line| line.replace('"', " "));
            comments().into_iter().chain(joined(strings)).collect()
        }
        Some(_) => comments(),
        None if is_markdown(file) => joined(file.text.lines().map(str::to_owned)),
        None => Vec::new(),
    }
}

/// The lines of comments and Markdown that are too wide and could be wrapped.
pub fn wide_lines(file: &Source) -> Vec<(usize, usize)> {
    let prose = match file.language() {
        Some(_) => file.only(Kind::Comment),
        None if is_markdown(file) => file.text.clone(),
        None => return Vec::new(),
    };
    let mut wide = Vec::new();
    let mut in_code = false;
    for (index, (line, prose)) in file.text.lines().zip(prose.lines()).enumerate() {
        let prose = comment_text(prose);
        let is_fence = prose.trim_start().starts_with("```");
        in_code ^= is_fence;
        let columns = line.chars().count();
        if columns > COLUMNS_MAX && !in_code && !is_fence && can_be_wrapped(&prose) {
            wide.push((index + 1, columns));
        }
    }
    wide
}

fn can_be_wrapped(prose: &str) -> bool {
    let prose = prose.trim_start();
    let is_table = prose.starts_with('|') || prose.starts_with('<');
    let is_link = prose.contains("](") || prose.contains("://") || prose.starts_with('[');
    !prose.is_empty() && !is_table && !is_link
}

/// The paragraphs of Markdown that are too long: first line and number of words.
pub fn long_paragraphs(file: &Source) -> Vec<(usize, usize)> {
    if !is_markdown(file) {
        return Vec::new();
    }
    let mut paragraphs = vec![(1, 0)];
    let mut in_code = false;
    for (index, line) in file.text.lines().enumerate() {
        let text = line.trim_start();
        let is_fence = text.starts_with("```");
        in_code ^= is_fence;
        let is_item = text.starts_with(['-', '*', '#', '>'])
            || text.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if text.is_empty() || is_item || is_fence {
            paragraphs.push((index + if is_item { 1 } else { 2 }, 0));
        }
        if !in_code && !is_fence && !text.starts_with('|') {
            paragraphs.last_mut().expect("it begins with one").1 += text.split_whitespace().count();
        }
    }
    paragraphs.retain(|(_, words)| *words > PARAGRAPH_WORDS_MAX);
    paragraphs
}

/// Whether the first line that says something is a comment about the file.
pub fn begins_with_comment(text: &str) -> bool {
    const DIRECTIVES: &[&str] = &["", "'use strict';", "\"use strict\";", "// @ts-check"];
    let first = text.lines().find(|line| !DIRECTIVES.contains(&line.trim()));
    first.is_some_and(|line| line.starts_with("//") || line.starts_with("/*"))
}

/// A program's messages are prose: help and errors.
fn has_messages(file: &Source) -> bool {
    let path = &file.path;
    path.ends_with("/problem.rs")
        || path.starts_with("crates/command-line/src/flags/table")
        || path == "crates/command-line/src/program_flags/table.rs"
}

fn is_markdown(file: &Source) -> bool {
    file.path.ends_with(".md") && (file.is_ours() || file.file_name() == "README.md")
}

/// A line of a comment without its marks.
fn comment_text(line: &str) -> String {
    let line = line.trim_end().trim_end_matches("*/").trim_end();
    let line = line.trim_start().trim_start_matches("/*");
    line.trim_start_matches(['/', '!', '*']).to_owned()
}

/// Adjacent lines that are not empty make a block; lines of code blocks count as empty.
fn joined(lines: impl Iterator<Item = String>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut in_code, mut is_open) = (false, false);
    for (index, line) in lines.enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        let is_prose = !in_code && !is_fence && !line.trim().is_empty();
        match (is_prose, is_open) {
            (true, true) => {
                let text = &mut blocks.last_mut().expect("one is open").text;
                text.push('\n');
                text.push_str(&line);
            }
            (true, false) => blocks.push(Block { line: index + 1, text: line }),
            (false, _) => {}
        }
        is_open = is_prose;
    }
    for block in &mut blocks {
        block.text = without_quotations(&block.text);
    }
    blocks
}

fn without_quotations(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_quoted = |index: usize| index % 2 == 1 && index + 1 < pieces.len();
    let blank = |piece: &str| -> String {
        piece.chars().map(|character| if character == '\n' { '\n' } else { '\u{1}' }).collect()
    };
    let kept = pieces
        .iter()
        .enumerate()
        .map(|(index, piece)| if is_quoted(index) { blank(piece) } else { (*piece).to_owned() });
    kept.collect::<Vec<_>>().join("`")
}
