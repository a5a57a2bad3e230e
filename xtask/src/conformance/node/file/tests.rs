//! Header comments of a file, and the outcome of its run. The programs are shell scripts.

use super::*;

/// The outcome of a file with this content, run by the shell instead of a runtime.
fn judged(text: &str) -> TestOutcome {
    let directory = files::target().join(format!("judged-{}-{}", std::process::id(), text.len()));
    let [tests, work] = ["test", "work"].map(|name| directory.join(name));
    let path = tests.join("parallel/test-x.js");
    files::write(&path, text).unwrap();
    let file = TestFile::read("test-x.js".to_owned(), path, false, &tests).unwrap();
    let outcome = file.run(TestedRuntime { path: Path::new("/bin/sh"), globals: "" }, &work);
    assert!(!work.exists(), "its directory is removed");
    files::remove(&directory).unwrap();
    outcome
}

/// The shell takes the header for commands that it does not find, and continues.
#[test]
fn the_first_lines_say_flags_and_variables() {
    let text = "// Flags: -f\n// Env: ONE=1 TWO=2\ncase \"$-$ONE$TWO\" in *f*12) exit 0;; esac\nexit 1\n";
    assert_eq!(judged(text), TestOutcome::Passed);
    assert_ne!(judged(&text.replace("-f", "")), TestOutcome::Passed);
}

#[test]
fn a_file_passes_fails_or_skips_itself() {
    assert_eq!(judged("exit 0"), TestOutcome::Passed);
    assert_eq!(judged("echo '1..0 # Skipped: no crypto'"), TestOutcome::Skipped("no crypto".to_owned()));
    assert_eq!(
        judged("echo \"Error: in $0\" >&2; exit 1"),
        TestOutcome::Failed("Error: in TEST/parallel/test-x.js".to_owned())
    );
    assert_eq!(
        judged("echo \"Error: in $NODE_TEST_DIR\" >&2; exit 1"),
        TestOutcome::Failed("Error: in TMP".to_owned())
    );
    let behind_much = format!("echo \"Error: {} $0\" >&2; exit 1", "x".repeat(130));
    assert_eq!(
        judged(&behind_much),
        TestOutcome::Failed(format!("Error: {} TEST/paralle\u{2026}", "x".repeat(130)))
    );
}
