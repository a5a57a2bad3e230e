//! Translation of the parser's syntax errors to V8's messages, which programs and people know. In:
//! the parser's message, its spans, the source text. Out: V8's message and span, if V8 has such an
//! error. Absent: errors that only TypeScript has, and unlisted ones: those keep the parser's
//! message.

use oxc::span::Span;
use oxc::syntax::identifier::{is_identifier_part, is_identifier_start};
use oxc::syntax::keyword::is_reserved_keyword;

/// A message and its span.
#[derive(Debug)]
pub(crate) struct V8Error {
    pub(crate) message: String,
    pub(crate) span: Span,
}

/// The parser's error.
#[derive(Clone, Copy)]
pub(crate) struct ParserError<'s> {
    pub(crate) message: &'s str,
    pub(crate) span: Span,
    /// The second span: the bracket that was not closed, or the first declaration of a name.
    pub(crate) other: Option<Span>,
}

/// Messages that do not depend on the source text.
const MESSAGES: &[(&str, &str)] = &[
    ("'super' can only be used with function calls or in property accesses", SUPER),
    ("'with' statements are not allowed", "Strict mode code may not include a with statement"),
    (
        "A 'default' clause cannot appear more than once in a 'switch' statement.",
        "More than one default clause in switch statement",
    ),
    ("A 'get' accessor must not have any formal parameters.", "Getter must not have any formal parameters."),
    ("A 'return' statement can only be used within a function body.", "Illegal return statement"),
    ("A 'return' statement cannot be used inside a class static block.", "Illegal return statement"),
    ("A 'set' accessor must have exactly one parameter.", "Setter must have exactly one formal parameter."),
    ("A module cannot have multiple default exports.", "Duplicate export of 'default'"),
    ("A rest element must be last in a destructuring pattern", "Rest element must be last element"),
    ("A rest parameter must be last in a parameter list", "Rest parameter must be last formal parameter"),
    ("Cannot assign to 'arguments' in strict mode", "Unexpected eval or arguments in strict mode"),
    ("Cannot assign to 'eval' in strict mode", "Unexpected eval or arguments in strict mode"),
    ("Cannot use `await` as an identifier in an async context", "Unexpected reserved word"),
    ("Cannot use export statement outside a module", "Unexpected token 'export'"),
    ("Cannot use new with dynamic import", "Cannot use new with import"),
    ("Classes can't have a field named 'constructor'", "Classes may not have a field named 'constructor'"),
    (
        "Classes can't have an element named '#constructor'",
        "Classes may not have a field named 'constructor'",
    ),
    ("Constructor can't be a generator", "Class constructor may not be a generator"),
    ("Constructor can't be an async method", "Class constructor may not be an async method"),
    ("Constructor can't have get/set modifier", "Class constructor may not be an accessor"),
    ("Invalid assignment in object literal", "Invalid shorthand property initializer"),
    ("Invalid characters after number", "Invalid or unexpected token"),
    ("Invalid optional chain from new expression.", "Invalid optional chain from new expression"),
    ("Missing catch or finally clause", "Missing catch or finally after try"),
    ("Multiple constructor implementations are not allowed.", "A class may only have one constructor"),
    (
        "Tagged template expressions are not permitted in an optional chain",
        "Invalid tagged template on optional chain",
    ),
    (
        "The operand of a 'delete' operator cannot be a private identifier.",
        "Private fields can not be deleted",
    ),
    ("Unexpected import.meta expression", "Cannot use 'import.meta' outside a module"),
    ("Unexpected new.target expression", "new.target expression is not allowed here"),
    ("Unterminated multiline comment", "Invalid or unexpected token"),
    ("Unterminated regular expression", "Invalid regular expression: missing /"),
    ("`await` is only allowed within async functions and at the top levels of modules", AWAIT),
    (
        "`for await` loops are only allowed within async functions and at the top levels of modules",
        RESERVED_ALWAYS,
    ),
    (
        "`let` cannot be declared as a variable name inside of a `let` declaration",
        "let is disallowed as a lexically bound name",
    ),
    (
        "await expression not allowed in formal parameter",
        "Illegal await-expression in formal parameters of async function",
    ),
    (
        "for-in loop variable declaration may not have an initializer",
        "for-in loop variable declaration may not have an initializer.",
    ),
    (
        "for-of loop variable declaration may not have an initializer",
        "for-of loop variable declaration may not have an initializer.",
    ),
    ("yield expression not allowed in formal parameter", "Yield expression not allowed in formal parameter"),
];

const SUPER: &str = "'super' keyword unexpected here";
pub(crate) const IN_ASYNC: &str =
    "`await` is only allowed within async functions and at the top levels of modules";
pub(crate) const DUPLICATE: &str = "Duplicate parameter name not allowed in this context";
/// The parser's message for an unexpected token.
pub(crate) const UNEXPECTED: &str = "Unexpected token";
const AWAIT: &str = "await is only valid in async functions and the top level bodies of modules";
const RESERVED_ALWAYS: &str = "Unexpected reserved word";
const RESERVED: &str = "Unexpected strict mode reserved word";
const INVALID: &str = "Invalid or unexpected token";
const END: &str = "Unexpected end of input";

/// V8's message for errors in modules only: there, `await` is reserved.
pub(crate) fn module_message(message: &str) -> Option<&'static str> {
    (message == IN_ASYNC).then_some(RESERVED_ALWAYS)
}

/// V8's error; None if it has none.
pub(crate) fn translate(error: ParserError<'_>, source: &str) -> Option<V8Error> {
    let ParserError { message, span, other } = error;
    let is_within = |span: Span| {
        span.start <= span.end
            && [span.start, span.end].iter().all(|at| source.is_char_boundary(*at as usize))
    };
    if !is_within(span) || !other.is_none_or(is_within) {
        return None;
    }
    let v8_error = |message: &str, span| Some(V8Error { message: message.to_owned(), span });
    if let Ok(row) = MESSAGES.binary_search_by_key(&message, |row| row.0) {
        return v8_error(
            MESSAGES[row].1,
            if message.contains("ultiple") { other.unwrap_or(span) } else { span },
        );
    }
    if let Some(name) = quoted(message, "Identifier `", "` has already been declared") {
        return v8_error(&format!("Identifier '{name}' has already been declared"), other.unwrap_or(span));
    }
    if let Some(name) = quoted(message, "Label `", "` has already been declared") {
        return v8_error(&format!("Label '{name}' has already been declared"), other.unwrap_or(span));
    }
    if let Some(name) = quoted(message, "The keyword '", "' is reserved") {
        return v8_error(if name == "await" { RESERVED_ALWAYS } else { RESERVED }, span);
    }
    if let Some(name) = quoted(message, "Export '", "' is not defined") {
        return v8_error(&format!("Export '{name}' is not defined in module"), span);
    }
    if let Some(name) = quoted(message, "Duplicated export '", "'") {
        return v8_error(&format!("Duplicate export of '{name}'"), other.unwrap_or(span));
    }
    if message.starts_with("Super calls are not permitted")
        || message.starts_with("'super' can only be referenced")
    {
        return v8_error(SUPER, span);
    }
    if message.starts_with("'arguments' is not allowed in ") {
        return v8_error(
            "'arguments' is not allowed in class field initializer or static initialization block",
            span,
        );
    }
    if message.starts_with("A unary expression with the ") {
        return v8_error(
            "Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator precedence",
            span,
        );
    }
    by_source(error, source)
}

/// Messages that depend on the source text.
fn by_source(error: ParserError<'_>, source: &str) -> Option<V8Error> {
    let ParserError { message, span, .. } = error;
    let v8_error = |message: &str, span| Some(V8Error { message: message.to_owned(), span });
    let text = source.get(span.start as usize..span.end as usize).unwrap_or("");
    match message {
        // The flags of a regular expression were read, and are invalid.
        UNEXPECTED if text.len() > 1 && text.starts_with('/') && text != "/=" => {
            v8_error("Invalid regular expression flags", span)
        }
        "Unexpected end of file" if source[..span.end as usize].ends_with('_') => {
            v8_error("Numeric separators are not allowed at the end of numeric literals", span)
        }
        "Unexpected end of file" => v8_error(INVALID, span),
        "Invalid Character `_`" => v8_error("Only one underscore is allowed as numeric separator", span),
        UNEXPECTED => Some(unexpected_at(source, span.start)),
        "Expected a semicolon or an implicit semicolon after a statement, but found none"
        | "Expected switch clause" => Some(unexpected_at(source, skip_trivia(source, span.start))),
        "Line terminator not permitted before arrow" => v8_error("Unexpected token '=>'", span),
        "Use of undefined label" => v8_error(&format!("Undefined label '{text}'"), span),
        "Cannot assign to this expression" => v8_error(assigned(source, span), span),
        "Unterminated string" if text.starts_with('`') || source[span.start as usize..].starts_with('`') => {
            v8_error(END, end_of(source))
        }
        "Unterminated string" => v8_error(INVALID, span),
        "Invalid class declaration" => v8_error("Unexpected token 'class'", span),
        "A class name is required." | "Expected function name" => unnamed(source, span),
        "Invalid escape sequence" | "Bad escape sequence in untagged template literal" => {
            v8_error(escape(&source[span.start as usize..])?, span)
        }
        "'0'-prefixed octal literals and octal escape sequences are deprecated" => {
            v8_error(octal(text), span)
        }
        _ if message.starts_with("Invalid Character `") => v8_error(INVALID, span),
        _ if message.starts_with("Identifier expected. '") => Some(unexpected_at(source, span.start)),
        _ if message.starts_with("Expected `") && message.contains("` but found `") => {
            Some(expected(error, source))
        }
        _ => None,
    }
}

fn quoted<'m>(message: &'m str, before: &str, after: &str) -> Option<&'m str> {
    message.strip_prefix(before)?.strip_suffix(after)
}

/// A different token was expected.
fn expected(ParserError { message, span, other }: ParserError<'_>, source: &str) -> V8Error {
    let is_end = message.ends_with("but found `EOF`");
    let opening = other.filter(|_| message.contains("`)`") || message.contains("`}`"));
    if let Some(opening) = opening {
        let missing = if is_call(source, opening.start) {
            Some("missing ) after argument list")
        } else if source[opening.start as usize..].starts_with("${") {
            Some("Missing } in template expression")
        } else {
            None
        };
        if let Some(message) = missing {
            let until = if is_end { source.len() } else { span.start as usize };
            return V8Error {
                message: message.to_owned(),
                span: last_token(source, opening.end as usize, until),
            };
        }
    }
    if is_end {
        V8Error { message: END.to_owned(), span: end_of(source) }
    } else {
        unexpected_at(source, span.start)
    }
}

/// Keywords before a parenthesis that is not a call's.
const NOT_CALLEES: &[&str] = &[
    "if", "while", "for", "switch", "catch", "with", "function", "return", "await", "typeof", "in", "of",
    "new", "case", "do", "else", "void", "delete", "throw", "yield",
];

/// Whether a parenthesis opens the arguments of a call: it follows a value that is not the name of
/// a function declaration.
fn is_call(source: &str, at: u32) -> bool {
    let before = source[..at as usize].trim_end();
    if !source[at as usize..].starts_with('(') {
        return false;
    }
    let word = last_word(before);
    if word.is_empty() {
        return before.ends_with([')', ']', '`']);
    }
    let rest = before[..before.len() - word.len()].trim_end();
    !NOT_CALLEES.contains(&word) && last_word(rest) != "function" && !rest.ends_with('*')
}

fn last_word(text: &str) -> &str {
    let start = text.char_indices().rev().take_while(|(_, character)| is_identifier_part(*character)).last();
    &text[start.map_or(text.len(), |(at, _)| at)..]
}

/// The last token before `until`.
fn last_token(source: &str, from: usize, until: usize) -> Span {
    let mut last = (from.saturating_sub(1), from);
    let mut at = skip_trivia(source, from as u32) as usize;
    while at < until {
        let length = token(&source[at..]).len().max(1);
        last = (at, at + length);
        at = skip_trivia(source, (at + length) as u32) as usize;
    }
    Span::new(last.0 as u32, last.1 as u32)
}

/// The message for an invalid assignment target.
fn assigned(source: &str, span: Span) -> &'static str {
    let before = source[..span.start as usize].trim_end();
    let after = source[span.end as usize..].trim_start();
    let is_word =
        |word: &str| after.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_identifier_part));
    if after.starts_with("++") || after.starts_with("--") {
        "Invalid left-hand side expression in postfix operation"
    } else if before.ends_with("++") || before.ends_with("--") {
        "Invalid left-hand side expression in prefix operation"
    } else if is_word("of") || is_word("in") {
        "Invalid left-hand side in for-loop"
    } else if after.starts_with([',', ']', '}']) {
        "Invalid destructuring assignment target"
    } else {
        "Invalid left-hand side in assignment"
    }
}

/// A function or class without a required name.
fn unnamed(source: &str, span: Span) -> Option<V8Error> {
    let at = skip_trivia(source, span.start);
    let before = source[..at as usize].trim_end();
    let before = before.strip_suffix('*').map_or(before, str::trim_end);
    match token(&source[at as usize..]) {
        "class" => Some(unexpected_at(source, skip_trivia(source, at + "class".len() as u32))),
        "(" if last_word(before) == "function" => {
            let end = before.len() as u32;
            let message = "Function statements require a function name".to_owned();
            Some(V8Error { message, span: Span::new(end - "function".len() as u32, end) })
        }
        _ => Some(unexpected_at(source, at)),
    }
}

fn escape(text: &str) -> Option<&'static str> {
    let escape = &text[text.find('\\')? + 1..];
    match escape.chars().next()? {
        'x' => Some("Invalid hexadecimal escape sequence"),
        'u' if escape.starts_with("u{")
            && escape[2..].starts_with(|digit: char| digit.is_ascii_hexdigit()) =>
        {
            Some("Undefined Unicode code-point")
        }
        'u' => Some("Invalid Unicode escape sequence"),
        _ => None,
    }
}

fn octal(text: &str) -> &'static str {
    match text.as_bytes() {
        [b'0', rest @ ..] if rest.iter().any(|digit| matches!(digit, b'8' | b'9')) => {
            "Decimals with leading zeros are not allowed in strict mode."
        }
        [b'0', ..] => "Octal literals are not allowed in strict mode.",
        _ => "Octal escape sequences are not allowed in strict mode.",
    }
}

fn end_of(source: &str) -> Span {
    Span::empty(source.len() as u32)
}

/// V8's error for an unexpected token, or for the end of the input.
fn unexpected_at(source: &str, at: u32) -> V8Error {
    let token = token(source.get(at as usize..).unwrap_or(""));
    V8Error { message: unexpected(token), span: Span::new(at, at + token.len() as u32) }
}

fn unexpected(token: &str) -> String {
    match token.chars().next() {
        None => END.to_owned(),
        Some('"' | '\'') => "Unexpected string".to_owned(),
        Some('`') => "Unexpected template string".to_owned(),
        Some('0'..='9') => "Unexpected number".to_owned(),
        Some('.') if token.len() > 1 && token != "..." => "Unexpected number".to_owned(),
        Some('@' | '#' | '\\') => "Invalid or unexpected token".to_owned(),
        Some(first) if is_identifier_start(first) && token == "enum" => "Unexpected reserved word".to_owned(),
        Some(first) if is_identifier_start(first) && !is_reserved_keyword(token) => {
            format!("Unexpected identifier '{token}'")
        }
        Some(_) => format!("Unexpected token '{token}'"),
    }
}

/// The offset of the next token, after whitespace and comments.
fn skip_trivia(source: &str, from: u32) -> u32 {
    let mut at = from as usize;
    loop {
        let rest = source.get(at..).unwrap_or("");
        let code =
            rest.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        at += rest.len() - code.len();
        let length = match code.as_bytes() {
            [b'/', b'/', ..] => code.find(['\n', '\r']).unwrap_or(code.len()),
            [b'/', b'*', ..] => code[2..].find("*/").map_or(code.len(), |end| end + 4),
            _ => return at as u32,
        };
        at += length;
    }
}

/// Punctuators of more than one character; a longer one comes before its prefixes.
const PUNCTUATORS: &[&str] = &[
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=",
    ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>",
    "**",
];

/// The first token of the source text; empty at the end.
fn token(text: &str) -> &str {
    let Some(first) = text.chars().next() else { return "" };
    let end_of = |from: usize, fits: fn(char) -> bool| {
        from + text[from..].find(|character| !fits(character)).unwrap_or(text.len() - from)
    };
    let is_number = |text: &str| text.starts_with(|digit: char| digit.is_ascii_digit());
    let length = match first {
        '"' | '\'' | '`' => string_end(text, first),
        '#' => end_of(1, is_identifier_part),
        '.' if is_number(&text[1..]) => end_of(1, is_identifier_part),
        _ if is_number(text) => end_of(0, |character| is_identifier_part(character) || character == '.'),
        _ if is_identifier_start(first) => end_of(0, is_identifier_part),
        _ => PUNCTUATORS
            .iter()
            .find(|punctuator| text.starts_with(**punctuator))
            .map_or(first.len_utf8(), |punctuator| punctuator.len()),
    };
    &text[..length]
}

/// The offset of the closing quote, or of the line end.
fn string_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' | '\r' if quote != '`' => return at,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// UTF-16 code units of the first token, which V8 underlines. 0 at the end of a line.
pub fn token_width(text: &str) -> usize {
    token(text.lines().next().unwrap_or("")).encode_utf16().count()
}

#[cfg(test)]
mod tests;
