//! What counts as a difference, and that the cases are complete.

use super::*;

fn difference(code: i32, output: &str) -> Option<String> {
    let case = Case {
        name: "whoami",
        user: "alice",
        directory: "",
        arguments: &["whoami"],
        keys: &[],
        exit_code: 0,
        output: &["alice"],
    };
    case.difference(&Ended { code: Some(code), output: output.to_owned() })
}

#[test]
fn the_exit_code_and_the_output_count() {
    assert_eq!(difference(0, "alice\n"), None);
    assert_eq!(difference(0, "bob\n").as_deref(), Some("`alice` was not printed: bob"));
    assert_eq!(difference(2, "alice\n").as_deref(), Some("exit code Some(2), expected 0: alice"));
}

#[test]
fn every_case_has_its_own_name_and_a_directory() {
    let mut names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CASES.len());
    for case in CASES {
        let manifest = format!("{}/package.json", case.directory);
        assert!(cases::FILES.iter().any(|(path, _)| *path == manifest), "{}", case.name);
        assert!(cases::USERS.contains(&case.user) && !case.output.is_empty(), "{}", case.name);
    }
}
