//! Source maps of chunks: those of modules joined, and one map applied to another. In: maps. Out: a
//! map. Absent: maps that packages ship.

use oxc_sourcemap::{ConcatSourceMapBuilder, SourceMap, SourceMapBuilder};

/// Maps of parts of a text, each with the line at which its part begins.
pub(crate) fn join(maps: Vec<(SourceMap<'static>, u32)>) -> SourceMap<'static> {
    ConcatSourceMapBuilder::from_owned_sourcemaps(maps).into_sourcemap()
}

/// The map from `outer`'s text to the sources of `inner`, where `inner` maps `outer`'s source.
pub(crate) fn compose(outer: &SourceMap<'_>, inner: &SourceMap<'_>) -> SourceMap<'static> {
    let table = inner.generate_lookup_table();
    let mut builder = SourceMapBuilder::default();
    let contents: Vec<Option<&str>> = inner.get_source_contents().collect();
    for (index, source) in inner.get_sources().enumerate() {
        builder.set_source_and_content(source, contents.get(index).copied().flatten().unwrap_or(""));
    }
    for token in outer.get_tokens() {
        let Some(found) = inner.lookup_token(&table, token.get_src_line(), token.get_src_col()) else {
            continue;
        };
        let name =
            found.get_name_id().and_then(|name| inner.get_name(name)).map(|name| builder.add_name(name));
        builder.add_token(
            token.get_dst_line(),
            token.get_dst_col(),
            found.get_src_line(),
            found.get_src_col(),
            found.get_source_id(),
            name,
        );
    }
    builder.into_sourcemap().into_owned()
}
