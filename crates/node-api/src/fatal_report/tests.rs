//! Tests of `fatal_report`.

use super::*;

#[test]
fn a_report_is_written_once_with_the_message() {
    let directory = std::env::temp_dir().join(format!("rusk-fatal-report-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let text = r#"{"event":"%EVENT%","file":"%FILENAME%","at":"%TIME%","ms":"%TIMESTAMP%"}"#.to_owned();
    let name = "report.%DATE%.1.json".to_owned();
    set_fatal_report(Some(FatalReport { text, directory: directory.clone(), name }));
    write("a \"quoted\"\nmessage");
    write("no second report");
    let files: Vec<_> =
        fs::read_dir(&directory).expect("the directory").map(|entry| entry.expect("it")).collect();
    assert_eq!(files.len(), 1);
    let written = fs::read_to_string(files[0].path()).expect("the report");
    let (event, rest) = written.split_once(r#"","file":""#).expect("two members");
    assert_eq!(event, r#"{"event":"a \"quoted\"\u000amessage"#);
    assert!(!rest.contains('%'), "{rest}");
    fs::remove_dir_all(directory).expect("it is there");
}
