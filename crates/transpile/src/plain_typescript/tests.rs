//! Which modules of TypeScript are lowered as they are.

use crate::options::{ClassFields, Language, Options};
use crate::script::{Script, SourceKind};
use crate::transpile::transpile_parsed;

fn script(source: &str, options: &Options) -> Script {
    transpile_parsed(source, "a.ts", options).unwrap_or_else(|errors| panic!("{errors}: {source}"))
}

fn options() -> Options {
    Options::new(Language::TypeScript, Some(SourceKind::Module))
}

/// The printer writes double quotes: `''` shows that the text is the file's own.
fn is_as_written(source: &str, options: &Options) -> bool {
    let script = script(&format!("{source};f('')"), options);
    script.text.as_deref().is_none_or(|text| text.contains("f('')"))
}

#[test]
fn a_module_without_types_is_not_printed() {
    for source in [
        "import { a } from 'x'; a(1)",
        "import 'x'; export * from 'y'; export { z } from 'z'",
        "import a, * as b from 'x'; export const c = () => [a, b]",
        "export class A { a = 1; static #b = 2; get c() { return this.a; } static {} }",
        "export default async function* f(a, { b = 1, ...c } = {}, ...d) { yield a < b > (c); }",
        "label: for (const a of []) { try { break label; } catch { continue; } }",
    ] {
        // `a < b > (c)` is a call with type arguments.
        assert_eq!(is_as_written(source, &options()), !source.contains("b > ("), "{source}");
    }
}

#[test]
fn what_is_no_javascript_is_transformed() {
    for source in [
        "const a: number = 1",
        "const a = 1 as number",
        "const a = <number>1",
        "const a = 1 satisfies number",
        "const a = b!",
        "const a = f<string>",
        "let a!: number",
        "declare const a",
        "function f<T>() {}",
        "function f(a?) {}",
        "function f(this: A) {}",
        "function f(): void; function f() {}",
        "class A<T> {}",
        "class A extends B<C> {}",
        "class A implements B {}",
        "abstract class A {}",
        "abstract class A { abstract a; }",
        "class A { private a; }",
        "class A { readonly a = 1; }",
        "class A { declare a; }",
        "class A { a?; }",
        "class A { a!: number; }",
        "class A { b?() {} }",
        "class A extends B { override a() {} }",
        "class A { private a() {} }",
        "class A { [key: string]: any }",
        "class A { constructor(public a) {} }",
        "class A { accessor a = 1; }",
        "@d class A {}",
        "enum A { a }",
        "declare enum A { a }",
        "namespace A { export const a = 1; }",
        "declare module 'a' {}",
        "declare global {}",
        "interface A {}",
        "type A = string",
        "import type { a } from 'x'",
        "import { type a } from 'x'",
        "import {} from 'x'",
        "import { a } from 'x'",
        "import { a, b } from 'x'; b",
        "import { a } from 'x'; type B = a",
        "import a = require('x'); a",
        "export type { a } from 'x'",
        "export { type a } from 'x'",
        "export type * from 'x'",
        "try {} catch (error: unknown) {}",
        "{ using a = b }",
        "class A extends B { constructor() { try { super(); } catch {} } }",
    ] {
        assert!(!is_as_written(source, &options()), "{source}");
    }
}

#[test]
fn fields_that_become_assignments_are_transformed() {
    let assigned = Options { fields: ClassFields::Assign, ..options() };
    assert!(!is_as_written("class A { a = 1 }", &assigned));
    assert!(is_as_written("class A { a() {} }", &assigned));
}

#[test]
fn scopes_have_the_rules_of_javascript() {
    let error = |source: &str| transpile_parsed(source, "a.ts", &options()).map(|_| ()).unwrap_err();
    for source in ["function a() {} function a() {} export {}", "let a; let a; export {}"] {
        let with_types = format!("{source}; type B = string");
        assert_eq!(error(source).to_string(), error(&with_types).to_string(), "{source}");
    }
}
