//! Hashes of chunks that refer to each other.

use rustc_hash::FxHashMap;

use super::{hashes, replace, token};

fn named(code: &[(usize, String)]) -> Vec<String> {
    let hashes =
        hashes(&code.iter().map(|(chunk, text)| (*chunk, text.as_str())).collect::<FxHashMap<_, _>>());
    code.iter().map(|(chunk, _)| hashes[chunk].clone()).collect()
}

#[test]
fn a_hash_changes_with_the_chunks_that_the_code_refers_to() {
    let importer = |number: usize| format!("import \"./a-{}.js\";", token(number));
    let first = named(&[(0, importer(1)), (1, "let a = 1;".to_owned()), (2, "let b;".to_owned())]);
    let changed = named(&[(0, importer(1)), (1, "let a = 2;".to_owned()), (2, "let b;".to_owned())]);
    assert_ne!(first[0], changed[0]);
    assert_ne!(first[1], changed[1]);
    assert_eq!(first[2], changed[2]);
}

#[test]
fn a_hash_does_not_depend_on_the_numbers_of_chunks() {
    let importer = |number: usize| format!("import \"./a-{}.js\";", token(number));
    let first = named(&[(0, importer(1)), (1, "let a = 1;".to_owned())]);
    let moved = named(&[(7, importer(30)), (30, "let a = 1;".to_owned())]);
    assert_eq!(first, moved);
}

#[test]
fn chunks_that_refer_to_each_other_have_hashes() {
    let both = named(&[(0, format!("import '{}'", token(1))), (1, format!("import '{}'", token(0)))]);
    assert_eq!(both.iter().map(String::len).collect::<Vec<_>>(), [8, 8]);
}

#[test]
fn only_whole_tokens_are_replaced() {
    let hashes = FxHashMap::from_iter([(3, "abcdefgh".to_owned())]);
    let text = format!("'{}' \u{e0f1} \u{e0f1}x\u{e0f2} \u{e0f1}{}", token(3), token(3));
    assert_eq!(replace(&text, &hashes), "'abcdefgh' \u{e0f1} \u{e0f1}x\u{e0f2} \u{e0f1}abcdefgh");
}
