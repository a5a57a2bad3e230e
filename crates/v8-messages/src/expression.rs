//! Messages that quote the evaluated expression. In: such a message of the engine. Out: V8's, which
//! names the callee or the property; the same message where the source text is needed. Absent:
//! messages with values that no source text has.

use rusk_transpile::{NullishUse, nullish_use, print_callee, print_constructor};

const NO_OBJECT: &str = "Cannot convert undefined or null to object";
/// V8 does not print it.
const IMPORT_META: &str = "import.meta";
const NO_LIST: &str = "CreateListFromArrayLike called on non-object";

/// The quotation ends the message with a parenthesis; that is checked first, because most messages
/// are programs' own.
pub(super) fn translate(message: &str) -> Option<String> {
    if !message.ends_with(')') {
        return None;
    }
    // Before the parenthesis is the reason.
    message.match_indices('(').find_map(|(at, _)| {
        let (reason, quotation) = (message[..at].strip_suffix(' ')?, &message[at + 1..message.len() - 1]);
        if let Some(quotation) =
            quotation.strip_prefix("evaluating '").and_then(|rest| rest.strip_suffix('\''))
        {
            return from_evaluated(message, reason, quotation);
        }
        if quotation.starts_with("In '") {
            return call(message, reason.strip_suffix(" is not a function.")?);
        }
        let is_near = quotation.starts_with("near '...") && quotation.ends_with("...'");
        let is_known = reason.ends_with(" is not a function") || reason.ends_with(" is not a constructor");
        (is_near && is_known).then(|| message.to_owned())
    })
}

fn from_evaluated(message: &str, reason: &str, quotation: &str) -> Option<String> {
    if let Some(value) = reason.strip_suffix(" is not an object") {
        return nullish_access(message, value, quotation);
    }
    if reason.ends_with(" is not a constructor") {
        return Some(construction(quotation).unwrap_or_else(|| message.to_owned()));
    }
    if let Some(right) = reason.strip_suffix(" is not an Object.") {
        let (left, right) = match quotation.strip_suffix(right).and_then(|left| left.strip_suffix(" in ")) {
            Some(left) => (left, right),
            None => (quotation.rsplit_once(" in ")?.0, right),
        };
        let plain = |text| literal(text).unwrap_or(text);
        return Some(format!("Cannot use 'in' operator to search for '{}' in {}", plain(left), plain(right)));
    }
    match reason {
        "Cannot access invalid private field" => {
            let chain = Chain::parse(quotation)?;
            let key = chain.last_key?;
            let is_written = is_assignment(&quotation[chain.bytes..]);
            Some(if is_written {
                format!("Cannot write private member {key} to an object whose class did not declare it")
            } else {
                format!("Cannot read private member {key} from an object whose class did not declare it")
            })
        }
        "second argument to Function.prototype.apply must be an Array-like object" => {
            Some(NO_LIST.to_owned())
        }
        _ if reason.ends_with(" is not a function.") && quotation.contains(" instanceof ") => {
            Some("Right-hand side of 'instanceof' is not callable".to_owned())
        }
        _ => None,
    }
}

/// A property of `undefined` or `null`: the last one of the quotation expression, or the assigned
/// one.
fn nullish_access(message: &str, value: &str, quotation: &str) -> Option<String> {
    if !matches!(value, "undefined" | "null") {
        return None;
    }
    let read = |key: &str| Some(format!("Cannot read properties of {value} (reading '{key}')"));
    let written = |key: &str| Some(format!("Cannot set properties of {value} (setting '{key}')"));
    if let Some(chain) = Chain::parse(quotation)
        && let Some(key) = chain.last_key
    {
        match &quotation[chain.bytes..] {
            "" => return read(key),
            rest if is_assignment(rest) => return written(key),
            _ => {}
        }
    }
    match nullish_use(quotation) {
        Some(NullishUse::Get(Some(key))) => read(&key),
        Some(NullishUse::Set(Some(key))) => written(&key),
        // V8 has the key's value. Programs match on the message before it.
        Some(NullishUse::Get(None)) => {
            Some(format!("Cannot read properties of {value} (evaluating '{quotation}')"))
        }
        Some(NullishUse::Set(None)) => {
            Some(format!("Cannot set properties of {value} (evaluating '{quotation}')"))
        }
        Some(NullishUse::Delete) => Some(NO_OBJECT.to_owned()),
        Some(NullishUse::Call | NullishUse::Other) | None => Some(message.to_owned()),
    }
}

/// Whether an assignment follows: `= …`.
fn is_assignment(rest: &str) -> bool {
    rest.trim_start().strip_prefix('=').is_some_and(|value| !value.starts_with(['=', '>']))
}

fn call(message: &str, callee: &str) -> Option<String> {
    let chain = Chain::parse(callee).filter(|chain| chain.bytes == callee.len());
    let printed = chain.map(|chain| chain.printed).or_else(|| print_callee(callee));
    Some(printed.map_or_else(|| message.to_owned(), |printed| format!("{printed} is not a function")))
}

fn construction(quotation: &str) -> Option<String> {
    let constructed = quotation.strip_prefix("new ")?;
    let callee = constructed.find('(').map_or(constructed, |at| &constructed[..at]);
    let chain = Chain::parse(callee).filter(|chain| chain.bytes == callee.len());
    let printed = chain.map(|chain| chain.printed).or_else(|| print_constructor(quotation))?;
    Some(format!("{printed} is not a constructor"))
}

/// A member chain: a name with its properties and calls, at the start of an expression.
struct Chain<'t> {
    /// As V8 prints it: calls without their arguments.
    printed: String,
    /// The last property's name, where the chain ends with a property and the source has the name.
    last_key: Option<&'t str>,
    bytes: usize,
}

impl<'t> Chain<'t> {
    fn parse(text: &'t str) -> Option<Chain<'t>> {
        let (first, bytes) = match text.strip_prefix(IMPORT_META).is_some() {
            true => ("(intermediate value)", IMPORT_META.len()),
            false => name_at(text).map(|name| (name, name.len()))?,
        };
        let mut chain = Chain { printed: first.to_owned(), last_key: None, bytes };
        while chain.step(&text[chain.bytes..]).is_some() {}
        Some(chain)
    }

    /// Takes the next property or call.
    fn step(&mut self, rest: &'t str) -> Option<()> {
        if let Some(name) = rest.strip_prefix('.').and_then(member_at) {
            self.take(&format!(".{name}"), Some(name), 1 + name.len());
        } else if let Some(name) = rest.strip_prefix("?.").and_then(name_at) {
            // An optional property is not read of undefined or null.
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
            let (arguments, _) = rest.strip_prefix('(')?.split_once(')')?;
            // A quotation or nested argument may contain any character.
            if arguments.contains(['(', '\'', '"', '`', '/']) {
                return None;
            }
            self.take("(...)", None, arguments.len() + 2);
        }
        Some(())
    }

    fn take(&mut self, printed: &str, key: Option<&'t str>, bytes: usize) {
        self.printed += printed;
        self.last_key = key;
        self.bytes += bytes;
    }
}

/// The value of a string literal without escapes.
fn literal(key: &str) -> Option<&str> {
    let quote = key.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let text = key.strip_prefix(quote)?.strip_suffix(quote)?;
    (!text.contains([quote, '\\'])).then_some(text)
}

/// The identifier at the start of a source text.
fn name_at(text: &str) -> Option<&str> {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
    let end = text.find(|char| !is_part(char)).unwrap_or(text.len());
    let name = &text[..end];
    (!name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())).then_some(name)
}

/// The same for a member, which may be private.
fn member_at(text: &str) -> Option<&str> {
    let name = name_at(text.strip_prefix('#').unwrap_or(text))?;
    Some(&text[..text.len().min(name.len() + usize::from(text.starts_with('#')))])
}
