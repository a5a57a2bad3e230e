//! The targets of `rusk-transpile`: programs, names of CommonJS files, source maps. All come with
//! packages.

use rusk_transpile::{
    AsyncContext, Decorators, Fields, Imports, Jsx, Language, ModuleForm, Options, SourceKind, SourceMap,
    SourceMapLink, SourcePosition, StrictNullChecks, cjs_exports, find_source_map, transpile_parsed,
};

/// Longer ones take seconds to be mutated, and show nothing that a short one does not.
const SOURCE_BYTES_MAX: usize = 1 << 14;

/// Deeper ones are cut there. The parser takes brackets for an arrow's before it takes them for
/// anything else, and where something within is wrong it does so a level at a time: its time grows
/// with the square of `(a=(a=(a=`, a tenth of a second for 1,000.
const LEVELS_MAX: usize = 300;

/// What comes out is one expression, and JavaScript keeps its lines.
pub fn transpile(input: &[u8]) {
    let source = String::from_utf8_lossy(&input[..input.len().min(SOURCE_BYTES_MAX)]);
    let source = &source[..end_of_levels(&source)];
    for (language, kind, decorators) in [
        (Language::JavaScript, None, Decorators::LegacyWithMetadata(StrictNullChecks::On)),
        (Language::JavaScript, Some(SourceKind::Module), Decorators::Standard),
        (Language::Tsx, None, Decorators::Standard),
        (
            Language::TypeScript,
            Some(SourceKind::CommonJs),
            Decorators::LegacyWithMetadata(StrictNullChecks::On),
        ),
    ] {
        let options = Options {
            jsx: Jsx::Classic { factory: "h".to_owned(), fragment: "F".to_owned() },
            decorators,
            fields: Fields::Assign,
            imports: Imports::Used,
            async_context: AsyncContext::Propagated,
            ..Options::new(language, kind)
        };
        let Ok(script) = transpile_parsed(source, "a", &options) else { continue };
        // What is written anew for these has lines of its own, which have no place in the source.
        let keeps_lines = language == Language::JavaScript
            && !source.contains("using")
            && (decorators == Decorators::Standard || !source.contains('@'));
        for form in [ModuleForm::Function, ModuleForm::Generator] {
            let code = script.code(source, form);
            let plain = Options::new(Language::JavaScript, Some(SourceKind::CommonJs));
            if let Err(errors) = transpile_parsed(&format!("[{code}]"), "a", &plain) {
                panic!("{errors}: {code}");
            }
            let position = SourcePosition { line: 1, column: 7 };
            assert!(!keeps_lines || script.position_map(form).source(position).is_some());
        }
        let lines = |text: &str| text.lines().count();
        let text = script.text.as_deref().unwrap_or(source);
        assert!(!keeps_lines || lines(text) == lines(source));
    }
}

/// How far it nests no deeper than it may.
fn end_of_levels(source: &str) -> usize {
    let mut open = 0_usize;
    let is_too_deep = |(_, byte): &(usize, u8)| {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        open > LEVELS_MAX
    };
    source.bytes().enumerate().find(is_too_deep).map_or(source.len(), |(at, _)| at)
}

/// Names are found once each.
pub fn cjs(input: &[u8]) {
    let Some(exports) = cjs_exports(&String::from_utf8_lossy(input)) else { return };
    let mut names = exports.names.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), exports.names.len());
}

/// A place that is found lies in a source that is there.
pub fn source_map(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let inline = match find_source_map(&text) {
        Some(SourceMapLink::Inline(map)) => Some(map),
        _ => None,
    };
    for map in inline.into_iter().chain(SourceMap::parse(&text)) {
        for line in 0..4 {
            let found = map.find(SourcePosition { line, column: 3 });
            assert!(found.is_none_or(|found| (found.file as usize) < map.sources.len()));
        }
    }
}
