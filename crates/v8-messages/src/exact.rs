//! Messages without variable parts. In: the engine's message. Out: V8's.

use std::sync::LazyLock;

use super::regexp::REGEXP;

/// V8's message for one that is in the tables.
pub(super) fn find(message: &str) -> Option<&'static str> {
    let at = BY_LENGTH.partition_point(|(engine_message, _)| engine_message.len() < message.len());
    let of_length =
        BY_LENGTH[at..].iter().take_while(|(engine_message, _)| engine_message.len() == message.len());
    of_length
        .clone()
        .find(|(engine_message, _)| *engine_message == message)
        .map(|(_, v8_message)| *v8_message)
}

/// The engine's messages of all tables.
pub(super) fn messages() -> impl Iterator<Item = &'static str> {
    BY_LENGTH.iter().map(|(engine_message, _)| *engine_message)
}

/// Sorted by length: lengths are compared faster than strings.
static BY_LENGTH: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut all = [PARSER, REGEXP, VALUES, OBJECTS, CALLS, PROXIES, BUFFERS].concat();
    all.extend(NEEDS_SOURCE.iter().map(|message| (*message, *message)));
    all.sort_by_key(|(engine_message, _)| engine_message.len());
    all
});

/// Messages that need the source text, see the crate's head.
const NEEDS_SOURCE: &[&str] = &[
    "Cannot access uninitialized variable.",
    "Attempted to assign to readonly property.",
    "Right side of assignment cannot be destructured",
    "Cannot destructure null or undefined value",
    "{} is not iterable",
    "number is not iterable",
    "true is not iterable",
    "false is not iterable",
    "value is not iterable",
    "Spread syntax requires ...iterable not be null or undefined",
    "Spread syntax requires ...iterable[Symbol.iterator] to be a function",
    "Cannot call a class constructor without |new|",
    "Type error",
    "Invalid flags supplied to RegExp constructor.",
    "Unable to delete property.",
    "Attempting to define property on object that is not extensible.",
    "Attempting to change value of a readonly property.",
    "Attempting to change access mechanism for an unconfigurable property.",
    "Attempting to change enumerable attribute of unconfigurable property.",
    "Attempting to change configurable attribute of unconfigurable property.",
    "Attempting to change writable attribute of unconfigurable property.",
    "Attempting to change the getter of an unconfigurable property.",
    "Attempting to change the setter of an unconfigurable property.",
];

const RESERVED: &str = "Unexpected reserved word";
const SUPER: &str = "'super' keyword unexpected here";
const TOKEN: &str = "Invalid or unexpected token";
const ASSIGNED: &str = "Invalid left-hand side in assignment";
const EVAL: &str = "Unexpected eval or arguments in strict mode";
const ACCESSORS: &str = "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them";
const NO_OBJECT: &str = "Cannot convert undefined or null to object";
const NO_LIST: &str = "CreateListFromArrayLike called on non-object";
const NO_PRIMITIVE: &str = "Cannot convert object to primitive value";
const MIXED: &str = "Cannot mix BigInt and other types, use explicit conversions";
const NO_PROXY: &str = "Cannot create proxy with a non-object as target or handler";

/// Syntax errors.
const PARSER: &[(&str, &str)] = &[
    ("Unexpected end of script", "Unexpected end of input"),
    // Of a string; an unterminated template has the same message.
    ("Unexpected EOF", TOKEN),
    // For a closing brace without an opening one.
    ("Parser error", "Unexpected token '}'"),
    ("Left side of assignment is not a reference.", ASSIGNED),
    ("new.target can't be the left hand side of an assignment expression.", ASSIGNED),
    ("Return statements are only valid inside functions.", "Illegal return statement"),
    ("'break' is only valid inside a switch or loop statement.", "Illegal break statement"),
    (
        "'continue' is only valid inside a loop statement.",
        "Illegal continue statement: no surrounding iteration statement",
    ),
    ("import.meta is only valid inside modules.", "Cannot use 'import.meta' outside a module"),
    ("super is not valid in this context.", SUPER),
    ("super call is not valid in this context.", SUPER),
    ("No identifiers allowed directly after numeric literal", TOKEN),
    ("No binary digits after '0b'", TOKEN),
    ("No octal digits after '0o'", TOKEN),
    ("No hexadecimal digits after '0x'", TOKEN),
    ("Non-number found after exponent indicator", TOKEN),
    ("Unterminated string constant", TOKEN),
    ("Multiline comment was not closed properly", TOKEN),
    ("Numeric literals may not begin with 0_", "Numeric separator can not be used after leading 0."),
    (
        "Decimal integer literals with a leading zero are forbidden in strict mode",
        "Octal literals are not allowed in strict mode.",
    ),
    (
        "The only valid numeric escape in strict mode is '\\0'",
        "Octal escape sequences are not allowed in strict mode.",
    ),
    ("\\x can only be followed by a hex character sequence", "Invalid hexadecimal escape sequence"),
    ("\\u can only be followed by a Unicode character sequence", "Invalid Unicode escape sequence"),
    ("'with' statements are not valid in strict mode.", "Strict mode code may not include a with statement"),
    ("Cannot modify 'eval' in strict mode.", EVAL),
    ("Cannot modify 'arguments' in strict mode.", EVAL),
    ("Cannot declare a variable named eval in strict mode.", EVAL),
    ("Cannot declare a variable named arguments in strict mode.", EVAL),
    ("Cannot declare a catch variable named 'eval' in strict mode.", EVAL),
    ("Cannot destructure to a parameter name 'eval' in strict mode.", EVAL),
    ("Cannot destructure to a parameter name 'arguments' in strict mode.", EVAL),
    ("'eval' is not a valid function name in strict mode.", EVAL),
    ("'arguments' is not a valid function name in strict mode.", EVAL),
    ("Cannot declare multiple constructors in a single class.", "A class may only have one constructor"),
    ("Class statements must have a name.", "Unexpected token '{'"),
    ("Function statements must have a name.", "Function statements require a function name"),
    ("Async function statements must have a name.", "Function statements require a function name"),
    ("Cannot have a newline after 'throw'.", "Illegal newline after throw"),
    ("Prefix ++ operator applied to value that is not a reference.", PREFIX),
    ("Prefix -- operator applied to value that is not a reference.", PREFIX),
    ("Postfix ++ operator applied to value that is not a reference.", POSTFIX),
    ("Postfix -- operator applied to value that is not a reference.", POSTFIX),
    (
        "'use strict' directive not allowed inside a function with a non-simple parameter list.",
        "Illegal 'use strict' directive in function with non-simple parameter list",
    ),
    (
        "Cannot assign to the loop variable inside a for-of loop header.",
        "for-of loop variable declaration may not have an initializer.",
    ),
    (
        "Cannot assign to the loop variable inside a for-in loop header.",
        "for-in loop variable declaration may not have an initializer.",
    ),
    ("Cannot call constructor in an optional chain.", "Invalid optional chain from new expression"),
    ("Cannot use tagged templates in an optional chain.", "Invalid tagged template on optional chain"),
    ("Cannot use new with import.", "Cannot use new with import"),
    ("Invalid destructuring assignment target.", "Invalid destructuring assignment target"),
    ("Invalid regular expression: invalid flags", "Invalid regular expression flags"),
    (
        "Cannot use 'await' within a parameter default expression.",
        "Illegal await-expression in formal parameters of async function",
    ),
    (
        "Cannot use 'await' as a parameter name in an async function.",
        "'await' is not a valid identifier name in an async function",
    ),
    (
        "Attempted to redefine __proto__ property.",
        "Duplicate __proto__ fields are not allowed in object literals",
    ),
    (
        "Cannot declare a static method named 'prototype'.",
        "Classes may not have a static property named 'prototype'",
    ),
    (
        "Cannot declare a static field named 'prototype'.",
        "Classes may not have a static property named 'prototype'",
    ),
    ("Cannot declare a getter or setter named 'constructor'.", "Class constructor may not be an accessor"),
    ("Cannot declare a generator method named 'constructor'.", "Class constructor may not be a generator"),
    ("Cannot declare an async method named 'constructor'.", "Class constructor may not be an async method"),
    ("Cannot declare class field named 'constructor'.", "Classes may not have a field named 'constructor'"),
    (
        "Cannot declare private class field named '#constructor'.",
        "Classes may not have a field named 'constructor'",
    ),
    ("for-await-of can only be used in an async function or async generator.", RESERVED),
    (
        "Parameters should match arguments offered as parameters in Function constructor.",
        "Arg string terminates parameters early",
    ),
    (
        "Function declarations are only allowed inside blocks or switch statements in strict mode.",
        "In strict mode code, functions can only be declared at top level or inside a block.",
    ),
];

const PREFIX: &str = "Invalid left-hand side expression in prefix operation";
const POSTFIX: &str = "Invalid left-hand side expression in postfix operation";

/// Of numbers, strings, symbols, dates.
const VALUES: &[(&str, &str)] = &[
    ("Array length must be a positive integer of safe magnitude.", "Invalid array length"),
    ("0 is an invalid divisor value.", "Division by zero"),
    ("Conversion from 'BigInt' to 'number' is not allowed.", "Cannot convert a BigInt value to a number"),
    ("BigInt does not support >>> operator", "BigInts have no unsigned right shift, use >> instead"),
    ("Negative exponent is not allowed", "Exponent must be positive"),
    ("Out of memory: BigInt generated from this operation is too big", "Maximum BigInt size exceeded"),
    ("Content types of source and new typed array are different", MIXED),
    ("JSON.stringify cannot serialize BigInt.", "Do not know how to serialize a BigInt"),
    ("number of bits cannot be negative", "Invalid value: not (convertible to) a safe integer"),
    ("number of bits too large", "Invalid value: not (convertible to) a safe integer"),
    (
        "'this' value must be a BigInt or BigIntObject",
        "BigInt.prototype.toString requires that 'this' be a BigInt",
    ),
    ("Cannot convert a symbol to a string", "Cannot convert a Symbol value to a string"),
    ("Cannot convert a symbol to a number", "Cannot convert a Symbol value to a number"),
    ("Invalid Date", "Invalid time value"),
    ("date value is not finite in DateTimeFormat format()", "Invalid time value"),
    ("currency must be a string", "Currency code is required with currency style."),
    (
        "First argument to Intl.Locale must be a string or an object",
        "First argument to Intl.Locale constructor can't be empty or missing",
    ),
    ("invalid language tag", "Incorrect locale information provided"),
    ("toFixed() argument must be between 0 and 100", "toFixed() digits argument must be between 0 and 100"),
    (
        "argument does not match any normalization form",
        "The normalization form should be one of NFC, NFD, NFKC, NFKD.",
    ),
    ("Out of memory", "Invalid string length"),
    ("URI error", "URI malformed"),
    ("String contained an illegal UTF-16 sequence.", "URI malformed"),
    ("JSON Parse error: Unexpected EOF", "Unexpected end of JSON input"),
    ("JSON.rawJSON cannot accept empty string", "Invalid value for JSON.rawJSON"),
    ("No default value", NO_PRIMITIVE),
    ("Symbol.toPrimitive returned an object", NO_PRIMITIVE),
    ("Cannot resolve a promise with itself", "Chaining cycle detected for promise #<Promise>"),
    (
        "Uint8Array.fromBase64 requires a valid base64 string",
        "Found a character that cannot be part of a valid base64 string.",
    ),
    ("Uint8Array.fromBase64 requires a string", "input argument must be a string"),
    (
        "Uint8Array.fromHex requires a string of even length",
        "Input string must contain hex characters in even length",
    ),
    (
        "Uint8Array.prototype.fromHex requires a string containing only \"0123456789abcdefABCDEF\"",
        "Input string must contain hex characters in even length",
    ),
];

/// Of properties, prototypes, collections. V8 shows the value where it is said to be undefined,
/// which it mostly is: a missing argument, an export of a module that has not run yet.
const OBJECTS: &[(&str, &str)] = &[
    ("The superclass is not a constructor.", "Class extends value undefined is not a constructor or null"),
    (
        "The value of the superclass's prototype property is not an object or null.",
        "Class extends value does not have valid prototype property undefined",
    ),
    ("Promise constructor takes a function argument", "Promise resolver undefined is not a function"),
    ("Getter must be a function.", "Getter must be a function: undefined"),
    ("Setter must be a function.", "Setter must be a function: undefined"),
    ("cyclic __proto__ value", "Cyclic __proto__ value"),
    (
        "Cannot set prototype of immutable prototype object",
        "Immutable prototype object 'Object.prototype' cannot have their prototype set",
    ),
    ("Cannot set prototype of undefined or null", "Object.setPrototypeOf called on null or undefined"),
    ("Object.assign requires that input parameter not be null or undefined", NO_OBJECT),
    ("Object.entries requires that input parameter not be null or undefined", NO_OBJECT),
    ("Object.values requires that input parameter not be null or undefined", NO_OBJECT),
    (
        "Object.groupBy requires that the first argument not be null or undefined",
        "Object.groupBy called on null or undefined",
    ),
    ("String.raw requires template not be null or undefined", NO_OBJECT),
    ("String.raw requires template.raw not be null or undefined", NO_OBJECT),
    ("invalid getter usage", "Object.prototype.__defineGetter__: Expecting function"),
    ("invalid setter usage", "Object.prototype.__defineSetter__: Expecting function"),
    ("'arguments', 'callee', and 'caller' cannot be accessed in this context.", ACCESSORS),
    ("reduce of empty array with no initial value", "Reduce of empty array with no initial value"),
    ("reduceRight of empty array with no initial value", "Reduce of empty array with no initial value"),
    (
        "Iterator.prototype.reduce requires an initial value or an iterator that is not done.",
        "Reduce of a done iterator with no initial value",
    ),
    ("Iterator cannot be constructed directly", "Abstract class Iterator not directly constructable"),
    ("%TypedArray% should not be called directly", "Abstract class TypedArray not directly constructable"),
    (
        "GetIteratorFlattenable expects its first argument to be an object or a string",
        "Iterator.from called on non-object",
    ),
    (
        "GetIteratorFlattenable expects its first argument to be an object",
        "Iterator.prototype.flatMap called on non-object",
    ),
    ("Array length exceeds 2**53 - 1", "Invalid array length"),
    ("WeakMap keys must be objects or non-registered symbols", "Invalid value used as weak map key"),
    ("WeakSet values must be objects or non-registered symbols", "Invalid value used in weak set"),
    ("First argument to WeakRef should be an object or a non-registered symbol", "WeakRef: invalid target"),
    (
        "First argument to FinalizationRegistry should be a function",
        "FinalizationRegistry: cleanup must be callable",
    ),
    (
        "register requires an object or a non-registered symbol as the target",
        "FinalizationRegistry.prototype.register: invalid target",
    ),
    (
        "register expects the target object and the holdings parameter are not the same. Otherwise, the target can never be collected",
        "FinalizationRegistry.prototype.register: target and holdings must not be same",
    ),
    ("Set operation expects first argument to have non-NaN 'size' property", "The .size property is NaN"),
    (
        "Array.from requires that the property of the first argument, items[Symbol.iterator], when exists, be a function",
        "%Array%.from requires that the property of the first argument, items[Symbol.iterator], when exists, be a function",
    ),
    ("Unable to prevent extension in Object.seal", PREVENTED),
    ("Unable to prevent extension in Object.freeze", PREVENTED),
    ("Unable to prevent extension in Object.preventExtensions", PREVENTED),
];

const PREVENTED: &str = "'preventExtensions' on proxy: trap returned falsish";

/// Of calls, constructors, generators, regular expressions.
const CALLS: &[(&str, &str)] = &[
    ("Right hand side of instanceof is not an object", "Right-hand side of 'instanceof' is not an object"),
    (
        "The iterator, to which yield* delegated iteration, does not have a 'throw' method.",
        "The iterator does not provide a 'throw' method.",
    ),
    ("Generator is executing", "Generator is already running"),
    (
        "instanceof called on an object with an invalid prototype property.",
        "Function has non-object prototype 'undefined' in instanceof check",
    ),
    ("Maximum call stack size exceeded.", "Maximum call stack size exceeded"),
    (
        "'super()' must be called in derived constructor before accessing |this| or returning non-object.",
        "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
    ),
    (
        "'super()' can't be called more than once in a constructor.",
        "Super constructor may only be called once",
    ),
    (
        "Cannot return a non-object type in the constructor of a derived class.",
        "Derived constructors may only return object or undefined",
    ),
    ("Cannot call a constructor without |new|", "Promise constructor cannot be invoked without 'new'"),
    ("Reflect.construct requires the second argument be an object", NO_LIST),
    ("Reflect.apply requires the third argument be an object", NO_LIST),
    ("second argument to Function.prototype.apply must be an Array-like object", NO_LIST),
    ("|this| is not a function inside Function.prototype.bind", "Bind must be called on a function"),
    (
        "String.prototype.matchAll argument must not be a non-global regular expression",
        "String.prototype.matchAll called with a non-global RegExp argument",
    ),
    (
        "String.prototype.replaceAll argument must not be a non-global regular expression",
        "String.prototype.replaceAll called with a non-global RegExp argument",
    ),
];

/// Of proxies, where V8 names no key either.
const PROXIES: &[(&str, &str)] = &[
    ("A Proxy's 'target' should be an Object", NO_PROXY),
    ("A Proxy's 'handler' should be an Object", NO_PROXY),
    (
        "Proxy handler's 'ownKeys' trap result must not contain any duplicate names",
        "'ownKeys' on proxy: trap returned duplicate entries",
    ),
    ("Proxy handler's 'ownKeys' method must return an object", NO_LIST),
    (
        "Proxy handler's 'ownKeys' method returned a key that was not present in its non-extensible target",
        "'ownKeys' on proxy: trap returned extra keys but proxy target is non-extensible",
    ),
    (
        "Proxy handler's 'getPrototypeOf' trap should either return an object or null",
        "'getPrototypeOf' on proxy: trap returned neither object nor null",
    ),
    (
        "Proxy's 'getPrototypeOf' trap for a non-extensible target should return the same value as the target's prototype",
        "'getPrototypeOf' on proxy: proxy target is non-extensible but the trap did not return its actual prototype",
    ),
    (
        "Proxy 'setPrototypeOf' returned false indicating it could not set the prototype value. The operation was expected to succeed",
        "'setPrototypeOf' on proxy: trap returned falsish for property 'undefined'",
    ),
    (
        "Proxy 'setPrototypeOf' trap returned true when its target is non-extensible and the new prototype value is not the same as the current prototype value. It should have returned false",
        "'setPrototypeOf' on proxy: trap returned truish for setting a new prototype on the non-extensible proxy target",
    ),
    (
        "Proxy object's 'isExtensible' trap returned false when the target is extensible. It should have returned true",
        "'isExtensible' on proxy: trap result does not reflect extensibility of proxy target (which is 'true')",
    ),
    (
        "Proxy object's 'isExtensible' trap returned true when the target is non-extensible. It should have returned false",
        "'isExtensible' on proxy: trap result does not reflect extensibility of proxy target (which is 'false')",
    ),
    (
        "Proxy's 'preventExtensions' trap returned true even though its target is extensible. It should have returned false",
        "'preventExtensions' on proxy: trap returned truish but the proxy target is extensible",
    ),
];

/// Of buffers and views.
const BUFFERS: &[(&str, &str)] = &[
    (
        "Expected ArrayBuffer for the first argument.",
        "First argument to DataView constructor must be an ArrayBuffer",
    ),
    ("Out of bounds access", "Offset is outside the bounds of the DataView"),
    ("Range consisting of offset and length are out of bounds", "offset is out of bounds"),
    ("Offset should not be negative", "offset is out of bounds"),
    ("Access index out of bounds for atomic access.", "Invalid atomic access index"),
    ("ArrayBuffer length exceeds maxByteLength option", "Invalid array buffer max length"),
    ("Receiver should be a typed array view", "this is not a typed array."),
];
