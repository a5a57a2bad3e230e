//! Where Node puts the caret below a line. In: the line, the engine's column, which is where the
//! arguments of a call begin, and the message. Out: the blanks before the caret. Node points to the
//! statement that throws, to the name that is called, or to what the message is about; this finds
//! them in the text of the line, near the column.

use rusk_transpile::token_width;

use super::FailureKind;

/// Blanks as wide as what stands before the caret; tabs stay tabs. `column`: from 1, in UTF-16
/// units. `message`: behind the error's name.
pub(crate) fn indent(line: &str, column: u32, kind: FailureKind, message: &str) -> String {
    let column = (column as usize).saturating_sub(1);
    let units: Vec<char> =
        line.chars().flat_map(|letter| std::iter::repeat_n(letter, letter.len_utf16())).collect();
    let column = column.min(units.len());
    let about = message.split_once(": ").and_then(|(name, message)| subject(&units, column, name, message));
    let place = about.unwrap_or_else(|| start(&units, column, kind));
    units[..place].iter().map(|letter| if *letter == '\t' { '\t' } else { ' ' }).collect()
}

/// Carets below the token that may not stand there, and the blanks before them; none where the line
/// ends.
pub(crate) fn below_token(line: &str, column: u32) -> String {
    let units: Vec<u16> = line.encode_utf16().collect();
    let (before, behind) = units.split_at((column as usize).saturating_sub(1).min(units.len()));
    let blank = |unit: &u16| if *unit == u16::from(b'\t') { '\t' } else { ' ' };
    let width = token_width(&String::from_utf16_lossy(behind));
    before.iter().map(blank).chain(std::iter::repeat_n('^', width)).collect()
}

/// What the message is about, where its words tell that.
fn subject(line: &[char], column: usize, name: &str, message: &str) -> Option<usize> {
    let assignment = |at: &usize| is_assignment(line, *at);
    match (name, message) {
        ("ReferenceError", _) if message.starts_with("Must call super constructor ") => {
            word_at_or_before(line, column, "this")
        }
        ("ReferenceError", _) => {
            let name = message.strip_suffix(" is not defined")?;
            word_at_or_before(line, column, name).map(|place| first_evaluated(line, place))
        }
        // The engine says the same of constants and of properties; its column is behind the one's
        // `=`, and at the other's name.
        ("TypeError", "Assignment to constant variable." | "Attempted to assign to readonly property.") => {
            let before = back(line, column, |letter| letter == ' ').checked_sub(1).filter(assignment);
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

/// Where Node points to for a name that is the first thing which its statement evaluates: to the
/// statement, if the line alone shows that.
fn first_evaluated(line: &[char], name: usize) -> usize {
    if let Some(word) = ["return", "throw", "await"].iter().find_map(|word| word_before(line, name, word)) {
        return first_evaluated(line, word);
    }
    let blanks = |from: usize| back(line, from, |letter| matches!(letter, ' ' | '\t'));
    let equals = blanks(name).checked_sub(1).filter(|at| is_assignment(line, *at));
    let Some(end) = equals.map(&blanks) else { return name };
    let target = back(line, end, is_in_name);
    let before = blanks(target).checked_sub(1).map(|at| line[at]);
    let is_statement = target < end && before.is_none_or(|before| ";{}".contains(before));
    if is_statement { target } else { name }
}

/// Where a word stands that is no property, the last time before `from`.
fn word_at_or_before(line: &[char], from: usize, word: &str) -> Option<usize> {
    let word: Vec<char> = word.chars().collect();
    let is_in = |at: usize| line.get(at).is_some_and(|letter| is_in_name(*letter));
    let last = from.min(line.len().checked_sub(word.len())?);
    (0..=last).rev().find(|at| {
        let is_behind = at.checked_sub(1).is_some_and(|before| is_in(before) || line[before] == '.');
        line[*at..].starts_with(&word) && !is_behind && !is_in(at + word.len())
    })
}

/// Whether a `=` stands there that assigns.
fn is_assignment(line: &[char], at: usize) -> bool {
    let is_one_of = |at: usize, letters: &str| line.get(at).is_some_and(|letter| letters.contains(*letter));
    let is_compared = at.checked_sub(1).is_some_and(|before| is_one_of(before, "=!"));
    is_one_of(at, "=") && !is_one_of(at + 1, "=>") && !is_compared
}

/// Where the operator begins of which `at` is the `=`: `+=`, `??=`.
fn operator_start(line: &[char], at: usize) -> usize {
    back(line, at, |letter| "+-*/%&|^?<>".contains(letter))
}

/// The operator behind the value that begins at `from`.
fn operator(line: &[char], from: usize) -> Option<usize> {
    let behind = (from..line.len()).find(|at| !is_in_name(line[*at]) && !matches!(line[*at], '.' | ' '))?;
    "+-*/%&|^<>".contains(line[behind]).then_some(behind)
}

fn start(line: &[char], column: usize, kind: FailureKind) -> usize {
    let name = back(line, column, is_in_name);
    let whole = back(line, column, |letter| is_in_name(letter) || letter == '.');
    let new = word_before(line, whole, "new");
    match kind {
        // Where the error was made.
        FailureKind::Rejection | FailureKind::Module => new.unwrap_or(name),
        // The statement, where the error is made in it.
        FailureKind::Exception => word_before(line, new.unwrap_or(whole), "throw").or(new).unwrap_or(name),
    }
}

/// Where a word begins that ends before `place`, blanks between them left out.
fn word_before(line: &[char], place: usize, word: &str) -> Option<usize> {
    let end = back(line, place, |letter| letter == ' ');
    let begin = end.checked_sub(word.len())?;
    let is_whole = begin == 0 || !is_in_name(line[begin - 1]);
    (end < place && is_whole && line[begin..end].iter().copied().eq(word.chars())).then_some(begin)
}

fn back(line: &[char], from: usize, fits: impl Fn(char) -> bool) -> usize {
    line[..from].iter().rposition(|letter| !fits(*letter)).map_or(0, |index| index + 1)
}

fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

#[cfg(test)]
mod tests;
