//! Byte scan that decides whether a file needs parsing. In: the source text. Out: whether it may
//! contain certain syntax. A positive answer may be wrong; after a negative one the engine takes
//! the file unchanged.

use memchr::memmem;

use crate::lexer::{IdentifierToken, Lexer, is_identifier_byte};

/// Whether JavaScript may contain syntax that the engine does not support: `using`, decorators.
pub(crate) fn may_need_transform(source: &str) -> bool {
    memmem::find(source.as_bytes(), b"using").is_some() || source.contains('@')
}

/// Whether a script has no module syntax: no `import()`, no import or export statements. Top-level
/// `await` is left to the engine, which rejects it.
pub(crate) fn is_plain_script(source: &str) -> bool {
    let bytes = source.as_bytes();
    let is_whole_word = |at: usize, word: &str| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let after = bytes.get(at + word.len());
        !before.is_some_and(|byte| is_identifier_byte(byte) && byte.is_ascii() || byte == b'.')
            && !after.is_some_and(|byte| is_identifier_byte(*byte) && byte.is_ascii())
    };
    let contains_word = |word: &str| memmem::find_iter(bytes, word).any(|at| is_whole_word(at, word));
    if !contains_word("import") && !contains_word("export") {
        return true;
    }
    // The word occurs; the lexer finds out whether it is code.
    let mut lexer = Lexer::new(source);
    loop {
        match lexer.next_identifier() {
            Ok(None) => return true,
            Ok(Some(token)) if !is_module_syntax(source, token) => {}
            _ => return false,
        }
    }
}

fn is_module_syntax(source: &str, token: IdentifierToken) -> bool {
    match &source.as_bytes()[token.start..token.end] {
        b"import" => !token.is_member,
        b"export" => !token.is_member && token.depth == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
