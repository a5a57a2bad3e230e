//! Tests of patches: what applies, and what is refused.

use std::collections::BTreeMap;

use super::{PackageFile, Patch};

type Files<'a> = &'a [(&'a str, &'a str)];

fn files(files: Files<'_>) -> BTreeMap<String, PackageFile> {
    let file = |text: &str| PackageFile { bytes: text.as_bytes().to_vec(), mode: 0o666 };
    files.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect()
}

#[track_caller]
fn check(patch: &str, before: Files<'_>, after: Files<'_>) {
    let mut found = files(before);
    Patch::parse(patch.as_bytes()).and_then(|patch| patch.apply(&mut found)).expect("the patch applies");
    let found: Vec<(String, String)> =
        found.into_iter().map(|(path, file)| (path, String::from_utf8(file.bytes).expect("text"))).collect();
    let after: Vec<(String, String)> =
        after.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(found, after);
}

#[track_caller]
fn check_refused(patch: &str, before: Files<'_>, expected: &str) {
    let mut found = files(before);
    let result = Patch::parse(patch.as_bytes()).and_then(|patch| patch.apply(&mut found));
    let problem = result.expect_err("the patch is refused").to_string();
    assert!(problem.contains(expected), "{problem}");
}

const MODIFY: &str = "diff --git a/index.js b/index.js\nindex 1..2 100644\n--- a/index.js\n+++ b/index.js\n\
                      @@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";

#[test]
fn a_line_is_replaced() {
    check(MODIFY, &[("index.js", "one\ntwo\nthree\n")], &[("index.js", "one\n2\nthree\n")]);
}

#[test]
fn a_hunk_is_found_near_its_line() {
    let shifted = |text: &str| format!("{}{text}", "x\n".repeat(20));
    let (before, after) = (shifted("one\ntwo\nthree\n"), shifted("one\n2\nthree\n"));
    check(MODIFY, &[("index.js", &before)], &[("index.js", &after)]);
    check_refused(MODIFY, &[("index.js", &format!("x\n{before}"))], "does not apply to line 1 of `index.js`");
}

#[test]
fn several_hunks_follow_each_other() {
    let patch = "--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n 1\n+1.5\n@@ -4,2 +5 @@\n 4\n-5\n";
    check(patch, &[("a", "1\n2\n3\n4\n5\n")], &[("a", "1\n1.5\n2\n3\n4\n")]);
}

#[test]
fn files_are_created_and_deleted() {
    let create = "diff --git a/new/x.js b/new/x.js\nnew file mode 100755\nindex 0..1\n--- /dev/null\n\
                  +++ b/new/x.js\n@@ -0,0 +1 @@\n+x\n";
    check(create, &[], &[("new/x.js", "x\n")]);
    check_refused(create, &[("new/x.js", "")], "`new/x.js` exists already");
    let empty = "diff --git a/empty b/empty\nnew file mode 100644\nindex 0..0\n";
    check(empty, &[], &[("empty", "")]);
    let delete = "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    check(delete, &[("a", "x\n"), ("b", "")], &[("b", "")]);
    check_refused(delete, &[("a", "x\ny\n")], "`a` has more than the patch deletes");
    check_refused(delete, &[("b", "")], "`a` is not in the package");
}

#[test]
fn the_last_line_may_have_no_newline() {
    let patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n";
    check(patch, &[("a", "x")], &[("a", "y\n")]);
    let patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\n";
    check(patch, &[("a", "x\n")], &[("a", "y")]);
}

#[test]
fn modes_change_alone() {
    let patch = Patch::parse(b"diff --git a/a b/a\nold mode 100644\nnew mode 100755\n").expect("a patch");
    let mut found = files(&[("a", "x")]);
    patch.apply(&mut found).expect("it applies");
    assert_eq!(found["a"].mode, 0o777);
}

#[test]
fn text_around_the_diff_is_passed_over() {
    let patch = format!("From: me\nSubject: fix\n\n{MODIFY}-- \n2.39.5\n");
    check(&patch, &[("index.js", "one\ntwo\nthree\n")], &[("index.js", "one\n2\nthree\n")]);
}

#[test]
fn a_conflict_names_file_and_line() {
    check_refused(MODIFY, &[("index.js", "one\n2\nthree\n")], "does not apply to line 2 of `index.js`");
    check_refused(MODIFY, &[("index.js", "one\n")], "found the end of the file");
}

#[test]
fn paths_stay_in_the_package() {
    for path in ["../x", "/x", "a/../../x", "a//b", "."] {
        check_refused(&format!("--- a/{path}\n+++ b/{path}\n"), &[], "leads out of the package");
    }
    check_refused("--- x\n+++ x\n", &[], "leads out of the package");
    check_refused("diff --git \"a/\\303\" \"b/\\303\"\nnew mode 100755\n", &[], "quoted");
}

#[test]
fn what_is_no_text_diff_is_refused() {
    check_refused("diff --git a/a b/a\nGIT binary patch\n", &[], "line 2 of the patch has a binary file");
    check_refused("diff --git a/a b/b\nrename from a\nrename to b\n", &[], "renamed");
    check_refused("diff --git a/a b/a\nnew file mode 120000\n", &[], "link");
    check_refused("@@ -1 +1 @@\n", &[], "a hunk without a file");
    check_refused("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n", &[], "the end of the patch");
    check_refused("--- a/a\n+++ b/a\n@@ -1,2 +1 @@\n+x\n+y\n-z\n-w\n", &[], "other lines");
    check_refused("--- a/a\n+++ b/a\n--- a/a\n+++ b/a\n", &[], "a second time");
}
