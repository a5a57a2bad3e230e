//! The code that namespaces are lowered to. `fixtures/programs/modules/namespaces.ts` tests what
//! that code does.

use crate::options::{Language, Options};
use crate::script::SourceKind;
use crate::to_javascript;

fn outcome(source: &str) -> Result<String, String> {
    let options = Options::new(Language::TypeScript, Some(SourceKind::Module));
    let made = to_javascript(source, "a.ts", &options).map_err(|errors| errors.to_string())?;
    Ok(made.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn check(source: &str, wanted: &str) {
    assert_eq!(outcome(source).as_deref(), Ok(wanted), "{source}");
}

/// The last block of `A`.
fn check_last(source: &str, wanted: &str) {
    let text = outcome(source).unwrap();
    let block =
        text.rsplit_once("(function(A) { ").and_then(|(_, rest)| rest.split_once(" })(A || (A = {}));"));
    assert_eq!(block.map(|(block, _)| block), Some(wanted), "{text}");
}

#[test]
fn blocks_share_what_they_export() {
    check(
        "namespace A { export const x = 1 } namespace A { x }",
        "var A; (function(A) { A.x = 1; })(A || (A = {})); (function(A) { A.x; })(A || (A = {}));",
    );
    check_last(
        "namespace A { export let x } namespace A { x++; ({ x = 1 } = x); [x] = x }",
        "A.x++; ({x: A.x = 1} = A.x); [A.x] = A.x;",
    );
    check_last("namespace A { export function f() {} } namespace A { f(); f`` }", "A.f(); A.f``;");
    check_last(
        "namespace A { export let x } namespace A { ({ x, y: x, x: 1 }) }",
        "({ x: A.x, y: A.x, x: 1 });",
    );
}

#[test]
fn local_names_of_a_block_stay() {
    check_last("namespace A { export let x } namespace A { let x; x }", "let x; x;");
    check_last(
        "namespace A { export let x } namespace A { (x) => x; { let x; x } x }",
        "(x) => x; { let x; x; } A.x;",
    );
    check_last("let x; namespace A { export type x = 1; export let y } namespace A { x }", "x;");
}

#[test]
fn exported_variables_are_only_properties() {
    check_last("namespace A { export let x = 1, y, z = x }", "A.x = 1; A.z = A.x;");
    check_last(
        "namespace A { export const { a, b: [c = a, ...d] } = e() }",
        "({a: A.a, b: [A.c = A.a, ...A.d]} = e());",
    );
    check_last("namespace A { export class C {} C }", "class C {} A.C = C; C;");
}

#[test]
fn a_parameter_shadows_nothing() {
    check(
        "namespace A { export const A = 1; A }",
        "var A; (function(A_1) { A_1.A = 1; A_1.A; })(A || (A = {}));",
    );
    check(
        "let A_1; namespace A { (A) => A }",
        "let A_1; var A; (function(A_2) { (A) => A; })(A || (A = {}));",
    );
}

#[test]
fn namespaces_nest() {
    check(
        "namespace A.B { export let x = 1 }",
        "var A; (function(A) { let B; (function(B) { B.x = 1; })(B = A.B || (A.B = {})); })(A || (A = {}));",
    );
    check_last("namespace A.B { export let x } namespace A { B.x }", "A.B.x;");
}

#[test]
fn classes_functions_and_enums_merge_with_namespaces() {
    check(
        "class A {} namespace A { export let x = 1 }",
        "class A {} (function(A) { A.x = 1; })(A || (A = {}));",
    );
    check(
        "export function A() {} export namespace A { f() }",
        "export function A() {} (function(A) { f(); })(A || (A = {}));",
    );
    check_last(
        "namespace A { export enum E { a } }",
        r#"let E = A.E || (A.E = {}); E = /* @__PURE__ */ function(E) { E[E["a"] = 0] = "a"; return E; }(E || {});"#,
    );
}

#[test]
fn enums_see_members_of_other_blocks() {
    let begin = "namespace A { export enum E { a = 1, s = 's' } } namespace A { export enum E ";
    let check = |members: &str, wanted: &str| {
        let text = outcome(&format!("{begin}{{ {members} }} }}")).unwrap();
        assert!(text.contains(wanted), "{text}");
    };
    check("b = a", r#"E[E["b"] = E.a] = "b";"#);
    check("b = E.a + 1", r#"E[E["b"] = E.a + 1] = "b";"#);
    check("b = s, c = `${E.s}!`", r#"E["b"] = "s"; E["c"] = "s!";"#);
    check("a = 2, b = a", r#"E[E["b"] = 2] = "b";"#);
    check("b = (a => a)(3)", r#"E[E["b"] = ((a) => a)(3)] = "b";"#);
}

#[test]
fn types_are_removed() {
    check("namespace A { export type x = 1; interface I {} namespace B {} }", "");
    check_last("namespace T { export type x = 1 } namespace A { export import x = T.x; f() }", "f();");
    check_last("import * as t from 't'; namespace A { import x = t.x; f() }", "f();");
}

#[test]
fn invalid_decorators_are_errors() {
    let wanted = "An import or export can only be used at the top level of a module (1:22)";
    assert_eq!(outcome("namespace A { let x; export { x } }"), Err(wanted.to_owned()));
    let deep = format!("namespace {} {{ f() }}", ["a"; 201].join("."));
    assert_eq!(outcome(&deep), Err("Namespaces are nested too deeply (1:411)".to_owned()));
    let broad = "namespace A { export let x; namespace A { x } }".repeat(300);
    assert!(outcome(&broad).is_ok());
}
