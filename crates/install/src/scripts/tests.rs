//! Which scripts run, in which directory and environment; checked by files that the scripts write.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::path::PathBuf;

use rusk_base::Problem;

use super::*;
use crate::event::NullReporter;

/// A directory that is removed when the test ends.
struct Project(PathBuf);

/// Names and commands, in the order of events.
struct ScriptRecorder(Vec<String>);

impl Reporter for ScriptRecorder {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        if let InstallEvent::Script { name, command } = event {
            self.0.push(format!("{name}: {command}"));
        }
    }
}

impl Project {
    fn new() -> Project {
        let dir = std::env::temp_dir().join(format!("rusk-scripts-{}", files::unpredictable_name()));
        std::fs::create_dir_all(&dir).expect("a directory");
        // `pwd` prints the path without symbolic links.
        Project(dir.canonicalize().expect("an existing directory"))
    }

    fn with_program(self, path: &str, text: &str) -> Project {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent directory")).expect("directories");
        std::fs::write(&path, text).expect("a file");
        rusk_testkit::files::make_executable(&path);
        self
    }

    fn run(&self, stage: Stage, member: &str, manifest: &str, reporter: &mut dyn Reporter) -> Result<()> {
        self.run_on(&self.0.join("user/bin"), stage, member, manifest, reporter)
    }

    fn run_on(
        &self,
        first_of_path: &Path,
        stage: Stage,
        member: &str,
        manifest: &str,
        reporter: &mut dyn Reporter,
    ) -> Result<()> {
        let member_dir = if member.is_empty() { self.0.clone() } else { self.0.join(member) };
        std::fs::create_dir_all(&member_dir).expect("a directory");
        std::fs::write(member_dir.join("package.json"), manifest).expect("a file");
        let outer = [
            ("PATH", format!("{}:/usr/bin:/bin", first_of_path.display())),
            ("KEPT", "kept".to_owned()),
            ("npm_package_version", "of another package".to_owned()),
        ];
        let host = HostEnvironment {
            current_dir: self.0.join("started/here"),
            home_dir: None,
            environment: outer.map(|(name, value)| (name.to_owned(), value)).into(),
            processors: || 1,
            now_s: 0,
            user_agent: "rusk/0.1.0 linux x64".to_owned(),
            script_output: rusk_base::sys::CWD,
            node_version: |_, _| None,
            node_headers: |_| None,
            program: || None,
            interaction: None,
        };
        let manifest = Manifest::parse(manifest).expect("a manifest");
        let output = std::fs::File::create(self.0.join("output")).expect("a file");
        let context = ScriptContext {
            project_dir: &self.0,
            member_dir: &member_dir,
            manifest: &manifest,
            host: &host,
            output: output.as_fd(),
        };
        run(stage, &context, reporter)
    }

    fn recorder(&self, stage: Stage, member: &str, manifest: &str) -> String {
        let mut recorder = ScriptRecorder(Vec::new());
        self.run(stage, member, manifest, &mut recorder).expect("successful scripts");
        recorder.0.join(", ")
    }

    /// Runs one command as `prepare`.
    fn prepare(&self, command: &str) -> Result<()> {
        let manifest = format!(r#"{{ "name": "app", "scripts": {{ "prepare": "{command}" }} }}"#);
        self.run(Stage::After, "", &manifest, &mut NullReporter)
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.join(path)).expect("a file that a script wrote")
    }

    /// The variables that `env` wrote to a file.
    fn variables(&self, path: &str) -> BTreeMap<String, String> {
        let text = self.read(path);
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Every lifecycle script, and two others, in no order; each appends its name to a file.
const ALL: &str = r#"{ "name": "app", "scripts": {
    "postprepare": "echo postprepare >> ran", "prepare": "echo prepare >> ran", "test": "echo test >> ran",
    "preprepare": "echo preprepare >> ran", "postinstall": "echo postinstall >> ran",
    "prepublish": "echo prepublish >> ran", "install": "echo install >> ran",
    "preinstall": "echo preinstall >> ran" } }"#;

#[test]
fn a_project_runs_its_lifecycle_in_order() {
    let project = Project::new();
    project.run(Stage::Before, "", ALL, &mut NullReporter).expect("a success");
    assert_eq!(project.read("ran"), "preinstall\n");
    project.run(Stage::After, "", ALL, &mut NullReporter).expect("a success");
    assert_eq!(project.read("ran"), "preinstall\ninstall\npostinstall\npreprepare\nprepare\npostprepare\n");
}

#[test]
fn a_workspace_runs_its_scripts_in_its_directory() {
    let project = Project::new();
    project.run(Stage::Before, "packages/a", ALL, &mut NullReporter).expect("a success");
    project.run(Stage::After, "packages/a", ALL, &mut NullReporter).expect("a success");
    assert_eq!(project.read("packages/a/ran"), "preinstall\ninstall\npostinstall\nprepare\n");
}

#[test]
fn each_script_is_reported_before_it_runs() {
    let project = Project::new();
    let scripts = r#"{ "scripts": { "prepare": "touch b", "install": "touch a", "postinstall": "" } }"#;
    assert_eq!(project.recorder(Stage::After, "", scripts), "install: touch a, prepare: touch b");
    assert_eq!(project.recorder(Stage::Before, "", scripts), "");
}

#[test]
fn a_stage_runs_only_with_a_script() {
    let check = |scripts: &str, before: bool, after: bool| {
        let manifest = Manifest::parse(&format!(r#"{{ "scripts": {scripts} }}"#)).expect("a manifest");
        assert_eq!(
            (has_scripts(Stage::Before, &manifest), has_scripts(Stage::After, &manifest)),
            (before, after),
            "{scripts}"
        );
    };
    check("{}", false, false);
    check(r#"{ "test": "vitest", "prepublish": "tsc" }"#, false, false);
    check(r#"{ "preinstall": "x" }"#, true, false);
    check(r#"{ "postprepare": "x" }"#, false, true);
    check(r#"{ "install": "", "preinstall": "" }"#, false, false);
}

#[test]
fn a_script_knows_its_package_and_where_it_runs() {
    let project = Project::new().with_program("user/bin/node", "#!/bin/sh\n");
    let manifest =
        r#"{ "name": "@s/a", "version": "1.2.3", "scripts": { "install": "env > seen; pwd > here" } }"#;
    project.run(Stage::After, "packages/a", manifest, &mut NullReporter).expect("a success");
    let seen = project.variables("packages/a/seen");
    let root = project.0.display();
    let check = |name: &str, value: String| assert_eq!(seen.get(name), Some(&value), "{name}");
    check("KEPT", "kept".to_owned());
    check("INIT_CWD", format!("{root}/started/here"));
    check("npm_lifecycle_event", "install".to_owned());
    check("npm_lifecycle_script", "env > seen; pwd > here".to_owned());
    check("npm_package_name", "@s/a".to_owned());
    check("npm_package_version", "1.2.3".to_owned());
    check("npm_package_json", format!("{root}/packages/a/package.json"));
    check("npm_config_user_agent", "rusk/0.1.0 linux x64".to_owned());
    check("npm_config_local_prefix", root.to_string());
    check("npm_node_execpath", format!("{root}/user/bin/node"));
    check("PWD", format!("{root}/packages/a"));
    check(
        "PATH",
        format!(
            "{root}/packages/a/node_modules/.bin:{root}/packages/node_modules/.bin:{root}/node_modules/.bin:\
             {root}/user/bin:/usr/bin:/bin"
        ),
    );
    assert_eq!(project.read("packages/a/here"), format!("{root}/packages/a\n"));
}

#[test]
fn neither_our_variables_nor_an_outer_package_are_passed_on() {
    let project = Project::new();
    // Without a shell, which would add its own variables.
    project.prepare("env").expect("a success");
    let names: Vec<String> = project.variables("output").into_keys().collect();
    let names = names
        .iter()
        .filter(|name| !["NODE", "npm_node_execpath"].contains(&name.as_str()))
        .map(String::as_str);
    let expected = "INIT_CWD KEPT PATH PWD npm_config_local_prefix npm_config_user_agent npm_lifecycle_event \
                    npm_lifecycle_script npm_package_json npm_package_name";
    assert_eq!(names.collect::<Vec<_>>().join(" "), expected);
}

#[test]
fn programs_of_the_package_come_before_the_users() {
    let project = Project::new()
        .with_program("user/bin/say", "#!/bin/sh\n/bin/echo user > said\n")
        .with_program("node_modules/.bin/say", "#!/bin/sh\n/bin/echo project $1 > said\n");
    for command in ["say plainly", "say 'in a shell'", "say plainly; true"] {
        project.prepare(command).expect("a success");
        assert!(project.read("said").starts_with("project "), "{command}");
    }
}

#[test]
fn a_directory_with_a_colon_adds_no_others_to_path() {
    let project = Project::new().with_program("a:node_modules/.bin/x", "");
    let manifest = r#"{ "scripts": { "install": "env > seen" } }"#;
    project.run(Stage::After, "a:b", manifest, &mut NullReporter).expect("a success");
    let seen = project.variables("a:b/seen");
    assert!(seen["PATH"].starts_with(&format!("{}/node_modules/.bin:", project.0.display())));
}

#[test]
fn plain_arguments_start_without_a_shell() {
    // A program that prints its parent: the test itself, or a shell.
    let project = Project::new().with_program("user/bin/parent", "#!/bin/sh\ncat /proc/$PPID/comm > comm\n");
    let own = std::fs::read_to_string(format!("/proc/{}/comm", std::process::id())).expect("our own name");
    project.prepare("parent a --b=c ./d").expect("a success");
    assert_eq!(project.read("comm"), own);
    project.prepare("parent a && :").expect("a success");
    assert_eq!(project.read("comm"), "sh\n");
}

#[test]
fn a_program_without_an_interpreter_is_read_by_the_shell() {
    let project = Project::new().with_program("user/bin/bare", "echo $1 > said\n");
    project.prepare("bare word").expect("a success");
    assert_eq!(project.read("said"), "word\n");
}

#[test]
fn a_script_has_empty_input_and_the_given_output() {
    let project = Project::new();
    for command in
        ["readlink /proc/self/fd/0 /proc/self/fd/2", "readlink /proc/self/fd/0 /proc/self/fd/2; cat"]
    {
        project.prepare(command).expect("a success");
        let own = std::fs::read_link("/proc/self/fd/2").expect("our standard error");
        assert_eq!(project.read("output"), format!("/dev/null\n{}\n", own.display()), "{command}");
    }
}

#[test]
fn a_script_stays_in_our_process_group_and_can_break_a_pipe() {
    let project = Project::new();
    project
        .prepare("cut -d ' ' -f 5 /proc/$$/stat > group; grep SigIgn /proc/$$/status > signals")
        .expect("a success");
    let own = std::fs::read_to_string("/proc/self/stat").expect("our own state");
    // The name in parentheses may contain spaces.
    let group = own.rsplit_once(')').and_then(|(_, rest)| rest.split(' ').nth(3)).expect("a process group");
    assert_eq!(project.read("group").trim(), group);
    let signals = project.read("signals");
    let ignored = u64::from_str_radix(signals.trim_start_matches("SigIgn:").trim(), 16).expect("a bit set");
    const SIGPIPE: u32 = 13;
    assert_eq!(ignored & 1 << (SIGPIPE - 1), 0);
}

fn failure(outcome: Result<()>) -> (&'static str, String) {
    let problem: Problem = outcome.expect_err("a problem");
    (problem.code(), problem.to_string())
}

#[test]
fn a_failing_script_is_reported_with_exit_and_directory() {
    let project = Project::new();
    let root = project.0.display();
    for (command, ending) in [
        ("exit 7", "exit code 7, expected 0"),
        ("kill -9 $$", "signal 9 (SIGKILL)"),
        ("rusk-no-such-program", "exit code 127, expected 0"),
        ("false", "exit code 1, expected 0"),
    ] {
        let (code, text) = failure(project.prepare(command));
        assert_eq!(code, "script-failed", "{command}");
        assert_eq!(
            text,
            format!(
                "error[script-failed]: script `prepare` ended with {ending}\n  command: `{command}`\n  directory: `{root}`"
            )
        );
    }
}

#[test]
fn nothing_runs_after_a_failure() {
    let project = Project::new();
    let manifest = r#"{ "scripts": { "install": "touch first; false", "postinstall": "touch second" } }"#;
    failure(project.run(Stage::After, "", manifest, &mut NullReporter));
    assert!(project.0.join("first").exists() && !project.0.join("second").exists());
}

#[test]
fn a_script_that_cannot_start_is_reported() {
    let project = Project::new();
    assert_eq!(failure(project.prepare("touch \\u0000")).0, "script-start");
}

#[test]
fn a_binding_gyp_implies_an_install_script() {
    let project = Project::new()
        .with_program("binding.gyp", "{}")
        .with_program("user/bin/node-gyp", "#!/bin/sh\necho $1 > gyp\n");
    let check = |member: &str, manifest: &str, expected: &str| {
        assert_eq!(project.recorder(Stage::After, member, manifest), expected, "{member} {manifest}");
    };
    check("", r#"{ "scripts": { "prepare": "true" } }"#, "install: node-gyp rebuild, prepare: true");
    assert_eq!(project.read("gyp"), "rebuild\n");
    check("", r#"{ "gypfile": false }"#, "");
    check("", r#"{ "scripts": { "preinstall": "true" } }"#, "");
    check("", r#"{ "scripts": { "install": "true" } }"#, "install: true");
    std::fs::create_dir(project.0.join("a")).expect("a directory");
    std::fs::write(project.0.join("a/binding.gyp"), "{}").expect("a file");
    check("a", "{}", "");
    assert_eq!(project.recorder(Stage::Before, "", "{}"), "");
}

#[test]
fn a_missing_node_gyp_has_a_hint() {
    let project = Project::new().with_program("binding.gyp", "{}");
    let nothing = project.0.join("user/bin");
    let (code, text) = failure(project.run_on(&nothing, Stage::After, "", "{}", &mut NullReporter));
    assert_eq!(code, "script-failed");
    assert!(text.ends_with("hint: run `rusk add -D node-gyp --ignore-scripts`"), "{text}");
}
