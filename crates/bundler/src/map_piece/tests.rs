//! Maps are joined as `oxc_sourcemap` joins them. In: tokens. Out: mappings.

use oxc_sourcemap::{ConcatSourceMapBuilder, SourceMap, SourceMapBuilder};

use super::{MapPiece, join};

/// A map of one source. Tokens: line and column of the code, those of the source, a name.
fn map(source: &str, tokens: &[(u32, u32, u32, u32, &str)]) -> SourceMap<'static> {
    let mut builder = SourceMapBuilder::default();
    let id = builder.add_source_and_content(source, "let \"text\";\n\tend");
    for &(line, column, source_line, source_column, name) in tokens {
        let name = (!name.is_empty()).then(|| builder.add_name(name));
        builder.add_token(line, column, source_line, source_column, Some(id), name);
    }
    builder.into_sourcemap().into_owned()
}

/// All mappings of a map, with the strings that they refer to.
fn mappings(map: &SourceMap<'_>) -> Vec<String> {
    let text = |token: oxc_sourcemap::Token| {
        let source = token.get_source_id().and_then(|id| map.get_source(id)).unwrap_or_default();
        let name = token.get_name_id().and_then(|id| map.get_name(id)).unwrap_or_default();
        let (line, column) = (token.get_dst_line(), token.get_dst_col());
        format!("{line}:{column} {source}:{}:{} {name}", token.get_src_line(), token.get_src_col())
    };
    map.get_tokens().map(text).collect()
}

#[test]
fn joined_pieces_are_the_map_of_all() {
    let all = [
        (
            map("a.js", &[(0, 0, 3, 1, ""), (0, 9, 0, 70_000, ""), (2, 1, 5, 5, "one"), (2, 4, 5, 9, "two")]),
            1,
        ),
        (map("b.js", &[]), 5),
        (map("c.js", &[(1, 4, 0, 0, "three"), (1, 6, 0, 2, "four"), (4, 0, 9, 9, "")]), 6),
        (map("d.js", &[(0, 2, 8, 1, ""), (0, 3, 8, 2, "")]), 12),
        (map("e.js", &[(0, 0, 0, 0, "five")]), 13),
    ];
    let pieces: Vec<(MapPiece, u32)> = all.iter().map(|(map, line)| (MapPiece::new(map), *line)).collect();
    let text = join(pieces, str::to_owned).into_text();
    let joined = SourceMap::from_json_string(&text).expect("a source map");
    let expected = ConcatSourceMapBuilder::from_owned_sourcemaps(all.into()).into_sourcemap();
    assert_eq!(mappings(&joined), mappings(&expected));
    assert_eq!(joined.get_source_contents().next().flatten(), Some("let \"text\";\n\tend"));
}
