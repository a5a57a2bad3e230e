//! StoredReport reports, read again.

use super::*;

const REPORT: &str = r#"{"version":1,"command":["ls","-l"],"wallNs":900,"calls":[
  {"name":"openat","waits":false,"count":7,"errors":{"ENOENT":2,"EACCES":1},"totalNs":800}]}"#;

#[test]
fn a_report_is_read_after_the_output_of_the_program() {
    let report = format!("hello\n{}\n", REPORT.replace('\n', ""));
    let expected = StoredSyscall { name: "openat".into(), waits: false, count: 7, errors: 3, total_ns: 800 };
    assert_eq!(
        parse(&report),
        Ok(StoredReport { command: "ls -l".into(), wall_ns: 900, calls: vec![expected] })
    );
}

#[test]
fn other_text_is_refused() {
    let check = |text: &str, said: &str| assert_eq!(parse(text), Err(said.to_owned()), "{text}");
    check("", "its last line is not JSON");
    check("{}", "it has no version");
    check(r#"{"version":2}"#, "found version 2, expected 1");
    check(r#"{"version":1}"#, "it has no calls");
    check(r#"{"version":1,"calls":[{"name":"read"}]}"#, "a call has no name or no count");
}
