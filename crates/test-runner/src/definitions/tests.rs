//! Tests of `definitions`.

use super::*;

const SOURCE: &str = "describe('a', () => {\n\
    test('b', () => {});\n\
    test('b', () => {});\n\
    test(`${x} of ${y}`, () => {});\n\
    test(name, () => {});\n\
  });\n\
  describe(name, () => { test('c', () => {}); });\n\
  test(one, () => {});\n\
  test(two, () => {});\n";

fn line(path: &[&str]) -> Option<u32> {
    let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
    Definitions::of(SOURCE, Language::TypeScript).find(&path).map(|position| position.line)
}

#[test]
fn a_test_is_found_by_the_names_of_its_groups_and_its_own() {
    assert_eq!(line(&["a"]), Some(1));
    assert_eq!(line(&["a", "b"]), Some(2));
    assert_eq!(line(&["a", "1 of 2"]), Some(4));
    assert_eq!(line(&["a", "other"]), Some(5));
    assert_eq!(line(&["z", "c"]), Some(7));
}

#[test]
fn a_name_that_several_definitions_may_have_has_no_position() {
    assert_eq!(line(&["z"]), None);
    assert_eq!(line(&["a", "b", "c"]), None);
}
