//! Programs under another root, watched.

use crate::ground::{Ground, text};

#[test]
fn a_program_is_watched_in_its_root() {
    let Some(ground) = Ground::find() else { return };
    ground.write("own", "inside");
    for collector in ["--collector=ptrace", "--collector=bpf"] {
        let flags = [collector, "--json", "--output=report"];
        // Several times: a report names the most frequent paths, and the dynamic linker tries many.
        let words = [
            "sh",
            "-c",
            "cat /own; cat /own /own /own /own /own /own >/own-copy; cat /nowhere-inside; exit 4",
        ];
        let output = ground.command_of("trace", &flags, &words).output().expect("the program starts");
        let said = text(&output.stderr);
        if ["error[no-bpf]", "error[no-ptrace]", "error[already-traced]"]
            .iter()
            .any(|code| said.starts_with(code))
        {
            continue;
        }
        assert_eq!((text(&output.stdout), output.status.code()), ("inside", Some(4)), "{said}");
        // The report is written outside, and holds what was done inside, but not the way there.
        let report = ground.project.read("report");
        assert!(report.contains(r#""path":"/own""#), "{report}");
        assert!(report.contains(r#""path":"/nowhere-inside""#), "{report}");
        assert!(!report.contains("pivot_root") && !report.contains("unshare"), "{report}");
    }
}
