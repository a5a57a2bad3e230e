//! What stands in `.bin`, and what becomes executable.

use std::os::unix::fs::PermissionsExt;

use rusk_testkit::project::Project;

use super::*;

fn scratch() -> (Project, sys::OwnedFd) {
    let project = Project::new();
    let dir = sys::open_directory(sys::CWD, project.path()).expect("opened");
    (project, dir)
}

#[test]
fn a_bin_link_is_made_kept_and_replaced() {
    let (project, dir) = &scratch();
    let path = &project.path();
    let check = |target: &str| {
        link_bin(dir.as_fd(), "tsc", target).expect("linked");
        assert_eq!(std::fs::read_link(path.join(".bin/tsc")).expect("a link"), Path::new(target));
        assert_eq!(std::fs::read_dir(path.join(".bin")).expect("listed").count(), 1);
    };
    check("../typescript/bin/tsc");
    check("../typescript/bin/tsc");
    check("../other/tsc");
    std::fs::remove_file(path.join(".bin/tsc")).expect("removed");
    std::fs::write(path.join(".bin/tsc"), "a file").expect("written");
    check("../typescript/bin/tsc");
    std::fs::remove_file(path.join(".bin/tsc")).expect("removed");
    std::fs::create_dir_all(path.join(".bin/tsc/deep")).expect("made");
    check("../typescript/bin/tsc");
}

#[test]
fn who_may_read_a_program_may_run_it() {
    let (project, dir) = &scratch();
    let path = &project.path();
    for (before, after) in [(0o644, 0o755), (0o640, 0o750), (0o700, 0o700), (0o755, 0o755)] {
        std::fs::write(path.join("cli.js"), "").expect("written");
        std::fs::set_permissions(path.join("cli.js"), PermissionsExt::from_mode(before)).expect("set");
        make_executable(dir.as_fd(), "cli.js").expect("made");
        let mode = std::fs::metadata(path.join("cli.js")).expect("there").permissions().mode();
        assert_eq!(mode & 0o7777, after, "{before:o}");
    }
    std::fs::create_dir(path.join("package")).expect("made");
    std::fs::write(path.join("outside"), "").expect("written");
    std::fs::set_permissions(path.join("outside"), PermissionsExt::from_mode(0o600)).expect("set");
    std::os::unix::fs::symlink("..", path.join("package/up")).expect("linked");
    let package = sys::open_directory(dir.as_fd(), "package").expect("opened");
    make_executable(package.as_fd(), "up/outside").expect("nothing to do");
    let mode = std::fs::metadata(path.join("outside")).expect("there").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600, "a link led out of the package");
    make_executable(dir.as_fd(), "none").expect("nothing to do");
    make_executable(dir.as_fd(), ".").expect("nothing to do");
}
