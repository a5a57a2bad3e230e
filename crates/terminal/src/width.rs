//! How many columns a text takes on a terminal, and how it is cut or broken to fit. Counted upwards
//! where fonts differ: a line that is cut too early is better than one that wraps.

/// Columns of one character: 0 for marks that join the one before, 2 for what East Asian fonts draw
/// wide.
pub fn columns_of(character: char) -> usize {
    match character as u32 {
        0x0300..=0x036f | 0x200b..=0x200d | 0x20d0..=0x20f0 | 0xfe00..=0xfe0f => 0,
        0..=0x10ff => 1,
        // Punctuation, arrows, mathematics; then box drawing and shapes.
        0x2000..=0x22ff | 0x2500..=0x25ff => 1,
        _ => 2,
    }
}

/// Columns of a text without control characters.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// The text if it fits into `limit` columns, else its beginning and `mark`.
pub fn cut(text: &str, limit: usize, mark: &str) -> String {
    if columns(text) <= limit {
        return text.to_owned();
    }
    let mark = if columns(mark) <= limit { mark } else { "" };
    let room = limit - columns(mark);
    let mut fitting = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += columns_of(character);
        if used > room {
            break;
        }
        fitting.push(character);
    }
    fitting + mark
}

/// Breaks a text at its spaces into lines of at most `limit` columns; a longer word gets a line of
/// its own. Lines after the first begin with `indent` spaces.
pub fn wrap(text: &str, limit: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let wanted = columns(word);
        let line = lines.last_mut().expect("there is a first line");
        let blank = used == 0;
        if !blank && used + 1 + wanted > limit {
            lines.push(format!("{}{word}", " ".repeat(indent)));
            used = indent + wanted;
            continue;
        }
        if !blank {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += wanted;
    }
    lines
}

#[cfg(test)]
mod tests;
