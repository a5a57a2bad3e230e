//! The repository's files as the rules see them: path, text, and for Rust the code without its
//! comments and literals, so that a word in a message is not taken for code.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One file that git tracks, or would.
pub struct Source {
    /// Relative to the repository, with `/`.
    pub path: String,
    pub text: String,
    /// The text with comments, strings and characters blanked out; lines stay where they are.
    pub code: String,
}

impl Source {
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

    /// Written here, as against data that came from elsewhere.
    pub fn is_ours(&self) -> bool {
        !["fixtures/", "conformance/", "bench/results/"].iter().any(|folder| self.path.starts_with(folder))
    }

    /// What `rule` says of each line, with its place.
    pub fn found_lines(&self, rule: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let lines = self.text.lines().enumerate();
        lines
            .filter_map(|(index, line)| Some(format!("{}:{}: {}", self.path, index + 1, rule(line)?)))
            .collect()
    }
}

/// Every file of the repository, new ones included, ignored ones not.
pub fn tracked() -> Vec<Source> {
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
    files.map(|path| source(path, &String::from_utf8_lossy(&bytes(path)))).collect()
}

pub fn rust_files() -> Vec<Source> {
    rust_files_outside(&[])
}

pub fn rust_files_outside(folders: &[&str]) -> Vec<Source> {
    let outside = |path: &str| !folders.iter().any(|folder| path.starts_with(folder));
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
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the repository").to_owned()
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn source(path: &str, text: &str) -> Source {
    let code = if path.ends_with(".rs") { without_literals(text) } else { String::new() };
    Source { path: path.to_owned(), text: text.to_owned(), code }
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

/// Whether `word` stands in the line with no letter of a longer name before or behind it.
pub fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(index, _)| {
        let before = line[..index].chars().next_back();
        let after = line[index + word.len()..].chars().next();
        !before.is_some_and(in_name) && !after.is_some_and(in_name)
    })
}

/// Whether an absolute path that begins with `root` stands in the line.
pub fn starts_a_path(line: &str, root: &str) -> bool {
    let in_path =
        |character: char| in_name(character) || matches!(character, '.' | '-' | '/' | '}' | ')' | '*');
    line.match_indices(root).any(|(index, _)| !line[..index].chars().next_back().is_some_and(in_path))
}

fn in_name(character: char) -> bool {
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

/// Rust text with comments, strings and characters turned to blanks, byte for byte.
fn without_literals(text: &str) -> String {
    let mut code = text.as_bytes().to_vec();
    let mut at = 0;
    while at < text.len() {
        let length = literal_length(&text.as_bytes()[at..], text.as_bytes()[..at].last().copied());
        for byte in &mut code[at..at + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += length.max(1);
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// How many bytes of a comment, string or character begin here; 0 for code.
fn literal_length(rest: &[u8], before: Option<u8>) -> usize {
    let until = |end: &[u8], from: usize| {
        let found = rest[from.min(rest.len())..].windows(end.len()).position(|window| window == end);
        found.map_or(rest.len(), |index| from + index + end.len())
    };
    match rest {
        [b'/', b'/', ..] => until(b"\n", 2).saturating_sub(1).max(2),
        [b'/', b'*', ..] => until(b"*/", 2),
        [b'"', ..] => string_length(rest),
        [b'r', b'"' | b'#', ..]
            if !before.is_some_and(|byte| byte.is_ascii_alphanumeric() && byte != b'b') =>
        {
            let hashes = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
            let end = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
            if rest.get(1 + hashes) == Some(&b'"') { until(&end, 2 + hashes) } else { 0 }
        }
        [b'\'', b'\\', _, ..] => until(b"'", 3),
        [b'\'', first, ..] => {
            let width = match first {
                0..0x80 => 1,
                0xc0..0xe0 => 2,
                0xe0..0xf0 => 3,
                _ => 4,
            };
            if rest.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
        }
        _ => 0,
    }
}

fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'"' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}
