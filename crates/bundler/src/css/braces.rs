//! Braces that close nothing: browsers and lightningcss take such a brace for a part of the next
//! selector, and drop its rule without a word. In: a source text. Out: the first such brace.

/// Where the brace is.
pub(super) fn find_stray(source: &str) -> Option<usize> {
    let bytes = source.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += 2 + memchr::memmem::find(&bytes[at + 2..], b"*/")? + 2;
                continue;
            }
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'\\' => at += 1,
            b'(' if is_url(bytes, at) => {
                at = url_end(bytes, at);
                continue;
            }
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Behind a string. One that is not closed ends with its line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == bytes[start] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Whether a parenthesis begins a URL without quotes.
fn is_url(bytes: &[u8], at: usize) -> bool {
    let is_named = at >= 3 && bytes[at - 3..at].eq_ignore_ascii_case(b"url");
    let first = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
    is_named && !matches!(first, Some(b'"' | b'\''))
}

fn url_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b')' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests;
