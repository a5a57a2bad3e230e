//! Imports and exports of a file.

use super::ImportKind::{Dynamic, RequireCall, RequireResolve, Statement};
use super::{ImportKind, outline};
use crate::options::Language;

fn check(source: &str, imports: &[(ImportKind, &str)], exports: &[&str]) {
    let found = outline(source, Language::TypeScript).unwrap_or_else(|errors| panic!("{errors}: {source}"));
    let found_imports: Vec<_> = found.imports.iter().map(|(how, name)| (*how, name.as_str())).collect();
    assert_eq!(found_imports, imports, "{source}");
    assert_eq!(found.exports, exports, "{source}");
}

#[test]
fn imports_are_in_the_order_of_the_source() {
    check(
        "import a from 'a'; import('b'); import 'c'; require('d'); require.resolve(`e`); import x = require('f')",
        &[
            (Statement, "a"),
            (Dynamic, "b"),
            (Statement, "c"),
            (RequireCall, "d"),
            (RequireResolve, "e"),
            (RequireCall, "f"),
        ],
        &[],
    );
    check("require(x); import(y + 'z'); a.require('b')", &[], &[]);
}

#[test]
fn exports_are_sorted() {
    check(
        "export const {x, y: [z]} = q, w = 1; export class K {} export default 1",
        &[],
        &["K", "default", "w", "x", "z"],
    );
    check(
        "export * from 'a'; export * as n from 'b'; export { q as r } from 'c'; let s; export { s as 't u' }",
        &[(Statement, "a"), (Statement, "b"), (Statement, "c")],
        &["n", "r", "t u"],
    );
}

#[test]
fn types_are_left_out() {
    check(
        "import type T from 't'; import { type U } from 'u'; import { type V, v } from 'v'; export { type W } from 'w'",
        &[(Statement, "v")],
        &[],
    );
    check(
        "export type X = 1; export interface I {} export enum E { a } export namespace N { export const b = 1 }",
        &[],
        &["E", "N"],
    );
    check("export declare const d: number; export default interface F {}", &[], &[]);
}
