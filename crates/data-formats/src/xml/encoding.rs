//! The encoding of an XML document: by its byte order mark, or its declaration. In: bytes. Out: a
//! text. UTF-8, UTF-16 and ISO-8859-1; others are faults.

use std::borrow::Cow;

use crate::Fault;

/// Bytes in which a declaration is looked for.
const DECLARATION_BYTES_MAX: usize = 256;

pub fn xml_text(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let refused = |message: String| Fault { message, line: 1, column: 1 };
    match bytes {
        [0xfe, 0xff, rest @ ..] | rest @ [0, b'<', 0, _, ..] => Ok(utf16(rest, u16::from_be_bytes).into()),
        [0xff, 0xfe, rest @ ..] | rest @ [b'<', 0, _, 0, ..] => Ok(utf16(rest, u16::from_le_bytes).into()),
        _ => match declared(bytes).map(|name| name.to_ascii_lowercase()).as_deref() {
            None | Some("utf-8" | "utf8" | "us-ascii" | "ascii") => {
                std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| {
                    refused("the document is not valid UTF-8, and declares no other encoding".to_owned())
                })
            }
            Some("iso-8859-1" | "latin1") => {
                Ok(bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into())
            }
            Some(name) => Err(refused(format!("the encoding `{name}` is not supported"))),
        },
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The name in `<?xml … encoding="…"?>`.
fn declared(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION_BYTES_MAX)]).into_owned();
    let declaration = start.strip_prefix("<?xml")?.split_once("?>")?.0;
    let (_, rest) = declaration.split_once("encoding")?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split_once(quote).map(|(name, _)| name.to_owned())
}
