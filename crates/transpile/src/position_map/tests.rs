//! Positions in edited and printed code, mapped back to the source.

use crate::options::{Language, Options};
use crate::position_map::SourcePosition;
use crate::script::{ModuleForm, SourceKind};
use crate::transpile::transpile;

/// Every `§` in the source marks an identifier whose position in the evaluated code must map back.
fn check(language: Language, marked: &str) {
    let source = marked.replace('§', "");
    let script =
        transpile(&source, "a.ts", &Options::new(language, Some(SourceKind::Module))).expect("it parses");
    for form in [ModuleForm::Function, ModuleForm::Generator] {
        let (code, positions) = (script.code(&source, form), script.position_map(form));
        let mut before = String::new();
        for piece in marked.split('§').skip(1).scan(marked.split('§').next(), |_, piece| Some(piece)) {
            let word: String = piece.chars().take_while(|character| character.is_alphanumeric()).collect();
            let wanted = position(&source, source.find(&word).expect("it is there"));
            let found = position(&code, code.find(&word).unwrap_or_else(|| panic!("`{word}` in {code}")));
            assert_eq!(positions.source(found), Some(wanted), "`{word}` in {code}");
            before.push_str(piece);
        }
    }
}

fn position(text: &str, at: usize) -> SourcePosition {
    let lines: Vec<&str> = text[..at].split('\n').collect();
    let column = lines.last().map_or(0, |line| line.encode_utf16().count());
    SourcePosition { line: lines.len() as u32 - 1, column: column as u32 }
}

#[test]
fn javascript_keeps_its_positions() {
    check(Language::JavaScript, "§first;\nimport {a} from 'x'; §second;\na(); §third; a`x`; §fourth\n§fifth");
}

#[test]
fn surrogate_pairs_count_as_two_columns() {
    check(Language::JavaScript, "import {a} from 'x';\n'😀ä'; a(); '😀'; §second; a; §third");
    check(Language::JavaScript, "import {a as /* 😀 */ b} from 'x'; §first; b(); §second");
}

#[test]
fn a_statement_over_many_lines_leaves_its_lines() {
    check(Language::JavaScript, "import {\n  a,\n  b,\n} from 'x'; §first;\n§second; a(\n  b(), §third)");
    check(Language::JavaScript, "export default\n  (§first,\n  §second); §third\n§fourth");
}

#[test]
fn printed_code_has_its_positions() {
    check(
        Language::TypeScript,
        "enum A { B }\n\n\n  §first();\nnamespace N { export const x = §second }\n§third",
    );
}

#[test]
fn source_positions_map_to_generated_code() {
    let check = |language, source: &str, wanted: (u32, u32)| {
        let script =
            transpile(source, "a.ts", &Options::new(language, Some(SourceKind::Module))).expect("it parses");
        let written = position(source, source.find("here").expect("it is there"));
        let found = script.position_map(ModuleForm::Function).generated(written);
        assert_eq!((found.line, found.column), wanted, "{source}");
    };
    check(Language::TypeScript, "interface A {\n  b: 1;\n}\n\nconst a = here();\nexport { a };", (0, 10));
    check(Language::JavaScript, "\n  here();\nimport 'x';", (1, 2));
}
