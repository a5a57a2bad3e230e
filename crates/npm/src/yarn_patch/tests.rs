//! Literals as Yarn writes them.

use super::*;

fn of_project(path: &str) -> PatchPath {
    PatchPath::OfProject(path.to_owned())
}

fn check(name: &str, literal: &str, expected: (&str, &str, &str), files: &[PatchPath]) {
    let patch = YarnPatch::parse(name, literal).expect(literal);
    assert_eq!((patch.package.as_str(), patch.literal.as_str(), patch.key().as_str()), expected, "{literal}");
    assert_eq!(patch.files, files, "{literal}");
}

#[test]
fn a_patch_has_its_package_and_files() {
    let files = [of_project(".yarn/patches/left.patch")];
    check("left", "patch:left@npm%3A^1.0.0#~/.yarn/patches/left.patch", ("left", "^1.0.0", "left"), &files);
    check(
        "left",
        "patch:left@npm%3A1.2.0#~/.yarn/patches/left.patch",
        ("left", "1.2.0", "left@1.2.0"),
        &files,
    );
    check(
        "@s/left",
        "patch:@s/left@npm:1.2.0#~/.yarn/patches/left.patch::version=1.2.0&hash=abc",
        ("@s/left", "1.2.0", "@s/left@1.2.0"),
        &files,
    );
    check(
        "sinister",
        "patch:left@npm%3A1.2.0#./a.patch",
        ("left", "npm:left@1.2.0", "left@1.2.0"),
        &[PatchPath::OfMember("a.patch".to_owned())],
    );
}

#[test]
fn patches_of_patches_are_a_list_of_files() {
    check(
        "left",
        "patch:left@patch%3Aleft@npm%253A1.0.0%23~/a.patch#~/b.patch&optional!~/c.patch",
        ("left", "1.0.0", "left@1.0.0"),
        &[of_project("a.patch"), of_project("b.patch"), of_project("c.patch")],
    );
    check(
        "typescript",
        "patch:typescript@npm%3A^5#optional!builtin<compat/typescript>",
        ("typescript", "^5", "typescript"),
        &[],
    );
}

#[test]
fn other_literals_are_no_patches() {
    for literal in ["^1.0.0", "npm:left@1", "patch:left", "patch:left#a", "patch:#a", "patch:%ff@1#a"] {
        assert_eq!(YarnPatch::parse("left", literal), None, "{literal}");
    }
}
