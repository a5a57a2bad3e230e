//! Who is asked, and whose answer is kept.

use rusk_testkit::project::Project;

use super::*;

fn path(folder: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("PATH".to_owned(), folder.to_owned())])
}

#[test]
fn no_node_is_no_version() {
    let cache = Path::new("/nowhere");
    assert_eq!(version(&BTreeMap::new(), cache), None);
    assert_eq!(version(&path("/nowhere"), cache), None);
    assert_eq!(version(&path(""), cache), None);
}

#[test]
fn an_answer_must_come_from_a_program_that_ends_well() {
    let answer = |script: &str| output_of(Command::new("/bin/sh").args(["-c", script]), WAIT_MAX);
    assert_eq!(answer("echo v20.1.0").as_deref(), Some("v20.1.0\n"));
    assert_eq!(answer("echo v20.1.0; exit 1"), None);
}

#[test]
fn a_program_that_does_not_answer_is_ended() {
    let started = Instant::now();
    let answer = output_of(Command::new("/bin/sleep").arg("60"), Duration::from_millis(20));
    assert_eq!(answer, None);
    assert!(started.elapsed() < Duration::from_secs(30));
}

/// A program of a size, that answers with a version and leaves a trace.
fn program(project: &Project, file: &str, version: &str, bytes: u64) {
    let script = format!("#!/bin/sh\n: > \"${{0%/*}}/asked\"\necho v{version}\nexit 0\n");
    project.write(file, script);
    let program = fs::OpenOptions::new().write(true).open(project.path().join(file)).expect("it is there");
    program.set_len(bytes).expect("it can be made longer");
    project.make_executable(file);
}

/// What is answered, and whether the program was started for it.
fn ask(project: &Project) -> (Option<String>, bool) {
    let asked = project.path().join("bin/asked");
    let _ = fs::remove_file(&asked);
    let bin = project.path().join("bin");
    let answer = version(&path(bin.to_str().expect("it is UTF-8")), &project.path().join("cache"));
    (answer, asked.exists())
}

#[test]
fn node_is_asked_once_and_again_when_it_is_another_file() {
    let project = Project::new();
    project.write("cache/.keep", "");
    program(&project, "bin/node", "20.1.0", PROGRAM_BYTES_MIN);
    assert_eq!(ask(&project), (Some("20.1.0".to_owned()), true));
    assert_eq!(ask(&project), (Some("20.1.0".to_owned()), false));
    program(&project, "bin/node", "22.0.0", PROGRAM_BYTES_MIN);
    assert_eq!(ask(&project), (Some("22.0.0".to_owned()), true));
    project.write("cache/node-version", "nothing of ours");
    assert_eq!(ask(&project), (Some("22.0.0".to_owned()), true));
    assert_eq!(ask(&project), (Some("22.0.0".to_owned()), false));
}

#[test]
fn a_launcher_is_asked_each_time() {
    let project = Project::new();
    project.write("cache/.keep", "");
    program(&project, "bin/node", "20.1.0", 4096);
    assert_eq!(ask(&project), (Some("20.1.0".to_owned()), true));
    assert_eq!(ask(&project), (Some("20.1.0".to_owned()), true));
    fs::remove_file(project.path().join("bin/node")).expect("it is there");
    program(&project, "bin/launcher", "18.0.0", PROGRAM_BYTES_MIN);
    std::os::unix::fs::symlink("launcher", project.path().join("bin/node")).expect("it can be made");
    assert_eq!(ask(&project), (Some("18.0.0".to_owned()), true));
    assert_eq!(ask(&project), (Some("18.0.0".to_owned()), true));
}
