//! Programs in a directory, each with what Node printed for it. In: the directory, and how one is
//! compared. Out: nothing; a difference, or fewer of them than there should be, fails.

use std::path::{Path, PathBuf};

/// `compare` is given a case, its source and what is expected, and says what is wrong.
pub fn check_all(folder: &str, more_than: usize, compare: impl Fn(&Path, &str, &str) -> Option<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/runtime").join(folder);
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("it is there")
        .map(|entry| entry.expect("it is read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
        .collect();
    cases.sort();
    assert!(cases.len() > more_than, "{} cases", cases.len());
    let compare = |case: &PathBuf| {
        let source = std::fs::read_to_string(case).expect("it is text");
        let expected = std::fs::read_to_string(case.with_extension("out")).expect("each has its output");
        compare(case, &source, &expected)
    };
    let wrong: Vec<String> = cases.iter().filter_map(compare).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
