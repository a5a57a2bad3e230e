//! Front matter in the forms in use.

use super::*;

fn read(matter: &str) -> FrontMatter {
    FrontMatter::read(&format!("// a head\n/*---\n{matter}---*/\n\nflags: [async]\n")).unwrap()
}

#[test]
fn a_test_without_flags_is_run_in_both_modes() {
    let matter = read("description: x\n");
    assert_eq!(matter, FrontMatter { is_sloppy: true, is_strict: true, ..FrontMatter::default() });
    assert!(!read("flags: [noStrict]\n").is_strict);
    assert!(!read("flags: [onlyStrict]\n").is_sloppy);
    assert!(!read("flags: [raw]\n").is_strict);
}

#[test]
fn lists_stand_in_brackets_or_in_lines() {
    let matter =
        read("flags: [generated, module, async]\nincludes:\n  - a.js\n- b.js\nfeatures: [one,  two]\n");
    assert!(matter.is_module && matter.is_async);
    assert_eq!(
        (matter.includes, matter.features),
        (vec!["a.js".into(), "b.js".into()], vec!["one".into(), "two".into()])
    );
}

#[test]
fn negative_has_a_type() {
    let matter = read("negative:\n  phase: parse\n  type: SyntaxError\nfeatures: [x]\n");
    assert_eq!((matter.negative.as_deref(), matter.features.len()), (Some("SyntaxError"), 1));
}

#[test]
fn a_file_without_matter_is_refused() {
    assert!(FrontMatter::read("// nothing").is_err());
}
