//! Tests of `discovery`.

use super::*;

#[test]
fn names_of_test_files_are_those_of_bun() {
    for name in ["a.test.ts", "a_test.js", "b.spec.tsx", "b_spec.mjs", "x.y.test.cts", ".test.js"] {
        assert!(is_test_file(name), "{name}");
    }
    for name in ["test.ts", "a.test.json", "atest.js", "a.tests.ts", "a.test", "spec.js", "a.test.d"] {
        assert!(!is_test_file(name), "{name}");
    }
}

#[test]
fn globs_match_a_directory_and_all_that_is_in_it() {
    assert!(matches_path("vendor/**", "vendor"));
    assert!(matches_path("vendor/**", "vendor/a/b.test.ts"));
    assert!(matches_path("**/fixtures/**", "a/fixtures"));
    assert!(matches_path("*.test.ts", "a.test.ts"));
    assert!(!matches_path("vendor/**", "src/vendor.test.ts"));
}

#[test]
fn filters_are_parts_of_paths_or_paths() {
    let files =
        ["src/a.test.ts", "src/deep/b.spec.js", "node_modules/p/p.test.js", ".git/c.test.js", "odd.ts"];
    let project = rusk_testkit::project::Project::with(&files.map(|file| (file, "")));
    let root = &project.path();
    let check = |filters: &[&str], ignored: &[&str], expected: &[&str]| {
        let search = Search {
            root: root.clone(),
            current_dir: root.clone(),
            filters: filters.iter().map(|filter| (*filter).to_owned()).collect(),
            ignored: ignored.iter().map(|pattern| (*pattern).to_owned()).collect(),
        };
        let expected: Vec<PathBuf> = expected.iter().map(|path| root.join(path)).collect();
        assert_eq!(find(&search).files, expected, "{filters:?} {ignored:?}");
    };
    check(&[], &[], &["src/a.test.ts", "src/deep/b.spec.js"]);
    check(&["deep"], &[], &["src/deep/b.spec.js"]);
    check(&["nowhere"], &[], &[]);
    check(&["./odd.ts"], &[], &["odd.ts"]);
    check(&["./src"], &[], &["src/a.test.ts", "src/deep/b.spec.js"]);
    check(&[], &["src/deep/**"], &["src/a.test.ts"]);
}
