//! Limits of file sizes, and signals that end an install while a script runs.

use std::process::{Command, Stdio};

use rusk_testkit::project::Project;

use super::sweep::{ALONE, PROGRAM, environment, registry};

const SIGXFSZ: u32 = 25;

fn shell(project: &Project, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script, PROGRAM]).current_dir(project.path()).env_clear();
    command.envs(environment(project)).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    command
}

#[test]
fn a_limit_of_file_sizes_is_an_error() {
    let _alone = ALONE.lock();
    let server = registry();
    let project = Project::in_memory();
    project.write("../home/.npmrc", format!("registry={}\n", server.url()));
    project.write("package.json", r#"{ "name": "app", "dependencies": { "left": "1.0.0", "ui": "2" } }"#);
    let output = shell(&project, "ulimit -f 0; exec \"$0\" install").output().expect("it starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}: {message}", output.status);
    assert!(message.contains("File too large") && message.contains("ulimit -f"), "{message}");
    assert!(shell(&project, "exec \"$0\" install --silent").status().expect("it starts").success());
    // Programs that rusk starts end by the signal, as they do elsewhere.
    let output = shell(&project, "exec \"$0\" exec grep -E 'SigIgn|SigCgt' /proc/self/status").output();
    let output = String::from_utf8_lossy(&output.expect("it starts").stdout).into_owned();
    let masks = output.lines().filter_map(|line| u64::from_str_radix(line.split('\t').next_back()?, 16).ok());
    let masks: Vec<u64> = masks.collect();
    assert!(masks.len() == 2 && masks.iter().all(|mask| mask & 1 << (SIGXFSZ - 1) == 0), "{output}");
}

#[test]
fn a_signal_ends_an_install_and_all_processes_of_its_script() {
    let _alone = ALONE.lock();
    // A shell starts background commands with SIGINT ignored.
    for (signal, number) in [("HUP", 1), ("TERM", 15)] {
        let project = Project::in_memory();
        // The kernel closes the lock when the last process that holds it has ended.
        let script =
            "(trap '' HUP TERM; exec 9>held; flock 9; echo x > begun; while :; do sleep 1; done) & wait";
        let manifest = format!(r#"{{ "name": "app", "scripts": {{ "postinstall": "{script}" }} }}"#);
        project.write("package.json", manifest);
        let run = "\"$0\" install --silent & until test -s begun; do sleep 0.01; done; \
                   kill -SIGNAL $!; wait $!; code=$?; flock -n held true || exit 99; exit $code";
        let output = shell(&project, &run.replace("SIGNAL", signal)).output().expect("it starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(128 + number), "{signal}: {message}");
        assert!(message.contains("ended script `postinstall`"), "{signal}: {message}");
    }
}
