//! Source maps of generated code and of packages. In: the tokens of a map. Out: lookups. Lines and
//! columns begin at 0. Absent: reading files, and index maps with sections.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::position_map::SourcePosition;

/// Where a file's source map is, by its last `sourceMappingURL` comment.
#[derive(Clone, Debug)]
pub enum SourceMapLink<'s> {
    /// In the file itself.
    Inline(SourceMap),
    /// A URL, relative to the file.
    External(&'s str),
}

/// Finds `//# sourceMappingURL=`. None without one, or if the inline map is invalid.
pub fn find_source_map(source: &str) -> Option<SourceMapLink<'_>> {
    let url = source_map_url(source)?;
    if !url.starts_with("data:") {
        return Some(SourceMapLink::External(url));
    }
    SourceMap::parse(&inline_json(url)?).map(SourceMapLink::Inline)
}

/// Names and contents of the sources that the inline map of a file has.
pub fn source_contents(source: &str) -> Vec<(String, String)> {
    let Some(json) = source_map_url(source).and_then(inline_json) else { return Vec::new() };
    let Ok(map) = oxc_sourcemap::SourceMap::from_json_string(&json) else { return Vec::new() };
    let sources = map.get_sources().zip(map.get_source_contents());
    sources.filter_map(|(name, text)| Some((name.to_owned(), text?.to_owned()))).collect()
}

/// The map in a `data:` URL.
fn inline_json(url: &str) -> Option<String> {
    let (kind, body) = url.strip_prefix("data:")?.split_once(',')?;
    let bytes = kind.ends_with(";base64").then(|| STANDARD.decode(body).ok()).flatten()?;
    String::from_utf8(bytes).ok()
}

/// The address in a `sourceMappingURL` comment. The last one counts; it follows `//#` or `/*#` and
/// a space, as in Node.
pub fn source_map_url(source: &str) -> Option<&str> {
    const NAME: &str = "sourceMappingURL=";
    let starts = memchr::memmem::rfind_iter(source.as_bytes(), NAME);
    for start in starts {
        let before = &source[..start];
        let trimmed = before.trim_end();
        if trimmed.len() < before.len() && (trimmed.ends_with("//#") || trimmed.ends_with("/*#")) {
            return source[start + NAME.len()..]
                .split(char::is_whitespace)
                .next()
                .filter(|url| !url.is_empty());
        }
    }
    None
}

/// Maps positions in generated code to positions in its sources.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The source files, as the map names them.
    pub sources: Vec<String>,
    /// Sorted by position in the generated code.
    pub(crate) tokens: Vec<Token>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) target: SourcePosition,
    pub(crate) source: SourcePosition,
    /// None: no source.
    pub(crate) file: Option<u32>,
}

/// A position in one of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OriginalPosition {
    pub position: SourcePosition,
    /// An index of `SourceMap::sources`.
    pub file: u32,
}

impl SourceMap {
    /// None for an invalid map.
    pub fn parse(json: &str) -> Option<SourceMap> {
        // A prefix that prevents running it as a script: source map specification, 5.2.
        let json = json.strip_prefix(")]}'").unwrap_or(json);
        let map = oxc_sourcemap::SourceMap::from_json_string(json).ok()?;
        let root = map
            .get_source_root()
            .filter(|root| !root.is_empty())
            .map(|root| root.trim_end_matches('/').to_owned());
        let mut parsed = SourceMap::of_generated(&map);
        if let Some(root) = root {
            parsed.sources.iter_mut().for_each(|source| *source = format!("{root}/{source}"));
        }
        Some(parsed)
    }

    pub(crate) fn of_generated(map: &oxc_sourcemap::SourceMap<'_>) -> SourceMap {
        let mut tokens: Vec<Token> = map
            .get_tokens()
            .map(|token| Token {
                target: SourcePosition { line: token.get_dst_line(), column: token.get_dst_col() },
                source: SourcePosition { line: token.get_src_line(), column: token.get_src_col() },
                file: token.get_source_id(),
            })
            .collect();
        tokens.sort_by_key(|token| token.target);
        SourceMap { sources: map.get_sources().map(str::to_owned).collect(), tokens }
    }

    pub(crate) fn is_generated(&self) -> bool {
        !self.sources.is_empty()
    }

    /// The first position that was generated from exactly this one.
    pub(crate) fn target(&self, source: SourcePosition) -> Option<SourcePosition> {
        self.tokens
            .iter()
            .find(|token| token.file.is_some() && token.source == source)
            .map(|token| token.target)
    }

    /// The mapping of the nearest token before a position on its line.
    pub fn find(&self, position: SourcePosition) -> Option<OriginalPosition> {
        let after = self.tokens.partition_point(|token| token.target <= position);
        let token = &self.tokens[after.checked_sub(1)?];
        if token.target.line != position.line {
            return None;
        }
        Some(OriginalPosition { position: token.source, file: token.file? })
    }
}

#[cfg(test)]
mod tests;
