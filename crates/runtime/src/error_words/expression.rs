//! Messages of the engine that quote the expression it evaluated. In: such a message. Out: V8's, which name what was called or read. Absent: expressions whose text leaves open where they begin or end.

/// What quotes an expression ends with a parenthesis, which is sooner seen than what stands in the middle: most messages that are read are programs' own.
pub(super) fn of_expression(message: &str) -> Option<String> {
    let quotes = message.ends_with(')');
    quotes.then(|| of_nothing(message).or_else(|| of_call(message)).or_else(|| of_construction(message)))?
}

/// A property of `undefined` or `null`: the last one of what the engine quotes, or the one that is assigned to.
fn of_nothing(message: &str) -> Option<String> {
    let (value, quoted) = message.split_once(" is not an object (evaluating '")?;
    if !matches!(value, "undefined" | "null") {
        return None;
    }
    let quoted = quoted.strip_suffix("')")?;
    let chain = Chain::parse(quoted)?;
    let key = chain.last_key?;
    match &quoted[chain.bytes..] {
        "" => Some(format!("Cannot read properties of {value} (reading '{key}')")),
        rest if is_assignment(rest) => Some(format!("Cannot set properties of {value} (setting '{key}')")),
        _ => None,
    }
}

/// Whether it goes on with `= …`.
fn is_assignment(rest: &str) -> bool {
    rest.trim_start().strip_prefix('=').is_some_and(|value| !value.starts_with(['=', '>']))
}

fn of_call(message: &str) -> Option<String> {
    let (callee, _) = message.split_once(" is not a function. (In '")?;
    let chain = Chain::parse(callee).filter(|chain| chain.bytes == callee.len())?;
    Some(format!("{} is not a function", chain.shown))
}

fn of_construction(message: &str) -> Option<String> {
    let (_, quoted) = message.split_once(" is not a constructor (evaluating 'new ")?;
    let quoted = quoted.strip_suffix("')")?;
    let callee = quoted.find('(').map_or(quoted, |at| &quoted[..at]);
    let chain = Chain::parse(callee).filter(|chain| chain.bytes == callee.len())?;
    Some(format!("{} is not a constructor", chain.shown))
}

/// A name and the properties and calls behind it, at the beginning of an expression's text.
struct Chain<'t> {
    /// As V8 shows it: calls without what they are given.
    shown: String,
    /// Where it ends with a property whose name stands there.
    last_key: Option<&'t str>,
    bytes: usize,
}

impl<'t> Chain<'t> {
    fn parse(text: &'t str) -> Option<Chain<'t>> {
        let first = name_at(text)?;
        let mut chain = Chain { shown: first.to_owned(), last_key: None, bytes: first.len() };
        while chain.step(&text[chain.bytes..]).is_some() {}
        Some(chain)
    }

    /// Takes the next property or call.
    fn step(&mut self, rest: &'t str) -> Option<()> {
        if let Some(name) = rest.strip_prefix('.').and_then(name_at) {
            self.take(&format!(".{name}"), Some(name), 1 + name.len());
        } else if let Some(name) = rest.strip_prefix("?.").and_then(name_at) {
            // Of nothing it would not be asked for.
            self.take(&format!("?.{name}"), None, 2 + name.len());
        } else if let Some(key) = rest.strip_prefix('[') {
            let (key, _) = key.split_once(']')?;
            let is_index = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
            let is_name = name_at(key).is_some_and(|name| name.len() == key.len());
            match literal(key) {
                Some(text) => self.take(&format!(".{text}"), Some(text), key.len() + 2),
                None if is_index || is_name => {
                    self.take(&format!("[{key}]"), Some(key).filter(|_| is_index), key.len() + 2)
                }
                None => return None,
            }
        } else {
            self.take("(...)", None, arguments_bytes(rest)?);
        }
        Some(())
    }

    fn take(&mut self, shown: &str, key: Option<&'t str>, bytes: usize) {
        self.shown += shown;
        self.last_key = key;
        self.bytes += bytes;
    }
}

/// How long the parentheses are that a text begins with. None where a letter may belong to a template or a regular expression, which may hold any other.
fn arguments_bytes(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(letter) => return None,
            '\'' | '"' => {
                while let Some((_, inner)) = letters.next().filter(|(_, inner)| *inner != letter) {
                    if inner == '\\' {
                        letters.next()?;
                    }
                }
            }
            '`' | '/' => return None,
            _ => {}
        }
        if open.is_empty() {
            return letter.eq(&')').then_some(at + 1);
        }
    }
    None
}

/// The text of a literal without anything that is escaped.
fn literal(key: &str) -> Option<&str> {
    let quote = key.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let text = key.strip_prefix(quote)?.strip_suffix(quote)?;
    (!text.contains([quote, '\\'])).then_some(text)
}

/// The name that a text begins with.
fn name_at(text: &str) -> Option<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let name = &text[..end];
    (!name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())).then_some(name)
}
