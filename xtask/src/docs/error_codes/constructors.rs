//! Reader of error constructors in Rust sources: `Problem::new("code", format!("message"))` with
//! the hints of the same function. In: a file's text. Out: code, message, hints.

/// One `Problem::new` of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    pub code: String,
    /// Values are words in capitals.
    pub message: String,
    pub hints: Vec<String>,
}

/// Stands for a value, or for a message, that is computed.
pub const UNKNOWN: &str = "…";

const NEW: &str = "Problem::new(";

/// An error begins with its line number.
pub fn constructors(text: &str) -> Result<Vec<Constructor>, String> {
    let mut out = Vec::new();
    for function in functions(text) {
        let mut rest = function.text;
        while let Some(index) = rest.find(NEW) {
            let offset = function.text.len() - rest.len() + index;
            rest = &rest[index + NEW.len()..];
            let line = text[..function.offset + offset].lines().count();
            let arguments = rest.trim_start();
            if arguments.starts_with("code,") {
                out.extend(by_callers(text, function.name, rest));
                continue;
            }
            // The module resolver's codes are Node's.
            if arguments.starts_with("parts.code") {
                continue;
            }
            let (code, after) =
                literal(arguments).ok_or_else(|| format!("{line}: expected a code as a string"))?;
            let message = message(after.trim_start().trim_start_matches(',').trim_start());
            let message = message.ok_or_else(|| format!("{line}: expected a message as a string"))?;
            out.push(Constructor { code, message, hints: hints(rest) });
        }
    }
    Ok(out)
}

/// A constructor that gets its code as an argument, once for each call that names one.
fn by_callers(text: &str, name: &str, body: &str) -> Vec<Constructor> {
    let Some(template) = body.split_once(',').and_then(|(_, after)| message(after.trim_start())) else {
        return Vec::new();
    };
    let call = format!("{name}(\"");
    let calls = text.match_indices(&call).filter_map(|(index, _)| {
        let (code, after) = literal(&text[index + name.len() + 1..])?;
        let verb = literal(after.trim_start_matches([',', ' '])).map(|(verb, _)| verb);
        let message = verb.map_or_else(|| template.clone(), |verb| template.replace("VERB", &verb));
        Some(Constructor { code, message, hints: hints(body) })
    });
    calls.collect()
}

/// A message: a literal, a `format!` of one, or, where it is neither, an ellipsis.
fn message(text: &str) -> Option<String> {
    let inner = text.strip_prefix("format!(").unwrap_or(text).trim_start();
    match literal(inner) {
        Some((message, _)) => Some(with_words(&message)),
        None if text.starts_with(|first: char| first.is_ascii_lowercase()) => Some(UNKNOWN.to_owned()),
        None => None,
    }
}

/// The hints up to the end of the function, or to the next constructor.
fn hints(body: &str) -> Vec<String> {
    let body = body.split(NEW).next().unwrap_or_default();
    let mut hints = Vec::new();
    for (index, mark) in body.match_indices(".hint(") {
        let hint = message(body[index + mark.len()..].trim_start()).filter(|hint| hint != UNKNOWN);
        hints.extend(hint.filter(|hint| !hints.contains(hint)));
    }
    if body.contains("with_unset_variable(") {
        hints.push("set the environment variable `NAME`".to_owned());
    }
    hints
}

/// A string literal at the beginning, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    let mut characters = text.strip_prefix('"')?.char_indices();
    let mut out = String::new();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return Some((out, &text[index + 2..])),
            '\\' => match characters.next()?.1 {
                // A line continues after its indent.
                '\n' => {
                    let skipped = characters.clone().take_while(|(_, next)| next.is_whitespace()).count();
                    characters.by_ref().take(skipped).for_each(drop);
                }
                'n' => out.push(' '),
                escaped => out.push(escaped),
            },
            _ => out.push(character),
        }
    }
    None
}

/// `{name}` as `NAME`, `{}` as an ellipsis.
fn with_words(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let Some((name, after)) = after.split_once('}') else { break };
        let name = name.split(':').next().unwrap_or_default();
        let word = if name.is_empty() { UNKNOWN.to_owned() } else { name.to_uppercase() };
        out.push_str(&word);
        rest = after;
    }
    (out + rest).replace("}}", "}")
}

struct Function<'a> {
    name: &'a str,
    /// Of its text in the source.
    offset: usize,
    text: &'a str,
}

/// The functions of a source, each up to the next one.
fn functions(text: &str) -> Vec<Function<'_>> {
    let starts: Vec<usize> = text
        .match_indices("fn ")
        .map(|(index, _)| index)
        .filter(|&index| index == 0 || text[..index].ends_with(['\n', ' ', ')']))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let function = |(&offset, end): (&usize, usize)| {
        let text = &text[offset..end];
        let name = text["fn ".len()..].split(['(', '<']).next().unwrap_or_default();
        Function { name, offset, text }
    };
    starts.iter().zip(ends).map(function).collect()
}
