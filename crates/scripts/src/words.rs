//! Commands and the shell. In: a command. Out: its words, where a shell would make just these of it
//! and start a program; else the line that a shell reads. Absent: variables, globs and all else
//! that only a shell reads.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// What `sh` does by itself, or reads as grammar; bash's own are here for systems where it is `sh`.
const SHELLS_OWN: &str = "\
    . : alias bg bind break builtin caller case cd chdir command compgen complete compopt continue
    coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi
    for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd
    pwd read readarray readonly return select set shift shopt source suspend test then time times trap
    true type typeset ulimit umask unalias unset until wait while";

/// The words of a command without shell syntax: a program by its path, or to be found on PATH, and
/// its arguments.
pub(super) fn plain(command: &str) -> Option<Vec<String>> {
    let words = parse(command)?;
    let program = words.first()?;
    // `NAME=value` sets a variable.
    let is_program = !program.is_empty()
        && !program.contains('=')
        && SHELLS_OWN.split_ascii_whitespace().all(|own| own != *program);
    is_program.then_some(words)
}

/// Words between blanks, quotes taken off; `None` where a shell would do more.
fn parse(command: &str) -> Option<Vec<String>> {
    let is_plain = |byte: char| byte.is_ascii_alphanumeric() || "-_./:@,+%=".contains(byte);
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => push_unquoted(word.get_or_insert_default(), character, &mut characters)?,
            _ if is_plain(character) => word.get_or_insert_default().push(character),
            _ => return None,
        }
    }
    words.extend(word);
    Some(words)
}

/// The text before the closing quote; `None` if it is not literal, or
/// there is none.
fn push_unquoted(word: &mut String, quote: char, characters: &mut std::str::Chars<'_>) -> Option<()> {
    loop {
        match characters.next()? {
            character if character == quote => return Some(()),
            '$' | '`' | '\\' if quote == '"' => return None,
            character => word.push(character),
        }
    }
}

/// What a shell makes the command and these very arguments of.
pub fn line(command: &str, arguments: &[OsString]) -> OsString {
    let mut line = command.as_bytes().to_vec();
    for argument in arguments {
        line.push(b' ');
        push_quoted(&mut line, argument);
    }
    OsString::from_vec(line)
}

/// Nothing but a single quote means anything between single quotes.
fn push_quoted(line: &mut Vec<u8>, argument: &OsStr) {
    let bytes = argument.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:@,+%=".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return line.extend(bytes);
    }
    line.push(b'\'');
    for &byte in bytes {
        match byte {
            b'\'' => line.extend(b"'\\''"),
            byte => line.push(byte),
        }
    }
    line.push(b'\'');
}

#[cfg(test)]
mod tests;
