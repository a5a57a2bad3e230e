//! Fuzz targets of `rusk-transpile`: programs, exports of CommonJS files, source maps. All come
//! with packages.

use rusk_transpile::{
    AsyncContext, ClassFields, Decorators, Imports, Jsx, Language, ModuleForm, Options, SourceKind,
    SourceMap, SourceMapLink, SourcePosition, StrictNullChecks, cjs_exports, find_source_map,
    transpile_parsed,
};

/// Longer ones take seconds to mutate, and find nothing more.
const SOURCE_BYTES_MAX: usize = 1 << 14;

/// Deeper input is cut there. The parser tries brackets as an arrow function first, and backtracks
/// level by level if that fails: its time is quadratic in `(a=(a=(a=`, a tenth of a second for
/// 1,000.
const LEVELS_MAX: usize = 300;

/// The output is one expression, and JavaScript retains its lines.
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
            fields: ClassFields::Assign,
            imports: Imports::Used,
            async_context: AsyncContext::Propagated,
            ..Options::new(language, kind)
        };
        let Ok(script) = transpile_parsed(source, "a", &options) else { continue };
        // These are rewritten and have lines without a position in the source.
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

/// The length of the prefix that nests no deeper than the limit.
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

/// Each name is found once.
pub fn cjs(input: &[u8]) {
    let Some(exports) = cjs_exports(&String::from_utf8_lossy(input)) else { return };
    let mut names = exports.names.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), exports.names.len());
}

/// A mapped position is within a source that exists.
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
