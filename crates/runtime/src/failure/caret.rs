//! Where Node puts the caret below a line. In: the line and the engine's column, which is where the arguments of a call begin.
//! Out: the blanks before the caret. Node points to the statement that throws, or to the name that is called; this finds them
//! in the text of the line, back from the column.

use rusk_transpile::token_width;

use super::FailureKind;

/// Blanks as wide as what stands before the caret; tabs stay tabs. `column`: from 1, in UTF-16 units.
pub(crate) fn indent(line: &str, column: u32, kind: FailureKind) -> String {
    let column = (column as usize).saturating_sub(1);
    let units: Vec<char> =
        line.chars().flat_map(|letter| std::iter::repeat_n(letter, letter.len_utf16())).collect();
    let place = start(&units, column.min(units.len()), kind);
    units[..place].iter().map(|letter| if *letter == '\t' { '\t' } else { ' ' }).collect()
}

/// Carets below the token that may not stand there, and the blanks before them; none where the line ends.
pub(crate) fn below_token(line: &str, column: u32) -> String {
    let units: Vec<u16> = line.encode_utf16().collect();
    let (before, behind) = units.split_at((column as usize).saturating_sub(1).min(units.len()));
    let blank = |unit: &u16| if *unit == u16::from(b'\t') { '\t' } else { ' ' };
    let width = token_width(&String::from_utf16_lossy(behind));
    before.iter().map(blank).chain(std::iter::repeat_n('^', width)).collect()
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
