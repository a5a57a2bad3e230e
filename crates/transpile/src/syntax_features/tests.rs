//! TypeScript errors that the parser does not report.

use crate::options::{Language, Options, Strictness};
use crate::script::SourceKind;
use crate::transpile::transpile_parsed;

/// The first error with its position; or None.
fn check(source: &str, wanted: Option<&str>) {
    let options = Options::new(Language::TypeScript, None);
    let error = transpile_parsed(source, "a.ts", &options).map(|_| ()).err().map(|errors| errors.to_string());
    assert_eq!(error.as_deref(), wanted, "{source}");
}

#[test]
fn methods_are_no_accessors() {
    check("class A { accessor m() {} }", Some("Unexpected identifier 'm' (1:20)"));
    check("class A { @a static accessor /* b */ 'm'() {} }", Some("Unexpected string (1:38)"));
    check("class A { accessor() {} accessor b = 1; @accessor c() {} /* accessor */ d() {} }", None);
}

#[test]
fn return_in_a_namespace_is_an_error() {
    check("namespace A { return }", Some("Illegal return statement (1:15)"));
    check("namespace A { if (b) { return 1 } }", Some("Illegal return statement (1:24)"));
    check(
        "namespace A { function b() { return } const c = () => { return }; class D { e() { return } } }",
        None,
    );
    check("return", None);
}

#[test]
fn one_thing_is_exported() {
    check("export = 1;\nexport = 2", Some("Duplicate identifier 'export=' (2:1)"));
}

#[test]
fn errors_in_generated_code_have_source_positions() {
    let options = Options::new(Language::TypeScript, Some(SourceKind::CommonJs));
    let options = Options { strictness: Strictness::Always, ..options };
    let source = "enum A { a }\r\ntype B = 1; with (a as B) {}";
    let errors = transpile_parsed(source, "a.ts", &options).map(|_| ()).unwrap_err();
    let first = errors.first();
    assert_eq!((first.position.line, first.position.column), (1, 12), "{errors}");
    assert_eq!(first.text, "type B = 1; with (a as B) {}");
}

#[test]
fn commonjs_of_typescript_may_be_strict() {
    let check = |source: &str, kind: SourceKind, strictness: Strictness, wanted: bool| {
        let options = Options { strictness, ..Options::new(Language::TypeScript, Some(kind)) };
        let text = transpile_parsed(source, "a.ts", &options).unwrap().text.unwrap();
        assert_eq!(text.starts_with("\"use strict\";"), wanted, "{source}");
    };
    check("a as b", SourceKind::CommonJs, Strictness::AsWritten, false);
    check("a as b", SourceKind::CommonJs, Strictness::Always, true);
    check("import a = require('a'); a()", SourceKind::CommonJs, Strictness::AsWritten, true);
    check("export = a as b", SourceKind::CommonJs, Strictness::AsWritten, true);
    check("a as b", SourceKind::Module, Strictness::Always, false);
    check("a as b", SourceKind::Script, Strictness::Always, false);
}
