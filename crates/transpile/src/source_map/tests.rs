//! Source maps of packages.

use super::{SourceMap, SourceMapLink, find_source_map};
use crate::position_map::SourcePosition;

const MAP: &str =
    r#"{"version":3,"sourceRoot":"src/","sources":["a.ts","b.ts"],"names":[],"mappings":"AAAA,IAAM;;ACCN"}"#;

fn check(map: &SourceMap, line: u32, column: u32, wanted: Option<(&str, u32, u32)>) {
    let found = map.find(SourcePosition { line, column });
    let found = found
        .map(|found| (map.sources[found.file as usize].as_str(), found.position.line, found.position.column));
    assert_eq!(found, wanted, "{line}:{column}");
}

#[test]
fn positions_are_found() {
    let map = SourceMap::parse(MAP).unwrap();
    check(&map, 0, 0, Some(("src/a.ts", 0, 0)));
    check(&map, 0, 3, Some(("src/a.ts", 0, 0)));
    check(&map, 0, 9, Some(("src/a.ts", 0, 6)));
    check(&map, 1, 0, None);
    check(&map, 2, 5, Some(("src/b.ts", 1, 0)));
    check(&map, 3, 0, None);
}

#[test]
fn invalid_maps_are_none() {
    for text in [
        "",
        "{}",
        "[]",
        "{\"version\":3,\"sources\":[],\"mappings\":\"AAAA\"}",
        "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"!\"}",
    ] {
        assert!(
            SourceMap::parse(text).is_none_or(|map| map.find(SourcePosition::default()).is_none()),
            "{text}"
        );
    }
}

#[test]
fn the_last_comment_is_followed() {
    let beside = |source: &'static str| match find_source_map(source) {
        Some(SourceMapLink::External(url)) => url,
        other => panic!("{other:?}"),
    };
    assert_eq!(beside("a\n//# sourceMappingURL=a.js.map"), "a.js.map");
    assert_eq!(beside("a\n/*# sourceMappingURL=a.js.map */\n"), "a.js.map");
    assert_eq!(beside("//# sourceMappingURL=a\n//# sourceMappingURL=b\n'sourceMappingURL=c'"), "b");
    assert!(find_source_map("sourceMappingURL=a // sourceMappingURL=b").is_none());
    assert!(find_source_map("//# sourceMappingURL=data:application/json;base64,%%").is_none());
}

#[test]
fn an_inline_map_is_read() {
    use base64::Engine;
    let body = base64::engine::general_purpose::STANDARD.encode(MAP);
    let source = format!("a\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,{body}\n");
    let Some(SourceMapLink::Inline(map)) = find_source_map(&source) else { panic!("it is there") };
    check(&map, 0, 0, Some(("src/a.ts", 0, 0)));
}
