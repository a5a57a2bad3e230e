//! Names that code defines: functions, types, modules and variants of Rust; functions, methods and
//! classes of JavaScript; and files.

use super::lexer::Language;
use super::source::{self, Source};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Function,
    Type,
    /// A module or a file.
    Module,
    Variant,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub kind: Kind,
    pub name: String,
    /// Counted from 1.
    pub line: usize,
}

/// Every name that the file defines, and its own.
pub fn defined(file: &Source) -> Vec<Name> {
    let mut names = match file.language() {
        Some(Language::Rust) => rust(&file.code),
        Some(Language::JavaScript) => javascript(&file.code),
        None => return Vec::new(),
    };
    let stem = file.file_name().split('.').next().unwrap_or_default().to_owned();
    names.push(Name { kind: Kind::Module, name: stem, line: 1 });
    names
}

fn rust(code: &str) -> Vec<Name> {
    let mut names = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let Some((keyword, name)) = source::definition(line) else { continue };
        let kind = match keyword {
            "fn" => Kind::Function,
            "mod" => Kind::Module,
            _ => Kind::Type,
        };
        names.push(Name { kind, name: name.to_owned(), line: index + 1 });
    }
    for (at, _) in code.match_indices("enum ") {
        names.extend(variants(code, at));
    }
    names
}

/// The variants of the enum whose keyword is at `at`.
fn variants(code: &str, at: usize) -> Vec<Name> {
    let mut names = Vec::new();
    let Some(open) = code[at..].find(['{', ';']).filter(|index| code[at + index..].starts_with('{')) else {
        return names;
    };
    let (mut depth, mut expects_name) = (0_usize, false);
    let mut brackets = 0_usize;
    for (index, character) in code.char_indices().skip_while(|(index, _)| *index < at + open) {
        match character {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            _ if brackets > 0 => {}
            '{' | '(' => {
                depth += 1;
                expects_name = depth == 1;
            }
            '}' | ')' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ',' if depth == 1 => expects_name = true,
            _ if expects_name && source::in_name(character) => {
                let name = source::identifiers(&code[index..]).next().unwrap_or_default().to_owned();
                let line = 1 + code[..index].matches('\n').count();
                names.push(Name { kind: Kind::Variant, name, line });
                expects_name = false;
            }
            _ => {}
        }
    }
    names
}

fn javascript(code: &str) -> Vec<Name> {
    let mut names = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let found = [
            (Kind::Function, after_keyword(line, "function")),
            (Kind::Type, after_keyword(line, "class")),
            (Kind::Function, method(line)),
            (Kind::Function, assigned(line)),
        ];
        for (kind, name) in found {
            names.extend(name.map(|name| Name { kind, name: name.to_owned(), line: index + 1 }));
        }
    }
    names
}

fn after_keyword<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let (_, after) = line.split_once(keyword).filter(|_| source::has_word(line, keyword))?;
    let after = after.trim_start_matches([' ', '*']);
    source::identifiers(after).next().filter(|name| after.starts_with(name) && *name != "extends")
}

/// `async name(a, b) {` in an object or a class.
fn method(line: &str) -> Option<&str> {
    const KEYWORDS: &[&str] =
        &["if", "for", "while", "switch", "catch", "with", "function", "return", "super", "await"];
    let mut rest = line.trim();
    for modifier in ["static ", "async ", "get ", "set ", "*", "#"] {
        rest = rest.strip_prefix(modifier).unwrap_or(rest);
    }
    let name = source::identifiers(rest).next().filter(|name| rest.starts_with(name))?;
    let arguments = rest[name.len()..].strip_prefix('(')?;
    let mut depth = 1_usize;
    let close = arguments.char_indices().find(|(_, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let is_body = arguments[close.0 + 1..].trim_start().starts_with('{');
    (is_body && !KEYWORDS.contains(&name)).then_some(name)
}

/// `name = function`, `name: function`, `const name = (a) =>`.
fn assigned(line: &str) -> Option<&str> {
    let constant = line.trim().strip_prefix("const ").filter(|rest| rest.contains("=>"));
    if let Some((name, value)) = constant.and_then(|rest| rest.split_once(" = ")) {
        let is_function = value.starts_with('(') || value.starts_with("async ") || is_arrow(value);
        return Some(name).filter(|name| is_function && name.chars().all(source::in_name));
    }
    let (before, _) = line.split_once("= function").or_else(|| line.split_once(": function"))?;
    source::identifiers(before).last()
}

/// `a => ...`
fn is_arrow(value: &str) -> bool {
    value.split_once(" =>").is_some_and(|(name, _)| name.chars().all(source::in_name))
}
