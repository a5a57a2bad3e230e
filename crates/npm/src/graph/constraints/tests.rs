//! Platform lists against the text bun writes for them.

use super::*;

fn check_os(list: &[&str], text: &str) {
    let set = NameSet::<Os>::parse(list.iter().copied());
    assert_eq!(set.render(), text, "{list:?}");
    assert_eq!(NameSet::<Os>::parse(["none"]).render(), "\"none\"");
}

#[test]
fn lists_are_written_as_bun_writes_them() {
    check_os(&["linux"], "\"linux\"");
    check_os(&["darwin", "linux"], "[ \"linux\", \"darwin\", ]");
    check_os(&["!win32"], "\"!win32\"");
    check_os(&["netbsd"], "\"none\"");
    check_os(&["linux", "netbsd"], "\"linux\"");
    check_os(&["!aix", "!win32"], "[ \"!aix\", \"!win32\", ]");
}

#[test]
fn an_empty_list_admits_everything() {
    assert!(NameSet::<Cpu>::parse([]).is_all());
    assert!(NameSet::<Cpu>::parse(["any"]).is_all());
    assert!(NameSet::<Cpu>::parse(["!riscv64"]).is_all());
}

#[test]
fn a_package_is_admitted_when_every_set_meets_the_machine() {
    let machine = Platform {
        os: NameSet::parse(["linux"]),
        cpu: NameSet::parse(["x64"]),
        libc: NameSet::parse(["glibc"]),
    };
    let musl = Constraints { libc: NameSet::parse(["musl"]), ..Constraints::default() };
    assert!(Constraints::default().admits(&machine));
    assert!(!musl.admits(&machine));
}
