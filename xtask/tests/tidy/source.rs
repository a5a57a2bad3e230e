//! Source files as the rules see them: path, text, and for Rust and JavaScript the code without its
//! comments and literals, so that a word in a message is not taken for code.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::lexer::{self, Kind, Language};

/// One file that git tracks, or would.
#[derive(Clone)]
pub struct Source {
    /// Relative to the repository, with `/`.
    pub path: String,
    pub text: String,
    /// The text with comments, strings and characters blanked out; lines stay where they are.
    pub code: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Source {
        let mut file = Source { path: path.to_owned(), text: text.to_owned(), code: String::new() };
        if let Some(language) = file.language() {
            file.code = lexer::without(text, &lexer::spans(text, language));
        }
        file
    }

    /// What the file is written in, if the rules look at its code. Fixtures are data.
    pub fn language(&self) -> Option<Language> {
        let extension = self.path.rsplit_once('.')?.1;
        match extension {
            "rs" => Some(Language::Rust),
            "js" | "mjs" | "cjs" if !self.path.starts_with("fixtures/") => Some(Language::JavaScript),
            _ => None,
        }
    }

    /// The text with everything but spans of one kind blanked out.
    pub fn only(&self, kind: Kind) -> String {
        let Some(language) = self.language() else { return String::new() };
        let mut spans = lexer::spans(&self.text, language);
        spans.retain(|span| span.kind == kind);
        lexer::only(&self.text, &spans)
    }

    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    pub fn is_test_or_build(&self) -> bool {
        let name = self.file_name();
        name == "tests.rs"
            || name == "build.rs"
            || self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.contains("/examples/")
    }

    /// Written for this project, as opposed to data from other projects.
    pub fn is_ours(&self) -> bool {
        !["fixtures/", "conformance/", "bench/results/"]
            .iter()
            .any(|directory| self.path.starts_with(directory))
    }

    /// The findings of `rule` in each line, with path and line number.
    pub fn found_lines(&self, rule: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let lines = self.text.lines().enumerate();
        lines
            .filter_map(|(index, line)| Some(format!("{}:{}: {}", self.path, index + 1, rule(line)?)))
            .collect()
    }
}

/// Every file of the repository, new ones included, ignored ones not.
pub fn tracked() -> Vec<Source> {
    static FILES: OnceLock<Vec<Source>> = OnceLock::new();
    FILES.get_or_init(read_tracked).clone()
}

fn read_tracked() -> Vec<Source> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is there where the repository was cloned");
    assert!(listing.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listing.stderr));
    let paths = String::from_utf8_lossy(&listing.stdout);
    let mut paths: Vec<&str> = paths.split_terminator('\0').collect();
    paths.sort_unstable();
    paths.dedup();
    let files = paths.into_iter().filter(|path| root().join(path).is_file());
    files.map(|path| Source::new(path, &String::from_utf8_lossy(&bytes(path)))).collect()
}

pub fn rust_files() -> Vec<Source> {
    rust_files_outside(&[])
}

pub fn rust_files_outside(directories: &[&str]) -> Vec<Source> {
    let outside = |path: &str| !directories.iter().any(|directory| path.starts_with(directory));
    tracked()
        .into_iter()
        .filter(|file| {
            file.path.ends_with(".rs") && !file.path.starts_with("fixtures/") && outside(&file.path)
        })
        .collect()
}

pub fn read(path: &str) -> String {
    String::from_utf8(bytes(path)).unwrap_or_else(|_| panic!("{path}: not UTF-8"))
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository").to_owned()
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The keyword and the name when a line defines a function, a type or a module.
pub fn definition(line: &str) -> Option<(&str, &str)> {
    const KEYWORDS: &[&str] = &["fn", "struct", "enum", "mod", "trait", "union"];
    let words: Vec<&str> = identifiers(line).collect();
    words.windows(2).find(|pair| KEYWORDS.contains(&pair[0])).map(|pair| (pair[0], pair[1]))
}

/// `TarballReader` and `tarball_reader` are both `tarball`, `reader`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if character == '_' || character.is_uppercase() {
            words.push(String::new());
        }
        if character != '_' {
            words.last_mut().expect("it begins with one").extend(character.to_lowercase());
        }
    }
    words
}

pub fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|character: char| !in_name(character)).filter(|word| !word.is_empty())
}

/// Whether the line has `word` as a whole word, not as a part of a longer name.
pub fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(index, _)| {
        let before = line[..index].chars().next_back();
        let after = line[index + word.len()..].chars().next();
        !before.is_some_and(in_name) && !after.is_some_and(in_name)
    })
}

/// Whether the line has an absolute path that begins with `root`.
pub fn starts_a_path(line: &str, root: &str) -> bool {
    let in_path =
        |character: char| in_name(character) || matches!(character, '.' | '-' | '/' | '}' | ')' | '*');
    line.match_indices(root).any(|(index, _)| !line[..index].chars().next_back().is_some_and(in_path))
}

pub fn in_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

pub struct Function {
    pub name: String,
    /// Where it begins, counted from 1.
    pub line: usize,
    /// Lines of code between its braces.
    pub lines: usize,
}

/// The functions of a file with a body, nested ones counted in the outer one too.
pub fn functions(file: &Source) -> Vec<Function> {
    let code = &file.code;
    let starts = code.match_indices("fn ").filter(|(index, _)| !code[..*index].ends_with(in_name));
    starts.filter_map(|(index, _)| function(code, index)).collect()
}

fn function(code: &str, index: usize) -> Option<Function> {
    let name = identifiers(&code[index + 3..]).next()?.to_owned();
    let open = body_start(code, index)?;
    let mut depth = 0_usize;
    for (offset, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let body = &code[open..offset];
            let lines = body.lines().skip(1).filter(|line| !line.trim().is_empty()).count();
            return Some(Function { name, line: 1 + code[..index].matches('\n').count(), lines });
        }
    }
    None
}

/// Where the braces of the function at `index` open; `None` for a declaration.
fn body_start(code: &str, index: usize) -> Option<usize> {
    let mut brackets = 0_usize;
    for (offset, byte) in code.bytes().enumerate().skip(index) {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            b'{' if brackets == 0 => return Some(offset),
            b';' if brackets == 0 => return None,
            _ => {}
        }
    }
    None
}
