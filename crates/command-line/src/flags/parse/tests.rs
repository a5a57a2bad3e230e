//! Tests of the parser.

use super::*;

fn parsed(line: &str) -> Invocation {
    parse(line.split(' ').map(OsString::from)).expect(line)
}

fn refused(line: &str, message: &str) {
    let problem = parse(line.split(' ').map(OsString::from)).expect_err(line);
    assert_eq!(problem.to_string(), message, "{line}");
}

fn check(line: &str, on: &[Flag], operands: &[&str]) {
    let invocation = parsed(line);
    let found: Vec<Flag> =
        FLAGS.iter().map(|spec| spec.flag).filter(|flag| invocation.is_on(*flag)).collect();
    assert_eq!(found, on, "{line}");
    assert_eq!(invocation.operands, operands, "{line}");
}

#[test]
fn switches_by_short_and_long_name() {
    check("add left", &[], &["left"]);
    check("add -D left", &[Flag::Dev], &["left"]);
    check("add -d left", &[Flag::Dev], &["left"]);
    check("add --dev left", &[Flag::Dev], &["left"]);
    check("add --development left", &[Flag::Dev], &["left"]);
    check("add -DE left", &[Flag::Dev, Flag::Exact], &["left"]);
    check("add left -O right", &[Flag::Optional], &["left", "right"]);
    check("install --prod", &[Flag::Production], &[]);
    check("--production i", &[Flag::Production], &[]);
    check("i -pf", &[Flag::Production, Flag::Force], &[]);
}

#[test]
fn the_last_switch_counts() {
    check("install --force --no-force", &[], &[]);
    check("install --no-force --force", &[Flag::Force], &[]);
    check("install --no-save", &[Flag::NoSave], &[]);
    check("install --no-save --save", &[], &[]);
    check("install --verify", &[], &[]);
    check("install --offline --no-offline --prefer-offline", &[Flag::PreferOffline], &[]);
}

#[test]
fn a_switch_may_be_spelled_with_true_or_false() {
    check("install --force=true", &[Flag::Force], &[]);
    check("install --force --force=false", &[], &[]);
    check("install --no-save=false", &[], &[]);
    check("install --save=false", &[Flag::NoSave], &[]);
    assert!(parsed("install --ignore-scripts=false").is_negated(Flag::IgnoreScripts));
    assert_eq!(parsed("install --color=false").value(Flag::Color), Some("never"));
}

#[test]
fn two_dashes_end_the_flags() {
    check("add -- -D --dev", &[], &["-D", "--dev"]);
    check("add left -- --", &[], &["left", "--"]);
    check("add -", &[], &["-"]);
}

#[test]
fn arguments_after_a_script_are_passed_on() {
    let check = |line: &str, on: &[Flag], name: &str, arguments: &[&str]| {
        check(line, on, &[name]);
        assert_eq!(parsed(line).arguments, arguments, "{line}");
    };
    check("run build", &[], "build", &[]);
    check("run build --silent -x --no-such", &[], "build", &["--silent", "-x", "--no-such"]);
    check("run -s build a", &[Flag::Silent], "build", &["a"]);
    check("--silent run --if-present build run", &[Flag::IfPresent, Flag::Silent], "build", &["run"]);
    check("run build -- a --", &[], "build", &["--", "a", "--"]);
    check("run -- build --silent", &[], "build", &["--silent"]);
    let raw = OsString::from_vec(b"\xff".to_vec());
    let invocation = parse(["run".into(), "build".into(), raw.clone()]).expect("any bytes");
    assert_eq!(invocation.arguments, [raw]);
}

#[test]
fn values_follow_a_space_or_an_equals_sign() {
    for line in ["i --registry http://127.0.0.1/", "i --registry=http://127.0.0.1/"] {
        assert_eq!(parsed(line).value(Flag::Registry), Some("http://127.0.0.1/"), "{line}");
    }
    assert_eq!(parsed("i --registry a --registry b").value(Flag::Registry), Some("b"));
    assert_eq!(parsed("i --registry=a=b").value(Flag::Registry), Some("a=b"));
    assert_eq!(parsed("i --cwd=--odd").path(Flag::Cwd), Some(Path::new("--odd")));
    assert_eq!(parsed("i --network-concurrency 064").value(Flag::NetworkConcurrency), Some("64"));
}

#[test]
fn a_short_flag_takes_the_rest_or_the_next_argument() {
    for line in ["x -p left l", "x -pleft l", "x -p=left l", "x --package left l", "x -fp left l"] {
        assert_eq!(parsed(line).value(Flag::Package), Some("left"), "{line}");
        assert_eq!(parsed(line).operands, ["l"], "{line}");
    }
    let several = parsed("x -p left -p right l");
    assert_eq!(several.values(Flag::Package).collect::<Vec<_>>(), ["left", "right"]);
    refused("x -p", "error[value-missing]: `--package` needs a value: `--package=NAME`");
    refused("x -p -f l", "error[value-missing]: `--package` needs a value: `--package=NAME`");
    check("install -p", &[Flag::Production], &[]);
    check("-p install", &[Flag::Production], &[]);
}

#[test]
fn repeated_flags_all_count() {
    let invocation = parsed("i --omit dev --omit=peer --os=any --os linux");
    assert_eq!(invocation.values(Flag::Omit).collect::<Vec<_>>(), ["dev", "peer"]);
    assert_eq!(invocation.values(Flag::Os).collect::<Vec<_>>(), ["*", "linux"]);
}

#[test]
fn choices_have_the_names_of_bun() {
    assert_eq!(parsed("i --backend=copyfile").value(Flag::Backend), Some("copy"));
    assert_eq!(parsed("i --backend=clonefile").value(Flag::Backend), Some("clone"));
    assert_eq!(parsed("i --backend=hardlink").value(Flag::Backend), Some("hardlink"));
}

#[test]
fn commands_by_every_name() {
    for (name, command) in [("i", Command::Install), ("a", Command::Add), ("rm", Command::Remove)] {
        assert_eq!(parsed(&format!("{name} left")).command, Some(command));
    }
    for (name, command) in
        [("uninstall", Command::Remove), ("up", Command::Update), ("upgrade", Command::Update)]
    {
        assert_eq!(parsed(&format!("{name} left")).command, Some(command));
    }
    assert_eq!(parse([]).unwrap().command, None);
}

#[test]
fn help_and_version_need_nothing_else() {
    check("add --help", &[Flag::Help], &[]);
    check("-v", &[Flag::Version], &[]);
    check("-h", &[Flag::Help], &[]);
}

#[test]
fn unknown_names_are_refused_with_a_hint() {
    refused(
        "instal",
        "error[unknown-command]: there is no command `instal`\nhint: did you mean `rusk install`?",
    );
    refused(
        "frobnicate",
        "error[unknown-command]: there is no command `frobnicate`\nhint: `rusk help` lists the commands",
    );
    refused(
        "i --frozen-lockfil",
        "error[unknown-flag]: there is no flag `--frozen-lockfil`\nhint: did you mean `--frozen-lockfile`?",
    );
    refused(
        "install --immutable",
        "error[unknown-flag]: there is no flag `--immutable`\nhint: the flag of rusk is `--frozen-lockfile`",
    );
    refused(
        "i --zzzzzz",
        "error[unknown-flag]: there is no flag `--zzzzzz`\nhint: `rusk install --help` lists its flags",
    );
    refused(
        "i -pX",
        "error[unknown-flag]: there is no flag `-X`\n  found in `-pX`, which is read as several short flags",
    );
    refused("help ad", "error[unknown-command]: there is no command `ad`\nhint: did you mean `rusk add`?");
}

#[test]
fn a_flag_of_another_command_is_refused() {
    refused(
        "install --latest",
        "error[unknown-flag]: `rusk install` has no flag `--latest`\n  accepted by `rusk update`\nhint: `rusk install --help` lists its flags",
    );
    refused(
        "--force",
        "error[command-missing]: these flags need a command\n  found `--force` and no command\nhint: `rusk help` lists the commands",
    );
}

#[test]
fn bad_values_are_refused() {
    refused("i --registry", "error[value-missing]: `--registry` needs a value: `--registry=URL`");
    refused("i --registry=", "error[value-missing]: `--registry` needs a value: `--registry=URL`");
    refused("i --registry --json", "error[value-missing]: `--registry` needs a value: `--registry=URL`");
    refused(
        "i --force=yes",
        "error[value-not-taken]: `--force` takes no value\nhint: write `--force` to turn it on, `--force=false` to turn it off",
    );
    for count in ["0", "-1", "1001", "many", "99999999999999999999"] {
        refused(
            &format!("i --network-concurrency={count}"),
            &format!(
                "error[bad-value]: `--network-concurrency` expects a whole number from 1 to 1000, found `{count}`"
            ),
        );
    }
    refused(
        "i --omit=devs",
        "error[bad-value]: `--omit` does not accept `devs`\n  expected one of `dev`, `optional`, `peer`\nhint: did you mean `--omit=dev`?",
    );
}

#[test]
fn contradictions_are_refused() {
    let contradict = |one: &str, other: &str| {
        let message = format!(
            "error[flags-conflict]: `--{one}` and `--{other}` contradict each other\nhint: leave one of them out"
        );
        refused(&format!("i --{one} --{other} left"), &message);
        refused(&format!("i --{other} --{one} left"), &message);
    };
    contradict("offline", "prefer-offline");
    contradict("silent", "verbose");
    contradict("dev", "peer");
    contradict("frozen-lockfile", "dry-run");
    contradict("lockfile-only", "dry-run");
}

#[test]
fn operands_are_counted() {
    refused(
        "remove",
        "error[words-missing]: `rusk remove` needs more arguments: `rusk remove [flags] <name>...`\nhint: for example `rusk remove left-pad`",
    );
    refused(
        "ci left",
        "error[word-not-taken]: `rusk ci` does not take the argument `left`\n  usage: rusk ci [flags]",
    );
    refused(
        "completions tcsh",
        "error[bad-value]: `rusk completions` expects one of `bash`, `zsh`, `fish`, found `tcsh`",
    );
    refused("add ", "error[bad-value]: `rusk add` expects names, found an empty argument");
}

#[test]
fn bytes_that_are_not_utf8_are_a_path_or_refused() {
    let raw = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let invocation = parse(["i".into(), raw(b"--cwd=\xff")]).unwrap();
    assert_eq!(invocation.path(Flag::Cwd), Some(Path::new(OsStr::from_bytes(b"\xff"))));
    for argument in [&b"\xff"[..], b"--\xff", b"-\xff", b"--registry=\xff"] {
        assert!(parse(["i".into(), raw(argument)]).is_err());
    }
}
