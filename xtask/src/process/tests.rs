//! What happens at the time limit.

use super::*;

fn ran(script: &str, limit: Duration) -> CompletedProcess {
    run_within(Command::new("/bin/sh").args(["-c", script]), limit).unwrap()
}

#[test]
fn what_hangs_is_killed_with_its_children() {
    assert_eq!(ran("echo out; echo err >&2", Duration::from_secs(60)).output, "out\nerr\n");
    let hanging = ["sleep 300", "sleep 300 & sleep 300", "sleep 300 &", "setsid sleep 20 &"];
    for script in hanging {
        let started = Instant::now();
        let ended = ran(&format!("echo begun; {script}"), Duration::from_secs(1));
        assert_eq!(ended.output, "begun\n\nkilled: not over within 1 s\n", "{script}");
        assert!(started.elapsed() < Duration::from_secs(15), "{script}");
    }
}
