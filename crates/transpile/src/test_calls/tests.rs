//! Tests of `test_calls`.

use super::*;

/// Names and positions: `group > test line:column`.
fn found(source: &str) -> Vec<String> {
    let calls = test_calls(source, Language::TypeScript).expect("it parses");
    let name = |pattern: &NamePattern| pattern.0.join("*");
    let call = |call: &TestCall| {
        let names: Vec<String> = call.names.iter().map(name).collect();
        format!("{} {}:{}", names.join(" > "), call.line, call.column)
    };
    calls.iter().map(call).collect()
}

#[test]
fn groups_and_tests_have_names_and_positions() {
    let source = "import { test } from 'bun:test';\n\
                  describe('a', () => {\n  it.only(\"b\", () => {});\n  describe(() => { test.skip(`c`); });\n});\n\
                  /* \u{1f600} */ test('d' as string, () => { other('e'); });";
    assert_eq!(found(source), ["a 2:1", "a > b 3:3", "a >  4:3", "a >  > c 4:20", "* 6:10"]);
}

#[test]
fn tables_and_templates_leave_parts_of_names_open() {
    let source = "test.each([[1]])('%d of $a.b, 100%', () => {});\n\
                  test.each`a | b\n  ${1} | ${2}`('$a', () => {});\n\
                  test.skipIf(slow)('%d', () => {});\n\
                  describe.for(rows)(`${x}-y`, () => { test(name, () => {}); });\n\
                  const mine = test.extend({});";
    assert_eq!(found(source), ["* of *, 100% 1:1", "* 2:1", "%d 4:1", "*-y 5:1", "*-y > * 5:38"]);
}

#[test]
fn patterns_match_names_between_literal_parts() {
    let pattern = NamePattern(["a ", " b ", " c"].map(str::to_owned).to_vec());
    assert!(pattern.matches("a 1 b 2 c"));
    assert!(!pattern.matches("a 1 2 c"));
    assert!(!pattern.matches("a c"));
    assert!(NamePattern(vec!["a".to_owned()]).matches("a"));
    assert!(!NamePattern(vec!["a".to_owned()]).matches("ab"));
    assert!(NamePattern(vec![String::new(), String::new()]).matches(""));
}

#[test]
fn a_file_that_does_not_parse_has_no_calls() {
    assert!(test_calls("test('a', () => {", Language::TypeScript).is_err());
}
