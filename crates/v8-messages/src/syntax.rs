//! What the engine says of a token that may not stand where it stands. In: its message, which names
//! the token and often what it expected. Out: V8's, which says one of both.

/// Reasons behind which V8 does not name the token.
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

/// What the engine calls a token, and V8.
const KINDS: &[(&str, &str, Shown)] = &[
    ("token '", "Unexpected token '", Shown::Token),
    ("keyword '", "Unexpected keyword '", Shown::Token),
    ("identifier '", "Unexpected identifier '", Shown::Identifier),
    ("number '", "Unexpected number '", Shown::Words("Unexpected number")),
    ("string literal ", "Unexpected string literal ", Shown::Words("Unexpected string")),
    ("template string ", "Unexpected template string ", Shown::Words("Unexpected template string")),
    ("use of reserved word '", "Unexpected use of reserved word '", Shown::Reserved),
    ("private name ", "Unexpected private name ", Shown::Words("Unexpected private field")),
];

#[derive(Clone, Copy)]
enum Shown {
    Token,
    Identifier,
    Reserved,
    Words(&'static str),
}

/// How its messages begin.
pub(super) fn beginnings() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(_, begins, _)| *begins)
}

/// `Unexpected KIND 'TOKEN'. REASON.`, of which the reason may be absent.
pub(super) fn of_unexpected(message: &str) -> Option<String> {
    // What is said of a text that is no JSON begins the same way, and has V8's words.
    let rest = message.strip_prefix("Unexpected ").filter(|rest| !rest.ends_with(" JSON"))?;
    let (named, reason) = match rest.strip_suffix('.').and_then(|rest| rest.rsplit_once(". ")) {
        Some((named, reason)) => (named, reason),
        None => (rest, ""),
    };
    let (kind, _, shown) = KINDS.iter().find(|(kind, ..)| named.starts_with(kind))?;
    let token = named[kind.len()..].trim_end_matches('\'');
    let words = of_reason(reason, token).unwrap_or_else(|| match shown {
        Shown::Token => format!("Unexpected token '{token}'"),
        Shown::Identifier => format!("Unexpected identifier '{token}'"),
        Shown::Reserved if named.ends_with(" in strict mode") => {
            "Unexpected strict mode reserved word".to_owned()
        }
        Shown::Reserved => "Unexpected reserved word".to_owned(),
        Shown::Words(words) => (*words).to_owned(),
    });
    (words != message).then_some(words)
}

/// What V8 says by the reason.
fn of_reason(reason: &str, token: &str) -> Option<String> {
    if reason.is_empty() {
        return None;
    }
    if let Some((_, words)) = REASONS.iter().find(|(engines, _)| *engines == reason) {
        return Some((*words).to_owned());
    }
    let words = match reason {
        // A call of `import` has begun with its parenthesis.
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
    Some(words.to_owned())
}
