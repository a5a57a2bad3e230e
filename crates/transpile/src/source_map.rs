//! Source maps: of text that was generated here, and of packages that ship theirs. In: the tokens of one. Out: lookups. Lines and
//! columns begin at 0.

use crate::positions::Place;

/// From places of a generated text to places of its sources.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The files it was generated from, as the map names them.
    pub sources: Vec<String>,
    /// By place in the generated text.
    tokens: Vec<Token>,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    target: Place,
    source: Place,
    /// None: nothing of any source.
    file: Option<u32>,
}

/// A place in one of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub place: Place,
    /// An index of `SourceMap::sources`.
    pub file: u32,
}

impl SourceMap {
    pub(crate) fn of_generated(map: &oxc_sourcemap::SourceMap<'_>) -> SourceMap {
        let mut tokens: Vec<Token> = map
            .get_tokens()
            .map(|token| Token {
                target: Place { line: token.get_dst_line(), column: token.get_dst_col() },
                source: Place { line: token.get_src_line(), column: token.get_src_col() },
                file: token.get_source_id(),
            })
            .collect();
        tokens.sort_by_key(|token| token.target);
        SourceMap { sources: map.get_sources().map(str::to_owned).collect(), tokens }
    }

    pub(crate) fn is_generated(&self) -> bool {
        !self.sources.is_empty()
    }

    /// What the nearest token before a place on its line says.
    pub fn find(&self, place: Place) -> Option<Found> {
        let after = self.tokens.partition_point(|token| token.target <= place);
        let token = &self.tokens[after.checked_sub(1)?];
        if token.target.line != place.line {
            return None;
        }
        Some(Found { place: token.source, file: token.file? })
    }
}
