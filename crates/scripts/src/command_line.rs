//! Command lines of scripts: splits simple ones into arguments without a shell. In: a command. Out:
//! its arguments, if a shell would split it in the same way and start a program; else the line for
//! the shell. Absent: variables, globs and other shell syntax.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Builtins and reserved words of `sh`, and those of bash, which is `sh` on some systems.
const SHELL_BUILTINS: &str = "\
    . : alias bg bind break builtin caller case cd chdir command compgen complete compopt continue
    coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi
    for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd
    pwd read readarray readonly return select set shift shopt source suspend test then time times trap
    true type typeset ulimit umask unalias unset until wait while";

/// The arguments of a command without shell syntax; the first one is a program's path, or its name
/// on PATH.
pub(super) fn split_simple(command: &str) -> Option<Vec<String>> {
    let arguments = split(command)?;
    let program = arguments.first()?;
    // `NAME=value` sets a variable.
    let is_program = !program.is_empty()
        && !program.contains('=')
        && SHELL_BUILTINS.split_ascii_whitespace().all(|builtin| builtin != *program);
    is_program.then_some(arguments)
}

/// Splits at blanks and removes quotes; `None` if the command has shell syntax.
fn split(command: &str) -> Option<Vec<String>> {
    let is_plain = |byte: char| byte.is_ascii_alphanumeric() || "-_./:@,+%=".contains(byte);
    let mut arguments = Vec::new();
    let mut argument: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => arguments.extend(argument.take()),
            '\'' | '"' => push_unquoted(argument.get_or_insert_default(), character, &mut characters)?,
            _ if is_plain(character) => argument.get_or_insert_default().push(character),
            _ => return None,
        }
    }
    arguments.extend(argument);
    Some(arguments)
}

/// Appends the text before the closing quote; `None` if it is not literal, or there is no closing
/// quote.
fn push_unquoted(argument: &mut String, quote: char, characters: &mut std::str::Chars<'_>) -> Option<()> {
    loop {
        match characters.next()? {
            character if character == quote => return Some(()),
            '$' | '`' | '\\' if quote == '"' => return None,
            character => argument.push(character),
        }
    }
}

/// The command with quoted arguments, as a line for the shell.
pub fn shell_line(command: &str, arguments: &[OsString]) -> OsString {
    let mut line = command.as_bytes().to_vec();
    for argument in arguments {
        line.push(b' ');
        push_quoted(&mut line, argument);
    }
    OsString::from_vec(line)
}

/// An argument as a user may paste it into a shell.
pub fn quoted(argument: &str) -> String {
    let mut line = Vec::new();
    push_quoted(&mut line, OsStr::new(argument));
    String::from_utf8_lossy(&line).into_owned()
}

/// Quotes an argument: between single quotes, only a single quote has a meaning.
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
