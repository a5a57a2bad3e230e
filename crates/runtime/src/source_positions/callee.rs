//! Callees in a source: what is called at a position where V8 reports a call, by the text around
//! it. In: the text, a byte offset. Out: whether it is a variable or a member, and of which object.
//! Absent: values.

/// What stands where a call is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSyntax<'t> {
    /// `name(…)`
    Variable(&'t str),
    /// `object.name(…)`; an empty name: the text does not have it; none: nothing is called.
    Member { object: CalleeObject<'t>, name: Option<&'t str> },
    /// `new X(…)`
    New,
    /// `super(…)`
    Super,
    /// `f.call(this, …)`, `f.apply(this, …)`
    OnThis,
    /// The result of an expression is called.
    Value,
    /// No call: an operator, or a property that is read.
    Other,
}

/// The object in a call of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalleeObject<'t> {
    This,
    Super,
    Variable(&'t str),
    /// `new X()`: the name of the class.
    New(&'t str),
    Other,
}

/// Bytes in which the parenthesis that belongs to another one is searched.
const ARGUMENTS_BYTES_MAX: usize = 2000;

/// The callee at a byte offset.
pub fn callee(text: &str, at: usize) -> Option<CallSyntax<'_>> {
    let after = text.get(at..)?;
    let before = text[..at].trim_end();
    if after.starts_with(['(', '`']) || after.starts_with("?.(") {
        let before = before.strip_suffix("?.").unwrap_or(before);
        return match before.chars().next_back()? {
            ']' => Some(bracketed(before)),
            // `a?.b?.()` is reported at its end.
            last if is_name(last) => callee(text, before.trim_end_matches(is_name).len()),
            _ => Some(CallSyntax::Value),
        };
    }
    let name = &after[..after.len() - after.trim_start_matches(is_name).len()];
    if name.is_empty() {
        return Some(CallSyntax::Other);
    }
    let is_call = is_call(&after[name.len()..]);
    if let Some(object) = before.strip_suffix('.').filter(|rest| !rest.ends_with('.')) {
        let object = object.strip_suffix('?').unwrap_or(object);
        if let ("call" | "apply", Some(argument)) = (name, first_argument(&after[name.len()..])) {
            match argument {
                "this" => return Some(CallSyntax::OnThis),
                "" | "undefined" | "null" | "void 0" => return Some(CallSyntax::Value),
                _ => {}
            }
        }
        return Some(CallSyntax::Member { object: object_before(object), name: is_call.then_some(name) });
    }
    Some(match name {
        "new" => CallSyntax::New,
        "super" if is_call => CallSyntax::Super,
        _ if is_call => CallSyntax::Variable(name),
        _ => CallSyntax::Other,
    })
}

/// Whether arguments follow: perhaps after `!` and type arguments.
fn is_call(after: &str) -> bool {
    let after = after.trim_start();
    let after = after.strip_prefix('!').unwrap_or(after);
    after.starts_with(['(', '`', '<']) || after.starts_with("?.(")
}

/// The first argument, up to a comma or a parenthesis.
fn first_argument(after: &str) -> Option<&str> {
    let arguments = after.trim_start().strip_prefix('(')?;
    Some(arguments[..arguments.find([',', ')', '('])?].trim())
}

/// `object['name']`, `object[index]`
fn bracketed(before: &str) -> CallSyntax<'_> {
    let inside = &before[..before.len() - 1];
    let Some(open) = inside.rfind('[') else { return CallSyntax::Value };
    let key = inside[open + 1..].trim();
    let name = ['\'', '"', '`'].iter().find_map(|quote| key.strip_prefix(*quote)?.strip_suffix(*quote));
    let name = name.filter(|name| !name.contains(['\'', '"', '`', '\\']));
    CallSyntax::Member { object: object_before(&inside[..open]), name: Some(name.unwrap_or_default()) }
}

/// The object that an expression is, by its last words.
fn object_before(text: &str) -> CalleeObject<'_> {
    let text = text.trim_end();
    let text = text.strip_suffix('!').unwrap_or(text);
    if let Some(arguments) = text.strip_suffix(')') {
        return constructed(arguments).map_or(CalleeObject::Other, CalleeObject::New);
    }
    let rest = text.trim_end_matches(is_name);
    let is_member = rest.trim_end().ends_with('.') && !rest.ends_with("...");
    match &text[rest.len()..] {
        "" => CalleeObject::Other,
        _ if is_member => CalleeObject::Other,
        "this" => CalleeObject::This,
        "super" => CalleeObject::Super,
        name => CalleeObject::Variable(name),
    }
}

/// `X` of `new X(arguments`, perhaps with type arguments.
fn constructed(text: &str) -> Option<&str> {
    let mut before = before_bracket(text, b'(', b')')?.trim_end();
    if let Some(types) = before.strip_suffix('>') {
        before = before_bracket(types, b'<', b'>')?.trim_end();
    }
    let start = before.trim_end_matches(|character| is_name(character) || character == '.');
    let class = &before[start.len()..];
    let keyword = start.trim_end().strip_suffix("new")?;
    let is_keyword = start.ends_with(char::is_whitespace) && !keyword.ends_with(is_name);
    (is_keyword && !class.is_empty()).then_some(class)
}

/// What stands before the bracket that is open at the end of a text.
fn before_bracket(text: &str, open: u8, close: u8) -> Option<&str> {
    let mut depth = 1;
    let within = text.as_bytes().iter().rev().take(ARGUMENTS_BYTES_MAX);
    let distance = within.enumerate().find_map(|(index, byte)| {
        if *byte == close {
            depth += 1;
        } else if *byte == open {
            depth -= 1;
        }
        (depth == 0).then_some(index)
    })?;
    Some(&text[..text.len() - distance - 1])
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '#')
}

#[cfg(test)]
mod tests;
