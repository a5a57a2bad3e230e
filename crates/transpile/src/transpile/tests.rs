//! The code that source text is transpiled to.

use crate::options::{Decorators, Language, Options};
use crate::position_map::SourcePosition;
use crate::script::{ModuleForm, Script, SourceKind};
use crate::transpile::{transpile, transpile_parsed};

fn script(language: Language, kind: Option<SourceKind>, source: &str) -> Script {
    transpile_parsed(source, "a.js", &Options::new(language, kind))
        .unwrap_or_else(|errors| panic!("{errors}: {source}"))
}

/// The code of a module, without its head and tail.
fn check(source: &str, wanted: &str) {
    let script = script(Language::JavaScript, Some(SourceKind::Module), source);
    let pieces: Vec<&str> =
        script.text.as_deref().unwrap_or(source).split_inclusive(char::is_whitespace).collect();
    // Collapses the spaces that replace removed code.
    let text = pieces.into_iter().filter(|piece| *piece != " ").collect::<String>();
    assert_eq!(text.trim(), wanted);
}

fn check_error(kind: Option<SourceKind>, source: &str, wanted: &str) {
    let error =
        transpile_parsed(source, "a.js", &Options::new(Language::JavaScript, kind)).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), wanted, "{source}");
}

#[test]
fn a_hashbang_stays_a_comment_after_the_head() {
    for parse in [transpile, transpile_parsed] {
        let text = |source: &str| {
            let options = Options::new(Language::JavaScript, Some(SourceKind::CommonJs));
            parse(source, "a.js", &options).unwrap().text.unwrap_or_else(|| source.to_owned())
        };
        assert_eq!(text("#!/bin/x\na"), "///bin/x\na");
        assert_eq!(text("--> x\na"), "//> x\na");
        assert_eq!(text("\u{feff} /* a */\t-->=\na"), "\u{feff} /* a */\t//>=\na");
        for same in ["/* \n */ --> x\na", "\n--> x\na", "a --> x", "// a\n--> b\nc"] {
            assert_eq!(text(same), same);
        }
    }
}

fn check_kind(source: &str, wanted: SourceKind) {
    assert_eq!(script(Language::JavaScript, None, source).kind, wanted, "{source}");
}

#[test]
fn imported_names_are_read_where_they_are() {
    check("import{a}from'x';b=a", "; b=$r0.a");
    check("import{a}from'x';({a})", "; ({a/*$r*/: $r0.a})");
    check("import{'a b'as a}from'x';a.c", "; $r0[/*$r:a*/\"a b\"].c");
    check("import a from'x';{let a;a}a", "; {let a;a}$r0[/*$r:a*/\"default\"]");
    check(
        "import{a as b,b as a}from'x';({a});c=b()",
        "; ({a/*$r*/: $r0[/*$r:a*/\"b\"]});c=(0,$r0[/*$r:b*/\"a\"])()",
    );
    check("import*as a from'x';a.b()", "; a.b()");
}

#[test]
fn names_of_test_runners_are_constants() {
    check("import{a}from'bun:test';a()", "; a()");
    check("import{a as b}from'vitest';b=1", "; $r[/*$r:b*/\"readonly\"]=1");
    check("import{a}from'@jest/globals';({a})", "; ({a})");
    let source = "import a,{b as c}from'bun:test';import{d}from'x';export{c}";
    let script = script(Language::JavaScript, Some(SourceKind::Module), source);
    let head = "(function($r,$r0,$r1){\"use strict\";const a=$r0.default,c=$r0.b;";
    assert_eq!(script.head(ModuleForm::Function), head);
}

#[test]
fn imported_functions_have_no_receiver() {
    check("import{a}from'x';b=a()", "; b=(0,$r0.a)()");
    check("import{a}from'x';b=a`x`", "; b=(0,$r0.a)`x`");
    check("import{a}from'x';b=a?.()", "; b=(0,$r0.a)?.()");
    check("import{a}from'x';new a()", "; new $r0.a()");
    check("import{a}from'x';a.b()", "; $r0.a.b()");
}

#[test]
fn a_statement_does_not_join_the_one_before() {
    check("import{a}from'x'\nb\na()", "; \nb\n/*$r*/;(0,$r0.a)()");
    check("import{a}from'x'\nif(b)a()\nelse a()", "; \nif(b)(0,$r0.a)()\nelse (0,$r0.a)()");
    check("b\nexport{c}\n(d);var c", "b\n; \n(d);var c");
}

#[test]
fn imported_names_cannot_be_assigned() {
    check("import{a}from'x';a=1", "; $r[/*$r:a*/\"readonly\"]=1");
    check("import{a}from'x';[a]=b", "; [$r[/*$r:a*/\"readonly\"]]=b");
    check("import{a}from'x';({a}=b)", "; ({a/*$r*/: $r[/*$r:a*/\"readonly\"]}=b)");
    check("import{a}from'x';({a=1}=b)", "; ({a/*$r*/: $r[/*$r:a*/\"readonly\"]=1}=b)");
    check("import*as a from'x';a=1", "; $r[/*$r:a*/\"readonly\"]=1");
    check("import{a}from'x';for(a of b);", "; for($r[/*$r:a*/\"readonly\"] of b);");
}

#[test]
fn default_exports_have_their_name() {
    check("export default function(){}", "function $rdefault(){}");
    check("export default async function*(){}", "async function* $rdefault(){}");
    check("export default class{}", "const $rdefault=({default:class{}}).default;");
    check("export default ()=>1", "const $rdefault=({default:()=>1}).default;");
    check("export default (class{})", "const $rdefault=({default:(class{})}).default;");
    check("export default 1\n+2", "const $rdefault=1\n+2;");
    check("export default class A{}", "class A{}");
}

#[test]
fn modules_are_no_scripts() {
    check("a<!--b", "a< !--b");
    check("()=>arguments", "()=>$rarguments");
    check("function a(){return()=>arguments}", "function a(){return()=>arguments}");
    check("#!/bin/x\na", "///bin/x\na");
    check("import.meta.url;import('a')", "$r.meta.url;$r.import('a')");
}

#[test]
fn exports_are_getters() {
    let script = script(Language::JavaScript, Some(SourceKind::Module), "export{a as 'b c',a as d};let a");
    let head = "(function*($r){\"use strict\";$r.exports={__proto__:null,get \"b c\"(){return a},get d(){return a}};yield;";
    assert_eq!(script.head(ModuleForm::Generator), head);
    assert_eq!(
        script.head(ModuleForm::Function),
        head.replace("function*", "function").replace("yield;", "")
    );
}

fn check_exports(source: &str, wanted: &str) {
    let script = script(Language::JavaScript, Some(SourceKind::Module), source);
    let head = format!("(function($r){{\"use strict\";$r.exports={{__proto__:null,{wanted}}};");
    assert_eq!(script.head(ModuleForm::Function), head, "{source}");
}

#[test]
fn constant_functions_need_no_getter() {
    check_exports("export function a(){}", "a:a");
    check_exports("export{a as 'b c'};async function*a(){}", "\"b c\":a");
    check_exports("export default function a(){}", "default:a");
    check_exports("export function a(){a=1}", "get a(){return a}");
    check_exports("export function a(){(eval)('a=1')}", "get a(){return a}");
    check_exports("function a(){}export{a as __proto__}", "get __proto__(){return a}");
    check_exports("export class a{}", "get a(){return a}");
}

#[test]
fn generated_names_are_unused() {
    let script =
        script(Language::JavaScript, Some(SourceKind::Module), "import{a}from'x';var $r,$r_0;\\u0024r__=a");
    assert_eq!(script.prefix, "$r___");
}

#[test]
fn the_syntax_decides_the_kind() {
    check_kind("export {}", SourceKind::Module);
    check_kind("import.meta", SourceKind::Module);
    check_kind("await 1", SourceKind::Module);
    check_kind("for await (a of b);", SourceKind::Module);
    check_kind("import('a')", SourceKind::CommonJs);
    check_kind("return", SourceKind::CommonJs);
    check_kind("await (a)", SourceKind::CommonJs);
    check_kind("with (a) b", SourceKind::CommonJs);
}

#[test]
fn commonjs_stays_as_it_is() {
    let source = "var a = require('a'); return a";
    let script = script(Language::JavaScript, Some(SourceKind::CommonJs), source);
    assert_eq!(script.text, None);
    let code = script.code("import('a')", ModuleForm::Function);
    let head = "(function $rfile(exports, require, module, __filename, __dirname) {";
    assert_eq!(code, format!("{head}import('a')\n}})"));
}

#[test]
fn a_commonjs_file_has_five_arguments() {
    let source = "import('a')";
    let script = script(Language::JavaScript, Some(SourceKind::CommonJs), source);
    let head = "(function($r){return function $rfile(exports, require, module, __filename, __dirname) {";
    assert_eq!(script.code(source, ModuleForm::Function), format!("{head}$r.import('a')\n}}}})"));
}

#[test]
fn a_script_has_no_wrapper() {
    let source = "#!/bin/x\nvar a = import('b')";
    let options = Options {
        prefix: "$own1_".to_owned(),
        ..Options::new(Language::JavaScript, Some(SourceKind::Script))
    };
    let script = transpile(source, "a", &options).expect("it parses");
    assert_eq!(script.code(source, ModuleForm::Function), "///bin/x\nvar a = $own1_.import('b')");
    assert!(
        script.position_map(ModuleForm::Function).source(SourcePosition { line: 0, column: 3 })
            == Some(SourcePosition { line: 0, column: 3 })
    );
    check_error(Some(SourceKind::Script), "return", "Illegal return statement (1:1)");
    check_error(Some(SourceKind::Script), "1; export {}", "Unexpected token 'export' (1:4)");
    check_error(Some(SourceKind::Script), "import 'a'", "Cannot use import statement outside a module (1:1)");
}

#[test]
fn errors_have_positions() {
    let module = Some(SourceKind::Module);
    check_error(module, "let a;\nexport {b}", "Export 'b' is not defined in module (2:9)");
    check_error(module, "let a; export {a, a}", "Duplicate export of 'a' (1:19)");
    check_error(module, "export default 1;export default 2", "Duplicate export of 'default' (1:25)");
    check_error(module, "})(); evil(", "Unexpected token '}' (1:1)");
    check_error(Some(SourceKind::CommonJs), "})(); evil(", "Unexpected token '}' (1:1)");
    check_error(module, "/*", "Invalid or unexpected token (1:1)");
}

#[test]
fn typescript_becomes_javascript() {
    let module = Some(SourceKind::Module);
    let text = |source: &str| {
        script(Language::TypeScript, module, source).text.unwrap_or_default().replace(['\n', '\t'], "")
    };
    let erased = text("import {A, b} from 'x'; const c: A = b as A; export type {A}");
    assert!(erased.ends_with("const c = $r0.b;"), "{erased}");
    assert_eq!(
        text("class A { constructor(private b: number) {} }"),
        "class A {b;constructor(b) {this.b = b;}}"
    );
    assert!(text("enum A { B = 2 }; A.B").contains("A[A[\"B\"] = 2] = \"B\""));
    assert!(
        text("namespace A { export const b = 1 }").contains("A.b = 1")
            || text("namespace A { export const b = 1 }").contains("_A.b = 1")
    );
    let jsx = script(Language::Tsx, module, "const a = <b c={1}/>").text.unwrap_or_default();
    assert!(jsx.contains("(0,$r0[/*$r:_jsx*/\"jsx\"])(\"b\""), "{jsx}");
}

#[test]
fn import_equals_uses_meta_require() {
    let module = |source: &str| {
        script(Language::TypeScript, Some(SourceKind::Module), source).text.unwrap_or_default()
    };
    assert!(module("import a = require('a'); a()").contains("a = $r.meta.require(\"a\")"));
    assert!(!module("import a = require('a'); let b: a.B").contains("require"));
    let commonjs = script(Language::TypeScript, None, "import a = require('a'); export = a");
    assert_eq!(commonjs.kind, SourceKind::CommonJs);
    let text = commonjs.text.unwrap_or_default();
    assert!(text.contains("a = require(\"a\")") && text.contains("module.exports = a"), "{text}");
    assert_eq!(script(Language::TypeScript, None, "import a from 'a'; export = a").kind, SourceKind::Module);
}

#[test]
fn typescript_whose_imports_are_types_is_commonjs() {
    let kind = |source: &str| script(Language::TypeScript, None, source).kind;
    assert_eq!(kind("import { A } from 'a'; module.exports = { b: 1 as A }"), SourceKind::CommonJs);
    assert_eq!(kind("import A, { type B } from 'a'; let c: A & B; exports.c = c"), SourceKind::CommonJs);
    for module in [
        "import { A } from 'a'; module.exports = A",
        "import { A } from 'a'; import 'b'; module.exports = 1 as A",
        "import { A } from 'a'; export let b: A; exports.b = 1",
        "import { A } from 'a'; let b: A = await 1; exports.b = b",
        "import { A } from 'a'; let b: A",
    ] {
        assert_eq!(kind(module), SourceKind::Module, "{module}");
    }
}

#[test]
fn the_function_of_a_bundle_of_bun_is_called() {
    let head = "// @bun @bun-cjs\n(function(exports, require, module, __filename, __dirname) {";
    for first in ["", "#!/usr/bin/env bun\n"] {
        let source = format!("{first}{head}exports.a = 1;\n}})\n//# debugId=1\n");
        let options = Options::new(Language::JavaScript, None);
        let script = transpile(&source, "a.js", &options).expect("a script");
        let text = script.text.unwrap_or_default();
        assert!(text.ends_with("\n(exports, require, module, __filename, __dirname);\n"), "{text}");
    }
}

#[test]
fn using_is_lowered() {
    let text = script(Language::JavaScript, Some(SourceKind::Module), "{ using a = b; c() }")
        .text
        .unwrap_or_default();
    assert!(text.contains("$r.helpers.usingCtx()") && !text.contains("using a"), "{text}");
}

#[test]
fn decorators_are_those_of_the_tsconfig() {
    let legacy = Options {
        decorators: Decorators::Legacy,
        ..Options::new(Language::TypeScript, Some(SourceKind::Module))
    };
    let text =
        transpile_parsed("@a class B { @c d() {} }", "a.ts", &legacy).unwrap().text.unwrap_or_default();
    assert!(text.contains("$r.helpers.decorate(["), "{text}");
    check(
        "@a class B {}",
        "const $rd0=new $r.helpers.Decoration(\"B\");$rd0.by([a]); let B=({B:class {static{$rd0.define(this)};static{$rd0.finish()}}},$rd0.class);",
    );
    let parameter = transpile_parsed(
        "class B { constructor(@a b) {} }",
        "a.ts",
        &Options::new(Language::TypeScript, Some(SourceKind::Module)),
    );
    let wanted = "Parameter decorators need `experimentalDecorators` in tsconfig.json (1:23)";
    assert_eq!(parameter.map(|_| ()).unwrap_err().to_string(), wanted);
}

#[test]
fn the_number_of_errors_is_limited() {
    let source = format!("[{}]", r"'\uc',".repeat(5000));
    let options = Options::new(Language::JavaScript, None);
    let errors = transpile_parsed(&source, "a.js", &options).map(|_| ()).unwrap_err().errors;
    assert_eq!((errors.len(), errors[0].position.column), (16, 2));
}

#[test]
fn imports_and_exports_are_top_level() {
    let options = Options::new(Language::TypeScript, Some(SourceKind::Module));
    for source in ["x: export class A {}", "{ export const a = 1 }", "if (a) import 'b'"] {
        let at = source.find("port").expect("there is one") - 1;
        let wanted = format!("An import or export can only be used at the top level of a module (1:{at})");
        let outcome = transpile_parsed(source, "a.ts", &options).map(|_| ());
        assert_eq!(outcome.unwrap_err().to_string(), wanted, "{source}");
    }
    let namespace = "export namespace N { export const a = 1; export namespace M { export const b = a } }";
    assert!(transpile_parsed(namespace, "a.ts", &options).is_ok());
}

#[test]
fn shadowing_a_wrapper_parameter_makes_a_module() {
    check_kind("const require = 1", SourceKind::Module);
    check_kind("let { a: [module] } = b", SourceKind::Module);
    check_kind("class exports {}", SourceKind::Module);
    check_kind("var require = 1; function module() {} { let exports }", SourceKind::CommonJs);
    check_error(
        Some(SourceKind::CommonJs),
        "0; const require = 1",
        "Identifier 'require' has already been declared (1:10)",
    );
    check_error(None, "let module; return", "Identifier 'module' has already been declared (1:5)");
    let declared = script(Language::TypeScript, None, "declare const require: any; require('a')");
    assert_eq!(declared.kind, SourceKind::CommonJs);
}

#[test]
fn a_decorated_class_that_is_exported_is_called_one() {
    check_error(None, "export @a caass B {} /* class */", "Unexpected identifier 'caass' (1:11)");
    check_error(None, "export @a class_ B {}", "Unexpected identifier 'class_' (1:11)");
    check_error(None, "export @a /* class */\n|| B {}", "Unexpected token '|' (2:1)");
    for source in
        ["export @a /* b */ // c\n class B {}", "@a export class B {}", "export @a() @b.c class B {}"]
    {
        check_kind(source, SourceKind::Module);
    }
    script(Language::TypeScript, None, "export @a abstract class B {}");
}

#[test]
fn export_assignments_become_default_exports() {
    let made = |source: &str| script(Language::TypeScript, Some(SourceKind::Module), source);
    let exported = |source: &str| made(source).tables.exports.len();
    assert_eq!(exported("import a from 'a'; class B {} export = B; f(a)"), 2);
    assert_eq!(exported("import a from 'a'; interface B {} export = B; f(a)"), 0);
    let text = made("import a from 'a'; let exported; export = f(a, exported)").text.unwrap();
    assert!(text.contains("const exported_ = f("), "{text}");
}

#[test]
fn exported_enums_are_hoisted() {
    let text = script(Language::TypeScript, Some(SourceKind::Module), "export enum A { b }").text.unwrap();
    assert!(text.contains("var A ="), "{text}");
}

#[test]
fn empty_imports_are_type_imports() {
    let requests =
        |language, source| script(language, Some(SourceKind::Module), source).tables.requests.len();
    assert_eq!(requests(Language::TypeScript, "import {} from 'a'; import 'b'"), 1);
    assert_eq!(requests(Language::JavaScript, "import {} from 'a'; import 'b'"), 2);
}

#[test]
fn await_using_needs_an_async_function() {
    let message = "await is only valid in async functions and the top level bodies of modules (1:16)";
    check_error(Some(SourceKind::CommonJs), "function f() { await using a = b }", message);
    check_error(
        Some(SourceKind::Module),
        "async () => () => { await using a = b }",
        "Unexpected reserved word (1:21)",
    );
    assert!(script(Language::JavaScript, None, "async () => { await using a = b }").text.is_some());
}

#[test]
fn duplicate_members_are_allowed_unless_private() {
    let typed = |source| {
        transpile_parsed(source, "a.ts", &Options::new(Language::TypeScript, Some(SourceKind::Module)))
            .map(|_| ())
    };
    assert_eq!(
        typed("class A { m() {} 'm'() {} x = 1; x = 2; static s; static s; get g() {} get g() {} }"),
        Ok(())
    );
    let refused = |source| typed(source).unwrap_err().to_string();
    assert_eq!(refused("class A { #x; #x }"), "Identifier '#x' has already been declared (1:15)");
    assert_eq!(
        refused("class A { x; x; m() { let a; let a } }"),
        "Identifier 'a' has already been declared (1:34)"
    );
    assert_eq!(
        refused("class A { constructor() {} constructor() {} }"),
        "A class may only have one constructor (1:28)"
    );
}
