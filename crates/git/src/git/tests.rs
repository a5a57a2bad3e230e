//! A git that does not end, or prints too much.

use rusk_testkit::project::Project;

use super::*;

/// Runs a shell command as git would run an alias: as a child of git, like its helpers.
fn run(line: &str, limit: Duration) -> Result<GitOutput> {
    let project = Project::new();
    let alias = format!("alias.x=!{line}");
    let arguments = ["-c", alias.as_str(), "x"];
    let call = GitCommand { dir: &project.path(), arguments: &arguments, limit, stdout_bytes_max: 1000 };
    Git::new(&crate::tests::environment(&project)).run(&call)
}

const AMPLE: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(300);

#[test]
fn the_output_of_git_is_returned() {
    let output = run("echo out; echo err >&2; exit 3", AMPLE).expect("it ran");
    assert!(!output.success);
    assert_eq!((output.stdout.as_slice(), output.stderr.as_str()), (&b"out\n"[..], "err\n"));
    assert!(run("true", AMPLE).expect("it ran").success);
}

#[test]
fn git_never_prompts_for_a_password() {
    let output = run("echo $GIT_TERMINAL_PROMPT $GIT_ASKPASS $GIT_SSH_COMMAND; cat", AMPLE).expect("it ran");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), format!("0 echo {SSH_COMMAND}"));
}

#[test]
fn a_slow_git_is_killed_with_its_children() {
    let start = Instant::now();
    for line in ["sleep 600", "sleep 600 >/dev/null 2>&1 <&-", "exec >&-; sleep 600"] {
        let problem = run(line, SHORT).err().expect("time was up");
        assert_eq!(problem.code(), "git-timeout", "{line}");
    }
    assert!(start.elapsed() < AMPLE);
}

#[test]
fn a_git_that_prints_too_much_is_killed() {
    assert_eq!(run("yes", AMPLE).err().expect("a limit").code(), "git-too-large");
    let output = run("yes | head -c 9000000 >&2", AMPLE).expect("stderr is cut");
    assert_eq!(output.stderr.len(), STDERR_BYTES_MAX);
}
