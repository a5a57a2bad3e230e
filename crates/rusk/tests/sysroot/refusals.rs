//! What cannot be done under another root, and what is said of it.

use crate::ground::{Ground, text};

fn check(ground: &Ground, flags: &[&str], words: &[&str], expected: &[&str]) {
    for command in ["exec", "trace"] {
        let output = ground.command_of(command, flags, words).output().expect("the program starts");
        let said = text(&output.stderr);
        for part in expected {
            assert!(said.contains(part), "rusk {command} {flags:?} {words:?}: expected {part} in {said}");
        }
        assert_eq!(output.status.code(), Some(2), "{said}");
    }
}

#[test]
fn programs_that_cannot_run_are_reported_with_the_reason() {
    let Some(ground) = Ground::find() else { return };
    let path = "searched on PATH: `/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`";
    check(
        &ground,
        &[],
        &["no-such-program"],
        &["error[no-program]: no program `no-such-program` in the root `", path],
    );
    check(
        &ground,
        &[],
        &["/no/such"],
        &["error[program-start]: `/no/such` cannot be run in the root", "No such file"],
    );
    check(
        &ground,
        &[],
        &["/usr"],
        &["error[program-start]: `/usr` cannot be run in the root", "Permission denied"],
    );
    ground.write("script", "#!/no/reader\n");
    ground.make_executable("script");
    check(
        &ground,
        &[],
        &["/script"],
        &["error[no-interpreter]: the program needs `/no/reader`, which the root does not"],
    );
    std::fs::write(ground.root().join("foreign"), foreign()).expect("a file");
    ground.make_executable("foreign");
    check(
        &ground,
        &[],
        &["/foreign"],
        &["error[other-architecture]: the program is for powerpc64, this computer is "],
    );
}

/// The beginning of a program for a processor that no test runs on.
fn foreign() -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    bytes[16] = 2;
    bytes[18] = 21;
    bytes[20] = 1;
    bytes
}

#[test]
fn missing_files_are_reported() {
    let Some(ground) = Ground::find() else { return };
    check(
        &ground,
        &["--bind=none:/x"],
        &["true"],
        &["error[no-source]: `", "/none` cannot be mounted in the root"],
    );
    check(&ground, &["--bind=/usr:x"], &["true"], &["error[bad-value]: `--bind` expects an absolute path"]);
    check(
        &ground,
        &["--bind=/usr:/etc/passwd"],
        &["true"],
        &["error[no-place]: cannot mount at `/etc/passwd` in the root"],
    );
    check(
        &ground,
        &["--workdir=/none"],
        &["true"],
        &["error[bad-directory]: expected a directory at `/none` in the root"],
    );
    check(
        &ground,
        &["--user=nobody-here"],
        &["true"],
        &["error[no-user]: `nobody-here` is neither a number"],
    );
    ground.project.write("empty/x/y", "");
    check(&ground, &["--sysroot=none"], &["true"], &["error[bad-directory]: expected a directory at `"]);
    ground.project.remove("empty/x/y");
    check(
        &ground,
        &["--sysroot=empty/x"],
        &["true"],
        &["error[no-root]: `", "is empty, expected the directories of a"],
    );
}

#[test]
fn flags_of_a_root_need_one() {
    for flag in ["--rw", "--bind=/a:/b", "--env=A", "--workdir=/", "--user=0"] {
        for command in ["exec", "trace"] {
            let mut rusk = std::process::Command::new(env!("CARGO_BIN_EXE_rusk"));
            let output = rusk.args([command, flag, "--", "true"]).output().expect("the program starts");
            let said = text(&output.stderr);
            assert!(
                said.starts_with("error[flag-missing]: `--") && said.contains("needs `--sysroot=DIR`"),
                "{said}"
            );
            assert_eq!(output.status.code(), Some(2));
        }
    }
}
