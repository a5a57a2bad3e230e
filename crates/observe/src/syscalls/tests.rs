//! Names by number, and whether a call waits.

use super::*;

#[track_caller]
fn check(arch: Arch, number: u32, name: &str) {
    assert_eq!(Syscall { arch, number }.name(), name);
}

#[test]
fn numbers_have_the_names_of_their_architecture() {
    check(Arch::X86_64, 0, "read");
    check(Arch::X86_64, 257, "openat");
    check(Arch::X86_64, 435, "clone3");
    check(Arch::I386, 3, "read");
    check(Arch::I386, 295, "openat");
    check(Arch::Aarch64, 56, "openat");
    check(Arch::Aarch64, 63, "read");
    check(Arch::X86_64, 499, "call 499");
    check(Arch::X86_64, u32::MAX, "call 4294967295");
}

#[test]
fn every_call_with_traits_is_in_a_table() {
    let arches = [Arch::X86_64, Arch::I386, Arch::Aarch64];
    for name in traits_by_name().into_keys() {
        // These exist on architectures without a table.
        if name != "recv" {
            assert!(arches.iter().any(|arch| Syscall::find(*arch, name).is_some()), "{name}");
        }
    }
}

#[test]
fn waiting_depends_on_arguments() {
    let waits = |name: &str, arguments| {
        Syscall::find(Arch::X86_64, name).expect("it is there").traits().wait.waits(arguments)
    };
    assert!(waits("epoll_wait", [3, 0, 10, u64::MAX]));
    assert!(!waits("epoll_wait", [3, 0, 10, 0]));
    assert!(waits("futex", [0, 128, 0, 0]) && waits("futex", [0, 137, 0, 0]));
    assert!(!waits("futex", [0, 129, 0, 0]));
    assert!(waits("wait4", [0, 0, 0, 0]) && !waits("wait4", [0, 0, 1, 0]));
    assert!(waits("fcntl", [3, 7, 0, 0]) && !waits("fcntl", [3, 6, 0, 0]));
    assert!(!waits("openat", [0, 0, 0, 0]));
}

#[test]
fn errors_have_names() {
    assert_eq!(error_name(2), "ENOENT");
    assert_eq!(error_name(11), "EAGAIN");
    assert_eq!(error_name(512), "ERESTARTSYS");
    assert_eq!(error_name(4095), "error 4095");
}

#[test]
fn an_unknown_architecture_has_no_names() {
    assert_eq!(Arch::from_audit(0xc000_003e), Some(Arch::X86_64));
    assert_eq!(Arch::from_audit(0xc000_00f3), None);
}
