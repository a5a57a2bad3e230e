//! Which lists admit which platforms.

use super::*;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn check(list: &str, admitted: &str, refused: &str) {
    for name in words(admitted) {
        assert!(list_admits(&words(list), &name), "{list} admits {name}");
    }
    for name in words(refused) {
        assert!(!list_admits(&words(list), &name), "{list} refuses {name}");
    }
}

#[test]
fn lists_name_and_negate() {
    check("", "linux darwin", "");
    check("linux", "linux", "darwin");
    check("linux darwin", "linux darwin", "win32");
    check("!win32", "linux darwin", "win32");
    check("!win32 !darwin", "linux", "win32 darwin");
    check("linux !win32", "linux", "win32 darwin");
    check("linux !linux", "", "linux darwin");
    check("any", "linux", "");
    check("any darwin", "any darwin", "linux");
}

#[test]
fn every_axis_must_admit() {
    let machine = Platform::new("linux", "x64", "glibc");
    let admits = |os: &str, cpu: &str, libc: &str, platform: &Platform| {
        platform.admits(Wanted { os: &words(os), cpu: &words(cpu), libc: &words(libc) })
    };
    assert!(admits("linux", "x64", "glibc", &machine));
    assert!(admits("", "", "", &machine));
    assert!(!admits("darwin", "x64", "", &machine));
    assert!(!admits("linux", "arm64", "", &machine));
    assert!(!admits("linux", "x64", "musl", &machine));
}

#[test]
fn flags_replace_the_machine() {
    let replaced = |os: &str| Platform::new("linux", "x64", "glibc").replaced_by(&words(os), &[], &[]);
    let admits = |platform: &Platform, os: &str| {
        platform.admits(Wanted { os: &words(os), cpu: &words("x64"), libc: &[] })
    };
    assert!(admits(&replaced("darwin win32"), "win32") && !admits(&replaced("darwin win32"), "linux"));
    assert!(admits(&replaced("*"), "darwin") && admits(&replaced("*"), "!linux"));
    assert_eq!(replaced(""), Platform::new("linux", "x64", "glibc"));
}
