//! The file, arguments, environment and working directory of a program.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use probe::report::report;
use probe::{Role, SPAWN_VARIANTS, SpawnVariant};
use rusk_spawn::{Command, Environment, Exit, Stdio, Step};

mod probe;

const ROLES: &[Role] = &[("own-path", own_path)];

/// The arguments that the program gets, without those that make it a probe.
#[track_caller]
fn check_arguments(set_up: impl Fn(&mut Command), name: Option<&str>, wanted: &[&str]) {
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |command| set_up(command));
        let args = found.all("arg");
        assert_eq!(&args[3..], wanted, "{variant:?}");
        assert!(name.is_none_or(|name| args[0] == name), "{variant:?} {args:?}");
    }
}

#[test]
fn arguments_are_passed_unchanged() {
    check_arguments(|_| {}, None, &[]);
    check_arguments(|command| _ = command.args(["", "a b", "", "\n"]), None, &["", "a b", "", "\\n"]);
    check_arguments(|command| _ = command.arg(OsStr::from_bytes(b"\xff\x01")), None, &["\\xff\\x01"]);
    check_arguments(|command| _ = command.arg0("another name"), Some("another name"), &[]);
    check_arguments(|command| _ = command.arg0(""), Some(""), &[]);
    let long = "x".repeat(100_000);
    check_arguments(|command| _ = command.args([&long, &long]), None, &[&long, &long]);
    let many: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
    let all: Vec<&str> = many.iter().map(String::as_str).collect();
    check_arguments(|command| _ = command.args(&many), None, &all);
}

#[test]
fn an_argument_with_a_nul_is_an_error() {
    let check = |set_up: &dyn Fn(&mut Command)| {
        let mut command = Command::new("true");
        set_up(&mut command);
        let error = command.spawn().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Command, libc::EINVAL));
    };
    check(&|command| *command = Command::new("tr\0ue"));
    check(&|command| _ = command.arg("\0"));
    check(&|command| _ = command.arg0("a\0"));
    check(&|command| _ = command.current_dir("/\0"));
    check(&|command| _ = command.env("A", "\0"));
    check(&|command| _ = command.env("A\0", ""));
    check(&|command| _ = command.env("", "a"));
    check(&|command| _ = command.env("A=B", "a"));
    check(&|command| _ = command.env_remove("A="));
    for (name, value) in [("", "a"), ("A=", "a"), ("A\0", "a"), ("A", "\0")] {
        check(&|command| _ = command.environment(Environment::pack([("B", "b"), (name, value)])));
        check(&|command| _ = command.environment(Environment::pack([(name, value)])).env("C", "c"));
    }
}

/// All environment variables of the program, in any order.
#[track_caller]
fn check_variables(set_up: impl Fn(&mut Command), wanted: &[&str]) {
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |command| set_up(command));
        let mut variables = found.all("variable");
        variables.sort_unstable();
        assert_eq!(variables, wanted, "{variant:?}");
    }
}

#[test]
fn variables_are_passed_unchanged() {
    let ab = || Environment::pack([("A", "1"), ("B", "2")]);
    check_variables(|command| _ = command.env_clear(), &[]);
    check_variables(|command| _ = command.environment(Environment::default()), &[]);
    check_variables(|command| _ = command.environment(ab()), &["A=1", "B=2"]);
    check_variables(
        |command| _ = command.environment(ab()).env("A", "3").env("C", ""),
        &["A=3", "B=2", "C="],
    );
    check_variables(|command| _ = command.environment(ab()).env_remove("A").env_remove("Z"), &["B=2"]);
    check_variables(|command| _ = command.env("A", "0").environment(ab()), &["A=1", "B=2"]);
    check_variables(|command| _ = command.env("A=B", "").environment(ab()), &["A=1", "B=2"]);
    check_variables(|command| _ = command.environment(ab()).env_remove("A").env("A", "4"), &["A=4", "B=2"]);
    check_variables(|command| _ = command.env_clear().env("E", "a=b"), &["E=a=b"]);
    check_variables(
        |command| {
            let odd = [(OsStr::from_bytes(b"\xfe"), OsStr::from_bytes(b"\xff=\n"))];
            command.environment(Environment::pack(odd));
        },
        &["\\xfe=\\xff=\\n"],
    );
}

#[test]
fn the_environment_is_inherited_by_default() {
    let own = |(name, value): (OsString, OsString)| {
        let text = [name.as_bytes(), b"=", value.as_bytes()].concat();
        text.escape_ascii().to_string()
    };
    let mut wanted: Vec<String> = std::env::vars_os().map(own).collect();
    wanted.sort_unstable();
    check_variables(|_| {}, &wanted.iter().map(String::as_str).collect::<Vec<&str>>());
    wanted.retain(|variable| !variable.starts_with("PATH="));
    wanted.push("ZZZ=1".to_owned());
    wanted.sort_unstable();
    check_variables(
        |command| _ = command.env_remove("PATH").env("ZZZ", "1"),
        &wanted.iter().map(String::as_str).collect::<Vec<&str>>(),
    );
}

#[test]
fn the_working_directory_is_a_path_or_an_fd() {
    let dir = probe::dir("working-dir").canonicalize().unwrap();
    std::fs::create_dir(dir.join("in side")).unwrap();
    let inside = dir.join("in side");
    for variant in SPAWN_VARIANTS {
        let found = |set_up: &dyn Fn(&mut Command)| report(*variant, set_up).one("dir").to_owned();
        assert_eq!(Path::new(&found(&|command| _ = command.current_dir(&inside))), inside, "{variant:?}");
        assert_eq!(found(&|_| {}), std::env::current_dir().unwrap().to_str().unwrap(), "{variant:?}");
        let open = || File::open(&inside).unwrap().into();
        assert_eq!(Path::new(&found(&|command| _ = command.current_dir_fd(open()))), inside);

        let mut command = Command::new("true");
        command
            .mode(variant.mode)
            .table(variant.table)
            .current_dir_fd(File::open("/dev/null").unwrap().into());
        let error = command.spawn().unwrap().wait().unwrap_err();
        assert_eq!(
            (error.step(), error.errno(), error.path()),
            (Step::WorkingDirectory, libc::ENOTDIR, None)
        );
    }
}

/// Scripts that print their path, and files that cannot be executed.
fn programs(name: &str) -> std::path::PathBuf {
    let dir = probe::dir(name).canonicalize().unwrap();
    let write = |path: &str, text: &str, mode: u32| {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let script = |says: &str| format!("#!/bin/sh\necho {says} \"$@\"\n");
    write("first/tool", &script("first"), 0o755);
    write("second/tool", &script("second"), 0o755);
    write("second/only", &script("only"), 0o755);
    write("tool", &script("here"), 0o755);
    write("plain/tool", &script("never"), 0o644);
    write("plain/noscript", "echo noscript $0 \"$@\"\n", 0o755);
    write("plain/empty", "", 0o755);
    write("plain/lost", "#!/no/such/interpreter\n", 0o755);
    write("file", "", 0o644);
    std::fs::create_dir_all(dir.join("dirs/tool")).unwrap();
    dir
}

/// The output of a program, or why it cannot be run. `@` stands for the directory of the programs.
#[track_caller]
fn check_found(dir: &Path, program: &str, path: Option<&str>, wanted: Result<&str, i32>) {
    let here = dir.to_str().unwrap();
    for variant in SPAWN_VARIANTS {
        let mut command = Command::new(program.replace('@', here));
        command.arg("arg").current_dir(dir).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
        match path {
            Some(path) => command.env("PATH", path.replace('@', here)),
            None => command.env_remove("PATH"),
        };
        let run_output = run_output(&mut command);
        let found = run_output.as_deref().map_err(|error| *error);
        assert_eq!(found, wanted, "{variant:?} {program} {path:?}");
    }
}

/// The output, or the errno of exec.
fn run_output(command: &mut Command) -> Result<String, i32> {
    let mut child = command.spawn().unwrap();
    let mut run_output = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut run_output).unwrap();
    match child.wait() {
        Ok(Exit::Status(0)) => Ok(run_output),
        Err(error) if error.step() == Step::Exec => Err(error.errno()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_is_found_as_execvp_finds_it() {
    let dir = programs("found");
    let check = |program: &str, path: Option<&str>, wanted: Result<&str, i32>| {
        check_found(&dir, program, path, wanted);
    };
    check("tool", Some("@/first:@/second"), Ok("first arg\n"));
    check("tool", Some("@/second:@/first"), Ok("second arg\n"));
    check("only", Some("@/first:@/second"), Ok("only arg\n"));
    check("tool", Some("second:@/first"), Ok("second arg\n"));
    // Empty entries are the working directory.
    check("tool", Some(""), Ok("here arg\n"));
    check("tool", Some("/no/dir:"), Ok("here arg\n"));
    check("tool", Some("/no/dir::@/first"), Ok("here arg\n"));
    check("tool", Some("@/first:"), Ok("first arg\n"));
    // A file that may not be executed is skipped, and remembered.
    check("tool", Some("@/plain:@/second"), Ok("second arg\n"));
    check("tool", Some("@/dirs:@/second"), Ok("second arg\n"));
    check("tool", Some("@/plain:/no/dir"), Err(libc::EACCES));
    check("tool", Some("/no/dir:@/dirs:@/file"), Err(libc::EACCES));
    check("tool", Some("@/file:@/second"), Ok("second arg\n"));
    check("lost", Some("@/plain"), Err(libc::ENOENT));
    check("nowhere", Some("@/first:@/second"), Err(libc::ENOENT));
    check("nowhere", None, Err(libc::ENOENT));
    check("echo", None, Ok("arg\n"));
    // With a slash there is no search.
    check("./tool", Some("@/first"), Ok("here arg\n"));
    check("second/only", Some("@/first"), Ok("only arg\n"));
    check("@/first/tool", None, Ok("first arg\n"));
    check("@/plain/tool", None, Err(libc::EACCES));
    check("@/file/tool", None, Err(libc::ENOTDIR));
    check("@", None, Err(libc::EACCES));
    check("", None, Err(libc::ENOENT));
    check(&"n".repeat(300), None, Err(libc::ENAMETOOLONG));
}

#[test]
fn a_file_without_a_hashbang_goes_to_the_shell_if_enabled() {
    let dir = programs("noexec");
    let path = dir.join("plain").to_str().unwrap().to_owned();
    for variant in SPAWN_VARIANTS {
        let run = |program: &str, falls_back: bool| {
            let mut command = Command::new(program);
            command.env("PATH", &path).arg("a b").stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
            run_output(command.shell_fallback(falls_back))
        };
        assert_eq!(run("noscript", false), Err(libc::ENOEXEC), "{variant:?}");
        assert_eq!(run("noscript", true), Ok(format!("noscript {path}/noscript a b\n")), "{variant:?}");
        assert_eq!(run("empty", false), Err(libc::ENOEXEC), "{variant:?}");
        assert_eq!(run("empty", true), Ok(String::new()), "{variant:?}");
        assert_eq!(run("nowhere", true), Err(libc::ENOENT), "{variant:?}");
    }
}

#[test]
fn too_many_arguments_are_an_error_of_exec() {
    for variant in SPAWN_VARIANTS {
        let mut command = Command::new("true");
        command.mode(variant.mode).table(variant.table).arg("x".repeat(10 << 20));
        let error = command.spawn().unwrap().wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Exec, libc::E2BIG), "{variant:?}");
    }
}

#[test]
fn the_search_uses_the_path_of_the_child() {
    probe::run_role_in_every_variant("own-path");
}

fn own_path(args: &[String]) {
    let variant: SpawnVariant = probe::variant(args);
    let dir = programs(&format!("own-path-{}", args[0]));
    let first = dir.join("first").to_str().unwrap().to_owned();
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("PATH", &first) };
    let mut command = Command::new("tool");
    command.stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
    assert_eq!(run_output(&mut command), Ok("first\n".to_owned()));
    command.env("PATH", dir.join("second"));
    assert_eq!(run_output(&mut command), Ok("second\n".to_owned()));
    command.environment(Environment::pack([("PATH", dir.join("second"))]));
    assert_eq!(run_output(&mut command), Ok("second\n".to_owned()));
    command.environment(Environment::pack([("PATHS", &first)]));
    assert_eq!(run_output(&mut command), Err(libc::ENOENT));
    // SAFETY: as above.
    unsafe { std::env::set_var("PATH", "/no/dir") };
    assert_eq!(
        run_output(command.environment(Environment::pack([("PATH", &first)]))),
        Ok("first\n".to_owned())
    );
}
