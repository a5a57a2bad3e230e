//! Replacement of names by constants, and valid values.

use std::sync::Arc;

use super::{DefineError, Defines};
use crate::options::{Language, Options};
use crate::transpile;

fn check(language: Language, source: &str, wanted: &str) {
    let mut defines = Defines::default();
    for (name, value) in [
        ("FOO", "42"),
        ("A.B", "\"ab\""),
        ("O", "{\"a\":1}"),
        ("N", "-1"),
        ("process.env.X", "'x'"),
        ("T", "true"),
    ] {
        defines.add(name, value).expect(name);
    }
    let options = Options { defines: Arc::new(defines), ..Options::new(language, None) };
    let script = transpile(source, "a.js", &options).unwrap_or_else(|errors| panic!("{errors}: {source}"));
    assert_eq!(script.text.as_deref().unwrap_or(source).trim(), wanted, "{source}");
}

#[test]
fn constants_stand_for_global_names() {
    let check = |source, wanted| check(Language::JavaScript, source, wanted);
    check("f(FOO, typeof FOO, FOO.a)", "f(42 , typeof 42 , 42 .a)");
    check("({ FOO, FOO: 1, a: FOO })", "({ FOO: 42 , FOO: 1, a: 42  })");
    check("f(A.B, A['B'], A.C, A.B.c, x.A.B)", "f(\"ab\", \"ab\", A.C, \"ab\".c, x.A.B)");
    check("f(O.a, N, process.env.X, process.env.Y)", "f(({\"a\":1}).a, (-1), 'x', process.env.Y)");
    check("f()\nT && g()", "f()\ntrue && g()");
}

#[test]
fn names_that_are_declared_or_assigned_stay() {
    let check = |source, wanted| check(Language::JavaScript, source, wanted);
    check("let FOO = 1; f(FOO)", "let FOO = 1; f(FOO)");
    check("(FOO) => FOO", "(FOO) => FOO");
    check("FOO = 1; FOO++; [FOO] = []", "FOO = 1; FOO++; [FOO] = []");
    check(
        "class C { FOO = 1 }; x.FOO; FOO: for (;;) break FOO",
        "class C { FOO = 1 }; x.FOO; FOO: for (;;) break FOO",
    );
    check("import { FOO } from 'x'; FOO.a", ";                        $r0.FOO.a");
}

#[test]
fn types_are_removed_and_constants_inserted() {
    check(Language::TypeScript, "const a: number = FOO as any;", "const a = 42 ;");
}

#[test]
fn values_are_constants_or_names() {
    let mut defines = Defines::default();
    for value in ["1", "'a'", "\"a\"", "null", "undefined", "a.b.c", "[1, {\"a\": [true]}]", "-1.5", "1n"] {
        assert_eq!(defines.add("X", value), Ok(()), "{value}");
    }
    for value in ["", "1+1", "f()", "a?.b", "'a", "[...a]", "{a(){}}", "1)//", "a;b", "`a`"] {
        assert_eq!(defines.add("X", value), Err(DefineError::Value), "{value}");
    }
    for name in ["", "1x", "a-b", "a..b", "a b", "."] {
        assert_eq!(defines.add(name, "1"), Err(DefineError::Name), "{name}");
    }
}
