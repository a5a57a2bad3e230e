//! Types in decorator metadata.

use crate::options::{Decorators, Language, Options, StrictNullChecks};
use crate::script::SourceKind;
use crate::to_javascript;

fn check_with(nulls: StrictNullChecks, source: &str, wanted: &str) {
    let mut options = Options::new(Language::TypeScript, Some(SourceKind::Module));
    options.decorators = Decorators::LegacyWithMetadata(nulls);
    let text = to_javascript(source, "a.ts", &options).map(|made| made.text).unwrap();
    let metadata = text.rsplit_once("decorateMetadata(\"design:").map(|(_, metadata)| metadata.to_owned());
    let metadata =
        metadata.and_then(|metadata| metadata.split_once(')').map(|(metadata, _)| metadata.to_owned()));
    let metadata = metadata.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(metadata, wanted, "{source}");
}

fn check(source: &str, wanted: &str) {
    check_with(StrictNullChecks::Off, source, wanted);
}

#[test]
fn aliases_are_followed() {
    check("type T = () => void; class A { @b c: T }", "type\", Function");
    check("type T = U; type U = string; class A { @b c: T }", "type\", String");
    check("type T = T; class A { @b c: T }", "type\", Object");
}

#[test]
fn enums_are_strings_or_numbers() {
    check("export enum E { a = 'a' } class A { @b c: E }", "type\", String");
    check("enum E { a = 'a', b = 1 } class A { @b c: E.b }", "type\", Number");
    check("enum E { a = 'a', b = 1 } class A { @b c: E }", "type\", Object");
}

#[test]
fn type_parameters_resolve_to_constraints() {
    check("class A<T extends number> { @b c: T }", "type\", Number");
    check("class A<T> { @b c: T }", "type\", Object");
}

#[test]
fn rest_parameters_have_their_element_type() {
    check("@b class A { constructor(...c: string[]) {} }", "paramtypes\", [String]");
    check("@b class A { constructor(...c: Array<number>) {} }", "paramtypes\", [Number]");
    check("@b class A { constructor(...c: any) {} }", "paramtypes\", [Object]");
}

#[test]
fn strict_null_checks_change_the_type() {
    check("class A { @b c: string | null | undefined }", "type\", String");
    check("class B {} class A { @b c: B | null }", "type\", typeof B === \"undefined\" ? Object : B");
    check_with(StrictNullChecks::On, "class B {} class A { @b c: B | null }", "type\", Object");
    check_with(StrictNullChecks::On, "type T = string; class A { @b c: T | never }", "type\", String");
}
