//! Messages of the engine that quote the expression it evaluated. In: such a message. Out: V8's,
//! which name what was called or read; the same one where only the place tells more. Absent: what
//! V8 says by values that no text has.

use rusk_transpile::{NullishUse, nullish_use, print_callee, print_constructor};

const NO_OBJECT: &str = "Cannot convert undefined or null to object";
const NO_LIST: &str = "CreateListFromArrayLike called on non-object";

/// What quotes an expression ends with a parenthesis, which is sooner seen than what stands in the
/// middle: most messages that are read are programs' own.
pub(super) fn of_expression(message: &str) -> Option<String> {
    if !message.ends_with(')') {
        return None;
    }
    // What stands before a parenthesis says what went wrong.
    message.match_indices('(').find_map(|(at, _)| {
        let (said, quoted) = (message[..at].strip_suffix(' ')?, &message[at + 1..message.len() - 1]);
        if let Some(quoted) = quoted.strip_prefix("evaluating '").and_then(|rest| rest.strip_suffix('\'')) {
            return of_evaluated(message, said, quoted);
        }
        if quoted.starts_with("In '") {
            return of_call(message, said.strip_suffix(" is not a function.")?);
        }
        let is_near = quoted.starts_with("near '...") && quoted.ends_with("...'");
        let is_known = said.ends_with(" is not a function") || said.ends_with(" is not a constructor");
        (is_near && is_known).then(|| message.to_owned())
    })
}

fn of_evaluated(message: &str, said: &str, quoted: &str) -> Option<String> {
    if let Some(value) = said.strip_suffix(" is not an object") {
        return of_nothing(message, value, quoted);
    }
    if said.ends_with(" is not a constructor") {
        return Some(of_construction(quoted).unwrap_or_else(|| message.to_owned()));
    }
    if let Some(right) = said.strip_suffix(" is not an Object.") {
        let (left, right) = match quoted.strip_suffix(right).and_then(|left| left.strip_suffix(" in ")) {
            Some(left) => (left, right),
            None => (quoted.rsplit_once(" in ")?.0, right),
        };
        let plain = |text| literal(text).unwrap_or(text);
        return Some(format!("Cannot use 'in' operator to search for '{}' in {}", plain(left), plain(right)));
    }
    match said {
        "Cannot access invalid private field" => {
            let chain = Chain::parse(quoted)?;
            let key = chain.last_key?;
            let is_written = is_assignment(&quoted[chain.bytes..]);
            Some(if is_written {
                format!("Cannot write private member {key} to an object whose class did not declare it")
            } else {
                format!("Cannot read private member {key} from an object whose class did not declare it")
            })
        }
        "second argument to Function.prototype.apply must be an Array-like object" => {
            Some(NO_LIST.to_owned())
        }
        _ if said.ends_with(" is not a function.") && quoted.contains(" instanceof ") => {
            Some("Right-hand side of 'instanceof' is not callable".to_owned())
        }
        _ => None,
    }
}

/// A property of `undefined` or `null`: the last one of what the engine quotes, or the one that is
/// assigned to.
fn of_nothing(message: &str, value: &str, quoted: &str) -> Option<String> {
    if !matches!(value, "undefined" | "null") {
        return None;
    }
    let read = |key: &str| Some(format!("Cannot read properties of {value} (reading '{key}')"));
    let written = |key: &str| Some(format!("Cannot set properties of {value} (setting '{key}')"));
    if let Some(chain) = Chain::parse(quoted)
        && let Some(key) = chain.last_key
    {
        match &quoted[chain.bytes..] {
            "" => return read(key),
            rest if is_assignment(rest) => return written(key),
            _ => {}
        }
    }
    match nullish_use(quoted) {
        Some(NullishUse::Get(Some(key))) => read(&key),
        Some(NullishUse::Set(Some(key))) => written(&key),
        // V8 has the key's value. What programs look for stands before it.
        Some(NullishUse::Get(None)) => {
            Some(format!("Cannot read properties of {value} (evaluating '{quoted}')"))
        }
        Some(NullishUse::Set(None)) => {
            Some(format!("Cannot set properties of {value} (evaluating '{quoted}')"))
        }
        Some(NullishUse::Delete) => Some(NO_OBJECT.to_owned()),
        Some(NullishUse::Call | NullishUse::Other) | None => Some(message.to_owned()),
    }
}

/// Whether it goes on with `= …`.
fn is_assignment(rest: &str) -> bool {
    rest.trim_start().strip_prefix('=').is_some_and(|value| !value.starts_with(['=', '>']))
}

fn of_call(message: &str, callee: &str) -> Option<String> {
    let chain = Chain::parse(callee).filter(|chain| chain.bytes == callee.len());
    let shown = chain.map(|chain| chain.shown).or_else(|| print_callee(callee));
    Some(shown.map_or_else(|| message.to_owned(), |shown| format!("{shown} is not a function")))
}

fn of_construction(quoted: &str) -> Option<String> {
    let constructed = quoted.strip_prefix("new ")?;
    let callee = constructed.find('(').map_or(constructed, |at| &constructed[..at]);
    let chain = Chain::parse(callee).filter(|chain| chain.bytes == callee.len());
    let shown = chain.map(|chain| chain.shown).or_else(|| print_constructor(quoted))?;
    Some(format!("{shown} is not a constructor"))
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
        if let Some(name) = rest.strip_prefix('.').and_then(member_at) {
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
            let (given, _) = rest.strip_prefix('(')?.split_once(')')?;
            // What is in quotes or in parentheses of its own may hold any letter.
            if given.contains(['(', '\'', '"', '`', '/']) {
                return None;
            }
            self.take("(...)", None, given.len() + 2);
        }
        Some(())
    }

    fn take(&mut self, shown: &str, key: Option<&'t str>, bytes: usize) {
        self.shown += shown;
        self.last_key = key;
        self.bytes += bytes;
    }
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

/// The same of a member, which may be private.
fn member_at(text: &str) -> Option<&str> {
    let name = name_at(text.strip_prefix('#').unwrap_or(text))?;
    Some(&text[..text.len().min(name.len() + usize::from(text.starts_with('#')))])
}
