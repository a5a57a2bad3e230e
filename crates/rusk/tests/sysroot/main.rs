//! Programs under another root: what they see, what becomes of what they write, how they end. A
//! machine that forbids namespaces is held to saying so, and to saying what forbids them.

mod ground;
mod images;
mod programs;
mod refusals;
mod watched;

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use ground::{Ground, text};

#[test]
fn a_program_sees_the_root_and_not_the_system() {
    let Some(ground) = Ground::find() else { return };
    ground.write("own", "inside");
    let outside = ground.project.path();
    ground.project.write("near", "");
    let script = format!("cat /own; pwd; test ! -e {}/..//near/ && echo alone", outside.display());
    assert_eq!(
        ground.says(&["--bind=/usr:/elsewhere"], &script),
        format!("inside{}\nalone\n", outside.display())
    );
}

#[test]
fn what_is_written_is_forgotten_unless_it_is_to_be_kept() {
    let Some(ground) = Ground::find() else { return };
    ground.write("own", "before");
    ground.write("folder/file", "");
    let script =
        "echo after > /own; echo new > /new; rm -r /folder; mkdir /folder; cat /own /new; ls /folder";
    let before = ground.tree();
    assert_eq!(ground.says(&[], script), "after\nnew\n");
    assert_eq!(ground.tree(), before);
    assert_eq!(ground.says(&["--rw"], script), "after\nnew\n");
    assert_eq!(ground.read("own"), "after\n");
    assert_eq!(ground.read("new"), "new\n");
    assert!(!ground.tree().iter().any(|line| line.contains("folder/file")));
}

#[test]
fn no_path_leads_out_of_the_root() {
    let Some(ground) = Ground::find() else { return };
    ground.write("own", "inside");
    ground.link("absolute", "/own");
    ground.link("upwards", "../../../../../../../../own");
    ground.link("out", "../../../../../../../../../../etc/hostname-of-nobody");
    let script = "cd /; cat absolute upwards ../own ../../../own; cat out 2>&- || echo; cd ..; pwd";
    assert_eq!(ground.says(&[], script), "insideinsideinsideinside\n/\n");
    // What is shown is put inside too, where links would lead out.
    ground.link("away", "/../../../tmp/none");
    assert_eq!(ground.says(&["--bind=/usr:/away/here"], "ls -d /tmp/none/here/bin"), "/tmp/none/here/bin\n");
    assert!(!std::path::Path::new("/tmp/none").exists());
}

#[test]
fn the_project_and_what_is_bound_are_those_outside() {
    let Some(ground) = Ground::find() else { return };
    ground.project.write("package.json", r#"{ "name": "app" }"#);
    ground.project.write("src/in", "in");
    ground.project.write("node_modules/.bin/say", "#!/bin/sh\necho said\n");
    ground.project.make_executable("node_modules/.bin/say");
    let folder = ground.project.path();
    let script = "cat src/in; echo out > src/out; say; cat /bound/in; echo x > /bound/y";
    assert_eq!(ground.says(&["--bind=src:/bound"], script), "insaid\nin");
    assert_eq!(ground.project.read("src/out"), "out\n");
    assert_eq!(ground.project.read("src/y"), "x\n");
    let script = "cat /one; echo x > /one || echo kept";
    assert_eq!(ground.says(&[&format!("--bind={}/src/in:/one:ro", folder.display())], script), "inkept\n");
    assert_eq!(ground.says(&["--workdir=/usr"], "pwd"), "/usr\n");
    // Where the root has something of its own, that is what is seen.
    ground.write(format!("{}/own", folder.display()).trim_start_matches('/'), "");
    assert_eq!(ground.says(&[], "pwd; ls"), format!("{}\nown\n", folder.display()));
}

#[test]
fn the_environment_is_small_and_can_be_added_to() {
    let Some(ground) = Ground::find() else { return };
    ground.write("etc/passwd", "root:x:0:0::/home/root:/bin/sh\nme:x:7:8::/home/me:/bin/sh\n");
    let path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    let names = |said: String| {
        let mut lines: Vec<String> =
            said.lines().filter(|line| !line.starts_with("PWD=")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(names(ground.says(&[], "env -u _ -u SHLVL -u OLDPWD")), ["HOME=/home/root", path]);
    let flags = ["--env=A=1=2", "--env=B=", "--env=HANDED", "--env=NOT_THERE", "--user=me"];
    let found = names(ground.says(&flags, "env -u _ -u SHLVL -u OLDPWD"));
    assert_eq!(found, ["A=1=2", "B=", "HANDED=on", "HOME=/home/me", path]);
    let script = "id -u; id -g; touch ~/mine /tmp/mine /dev/shm/mine && echo written";
    assert_eq!(ground.says(&[], script), "0\n0\nwritten\n");
    assert_eq!(ground.says(&["--user=me"], "id -u; id -g"), "7\n8\n");
    assert_eq!(ground.says(&["--user=1:2"], "id -u; id -g"), "1\n2\n");
}

#[test]
fn devices_and_processes_are_there() {
    let Some(ground) = Ground::find() else { return };
    let script = "echo x > /dev/null; head -c 2 /dev/zero | wc -c; head -c 2 /dev/urandom | wc -c; ls /dev/fd/0 /dev/stdin
        test -d /dev/shm; test -r /proc/self/stat; ls /dev | grep -c sd";
    assert_eq!(ground.says(&[], script), "2\n2\n/dev/fd/0\n/dev/stdin\n0\n");
}

#[test]
fn a_program_ends_as_it_would_anywhere() {
    let Some(ground) = Ground::find() else { return };
    assert_eq!(ground.shell(&[], "exit 42").status.code(), Some(42));
    assert_eq!(ground.shell(&[], "ulimit -c 0; kill -SEGV $$").status.signal(), Some(11));
    let mut child = ground
        .command(&[], &["sh", "-c", "trap 'echo asked; exit 9' TERM; echo ready; while :; do :; done"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut output = child.stdout.take().expect("a pipe");
    let mut ready = [0; 6];
    output.read_exact(&mut ready).expect("the program is there");
    // The process is the program's own.
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is there");
    let mut said = String::new();
    output.read_to_string(&mut said).expect("text");
    assert_eq!((said.as_str(), child.wait().expect("a child").code()), ("asked\n", Some(9)));
}

#[test]
fn nothing_is_left_of_a_program_that_is_killed() {
    let Some(ground) = Ground::find() else { return };
    let mounts =
        || std::fs::read_to_string("/proc/self/mountinfo").expect("the system's mounts").lines().count();
    let (tree, before) = (ground.tree(), mounts());
    let mut child = ground
        .command(&[], &["sh", "-c", "echo x > /left; echo y > /tmp/left; echo ready; read line"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdout.take().expect("a pipe").read_exact(&mut [0; 6]).expect("the program is there");
    assert_eq!((ground.tree(), mounts()), (tree.clone(), before));
    child.kill().expect("it is there");
    assert_eq!(child.wait().expect("a child").signal(), Some(9));
    assert_eq!((ground.tree(), mounts()), (tree, before));
}

#[test]
fn streams_are_the_programs_own() {
    let Some(ground) = Ground::find() else { return };
    let mut child = ground
        .command(&[], &["cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"through").expect("it reads");
    assert_eq!(text(&child.wait_with_output().expect("a child").stdout), "through");
}
