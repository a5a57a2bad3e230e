//! Tests of the caret below a source line.

use super::{FailureKind, indent};

/// `line`: with the engine's column before `|` and the position of the caret before `^`.
fn check(line: &str, message: &str) {
    let position =
        |mark: char, other: char| line.split(mark).next().unwrap().replace(other, "").chars().count();
    let (column, expected) = (position('|', '^') as u32 + 1, position('^', '|'));
    let line = line.replace(['|', '^'], "");
    assert_eq!(indent(&line, column, FailureKind::Exception, message).len(), expected, "{line}");
}

#[test]
fn undeclared_names_are_pointed_to() {
    check("  ^win.basename|('x');", "ReferenceError: win is not defined");
    check("  ^return win.basename|('x');", "ReferenceError: win is not defined");
    check("  a(); ^return await win|('x');", "ReferenceError: win is not defined");
    check("\t^x = win|", "ReferenceError: win is not defined");
    check("  const x = ^win|", "ReferenceError: win is not defined");
    check("  x += ^win|", "ReferenceError: win is not defined");
    check("  o.x = ^win|", "ReferenceError: win is not defined");
    check("  if (x == ^win|)", "ReferenceError: win is not defined");
    check("  a.win(^win|);", "ReferenceError: win is not defined");
    check("  ^f|(win2)", "ReferenceError: f is not defined");
}

#[test]
fn assignments_are_pointed_to() {
    check("  x = o.a.|b ^= 1 === y;", "TypeError: Cannot set properties of undefined (setting 'b')");
    check("  o.a.|b ^??= 1;", "TypeError: Cannot set properties of undefined (setting 'b')");
    check("  c ^=| 2;", "TypeError: Attempted to assign to readonly property.");
    check("  c ^+=| a.b = 2;", "TypeError: Attempted to assign to readonly property.");
    check("  o.|a ^= 2;", "TypeError: Attempted to assign to readonly property.");
    check("  o.|a ^= 2;", "TypeError: Cannot assign to read only property 'a' of object '#<Object>'");
}

#[test]
fn operators_are_pointed_to() {
    check("  return |a.b ^+ 1;", "TypeError: Cannot mix BigInt and other types, use explicit conversions");
    check("  return o ^instanceof |o.K;", "TypeError: Right-hand side of 'instanceof' is not an object");
    check(
        "    ^this.|x = 1;",
        "ReferenceError: Must call super constructor in derived class before accessing",
    );
}

#[test]
fn what_is_called_and_what_throws_is_pointed_to() {
    check("  a.^b|();", "TypeError: a.b is not a function");
    check("  ^throw new Error|('x');", "Error: x");
    check("  ^throw new Error|('a is not b');", "Error: a is not b");
}
