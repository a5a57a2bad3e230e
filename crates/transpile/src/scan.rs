//! What a text cannot contain, told by its bytes alone. In: a text. Out: whether it is worth
//! parsing. Absent: certainty where it says yes; where it says no, the engine takes the text as it
//! is.

use memchr::memmem;

use crate::lexer::{IdentifierToken, Lexer, is_identifier_byte};

/// Whether JavaScript may hold what the engine does not know: `using`, decorators.
pub(crate) fn may_need_transform(source: &str) -> bool {
    memmem::find(source.as_bytes(), b"using").is_some() || source.contains('@')
}

/// Whether a script holds nothing of modules: no `import()`, and none of their statements. `await`
/// beyond functions is left to the engine, which refuses it.
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
    // The word is there; whether it is code, takes a closer look.
    let mut lexer = Lexer::new(source);
    loop {
        match lexer.next_identifier() {
            Ok(None) => return true,
            Ok(Some(word)) if !is_module_syntax(source, word) => {}
            _ => return false,
        }
    }
}

fn is_module_syntax(source: &str, word: IdentifierToken) -> bool {
    match &source.as_bytes()[word.start..word.end] {
        b"import" => !word.is_member,
        b"export" => !word.is_member && word.depth == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
