//! Source maps of chunks, joined from encoded pieces. The thread that prints a module encodes its
//! map: mappings are relative to each other, so joining adjusts two of them and copies the rest.
//! In: maps with one source. Out: the JSON of a map.

use std::fmt::Write as _;

use oxc_sourcemap::{SourceMap, Token};
use rusk_npm::json;

use crate::output_bytes::OutputBytes;

/// The map of one module's code, whose first line begins a line of the chunk.
#[derive(Debug)]
pub(crate) struct MapPiece {
    pub(crate) source: String,
    /// As JSON, with the comma before the next one.
    content: String,
    /// Members of a list in JSON.
    names: String,
    names_count: i64,
    mappings: Option<EncodedMappings>,
}

/// Mappings, of which the first and the first with a name are not encoded.
#[derive(Debug, Default)]
struct EncodedMappings {
    /// Lines before that of the first mapping.
    first_line: u32,
    first: Segment,
    /// With the separator before the next segment.
    middle: String,
    named: Option<Segment>,
    tail: String,
    /// Lines from the first mapping to the last.
    lines: u32,
    /// Of the last mapping; absolute.
    end: Segment,
}

/// The numbers of a mapping: absolute, or relative to those of the one before.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    column: i64,
    source_line: i64,
    source_column: i64,
    name: Option<i64>,
}

impl MapPiece {
    pub(crate) fn new(map: &SourceMap<'_>) -> MapPiece {
        let mut names = String::new();
        for (index, name) in map.get_names().enumerate() {
            names.push_str(if index > 0 { "," } else { "" });
            json::quote_into(&mut names, name);
        }
        let content = map.get_source_contents().next().flatten().unwrap_or_default();
        let mut quoted = String::with_capacity(content.len() + content.len() / 8 + 16);
        json::quote_into(&mut quoted, content);
        quoted.push(',');
        quoted.shrink_to_fit();
        MapPiece {
            source: map.get_sources().next().unwrap_or_default().to_owned(),
            content: quoted,
            names,
            names_count: map.get_names().count() as i64,
            mappings: EncodedMappings::of(map.get_tokens()),
        }
    }
}

impl EncodedMappings {
    fn of(tokens: impl Iterator<Item = Token>) -> Option<EncodedMappings> {
        let mut tokens = tokens.filter(|token| token.get_source_id().is_some());
        let first = tokens.next()?;
        let mut own = EncodedMappings {
            first_line: first.get_dst_line(),
            first: Segment::of(&first),
            end: Segment::of(&first),
            ..EncodedMappings::default()
        };
        let (mut line, mut text) = (first.get_dst_line(), String::new());
        for token in tokens {
            let mut segment = Segment::of(&token);
            let here = segment;
            if token.get_dst_line() == line {
                text.push(',');
                segment.column -= own.end.column;
            }
            while line < token.get_dst_line() {
                text.push(';');
                line += 1;
            }
            segment.source_line -= own.end.source_line;
            segment.source_column -= own.end.source_column;
            match (segment.name, own.end.name) {
                (Some(_), None) => {
                    own.middle = std::mem::take(&mut text);
                    own.named = Some(segment);
                }
                (Some(name), Some(last)) => {
                    segment.name = Some(name - last);
                    segment.encode(&mut text, 0);
                }
                (None, _) => segment.encode(&mut text, 0),
            }
            own.end = Segment { name: here.name.or(own.end.name), ..here };
        }
        own.lines = line - own.first_line;
        text.shrink_to_fit();
        match own.named {
            Some(_) => own.tail = text,
            None => own.middle = text,
        }
        Some(own)
    }
}

impl Segment {
    fn of(token: &Token) -> Segment {
        Segment {
            column: i64::from(token.get_dst_col()),
            source_line: i64::from(token.get_src_line()),
            source_column: i64::from(token.get_src_col()),
            name: token.get_name_id().map(i64::from),
        }
    }

    /// Appends the segment, whose numbers are relative.
    fn encode(self, text: &mut String, source: i64) {
        push_vlq(text, self.column);
        push_vlq(text, source);
        push_vlq(text, self.source_line);
        push_vlq(text, self.source_column);
        if let Some(name) = self.name {
            push_vlq(text, name);
        }
    }
}

/// Five bits a character, the sign in the lowest bit.
fn push_vlq(text: &mut String, number: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
    if let Some(digit) = DIGITS[..32].get(rest as usize) {
        return text.push(char::from(*digit));
    }
    loop {
        let digit = (rest & 31) as usize;
        rest >>= 5;
        text.push(char::from(DIGITS[if rest > 0 { digit | 32 } else { digit }]));
        if rest == 0 {
            return;
        }
    }
}

/// The JSON of the map of pieces, each with the line at which it begins. `path_of`: a source's name
/// in the map.
pub(crate) fn join(mut pieces: Vec<(MapPiece, u32)>, path_of: impl Fn(&str) -> String) -> OutputBytes {
    let mut text = "{\"version\":3,\"names\":[".to_owned();
    let names = pieces.iter().map(|(piece, _)| piece.names.as_str()).filter(|names| !names.is_empty());
    push_list(&mut text, names);
    text.push_str("],\"sources\":[");
    for (index, (piece, _)) in pieces.iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        json::quote_into(&mut text, &path_of(&piece.source));
    }
    text.push_str("],\"sourcesContent\":[");
    let mut joined = OutputBytes::default();
    joined.push_piece(text);
    let last = pieces.len().saturating_sub(1);
    for (index, (piece, _)) in pieces.iter_mut().enumerate() {
        let mut content = std::mem::take(&mut piece.content);
        content.truncate(content.len() - usize::from(index == last));
        joined.push_piece(content);
    }
    joined.push("],\"mappings\":\"");
    push_mappings(&mut joined, pieces);
    joined.push("\"}");
    joined
}

fn push_list<'t>(text: &mut String, members: impl Iterator<Item = &'t str>) {
    for (index, member) in members.enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str(member);
    }
}

fn push_mappings(joined: &mut OutputBytes, pieces: Vec<(MapPiece, u32)>) {
    let mut text = String::new();
    let (mut line, mut source, mut last, mut last_name, mut names) = (0, 0, Segment::default(), 0, 0);
    for (index, (piece, start)) in pieces.into_iter().enumerate() {
        if let Some(mappings) = piece.mappings {
            for _ in line..start + mappings.first_line {
                text.push(';');
            }
            let first = Segment {
                column: mappings.first.column,
                source_line: mappings.first.source_line - last.source_line,
                source_column: mappings.first.source_column - last.source_column,
                name: mappings.first.name.map(|name| names + name - last_name),
            };
            first.encode(&mut text, index as i64 - source);
            joined.push(&text);
            joined.push_piece(mappings.middle);
            text.clear();
            if let Some(named) = mappings.named {
                let name = named.name.map(|name| names + name - last_name);
                Segment { name, ..named }.encode(&mut text, 0);
                joined.push(&text);
                joined.push_piece(mappings.tail);
                text.clear();
            }
            line = start + mappings.first_line + mappings.lines;
            source = index as i64;
            last = mappings.end;
            last_name = mappings.end.name.map_or(last_name, |name| names + name);
        }
        names += piece.names_count;
    }
}

/// The map as a URL.
pub(crate) fn data_url(json: &OutputBytes) -> String {
    use base64::Engine as _;
    let mut url = String::new();
    let encoded = base64::engine::general_purpose::STANDARD.encode(json.contiguous());
    let _ = write!(url, "data:application/json;base64,{encoded}");
    url
}

#[cfg(test)]
mod tests;
