//! A read-only home, a read-only project, and a cache on another file system, in namespaces of
//! their own. What cannot be written is an error that leaves the project as it was; afterwards the
//! install succeeds, and the store verifies.

use std::process::Command;

use rusk_testkit::project::Project;

use super::sweep::{ALONE, PROGRAM, registry};

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "tool": "1" } }"#;

/// In: a directory, the program, package.json, the registry. A failed check ends the shell.
const SCRIPT: &str = r#"
set -eux
mount -t tmpfs -o size=64m tmpfs "$1"
mkdir "$1/app" "$1/home"
cd "$1/app"
printf '%s' "$3" > package.json
printf 'registry=%s\n' "$4" > .npmrc
export HOME="$1/home" XDG_CACHE_HOME="$1/home/.cache"
fails() {
  code=0
  "$@" install --silent 2> "$HOME/../message" || code=$?
  [ $code = 2 ]
  [ "$(ls -A)" = "$(printf '.npmrc\npackage.json')" ]
}

mount -t tmpfs -o ro tmpfs "$1/home"
fails "$2"
grep -q -e --cache-dir "$1/message"
umount "$1/home"

mount --bind "$1/app" "$1/app"
mount -o remount,bind,ro "$1/app"
cd "$1/app"
fails "$2"
grep -q 'Read-only file system' "$1/message"
mount -o remount,bind,rw "$1/app"

mkdir -p "$XDG_CACHE_HOME"
mount -t tmpfs -o size=64m tmpfs "$XDG_CACHE_HOME"
"$2" install --silent
[ "$(stat -c %h node_modules/left/index.js)" = 1 ]
test -s node_modules/tool/cli.js
"$2" cache verify
"#;

#[test]
fn read_only_directories_and_a_cache_elsewhere_are_survived() {
    let _alone = ALONE.lock();
    let server = registry();
    let project = Project::in_memory();
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh"]);
    command.arg(project.path()).args([PROGRAM, MANIFEST, server.url()]);
    let output = command.output().expect("unshare starts");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}
