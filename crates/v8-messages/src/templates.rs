//! Messages with a name in them. In: the engine's message. Out: V8's with the same name.

/// The engine's message before and after the name, and V8's with `{}` for the name; sorted by the
/// first.
const TEMPLATES: &[[&str; 3]] = &[
    ["'", "' is not a valid class name", "Unexpected token '{}'"],
    ["Argument to ", " cannot be a RegExp", "First argument to {} must not be a regular expression"],
    // V8 shows the value, which is mostly undefined.
    ["Array.prototype.", " callback must be a function", "undefined is not a function"],
    ["Can't create duplicate variable in eval: '", "'", DECLARED],
    ["Can't create duplicate variable that shadows a global property: '", "'", DECLARED],
    ["Can't create duplicate variable: '", "'", DECLARED],
    ["Can't find variable: ", "", "{} is not defined"],
    // From 2.52 on; earlier engines do not name the variable.
    ["Cannot access '", "' before initialization.", "Cannot access '{}' before initialization"],
    [
        "Cannot continue to the label '",
        "' as it is not targeting a loop.",
        "Illegal continue statement: '{}' does not denote an iteration statement",
    ],
    ["Cannot declare a class twice: '", "'.", DECLARED],
    ["Cannot declare a const variable twice: '", "'.", DECLARED],
    ["Cannot declare a function that shadows a let/const/class/function variable '", "'.", DECLARED],
    [
        "Cannot declare a function that shadows a let/const/class/function variable '",
        "' in strict mode.",
        DECLARED,
    ],
    ["Cannot declare a let variable twice: '", "'.", DECLARED],
    ["Cannot declare a parameter named '", "' in strict mode as it has already been declared.", PARAMETER],
    ["Cannot declare a var variable that shadows a let/const/class variable: '", "'.", DECLARED],
    ["Cannot declare an async function that shadows a let/const/class/function variable '", "'.", DECLARED],
    ["Cannot declare an imported binding name twice: '", "'.", DECLARED],
    ["Cannot delete private field ", ".", "Private fields can not be deleted"],
    [
        "Cannot delete unqualified property '",
        "' in strict mode.",
        "Delete of an unqualified identifier in strict mode.",
    ],
    // The source text is needed for V8's message.
    [
        "Cannot destructure property '",
        "' from null or undefined value",
        "Cannot destructure property '{}' from null or undefined value",
    ],
    ["Cannot export a duplicate name '", "'.", "Duplicate export of '{}'"],
    [
        "Cannot reference undeclared private names: \"",
        "\"",
        "Private field '{}' must be declared in an enclosing class",
    ],
    ["Cannot return a non-object type in the constructor of a derived class ", ".", DERIVED],
    ["Cannot use 'yield' as a ", " in strict mode.", "Unexpected strict mode reserved word"],
    ["Cannot use abbreviated destructuring syntax for keyword '", "'.", "Unexpected token '{}'"],
    ["Cannot use the undeclared label '", "'.", "Undefined label '{}'"],
    ["Duplicate parameter '", "' not allowed in a method.", PARAMETER],
    ["Duplicate parameter '", "' not allowed in an arrow function.", PARAMETER],
    ["Duplicate parameter '", "' not allowed in function with a rest parameter.", PARAMETER],
    ["Duplicate parameter '", "' not allowed in function with default parameter values.", PARAMETER],
    ["Duplicate parameter '", "' not allowed in function with destructuring parameters.", PARAMETER],
    ["Duplicate parameter '", "' not allowed in function with non-simple parameter list.", PARAMETER],
    ["Incomplete unicode escape in identifier: '", "'", "Invalid Unicode escape sequence"],
    ["Invalid character '", "'", "Invalid or unexpected token"],
    ["Invalid character: '", "'", "Invalid or unexpected token"],
    [
        "Invalid mix of BigInt and other type in ",
        "",
        "Cannot mix BigInt and other types, use explicit conversions",
    ],
    ["Invalid unicode escape in identifier: '", "'", "Invalid or unexpected token"],
    ["Iterator.prototype.", " callback must be a function.", "undefined is not a function"],
    ["Left hand side of operator '", "' must be a reference.", "Invalid left-hand side in assignment"],
    ["Map.prototype.", " callback must be a function", "undefined is not a function"],
    [
        "Proxy object's 'set' trap returned falsy value for property '",
        "'",
        "'set' on proxy: trap returned falsish for property '{}'",
    ],
    [
        "Proxy object's 'target' has the non-configurable property '",
        "' that was not in the result from the 'ownKeys' trap",
        "'ownKeys' on proxy: trap result did not include '{}'",
    ],
    [
        "Proxy's 'defineProperty' trap returned falsy value for property '",
        "'",
        "'defineProperty' on proxy: trap returned falsish for property '{}'",
    ],
    ["Reflect.", " requires the first argument be an object", "Reflect.{} called on non-object"],
    ["Set.prototype.", " callback must be a function", "undefined is not a function"],
    [
        "String.prototype.",
        " requires that |this| not be null or undefined",
        "String.prototype.{} called on null or undefined",
    ],
    [
        "Symbol.prototype.",
        " requires that |this| be a symbol or a symbol object",
        "Symbol.prototype.{} requires that 'this' be a Symbol",
    ],
    ["TypedArray.prototype.", " callback must be a function", "undefined is not a function"],
    ["Unterminated regular expression literal '", "'", "Invalid regular expression: missing /"],
    ["calling ", " constructor without new is invalid", "Constructor {} requires 'new'"],
    ["invalid language tag: ", "", "Invalid language tag: {}"],
    ["invalid time zone: ", "", "Invalid time zone specified: {}"],
    // Its frame has the name of the method.
    ["thisNumberValue called on incompatible ", "", "thisNumberValue called on incompatible {}"],
];

const DECLARED: &str = "Identifier '{}' has already been declared";
const DERIVED: &str = "Derived constructors may only return object or undefined";
const PARAMETER: &str = "Duplicate parameter name not allowed in this context";

/// Methods of arrays that V8 names when `this` is undefined or null; others convert `this` first.
const NAMED_METHODS: &[&str] = &[
    "concat",
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "forEach",
    "map",
    "reduce",
    "reduceRight",
    "some",
];

/// Prefixes of the messages, for the filter.
pub(super) fn prefixes() -> impl Iterator<Item = &'static str> {
    let others = ["Cannot call a class constructor ", "Cannot use the keyword '", "Array.prototype."];
    TEMPLATES.iter().map(|[before, ..]| *before).chain(others)
}

pub(super) fn translate(message: &str) -> Option<String> {
    from_template(message)
        .or_else(|| class_without_new(message))
        .or_else(|| reserved_word(message))
        .or_else(|| array_method(message))
}

/// No prefix begins with another one, so a message's prefix is the last one that is not greater.
fn from_template(message: &str) -> Option<String> {
    let end = TEMPLATES.partition_point(|[before, ..]| *before <= message);
    let mut matching = TEMPLATES[..end].iter().rev().take_while(|[before, ..]| message.starts_with(before));
    matching.find_map(|[before, after, template]| {
        let name = message.strip_prefix(before)?.strip_suffix(after)?;
        Some(template.replace("{}", name))
    })
}

fn class_without_new(message: &str) -> Option<String> {
    let class =
        message.strip_prefix("Cannot call a class constructor ")?.strip_suffix("without |new|")?.trim_end();
    Some(format!("Class constructor {class} cannot be invoked without 'new'"))
}

/// A reserved word as a name.
fn reserved_word(message: &str) -> Option<String> {
    let rest = message.strip_prefix("Cannot use the ")?;
    if let Some(rest) = rest.strip_prefix("keyword '") {
        let (word, _) = rest.split_once("' as a ")?;
        return Some(format!("Unexpected token '{word}'"));
    }
    let (_, rest) = rest.strip_prefix("reserved word '")?.split_once("' as a ")?;
    let strict = if rest.ends_with(" in strict mode.") { "strict mode " } else { "" };
    Some(format!("Unexpected {strict}reserved word"))
}

fn array_method(message: &str) -> Option<String> {
    let method = message
        .strip_prefix("Array.prototype.")?
        .strip_suffix(" requires that |this| not be null or undefined")?;
    let is_named = NAMED_METHODS.contains(&method);
    Some(if is_named {
        format!("Array.prototype.{method} called on null or undefined")
    } else {
        "Cannot convert undefined or null to object".to_owned()
    })
}

#[cfg(test)]
mod tests;
