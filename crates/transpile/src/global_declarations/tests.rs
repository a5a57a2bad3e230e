//! Which declarations become properties of the global object.

use super::global_declarations;

#[test]
fn names_of_the_global_object_are_found() {
    let source = "var a = 1; { var b; let no; } for (var c of []) {} function f() { var inner } class No {} let l; const k = 1; d = 2";
    let found = global_declarations(source);
    assert_eq!(found.variables, ["a", "b", "c"]);
    assert_eq!(found.functions, ["f"]);
    assert_eq!(found.lexical, ["No", "k", "l"]);
    assert_eq!(global_declarations("var ="), super::GlobalDeclarations::default());
}
