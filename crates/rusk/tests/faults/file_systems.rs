//! A read-only home, a read-only project, a cache on another file system, and node_modules as a
//! mount point, in layers or with something mounted in it, in namespaces of their own. What cannot
//! be written is an error that leaves the project as it was; afterwards the install succeeds, and
//! the store verifies.

use std::process::Command;

use rusk_testkit::project::Project;

use super::sweep::{ALONE, PROGRAM, registry};

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "tool": "1" } }"#;

/// In: a directory, the program, package.json, the registry. A failed check ends the shell.
const PREPARED: &str = r#"
set -eux
mount -t tmpfs -o size=64m tmpfs "$1"
mkdir "$1/app" "$1/home"
cd "$1/app"
printf '%s' "$3" > package.json
printf 'registry=%s\n' "$4" > .npmrc
export HOME="$1/home" XDG_CACHE_HOME="$1/home/.cache"
"#;

const READ_ONLY: &str = r#"
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

/// node_modules is a mount point, as a volume of a container is.
const VOLUME: &str = r#"
mkdir node_modules
mount -t tmpfs -o size=64m tmpfs node_modules
mkdir node_modules/.vite; touch node_modules/.vite/cached
"$2" install --silent
"$2" add --silent right
test -s node_modules/right/index.js
"$2" remove --silent right
[ ! -e node_modules/right ]
"$2" ci --silent
"$2" install --silent --linker=isolated
test -s node_modules/left/index.js
"$2" ci --silent
test -s node_modules/left/index.js
test -x node_modules/.bin/tool
test -e node_modules/.vite/cached
[ "$(ls -A node_modules)" = "$(printf '.bin\n.rusk\n.vite\nleft\ntool')" ]
[ "$(ls -A)" = "$(printf '.npmrc\nbun.lock\nnode_modules\npackage.json')" ]
mkdir ui; mount -t tmpfs -o size=64m tmpfs ui
printf '{ "name": "ui", "dependencies": { "right": "1" } }' > ui/package.json
printf '{ "name": "app", "workspaces": ["ui"] }' > package.json
"$2" install --silent --linker=isolated
test -s ui/node_modules/right/index.js
[ "$(ls -A ui)" = "$(printf 'node_modules\npackage.json')" ]
"$2" cache verify
"#;

/// The project is in a lower layer of overlayfs, whose directories cannot be renamed.
const LAYERS: &str = r#"
mkdir node_modules node_modules/.vite
touch node_modules/.vite/cached
"$2" install --silent
mkdir "$1/upper" "$1/work" "$1/merged"
mount -t overlay -o lowerdir="$1/app",upperdir="$1/upper",workdir="$1/work",userxattr overlay "$1/merged"
cd "$1/merged"
"$2" add --silent right
test -s node_modules/right/index.js
"$2" add --silent left@1.3.0
grep -q 1.3.0 node_modules/left/index.js
"$2" ci --silent
grep -q 1.3.0 node_modules/left/index.js
test -e node_modules/.vite/cached
[ "$(ls -A)" = "$(printf '.npmrc\nbun.lock\nnode_modules\npackage.json')" ]
"$2" cache verify
"#;

/// A directory of somebody's own is mounted in a package that is replaced.
const MOUNTED: &str = r#"
"$2" install --silent
mkdir "$1/mine"
echo mine > "$1/mine/file"
mkdir node_modules/left/sources
mount --bind "$1/mine" node_modules/left/sources
"$2" ci 2> "$1/message"
grep -q 'cannot be deleted' "$1/message"
[ "$(cat "$1/mine/file")" = mine ]
test -s node_modules/left/index.js
"$2" ci 2> "$1/message"
if grep -q 'cannot be deleted' "$1/message"; then exit 1; fi
[ "$(cat "$1/mine/file")" = mine ]
"#;

/// node_modules cannot be written to: the files of the project stay as they were.
const LOCKED: &str = r#"
"$2" install --silent
cp package.json bun.lock "$1"
mount --bind node_modules node_modules
mount -o remount,bind,ro node_modules
for command in "remove left" "add right"; do
  code=0
  "$2" $command --silent 2> "$1/message" || code=$?
  [ $code = 2 ]
  grep -q 'Read-only file system' "$1/message"
  cmp package.json "$1/package.json"
  cmp bun.lock "$1/bun.lock"
  [ ! -e .rusk-staging ]
done
umount node_modules
"$2" remove --silent left
[ ! -e node_modules/left ]
"#;

/// Runs a script in namespaces of its own, in a project on a tmpfs.
#[track_caller]
fn run(script: &str) {
    let _alone = ALONE.lock();
    let server = registry();
    let project = Project::in_memory();
    let script = format!("{PREPARED}{script}");
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"]);
    command.arg(project.path()).args([PROGRAM, MANIFEST, server.url()]);
    let output = command.output().expect("unshare starts");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[test]
fn node_modules_may_be_a_mount_point() {
    run(VOLUME);
}

#[test]
fn directories_of_a_lower_layer_are_replaced() {
    run(LAYERS);
}

#[test]
fn a_read_only_node_modules_changes_no_file() {
    run(LOCKED);
}

#[test]
fn what_is_mounted_in_a_package_is_not_deleted() {
    run(MOUNTED);
}

#[test]
fn read_only_directories_and_a_cache_elsewhere_are_survived() {
    run(READ_ONLY);
}
