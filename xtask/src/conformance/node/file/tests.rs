//! What the first lines of a file ask for, and what its run is called. The programs are shell
//! scripts.

use super::*;

/// The outcome of a file with this text, run by the shell in the place of an engine.
fn judged(text: &str) -> Outcome {
    let folder = place::target().join(format!("judged-{}-{}", std::process::id(), text.len()));
    let [tests, work] = ["test", "work"].map(|name| folder.join(name));
    let path = tests.join("parallel/test-x.js");
    place::write(&path, text).unwrap();
    let file = TestFile::read("test-x.js".to_owned(), path, false, &tests).unwrap();
    let outcome = file.judge(Program { path: Path::new("/bin/sh"), globals: "" }, &work);
    assert!(!work.exists(), "its folder is removed");
    place::remove(&folder).unwrap();
    outcome
}

/// The shell takes the first lines for commands that it does not find, and goes on.
#[test]
fn the_first_lines_say_flags_and_variables() {
    let told = "// Flags: -f\n// Env: ONE=1 TWO=2\ncase \"$-$ONE$TWO\" in *f*12) exit 0;; esac\nexit 1\n";
    assert_eq!(judged(told), Outcome::Passed);
    assert_ne!(judged(&told.replace("-f", "")), Outcome::Passed);
}

#[test]
fn a_file_passes_fails_or_skips_itself() {
    assert_eq!(judged("exit 0"), Outcome::Passed);
    assert_eq!(judged("echo '1..0 # Skipped: no crypto'"), Outcome::Skipped("no crypto".to_owned()));
    assert_eq!(
        judged("echo \"Error: in $0\" >&2; exit 1"),
        Outcome::Failed("Error: in TEST/parallel/test-x.js".to_owned())
    );
    assert_eq!(
        judged("echo \"Error: in $NODE_TEST_DIR\" >&2; exit 1"),
        Outcome::Failed("Error: in TMP".to_owned())
    );
    let behind_much = format!("echo \"Error: {} $0\" >&2; exit 1", "x".repeat(130));
    assert_eq!(
        judged(&behind_much),
        Outcome::Failed(format!("Error: {} TEST/paralle\u{2026}", "x".repeat(130)))
    );
}
