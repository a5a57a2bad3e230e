//! Tests of `hoisted_mocks`.

use super::*;

fn check(source: &str, expected: &str) {
    assert_eq!(hoist_mocks(source, Language::TypeScript).as_deref(), Some(expected));
}

#[test]
fn calls_become_exported_functions_in_their_place() {
    check(
        "import { vi } from 'vitest';\nvi.mock('./a', () => ({ b: 1 }));\nrest();",
        "import { vi } from 'vitest';\nexport function $hoisted0(){return vi.mock('./a', () => ({ b: 1 }))};\nrest();",
    );
    check(
        "import 'x'; jest.mock('a').mock('b')",
        "import 'x'; export function $hoisted0(){return jest.mock('a').mock('b')}",
    );
    check("import 'x'; vi.mock(import('a'))", "import 'x'; export function $hoisted0(){return vi.mock('a')}");
}

#[test]
fn hoisted_variables_belong_to_the_module() {
    check(
        "export {}; const m = vi.hoisted(() => 1)",
        "export {}; var m;export function $hoisted0(){(m = vi.hoisted(() => 1))}",
    );
    check(
        "export {}; const { a, b: [c] }:\n  T = await vi.hoisted(async () => x);",
        "export {}; var a,c;export async function $hoisted0(){({ a, b: [c] } = \nawait vi.hoisted(async () => x))};",
    );
}

#[test]
fn other_code_is_left() {
    for source in [
        "import 'x'; vi.fn(); test('a', () => { vi.mock('b') })",
        "import 'x'; x.mock('a')",
        "jest.mock('a'); require('a')",
        "import 'x'; const a = 1, b = vi.hoisted(f)",
        "import 'x'; vi.mock(",
    ] {
        assert_eq!(hoist_mocks(source, Language::TypeScript), None, "{source}");
    }
}
