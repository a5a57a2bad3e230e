//! Prints the output for each file: `cargo run -p rusk-transpile --example transpile < LIST`. LIST
//! has one line per file: a path, then optionally a tab and `module`, `commonjs`, or `names` for
//! the exports of a CommonJS file. It prints one line of JSON per file, for test programs.
#![allow(clippy::print_stdout)]

use std::io::BufRead;
use std::path::Path;

use rusk_transpile::{
    Language, ModuleForm, Options, Script, SourceKind, SyntaxErrors, cjs_exports, transpile,
};

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("stdin is text");
        let mut words = line.split('\t');
        let path = words.next().expect("a line has a path");
        let source = String::from_utf8_lossy(&std::fs::read(path).expect("it can be read")).into_owned();
        let kind = match words.next() {
            Some("names") => {
                println!("{}", names(&source));
                continue;
            }
            Some("module") => Some(SourceKind::Module),
            Some("commonjs") => Some(SourceKind::CommonJs),
            _ => None,
        };
        let extension = Path::new(path).extension().and_then(|end| end.to_str()).unwrap_or("js");
        let language = Language::of_extension(extension).unwrap_or(Language::JavaScript);
        println!("{}", rendered(&source, transpile(&source, path, &Options::new(language, kind))));
    }
}

fn names(source: &str) -> String {
    let Some(exports) = cjs_exports(source) else { return "null".to_owned() };
    let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
    format!("[[{}],[{}]]", list(&exports.names), list(&exports.reexports))
}

fn rendered(source: &str, result: Result<Script, SyntaxErrors>) -> String {
    match result {
        Ok(script) => format!(
            "{{\"kind\":\"{:?}\",\"await\":{},\"code\":{},\"once\":{},\"tables\":{}}}",
            script.kind,
            script.has_top_level_await,
            quoted(&script.code(source, ModuleForm::Generator)),
            quoted(&script.code(source, ModuleForm::Function)),
            quoted(&format!("{:?}", script.tables)),
        ),
        Err(errors) => format!("{{\"error\":{}}}", quoted(&errors.to_string())),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..='\x1f' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
