//! A disk that is really full: a tmpfs of two megabytes in namespaces of its own, with some space
//! left. The install fails with the project as it was, or succeeds; with more space the next one
//! succeeds, and the store verifies.

use std::process::Command;

use rusk_testkit::project::Project;

use super::sweep::{ALONE, PROGRAM, registry};

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "tool": "1" } }"#;

/// Kilobytes that are left. The last is enough.
const FREE: [u32; 8] = [0, 4, 8, 16, 32, 64, 128, 1024];

/// In: a directory, the program, package.json, the registry, kilobytes. Out: the exit code of the
/// first install; a failed check ends the shell.
const SCRIPT: &str = r#"
set -eu
mount -t tmpfs -o size=2m tmpfs "$1"
mkdir "$1/app" "$1/home"
cd "$1/app"
printf '%s' "$3" > package.json
printf 'registry=%s\n' "$4" > .npmrc
export HOME="$1/home" XDG_CACHE_HOME="$1/home/.cache"
free=$(df --output=avail -B1024 . | tail -1)
dd if=/dev/zero of="$1/filler" bs=1024 count=$((free - $5)) status=none
code=0
"$2" install --silent 2> "$1/message" || code=$?
if [ $code != 0 ]; then
  [ $code = 2 ]
  [ ! -e node_modules ]
  [ ! -e bun.lock ]
fi
[ "$(cat package.json)" = "$3" ]
rm "$1/filler"
"$2" install --silent >&2
test -s node_modules/left/index.js
test -s node_modules/tool/cli.js
"$2" cache verify >&2
printf %s $code
"#;

#[test]
fn a_full_disk_changes_nothing() {
    let _alone = ALONE.lock();
    let server = registry();
    let codes = FREE.map(|free| {
        let project = Project::in_memory();
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh"]);
        command.arg(project.path()).args([PROGRAM, MANIFEST, server.url(), &free.to_string()]);
        let output = command.output().expect("unshare starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{free} kB are free: {}: {errors}", output.status);
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    assert_eq!((codes[0].as_str(), codes[FREE.len() - 1].as_str()), ("2", "0"), "{codes:?}");
}
