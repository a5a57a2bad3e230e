//! Messages that are translated, and those that are not.

use super::v8_message;

fn check(engine_message: &str, expected: &str) {
    assert_eq!(v8_message(engine_message).as_deref(), Some(expected), "{engine_message}");
}

#[test]
fn values_that_the_engine_does_not_name_are_undefined() {
    check("Array.prototype.map callback must be a function", "undefined is not a function");
    check("Iterator.prototype.some callback must be a function.", "undefined is not a function");
    check(
        "The superclass is not a constructor.",
        "Class extends value undefined is not a constructor or null",
    );
}

#[test]
fn expressions_of_modules_are_parsed() {
    check(
        "undefined is not an object (evaluating '(await f()).x')",
        "Cannot read properties of undefined (reading 'x')",
    );
    check(
        "import.meta.a is not a function. (In 'import.meta.a()', 'import.meta.a' is undefined)",
        "(intermediate value).a is not a function",
    );
}

#[test]
fn messages_of_the_engine_are_translated() {
    check("Can't find variable: a", "a is not defined");
    check("Maximum call stack size exceeded.", "Maximum call stack size exceeded");
    check(
        "undefined is not an object (evaluating 'o.a.b')",
        "Cannot read properties of undefined (reading 'b')",
    );
    check("null is not an object (evaluating 'a[0]')", "Cannot read properties of null (reading '0')");
    check(
        "undefined is not an object (evaluating 'f(x).then')",
        "Cannot read properties of undefined (reading 'then')",
    );
    check(
        "undefined is not an object (evaluating 'o['a']['b c']')",
        "Cannot read properties of undefined (reading 'b c')",
    );
    check(
        "undefined is not an object (evaluating 'o.a = x.y')",
        "Cannot set properties of undefined (setting 'a')",
    );
    check(
        "undefined is not an object (evaluating 'o?.a.b')",
        "Cannot read properties of undefined (reading 'b')",
    );
    check("f is not a function. (In 'f(1)', 'f' is undefined)", "f is not a function");
    check(
        "a.b(1).c is not a function. (In 'a.b(1).c()', 'a.b(1).c' is undefined)",
        "a.b(...).c is not a function",
    );
    check(
        "a.b(c(1), [')'], { d: \"(\" })() is not a function. (In 'a.b(c(1), [')'], { d: \"(\" })()()', 'a.b(c(1), [')'], { d: \"(\" })()' is undefined)",
        "a.b(...)(...) is not a function",
    );
    check(
        "undefined is not an object (evaluating 'f(g('\\\')')).c')",
        "Cannot read properties of undefined (reading 'c')",
    );
    check("f['x'] is not a function. (In 'f['x']()', 'f['x']' is undefined)", "f.x is not a function");
    check("Object is not a constructor (evaluating 'new o.p(1)')", "o.p is not a constructor");
    check(
        "Invalid mix of BigInt and other type in addition.",
        "Cannot mix BigInt and other types, use explicit conversions",
    );
    check(
        "Cannot call a class constructor A without |new|",
        "Class constructor A cannot be invoked without 'new'",
    );
    check("Invalid regular expression: missing )", "Invalid regular expression: Unterminated group");
    check("calling Map constructor without new is invalid", "Constructor Map requires 'new'");
    check("JSON.stringify cannot serialize BigInt.", "Do not know how to serialize a BigInt");
    check("invalid time zone: Foo/Bar", "Invalid time zone specified: Foo/Bar");
    check(
        "String.prototype.replace requires that |this| not be null or undefined",
        "String.prototype.replace called on null or undefined",
    );
    check(
        "Array.prototype.map requires that |this| not be null or undefined",
        "Array.prototype.map called on null or undefined",
    );
    check(
        "Array.prototype.at requires that |this| not be null or undefined",
        "Cannot convert undefined or null to object",
    );
}

#[test]
fn syntax_errors_are_translated() {
    check("Unexpected end of script", "Unexpected end of input");
    check("Unexpected keyword 'else'", "Unexpected token 'else'");
    check("Unexpected number '2'. Expected ';' after variable declaration.", "Unexpected number");
    check("Unexpected string literal 'a. b'. Expected ';' after variable declaration.", "Unexpected string");
    check("Unexpected identifier 'b'. Expected ';' after variable declaration.", "Unexpected identifier 'b'");
    check("Unexpected token ';'. Expected ')' to end an argument list.", "missing ) after argument list");
    check(
        "Unexpected token '{'. import call expects one or two arguments.",
        "Cannot use import statement outside a module",
    );
    check(
        "Unexpected token '='. Expected a ':' following the property name 'a'.",
        "Invalid shorthand property initializer",
    );
    check(
        "Unexpected identifier 'a'. Cannot declare a lexical variable twice: 'a'.",
        "Identifier 'a' has already been declared",
    );
    check(
        "Unexpected use of reserved word 'implements' in strict mode",
        "Unexpected strict mode reserved word",
    );
    check("Cannot declare a let variable twice: 'a'.", "Identifier 'a' has already been declared");
    check("Can't create duplicate variable: 'a'", "Identifier 'a' has already been declared");
    check(
        "Cannot declare a function that shadows a let/const/class/function variable 'a' in strict mode.",
        "Identifier 'a' has already been declared",
    );
    check("Cannot use the keyword 'class' as a variable name.", "Unexpected token 'class'");
    check(
        "Cannot use the reserved word 'public' as a variable name in strict mode.",
        "Unexpected strict mode reserved word",
    );
    check("Unterminated regular expression literal '/a'", "Invalid regular expression: missing /");
}

#[test]
fn quoted_expressions_are_parsed() {
    check(
        "undefined is not an object (evaluating 'f(\")\").c')",
        "Cannot read properties of undefined (reading 'c')",
    );
    check(
        "undefined is not an object (evaluating '`a`.b.c')",
        "Cannot read properties of undefined (reading 'c')",
    );
    check(
        "undefined is not an object (evaluating 'o.a[key]')",
        "Cannot read properties of undefined (evaluating 'o.a[key]')",
    );
    check("null is not an object (evaluating 'o.#p = 1')", "Cannot set properties of null (setting '#p')");
    check(
        "undefined is not an object (evaluating 'delete o.a')",
        "Cannot convert undefined or null to object",
    );
    check("(1, 2) is not a function. (In '(1, 2)()', '(1, 2)' is 2)", "(1 , 2) is not a function");
    check(
        "function is not a constructor (evaluating 'new (() => 1)')",
        "(intermediate value) is not a constructor",
    );
    check("1 is not an Object. (evaluating ''a' in 1')", "Cannot use 'in' operator to search for 'a' in 1");
    check(
        "o is not a function. (evaluating 'a instanceof o')",
        "Right-hand side of 'instanceof' is not callable",
    );
    check(
        "Cannot access invalid private field (evaluating 'o.#p = 1')",
        "Cannot write private member #p to an object whose class did not declare it",
    );
}

#[test]
fn messages_of_later_releases_are_known() {
    check("Cannot access 'a' before initialization.", "Cannot access 'a' before initialization");
    check(
        "Cannot return a non-object type in the constructor of a derived class A.",
        "Derived constructors may only return object or undefined",
    );
}

#[test]
fn messages_that_need_the_source_are_returned() {
    for message in [
        "Cannot access uninitialized variable.",
        "Attempted to assign to readonly property.",
        "undefined is not an object (evaluating 'f()')",
        "undefined is not a function (near '...[a]...')",
        "Cannot destructure property 'a' from null or undefined value",
        "Cannot destructure null or undefined value",
        "number is not iterable",
    ] {
        check(message, message);
    }
}

#[test]
fn ambiguous_messages_are_not_translated() {
    for message in [
        "",
        "no",
        "undefined is not an object",
        "a is not an object (evaluating 'b')",
        "Unexpected identifier 'a'",
        "Unexpected token '}'",
        "Unexpected token 'x', \"{x}\" is not valid JSON",
        "Unexpected token ''', \"{'a'}\" is not valid JSON",
        "Unexpected end of JSON input",
        "Unexpected results",
        "Cannot declare war",
    ] {
        assert_eq!(v8_message(message), None, "{message}");
    }
}
