//! Tests of paths in requests for members.

use super::rebased;

fn check(request: &str, command_dir: &str, member: &str, expected: &str) {
    assert_eq!(rebased(request, command_dir, member), expected, "{request} from {command_dir} in {member}");
}

#[test]
fn a_path_is_relative_to_the_member() {
    check("./vendor/log", "", "packages/web", "../../vendor/log");
    check("file:./log", "vendor", "web", "file:../vendor/log");
    check("../log", "packages/a", "packages/b", "../../packages/log");
    check("../../log.tgz", "a", "", "./../log.tgz");
    check("./log", "web", "web", "./log");
    check("left@^1", "", "web", "left@^1");
    check("/srv/log", "", "web", "/srv/log");
}
