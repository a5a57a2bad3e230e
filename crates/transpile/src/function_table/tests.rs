//! Names and types of functions, as V8 (Node 25.9) prints them. The function in question contains
//! `HERE`. `fixtures/programs/errors/frame_names.cjs` tests what stacks have of it.

use super::{FunctionKind, function_table};
use crate::options::Language;

fn check_in(language: Language, source: &str, inferred: Option<&str>, receiver: Option<&str>) {
    let table = function_table(source, language).expect("it can be parsed");
    let at = source.find("HERE").expect("a mark");
    let found = table.at(at as u32).expect("a function");
    assert_eq!((found.inferred, found.receiver), (inferred, receiver), "{source}");
}

/// The name that V8 infers.
fn infers(source: &str, expected: &str) {
    let table = function_table(source, Language::JavaScript).expect("it can be parsed");
    let found = table.at(source.find("HERE").expect("a mark") as u32).expect("a function");
    assert_eq!(found.inferred.unwrap_or("-"), expected, "{source}");
}

/// The type whose method it is.
fn belongs(source: &str, expected: &str) {
    let table = function_table(source, Language::JavaScript).expect("it can be parsed");
    let found = table.at(source.find("HERE").expect("a mark") as u32).expect("a function");
    assert_eq!(found.receiver.unwrap_or("-"), expected, "{source}");
}

#[test]
fn assigned_members_give_names() {
    infers("a.x = function () { HERE };", "a.x");
    infers("a.x = () => HERE;", "a.x");
    infers("a.b.c = function () { HERE };", "a.b.c");
    infers("module.exports = function () { HERE };", "module.exports");
    infers("exports = module.exports = function () { HERE };", "module.exports");
    infers("a.x = a.y = function () { HERE };", "a.x.a.y");
    infers("this.x = function () { HERE };", "x");
    infers("self.x = function () { HERE };", "self.x");
    infers("F.prototype.m = function () { HERE };", "F.m");
    infers("a[k] = function () { HERE };", "a.<computed>");
    infers("a['x-y'] = function () { HERE };", "a.x-y");
    infers("a['0'] = function () { HERE };", "a.<computed>");
    infers("a[k].m = function () { HERE };", "a.<computed>.m");
    infers("g(h).c = function () { HERE };", "g.c");
    infers("(a.b || a).c = function () { HERE };", "c");
    infers("a.x ??= function () { HERE };", "a.x");
    infers("class A { #x; m() { this.#x = function () { HERE }; } }", "#x");
}

#[test]
fn values_pass_names_on() {
    infers("a.x = y || function () { HERE };", "a.x");
    infers("a.x = y ? 1 : function () { HERE };", "a.x");
    infers("a.x = [function () { HERE }];", "a.x");
    infers("const v = { k: [function () { HERE }] };", "v.k");
    infers("id({ k: [function () { HERE }] });", "id.k");
    infers("a.x = (0, function () { HERE });", "a.x");
    infers("[a.x] = [function () { HERE }];", "-");
    infers("a.x = 1 + (a.y = function () { HERE });", "a.x.a.y");
    infers("a.b && (a.x = function () { HERE });", "a.b.a.x");
    infers("if (a.b) a.x = function () { HERE };", "a.x");
}

#[test]
fn calls_and_parentheses_do_not() {
    infers("a.x = id(function () { HERE });", "-");
    infers("a.x = id(function () { HERE }, function () {});", "-");
    infers("a.x = id(function () { HERE }).y;", "-");
    infers("a.x = (function () { HERE });", "-");
    infers("a.x = [function () { HERE }, (function () {})()];", "a.x");
    infers("a.x = function () { HERE }();", "-");
    infers("const v = new K(function () { HERE });", "-");
    infers("a.x = function () { return function () { HERE }; };", "-");
}

#[test]
fn constructors_and_called_functions_are_part_of_names() {
    infers("function F() { this.x = function () { HERE }; }", "F.x");
    infers("const F = function () { this.x = () => HERE; };", "F.x");
    infers("function f() { this.x = function () { HERE }; }", "x");
    infers("class A { constructor() { this.x = () => HERE; } }", "A.x");
    infers("class A { init() { this.x = () => HERE; } }", "x");
    infers("var F = (function () { F.prototype.m = function () { HERE }; })();", "F.m");
    infers("a.y = (function () { b.x = function () { HERE }; })();", "a.y.b.x");
    infers("a.y = function () { b.x = function () { HERE }; };", "b.x");
    infers("ns.K = class { constructor() { HERE } };", "ns.K");
    infers("ns.K = id(class { constructor() { HERE } });", "-");
}

#[test]
fn members_belong_to_their_class_or_literal() {
    belongs("class A { m() { HERE } }", "A");
    belongs("class A { static m() { HERE } }", "A");
    belongs("class A { f = () => HERE; }", "A");
    belongs("const A = class { get g() { HERE } };", "A");
    belongs("ns.A = class { m() { HERE } };", "ns.A");
    belongs("(class { m() { HERE } });", "Object");
    belongs("(class { static m() { HERE } });", "Function");
    belongs("const o = { m() { HERE } };", "Object");
    belongs("const o = { m: function () { HERE } };", "Object");
    belongs("F.prototype = { m() { HERE } };", "F");
    belongs("F.prototype.m = function () { HERE };", "F");
    belongs("a.F.prototype.m = function n() { HERE };", "a.F");
    belongs("Object.defineProperty(F.prototype, 'm', { value: function () { HERE } });", "F");
    belongs("function F() { this.m = function () { HERE }; }", "F");
    belongs("class A {} A.m = function () { HERE };", "A");
    belongs("function F() {} F.m = function () { HERE };", "Function");
    belongs("const list = [function () { HERE }];", "Array");
    belongs("exports.m = function () { HERE };", "-");
    belongs("function f() { HERE }", "-");
}

#[test]
fn types_are_no_code() {
    let source = "class A<T> { private m(this: A<T>, x: () => void): T { return x!() as T /* HERE */; } }";
    check_in(Language::TypeScript, source, None, Some("A"));
    let source = "abstract class A { abstract n(): void; m(): void; m(x?: number) { HERE } }";
    check_in(Language::TypeScript, source, None, Some("A"));
}

#[test]
fn names_of_variables_give_types() {
    let source = "import * as ns from 'ns'; class A {} function F() {} const a = new A(); let b = new A();
        b = 1; const c = new ns.C(); const K = class L {}; const k = new K();";
    let table = function_table(source, Language::JavaScript).expect("it can be parsed");
    let types = [("A", Some("A")), ("F", Some("Function")), ("ns", Some("Module")), ("a", Some("A"))];
    let others = [("b", None), ("c", Some("ns.C")), ("d", None), ("K", Some("L")), ("k", Some("L"))];
    for (name, expected) in types.into_iter().chain(others) {
        assert_eq!(table.type_of(name), expected, "{name}");
    }
}

#[test]
fn the_innermost_function_is_found() {
    let source = "function f() { g(() => 1); return 2 } class A { x = f(); static { f() } } f()";
    let table = function_table(source, Language::JavaScript).expect("it can be parsed");
    let kind = |text: &str| {
        let at = source.find(text).expect("a part of the source");
        table.at(at as u32).map(|found| found.kind)
    };
    assert_eq!(kind("1);"), Some(FunctionKind::Arrow));
    assert_eq!(kind("return"), Some(FunctionKind::Function));
    assert_eq!(kind("f(); static"), Some(FunctionKind::InstanceInitializer));
    assert_eq!(kind("f() } }"), Some(FunctionKind::StaticInitializer));
    assert_eq!(kind("class"), None);
    assert_eq!(table.at(source.len() as u32), None);
}

#[test]
fn a_source_with_errors_has_no_table() {
    assert!(function_table("function (", Language::JavaScript).is_none());
}
