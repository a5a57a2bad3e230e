//! Position of the caret below a source line, as V8 has it. In: the line, JavaScriptCore's column,
//! which is the start of a call's arguments, and the message. Out: the blanks before the caret. V8
//! points to the throwing statement, the called name, or the operand that the message names; they
//! are searched in the line, near the column.

use rusk_transpile::token_width;

use super::FailureKind;

/// Blanks as wide as the code before the caret; tabs stay tabs. `column`: from 1, in UTF-16 code
/// units. `message`: with the error's name.
pub(crate) fn indent(line: &str, column: u32, kind: FailureKind, message: &str) -> String {
    let column = (column as usize).saturating_sub(1);
    let units: Vec<char> =
        line.chars().flat_map(|character| std::iter::repeat_n(character, character.len_utf16())).collect();
    let column = column.min(units.len());
    let subject_position =
        message.split_once(": ").and_then(|(name, message)| subject(&units, column, name, message));
    let position = subject_position.unwrap_or_else(|| start(&units, column, kind));
    units[..position].iter().map(|character| if *character == '\t' { '\t' } else { ' ' }).collect()
}

/// Carets below the unexpected token, and the blanks before them; no carets at the end of the line.
pub(crate) fn below_token(line: &str, column: u32) -> String {
    let units: Vec<u16> = line.encode_utf16().collect();
    let (before, after) = units.split_at((column as usize).saturating_sub(1).min(units.len()));
    let blank = |unit: &u16| if *unit == u16::from(b'\t') { '\t' } else { ' ' };
    let width = token_width(&String::from_utf16_lossy(after));
    before.iter().map(blank).chain(std::iter::repeat_n('^', width)).collect()
}

/// The position of the operand that the message names, if it does.
fn subject(line: &[char], column: usize, name: &str, message: &str) -> Option<usize> {
    let assignment = |at: &usize| is_assignment(line, *at);
    match (name, message) {
        ("ReferenceError", _) if message.starts_with("Must call super constructor ") => {
            word_at_or_before(line, column, "this")
        }
        ("ReferenceError", _) => {
            let name = message.strip_suffix(" is not defined")?;
            word_at_or_before(line, column, name).map(|position| first_evaluated(line, position))
        }
        // The engine has one message for constants and properties; its column is after the `=` of a
        // constant, and at the name of a property.
        ("TypeError", "Assignment to constant variable." | "Attempted to assign to readonly property.") => {
            let before =
                scan_back(line, column, |character| character == ' ').checked_sub(1).filter(assignment);
            before.or_else(|| (column..line.len()).find(assignment)).map(|at| operator_start(line, at))
        }
        ("TypeError", "Right-hand side of 'instanceof' is not an object") => {
            word_at_or_before(line, column, "instanceof")
        }
        ("TypeError", "Cannot mix BigInt and other types, use explicit conversions") => {
            operator(line, column)
        }
        ("TypeError", _)
            if message.starts_with("Cannot set properties of ")
                || message.starts_with("Cannot assign to read only property ")
                || message.starts_with("Cannot add property ") =>
        {
            (column..line.len()).find(assignment).map(|at| operator_start(line, at))
        }
        _ => None,
    }
}

/// V8 points to the statement if a name is the first that the statement evaluates, and the line
/// shows that; otherwise to the name.
fn first_evaluated(line: &[char], name: usize) -> usize {
    if let Some(word) = ["return", "throw", "await"].iter().find_map(|word| word_before(line, name, word)) {
        return first_evaluated(line, word);
    }
    let blanks = |from: usize| scan_back(line, from, |character| matches!(character, ' ' | '\t'));
    let equals = blanks(name).checked_sub(1).filter(|at| is_assignment(line, *at));
    let Some(end) = equals.map(&blanks) else { return name };
    let target = scan_back(line, end, is_in_name);
    let before = blanks(target).checked_sub(1).map(|at| line[at]);
    let is_statement = target < end && before.is_none_or(|before| ";{}".contains(before));
    if is_statement { target } else { name }
}

/// The last position at or before `from` of a word that is no property name.
fn word_at_or_before(line: &[char], from: usize, word: &str) -> Option<usize> {
    let word: Vec<char> = word.chars().collect();
    let is_in = |at: usize| line.get(at).is_some_and(|character| is_in_name(*character));
    let last = from.min(line.len().checked_sub(word.len())?);
    (0..=last).rev().find(|at| {
        let is_behind = at.checked_sub(1).is_some_and(|before| is_in(before) || line[before] == '.');
        line[*at..].starts_with(&word) && !is_behind && !is_in(at + word.len())
    })
}

/// Whether there is an assignment's `=`.
fn is_assignment(line: &[char], at: usize) -> bool {
    let is_one_of =
        |at: usize, characters: &str| line.get(at).is_some_and(|character| characters.contains(*character));
    let is_compared = at.checked_sub(1).is_some_and(|before| is_one_of(before, "=!"));
    is_one_of(at, "=") && !is_one_of(at + 1, "=>") && !is_compared
}

/// The start of an assignment operator whose `=` is at `at`: `+=`, `??=`.
fn operator_start(line: &[char], at: usize) -> usize {
    scan_back(line, at, |character| "+-*/%&|^?<>".contains(character))
}

/// The operator after the operand that starts at `from`.
fn operator(line: &[char], from: usize) -> Option<usize> {
    let after = (from..line.len()).find(|at| !is_in_name(line[*at]) && !matches!(line[*at], '.' | ' '))?;
    "+-*/%&|^<>".contains(line[after]).then_some(after)
}

fn start(line: &[char], column: usize, kind: FailureKind) -> usize {
    let name = scan_back(line, column, is_in_name);
    let member = scan_back(line, column, |character| is_in_name(character) || character == '.');
    let new = word_before(line, member, "new");
    match kind {
        // V8 points to the construction of the error.
        FailureKind::Rejection | FailureKind::Module => new.unwrap_or(name),
        // V8 points to the statement if it constructs the error.
        FailureKind::Exception => word_before(line, new.unwrap_or(member), "throw").or(new).unwrap_or(name),
    }
}

/// The start of a word that ends before `position`, except for blanks.
fn word_before(line: &[char], position: usize, word: &str) -> Option<usize> {
    let end = scan_back(line, position, |character| character == ' ');
    let begin = end.checked_sub(word.len())?;
    let is_word = begin == 0 || !is_in_name(line[begin - 1]);
    (end < position && is_word && line[begin..end].iter().copied().eq(word.chars())).then_some(begin)
}

fn scan_back(line: &[char], from: usize, fits: impl Fn(char) -> bool) -> usize {
    line[..from].iter().rposition(|character| !fits(*character)).map_or(0, |index| index + 1)
}

fn is_in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

#[cfg(test)]
mod tests;
