//! JSON with comments, and with commas behind the last of a list. In: a text. Out: JSON, with
//! blanks in place of both, so that every place is the one it was. Absent: what else is wrong with
//! it; the engine says that.

use super::Fault;

pub fn jsonc(text: &str) -> Result<String, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(bytes.len());
    // Where the last comma stands, if only blanks follow it so far.
    let mut comma = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        let end = match byte {
            b'"' => at + text_end(rest),
            b'/' if rest.starts_with("//") => {
                let end = at + rest.find(['\n', '\r']).unwrap_or(rest.len());
                blank(&mut out, &text[at..end]);
                at = end;
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                let Some(length) = rest[2..].find("*/") else {
                    return Err(Fault::at(text, at, "a comment has no end"));
                };
                let end = at + length + 4;
                blank(&mut out, &text[at..end]);
                at = end;
                continue;
            }
            _ => at + rest.chars().next().map_or(1, char::len_utf8),
        };
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b',' => comma = Some(out.len()),
            _ => {
                if let (b']' | b'}', Some(comma)) = (byte, comma.take()) {
                    out.replace_range(comma..=comma, " ");
                }
            }
        }
        out.push_str(&text[at..end]);
        at = end;
    }
    Ok(out)
}

/// Behind the closing mark of the text that `rest` begins with, or the end of all.
fn text_end(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Lines stay, and so do columns, in which the engine counts.
fn blank(out: &mut String, comment: &str) {
    for letter in comment.chars() {
        match letter {
            '\n' | '\r' => out.push(letter),
            letter => (0..letter.len_utf16()).for_each(|_| out.push(' ')),
        }
    }
}
