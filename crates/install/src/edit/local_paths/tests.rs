//! Tests of paths in requests for members.

use std::path::Path;

use rusk_lockfiles::Tool;

use super::{RequestDirs, rebased};

fn check(request: &str, command_dir: &str, member: &str, expected: &str) {
    assert_eq!(rebased(request, command_dir, member), expected, "{request} from {command_dir} in {member}");
}

#[test]
fn a_path_is_relative_to_the_member() {
    check("./vendor/log", "", "packages/web", "../../vendor/log");
    check("file:./log", "vendor", "web", "file:../vendor/log");
    check("link:./log", "vendor", "web", "link:../vendor/log");
    check("../log", "packages/a", "packages/b", "../../packages/log");
    check("../../log.tgz", "a", "", "./../log.tgz");
    check("./log", "web", "web", "./log");
    check("left@^1", "", "web", "left@^1");
    check("/srv/log", "", "web", "/srv/log");
}

#[test]
fn a_path_is_saved_as_the_other_program_does() {
    for (tool, request, command, expected) in [
        (Tool::Npm, "./log", "", "file:./log"),
        (Tool::Npm, "file:../log", "web", "file:../log"),
        (Tool::Npm, "/srv/nowhere/log", "", "file:./log"),
        (Tool::Npm, "/srv/nowhere/log", "packages/web", "file:../../log"),
        (Tool::Npm, "file:/srv/other.tgz", "", "file:../other.tgz"),
        (Tool::Npm, "left@^1", "", "left@^1"),
        (Tool::Yarn, "../log", "", "file:../log"),
        (Tool::Pnpm, "../log", "", "link:../log"),
        (Tool::Pnpm, "../log.tgz", "", "file:../log.tgz"),
        (Tool::Pnpm, "file:../log", "", "file:../log"),
        (Tool::Bun, "../log", "", "../log"),
        (Tool::Bun, "/srv/log", "", "/srv/log"),
    ] {
        let dirs = RequestDirs { project: Path::new("/srv/nowhere"), command, tool };
        assert_eq!(dirs.saved(request), expected, "{request} with {tool:?}");
    }
}
