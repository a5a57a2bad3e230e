//! What a tarball's entries become, and which tarballs are refused.

use rusk_testkit::tarball::{Builder, Entry, gzip};

use super::inflate::with_tar;
use super::*;

/// The files of a tarball as `path=body`, joined, or the problem's code.
fn outcome(tarball: &[u8]) -> String {
    let read = with_tar(tarball, |tar| {
        let files = read_files(tar)?;
        dirs_of(&files)?;
        let line = |file: &File<'_>| format!("{}={}", file.path, String::from_utf8_lossy(&file.body));
        Ok(files.iter().map(line).collect::<Vec<_>>().join(" "))
    });
    read.unwrap_or_else(|problem| problem.code().to_owned())
}

fn check(builder: Builder, expected: &str) {
    assert_eq!(outcome(&builder.tgz()), expected);
}

fn one(path: &str) -> Builder {
    Builder::new().file(path, "x")
}

#[test]
fn the_first_component_is_dropped() {
    check(one("package/a"), "a=x");
    check(one("anything/a/b"), "a/b=x");
    check(one("a"), "");
    check(one("./package/a"), "package/a=x");
}

#[test]
fn paths_are_made_plain() {
    check(one("package/./a//b/./c"), "a/b/c=x");
    check(one("package/a.."), "a..=x");
    check(one("package/"), "");
    check(one("package/./"), "");
}

#[test]
fn no_path_leaves_the_package() {
    check(one("package/../a"), "");
    check(one("package/../../etc/passwd"), "");
    check(one("package/a/../b"), "");
    check(one("../a"), "a=x");
    check(one("/etc/passwd"), "etc/passwd=x");
    check(one("//etc/passwd"), "etc/passwd=x");
    check(one("package/..\\..\\a"), "..\\..\\a=x");
    check(one("C:\\a/b"), "b=x");
    check(Builder::new().pax(&[("path", "package/../../a")]).file("package/b", "x"), "");
    check(Builder::new().gnu_long_path("package/../../a").file("package/b", "x"), "");
}

#[test]
fn programs_for_other_packages_are_passed_over() {
    check(one("package/node_modules/.bin/node"), "");
    check(one("package/node_modules/a/node_modules//.bin/./node"), "");
    check(one("package/.bin/node"), ".bin/node=x");
    check(one("package/node_modules/a/.bin/x"), "node_modules/a/.bin/x=x");
}

#[test]
fn repositories_are_passed_over() {
    for path in
        [".git/config", ".git", "a/.git/HEAD", "a/.Git", "node_modules/a/.git/config", "./a//.git/./x"]
    {
        check(one(&format!("package/{path}")), "");
    }
    check(one("package/.gitignore"), ".gitignore=x");
    check(one("package/a.git/config"), "a.git/config=x");
}

#[test]
fn names_that_are_not_text_are_passed_over() {
    let entry = Entry { path: b"package/\xe4\xf6", body: b"x", ..Entry::default() };
    check(Builder::new().entry(&entry).file("package/b", "y"), "b=y");
    check(one("package/ä ☃"), "ä ☃=x");
}

#[test]
fn links_devices_and_dirs_are_passed_over() {
    for kind in *b"123456" {
        check(Builder::new().special(kind, "package/l", "/etc").file("package/a", "x"), "a=x");
    }
    check(Builder::new().special(b'2', "package/l", "/tmp").file("package/l/a", "x"), "l/a=x");
    check(Builder::new().directory("package/empty/").file("package/a", "x"), "a=x");
    let old_dir = Entry { path: b"package/d/", kind: 0, ..Entry::default() };
    check(Builder::new().entry(&old_dir).file("package/d/a", "x"), "d/a=x");
}

#[test]
fn old_and_contiguous_files_count() {
    for kind in [0, b'0', b'7'] {
        check(Builder::new().entry(&Entry { kind, body: b"x", ..Entry::default() }), "a=x");
    }
}

#[test]
fn the_last_of_two_entries_wins() {
    check(one("package/a").file("package/b", "").file("package/a", "2"), "a=2 b=");
    check(one("package/a").file("other/a", "2").file("package/./a", "3"), "a=3");
    check(one("package/A").file("package/a", "2"), "A=x a=2");
}

#[test]
fn a_path_is_a_file_or_a_dir() {
    check(one("package/a").file("package/a/b", ""), "tarball-conflict");
    check(one("package/a/b/c").file("package/a-b", "").file("package/a", ""), "tarball-conflict");
    check(one("package/a-b/c").file("package/a", ""), "a= a-b/c=x");
}

#[test]
fn long_names_are_read_in_every_format() {
    let long = format!("package/{}", "d/".repeat(60)) + "a";
    let expected = format!("{}=x", &long["package/".len()..]);
    check(one(&long), &expected);
    check(Builder::new().gnu_long_path(&long).file("package/short", "x"), &expected);
    check(
        Builder::new().gnu_long_path(&long).file("package/a", "x").file("package/b", ""),
        &format!("b= {expected}"),
    );
    check(
        Builder::new()
            .pax(&[("path", "package/p"), ("mtime", "1.5"), ("linkpath", "q")])
            .file("package/a", "x"),
        "p=x",
    );
    // A header for the whole archive stands between.
    let global = Entry {
        path: b"pax_global_header",
        kind: b'g',
        body: b"52 comment=0123456789012345678901234567890123456789\n",
        ..Entry::default()
    };
    check(Builder::new().entry(&global).file("package/a", "x"), "a=x");
}

#[test]
fn sizes_are_read_in_every_format() {
    let entry = Entry { body: b"xyz", ..Entry::default() };
    check(Builder::new().entry_with_size_field(&entry, b"          3 "), "a=xyz");
    check(Builder::new().entry_with_size_field(&entry, b"\x80\0\0\0\0\0\0\0\0\0\0\x03"), "a=xyz");
    check(Builder::new().pax(&[("size", "2")]).entry(&entry), "a=xy");
}

#[test]
fn sizes_that_lie_are_refused() {
    let entry = Entry { body: b"xyz", ..Entry::default() };
    check(Builder::new().entry_with_size_field(&entry, b"77777777777\0"), "tarball-truncated");
    check(
        Builder::new().entry_with_size_field(&entry, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        "tarball-header",
    );
    check(
        Builder::new().entry_with_size_field(&entry, b"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"),
        "tarball-truncated",
    );
    check(Builder::new().entry_with_size_field(&entry, b"0000000000x\0"), "tarball-header");
    check(Builder::new().entry_with_size_field(&entry, b"00000000009\0"), "tarball-header");
    check(Builder::new().pax(&[("size", "-1")]).entry(&entry), "tarball-header");
    check(Builder::new().pax(&[("size", "18446744073709551615")]).entry(&entry), "tarball-truncated");
    let small = Entry { claimed_bytes: Some(1), body: &[b'x'; 600], ..Entry::default() };
    check(Builder::new().entry(&small), "tarball-header");
}

#[test]
fn damaged_headers_are_refused() {
    check(Builder::new().bytes(&[b'x'; 512]), "tarball-header");
    let pax = |body: &[u8]| {
        Builder::new().entry(&Entry { kind: b'x', body, ..Entry::default() }).file("package/a", "")
    };
    for body in [
        &b"9 path=a"[..],
        b"99 path=a\n",
        b"x path=a\n",
        b"0 a=b\n",
        b"3 \n",
        b"7 patha\n",
        b"99999999999999999999999 a=b\n",
    ] {
        check(pax(body), "tarball-header");
    }
    check(pax(b"25 GNU.sparse.major=1\n\0\0\0"), "tarball-header");
    check(pax(b"22 path=package/p\0q/r\n"), "tarball-path");
}

#[test]
fn what_tars_disagree_on_is_refused() {
    for kind in *b"12346S" {
        let entry = Entry { kind, body: b"hidden", ..Entry::default() };
        check(Builder::new().entry(&entry), "tarball-entry");
    }
}

#[test]
fn two_empty_blocks_end_the_archive() {
    let end = [0; 512];
    check(one("package/a").bytes(&end).file("package/b", ""), "a=x b=");
    check(one("package/a").bytes(&end).bytes(&end).file("package/b", ""), "a=x");
    check(one("package/a").bytes(&end).bytes(&end).bytes(b"garbage"), "a=x");
    assert_eq!(outcome(&gzip(&one("package/a").tar_without_end())), "a=x");
}

#[test]
fn truncated_archives_are_refused() {
    let tar = one("package/a").file("package/b", vec![b'y'; 1000]).tar_without_end();
    for length in [1100, 1600, 2000] {
        assert_eq!(outcome(&gzip(&tar[..length])), "tarball-truncated", "{length}");
    }
    let tgz = gzip(&tar);
    for length in [2, 10, 20, tgz.len() - 9, tgz.len() - 1] {
        assert_eq!(outcome(&tgz[..length]), "tarball-damaged", "{length}");
    }
}

#[test]
fn a_tar_without_gzip_is_taken() {
    assert_eq!(outcome(&one("package/a").tar()), "a=x");
    assert_eq!(outcome(b""), "");
    assert_eq!(outcome(b"<html>"), "tarball-truncated");
}

#[test]
fn gzip_members_are_one_stream() {
    let tar = one("package/a").file("package/b", "y").tar();
    for cut in [0, 512, 700, tar.len()] {
        assert_eq!(outcome(&[gzip(&tar[..cut]), gzip(&tar[cut..])].concat()), "a=x b=y", "{cut}");
    }
    let many: Vec<u8> = tar.chunks(100).flat_map(gzip).collect();
    assert_eq!(outcome(&many), "tarball-too-large");
}

#[test]
fn nothing_but_zeros_may_follow_gzip() {
    let tgz = one("package/a").tgz();
    for (trailing, expected) in [
        (&b"\0"[..], "a=x"),
        (&[0; 2048], "a=x"),
        (b"garbage", "tarball-damaged"),
        (b"\x1f\x8b\x08", "tarball-damaged"),
        (b"\0\0\x01", "tarball-damaged"),
    ] {
        assert_eq!(outcome(&[&tgz, trailing].concat()), expected, "{trailing:?}");
    }
}

#[test]
fn a_trailer_that_lies_about_the_length_is_refused() {
    let tgz = one("package/a").tgz();
    for claimed in [0, 1, 1 << 20, u32::MAX] {
        let mut lying = tgz.clone();
        let at = lying.len() - 4;
        lying[at..].copy_from_slice(&claimed.to_le_bytes());
        assert_eq!(outcome(&lying), "tarball-damaged", "{claimed}");
    }
}

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let zeros = vec![0; 65 << 20];
    let bomb = gzip(&zeros);
    assert!(bomb.len() < 400_000);
    assert_eq!(outcome(&bomb), "tarball-too-large");
}

#[test]
fn files_dirs_and_paths_are_bounded() {
    check(one(&format!("package/{}a", "d/".repeat(DEPTH_MAX))), "tarball-path");
    check(one(&format!("package/{}", "n".repeat(256))), "tarball-path");
    check(one(&format!("package/{}a", format!("{}/", "n".repeat(200)).repeat(11))), "tarball-path");
}

#[test]
fn modes_keep_the_executable_bits_alone() {
    for (written, kept) in [
        (0o644, 0o666),
        (0o755, 0o777),
        (0, 0o666),
        (0o400, 0o666),
        (0o4755, 0o777),
        (0o700, 0o766),
        (0o10, 0o676),
    ] {
        let tar = Builder::new().file_with_mode("package/a", "", written).tar();
        assert_eq!(read_files(&tar).expect("read")[0].mode, kept, "{written:o}");
    }
}

#[test]
fn dirs_come_once_and_parents_first() {
    for (paths, expected) in [
        (&["b/c/d", "a/x", "b-c/e", "b/f"][..], &["a", "b", "b-c", "b/c"][..]),
        (&["a/b/x", "a/b.c/x", "a/b/y/z", "a/c", "a.b/x"], &["a", "a.b", "a/b", "a/b.c", "a/b/y"]),
        (&["x", "y"], &[]),
    ] {
        let named = |builder: Builder, path: &&str| builder.file(&format!("package/{path}"), "");
        let tar = paths.iter().fold(Builder::new(), named).tar();
        let files = read_files(&tar).expect("read");
        assert_eq!(dirs_of(&files).expect("directories"), expected);
    }
}

#[test]
fn no_mutation_of_a_tarball_panics() {
    let tar = one("package/a").pax(&[("path", "package/p"), ("size", "1")]).file("package/q", "y").tar();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    for _ in 0..3000 {
        let mut mutated = tar.clone();
        for _ in 0..=next() % 4 {
            let at = next() % mutated.len();
            mutated[at] = next() as u8;
        }
        // Most changes break a checksum; mend them, to get past it.
        for block in mutated.as_chunks_mut::<512>().0 {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
            block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
        outcome(&mutated[..next() % (mutated.len() + 1)]);
        let mut tgz = gzip(&tar);
        let at = next() % tgz.len();
        tgz[at] = next() as u8;
        outcome(&tgz);
    }
}
