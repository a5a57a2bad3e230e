//! Modules that tell their state, and those that do more than making values.

use crate::options::{Language, ModuleState, Options};
use crate::script::{ModuleForm, SourceKind};
use crate::transpile::transpile_parsed;

/// The call by which a module tells its state.
fn state(language: Language, source: &str) -> Option<String> {
    let options =
        Options { module_state: ModuleState::Reported, ..Options::new(language, Some(SourceKind::Module)) };
    let script =
        transpile_parsed(source, "a.ts", &options).unwrap_or_else(|errors| panic!("{errors}: {source}"));
    let head = script.head(ModuleForm::Function);
    let start = head.find("$r.state(")?;
    Some(head[start..].to_owned())
}

#[track_caller]
fn check(source: &str, names: &str, variables: &str) {
    let assignments: Vec<String> = variables
        .split_terminator(',')
        .enumerate()
        .map(|(index, name)| format!("{name}=$rvalues[{index}];"))
        .collect();
    let restore = match &assignments[..] {
        [] => String::new(),
        assignments => format!(",$rvalues=>{{{}}}", assignments.concat()),
    };
    let wanted = format!("$r.state(()=>[{names}],()=>[{variables}]{restore});");
    assert_eq!(state(Language::TypeScript, source).as_deref(), Some(wanted.as_str()), "{source}");
}

#[track_caller]
fn check_more(source: &str) {
    assert_eq!(state(Language::TypeScript, source), None, "{source}");
}

#[test]
fn values_and_functions_are_reported() {
    check("export const a = 1", "a", "");
    check("export function f() { return g() } function g() {}", "f,g", "");
    check("const a = -1, b = a * 2 + Math.max(a, 3), c = `${b}`; export { c }", "a,b,c", "");
    check("export const a = { b: [1, { c() {}, get d() { return 1 } }], [Symbol.iterator]: 1 }", "a", "");
    check("export const a = Object.freeze(['x']), b = Symbol('b'), c = Symbol.for(`c`)", "a,b,c", "");
    check("export const seen = new Set(), known = new Map()", "seen,known", "");
    check("export const a = /x/g, b = typeof a, c = a === b, d = a ?? b", "a,b,c,d", "");
    check("export default class { static a = 1; b = f() } function f() {}", "$rdefault,f", "");
    check("export default { a: 1 }", "$rdefault", "");
    check("export default function () {}", "$rdefault", "");
    check("class A extends Error { #a = 1; static #b() {} } class B extends A {} export { B }", "A,B", "");
    check("import x, { y } from 'y'; export const a = { x, y }; export * from 'z'", "a", "");
    check("export enum A { B, C = 'c' }", "A", "");
}

#[test]
fn assigned_bindings_are_variables() {
    check("export let a = 1; export function set(b) { a = b }", "a,set", "a");
    check("export let a; export const b = () => { a ??= 1 }", "a,b", "a");
    check("export function f() {} export const g = () => { f = undefined }", "f,g", "f");
    check("let a, b; export const set = (c) => { a = c; b = c }", "a,b,set", "a,b");
    check("const a = 1; export const set = () => { a = 2 }", "a,set", "");
}

#[test]
fn what_does_more_is_not_reported() {
    for source in [
        "f(); export function f() {}",
        "export const a = f(); function f() {}",
        "export const a = globalThis.b",
        "export const a = Math.random()",
        "export const a = process",
        "import b from 'b'; export const a = b + 1",
        "import b from 'b'; export const a = b.c",
        "import b from 'b'; export const a = { ...b }",
        "import b from 'b'; export const a = { [b]: 1 }",
        "export const { a } = { a: 1 }",
        "export const a = new WeakMap()",
        "export const a = new Map([[1, 2]])",
        "export const a = new (class Map {})()",
        "const Map = class {}; export const a = new Map()",
        "export const a = await 1",
        "export const a = () => import.meta.url",
        "export const a = () => require('a')",
        "export const a = (code) => eval(code)",
        "export const a = { __proto__: b }; function b() {}",
        "export const a = this",
        "export const a = b++; let b = 1",
        "export class A { static { f() } } function f() {}",
        "export class A { static #a = 1 }",
        "export class A extends f() {} function f() {}",
        "export class A extends EventTarget {}",
        "export const a = (() => { let n = 0; return () => n++ })()",
        "const b = { set c(d) {} }; export const a = (function (e) { e.c = 1; return e })(b || {})",
        "import b from 'b'; export const a = (function (e) { e.c = 1; return e })(b || {})",
        "for (const a of []) {}",
        "a.b = 1; export function a() {}",
        "export namespace A { export const b = f() } function f() {}",
    ] {
        check_more(source);
    }
}

#[test]
fn it_is_reported_only_on_demand() {
    let options = Options::new(Language::JavaScript, Some(SourceKind::Module));
    let script = transpile_parsed("export const a = 1", "a.js", &options).unwrap();
    assert!(!script.head(ModuleForm::Function).contains("state"));
}
