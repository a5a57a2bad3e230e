//! Which mappings are released, and that their bytes are still there.

use std::os::fd::AsFd;

use super::super::mmap::Mmap;
use super::*;

const WHOLE: Range<usize> = 0x1000..0x3000;

fn mapping(head: &str, resident_kib: u64, own_kib: u64) -> String {
    format!(
        "{head}\nSize: 4096 kB\nRss: {resident_kib} kB\nPss: 10 kB\nAnonymous: {own_kib} kB\nVmFlags: rd mr\n"
    )
}

#[track_caller]
fn check(smaps: &str, wanted: &[Range<usize>]) {
    assert_eq!(unwritten_file_mappings(smaps), wanted);
}

#[test]
fn only_files_that_were_not_written_to() {
    let text = "1000-3000 r-xp 00001000 fe:00 17 /usr/lib/a library.so";
    check(&mapping(text, 4000, 0), &[WHOLE]);
    check(&mapping(text, 4000, 4), &[]);
    check(&mapping(text, 64, 0), &[]);
    check(&mapping("1000-3000 rw-p 00001000 fe:00 17 /usr/lib/library.so", 4000, 0), &[]);
    check(&mapping("1000-3000 r--s 00001000 fe:00 17 /usr/lib/library.so", 4000, 0), &[]);
    check(&mapping("1000-3000 r--p 00000000 00:00 0", 4000, 0), &[]);
    check(&mapping("1000-3000 r--p 00000000 00:00 0 [vvar]", 4000, 0), &[]);
}

#[test]
fn a_mapping_without_the_field_is_left() {
    check("1000-3000 r--p 00000000 fe:00 17 /a\nRss: 4000 kB\nVmFlags: rd\n", &[]);
    check("", &[]);
    check("Rss: 1 kB\nVmFlags: rd\n", &[]);
}

#[test]
fn mappings_follow_each_other() {
    let first = mapping("1000-3000 r--p 00000000 fe:00 17 /a", 4000, 0);
    let second = mapping("3000-4000 r--p 00002000 fe:00 17 /a", 4000, 8);
    let third = mapping("4000-5000 r-xp 00003000 fe:00 17 /a", 4000, 0);
    check(&(first + &second + &third), &[WHOLE, 0x4000..0x5000]);
}

/// This test's own program is mapped, and larger than the least that is released.
#[test]
fn what_was_released_is_read_again() {
    let path = std::env::current_exe().expect("this program");
    let bytes = std::fs::read(&path).expect("read");
    let file = std::fs::File::open(&path).expect("opened");
    let mapped = Mmap::open(file.as_fd(), u64::MAX).expect("mapped");
    let mapped: &'static [u8] = Box::leak(Box::new(mapped));
    assert!(*mapped == bytes[..]);
    let is_resident = || {
        let smaps = std::fs::read_to_string("/proc/self/smaps").expect("read");
        let start = mapped.as_ptr().addr();
        unwritten_file_mappings(&smaps).iter().any(|range| range.start == start)
    };
    assert!(is_resident());
    release(&[mapped, b"bytes that are no file"]);
    assert!(!is_resident());
    assert!(*mapped == bytes[..]);
}
