//! What a text cannot contain, told by its bytes alone. In: a text. Out: whether it is worth
//! parsing. Absent: certainty where it says yes; where it says no, the engine takes the text as it
//! is.

use memchr::memmem;

use crate::lexer::{Skim, Word, is_name_byte};

/// Whether JavaScript may hold what the engine does not know: `using`, decorators.
pub(crate) fn may_need_transform(source: &str) -> bool {
    memmem::find(source.as_bytes(), b"using").is_some() || source.contains('@')
}

/// Whether a script holds nothing of modules: no `import()`, and none of their statements. `await`
/// beyond functions is left to the engine, which refuses it.
pub(crate) fn is_plain_script(source: &str) -> bool {
    let bytes = source.as_bytes();
    let stands_alone = |at: usize, word: &str| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let after = bytes.get(at + word.len());
        !before.is_some_and(|byte| is_name_byte(byte) && byte.is_ascii() || byte == b'.')
            && !after.is_some_and(|byte| is_name_byte(*byte) && byte.is_ascii())
    };
    let stands = |word: &str| memmem::find_iter(bytes, word).any(|at| stands_alone(at, word));
    if !stands("import") && !stands("export") {
        return true;
    }
    // The word is there; whether it is code, takes a closer look.
    let mut lexer = Skim::new(source);
    loop {
        match lexer.next_word() {
            Ok(None) => return true,
            Ok(Some(word)) if !is_of_modules(source, word) => {}
            _ => return false,
        }
    }
}

fn is_of_modules(source: &str, word: Word) -> bool {
    match &source.as_bytes()[word.start..word.end] {
        b"import" => !word.is_member,
        b"export" => !word.is_member && word.depth == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
