//! Messages about unexpected tokens. In: the engine's message, which names the token and often the
//! reason. Out: V8's, which has one of both.

/// Reasons for which V8's message does not name the token.
const REASONS: &[(&str, &str)] = &[
    ("Expected ')' to end an argument list", "missing ) after argument list"),
    (
        "Expected a closing '}' following an expression in template literal",
        "Missing } in template expression",
    ),
    (
        "Expected a closing ']' following a rest element destructuring pattern",
        "Rest element must be last element",
    ),
    (
        "Expected a closing '}' following a rest element destructuring pattern",
        "Rest element must be last element",
    ),
    (
        "Rest parameter should be the last parameter in a function declaration",
        "Rest parameter must be last formal parameter",
    ),
    ("super call is not valid in class field initializer context", "'super' keyword unexpected here"),
    (
        "Expected an initializer in destructuring variable declaration",
        "Missing initializer in destructuring declaration",
    ),
    (
        "Ambiguous unary expression in the left hand side of the exponentiation expression; parentheses must be used to disambiguate the expression",
        "Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator precedence",
    ),
    ("getter functions must have no parameters", "Getter must not have any formal parameters."),
    ("setter functions must have one parameter", "Setter must have exactly one formal parameter."),
    ("Cannot use yield expression within parameters", "Yield expression not allowed in formal parameter"),
    ("Cannot use yield expression out of generator", "Unexpected strict mode reserved word"),
    (
        "Cannot reference 'arguments' in class field initializer",
        "'arguments' is not allowed in class field initializer or static initialization block",
    ),
    ("Cannot use 'await' within static block", "Unexpected reserved word"),
    (
        "Cannot use 'let' as an identifier name for a LexicalDeclaration",
        "let is disallowed as a lexically bound name",
    ),
    ("Cannot access private names from super", "Unexpected private field"),
    ("const variables in for loops must have initializers", "Missing initializer in const declaration"),
    (
        "Cannot use async function declaration in single-statement context",
        "Async functions can only be declared at the top level or inside a block.",
    ),
    (
        "Cannot use generator function declaration in single-statement context",
        "Generators can only be declared at the top level or inside a block.",
    ),
    (
        "Cannot use lexical declaration in single-statement context",
        "Lexical declaration cannot appear in a single-statement context",
    ),
    (
        "Function declarations are only allowed inside block statements or at the top level of a program",
        "In non-strict mode code, functions can only be declared at top level, inside a block, or as the body of an if statement.",
    ),
    ("Cannot parse assignment pattern", "Invalid destructuring assignment target"),
];

/// The engine's names of token kinds, the prefixes of its messages, and V8's form.
const KINDS: &[(&str, &str, TokenForm)] = &[
    ("token '", "Unexpected token '", TokenForm::Token),
    ("keyword '", "Unexpected keyword '", TokenForm::Token),
    ("identifier '", "Unexpected identifier '", TokenForm::Identifier),
    ("number '", "Unexpected number '", TokenForm::Fixed("Unexpected number")),
    ("string literal ", "Unexpected string literal ", TokenForm::Fixed("Unexpected string")),
    ("template string ", "Unexpected template string ", TokenForm::Fixed("Unexpected template string")),
    ("use of reserved word '", "Unexpected use of reserved word '", TokenForm::Reserved),
    ("private name ", "Unexpected private name ", TokenForm::Fixed("Unexpected private field")),
];

#[derive(Clone, Copy)]
enum TokenForm {
    Token,
    Identifier,
    Reserved,
    Fixed(&'static str),
}

/// Prefixes of the messages, for the filter.
pub(super) fn prefixes() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(_, prefix, _)| *prefix)
}

/// `Unexpected KIND 'TOKEN'. REASON.`, of which the reason may be absent.
pub(super) fn translate(message: &str) -> Option<String> {
    // Messages about invalid JSON begin the same way, and are V8's already.
    let rest = message.strip_prefix("Unexpected ").filter(|rest| !rest.ends_with(" JSON"))?;
    let (named, reason) = match rest.strip_suffix('.').and_then(|rest| rest.rsplit_once(". ")) {
        Some((named, reason)) => (named, reason),
        None => (rest, ""),
    };
    let (kind, _, form) = KINDS.iter().find(|(kind, ..)| named.starts_with(kind))?;
    let token = named[kind.len()..].trim_end_matches('\'');
    let translated = from_reason(reason, token).unwrap_or_else(|| match form {
        TokenForm::Token => format!("Unexpected token '{token}'"),
        TokenForm::Identifier => format!("Unexpected identifier '{token}'"),
        TokenForm::Reserved if named.ends_with(" in strict mode") => {
            "Unexpected strict mode reserved word".to_owned()
        }
        TokenForm::Reserved => "Unexpected reserved word".to_owned(),
        TokenForm::Fixed(message) => (*message).to_owned(),
    });
    (translated != message).then_some(translated)
}

/// V8's message for a reason.
fn from_reason(reason: &str, token: &str) -> Option<String> {
    if reason.is_empty() {
        return None;
    }
    if let Some((_, message)) = REASONS.iter().find(|(engine_reason, _)| *engine_reason == reason) {
        return Some((*message).to_owned());
    }
    let message = match reason {
        // With a comma it is an import call, whose parenthesis was parsed already.
        "import call expects one or two arguments" if token != "," => {
            "Cannot use import statement outside a module"
        }
        "can only declare a single variable in an enumeration" if token == "in" => {
            "Invalid left-hand side in for-in loop: Must have a single binding."
        }
        "can only declare a single variable in an enumeration" => {
            "Invalid left-hand side in for-of loop: Must have a single binding."
        }
        "Expected '}' to end a body of a 'switch'" if token == "default" => {
            "More than one default clause in switch statement"
        }
        _ if token == "=" && reason.starts_with("Expected a ':' following the property name '") => {
            "Invalid shorthand property initializer"
        }
        _ if reason.starts_with("const declared variable '") => "Missing initializer in const declaration",
        _ => {
            let quoted = |before: &str| reason.strip_prefix(before)?.strip_suffix('\'');
            let declared = quoted("Cannot declare a lexical variable twice: '");
            let declared = declared.map(|name| format!("Identifier '{name}' has already been declared"));
            let label = quoted("Attempted to redeclare the label '");
            return declared
                .or_else(|| label.map(|label| format!("Label '{label}' has already been declared")));
        }
    };
    Some(message.to_owned())
}
