//! The directory of this process's own cgroup, from the kernel's files.

use super::dir_in;

#[track_caller]
fn check(own: &str, mount: &str, wanted: Option<&str>) {
    let mounts =
        format!("22 1 0:5 / /proc rw - proc proc rw\n30 22 0:26 {mount} rw shared:4 - cgroup2 none rw\n");
    assert_eq!(dir_in(own, &mounts).as_deref().and_then(|path| path.to_str()), wanted);
}

#[test]
fn the_own_cgroup_lies_below_its_mount() {
    check("0::/user/app\n", "/ /sys/fs/cgroup", Some("/sys/fs/cgroup/user/app"));
    check("4:memory:/other\n0::/\n", "/ /sys/fs/cgroup/unified", Some("/sys/fs/cgroup/unified/"));
    check("0::/user/app\n", "/user /mnt", Some("/mnt/app"));
    check("0::/other\n", "/user /mnt", None);
    check("0::/../outside\n", "/ /sys/fs/cgroup", None);
    check("4:memory:/\n", "/ /sys/fs/cgroup", None);
}
