//! Layers over each other: their result, and that nothing leaves the root.

use std::os::unix::fs::{MetadataExt, symlink};

use rusk_testkit::project::{Project, tree};
use rusk_testkit::tarball::Builder;

use super::*;

/// The beginning of a zstd frame.
pub const ZSTD_FRAME: &[u8] = ZSTD;

/// The tree of a directory, with the content of its files.
pub fn listed(directory: &Path) -> Vec<String> {
    let line = |line: String| {
        let path = line.trim_end_matches(" *");
        match std::fs::symlink_metadata(directory.join(path)) {
            Ok(found) if found.is_file() => {
                format!("{path} {}", std::fs::read_to_string(directory.join(path)).unwrap_or_default())
            }
            _ => line,
        }
    };
    tree(directory).into_iter().map(line).collect()
}

/// Unpacks layers; returns the resulting tree.
fn unpack(project: &Project, layers: &[Vec<u8>]) -> Result<Vec<String>> {
    let root = project.path().join("root");
    std::fs::create_dir_all(&root).expect("a folder");
    let directory = sys::open_directory(sys::CWD, &root).expect("a folder");
    let mut unpacking = LayerUnpacker::new(directory.as_fd(), Owners::Current);
    for (number, layer) in layers.iter().enumerate() {
        let path = format!("layer{number}");
        project.write(&path, layer);
        let file = std::fs::File::open(project.path().join(path)).expect("a file");
        unpacking.apply(Blob { file, bytes: layer.len() as u64 }, &Digest::of(layer))?;
    }
    Ok(listed(&root))
}

fn check(layers: &[Builder], expected: &[&str]) {
    let project = Project::new();
    let layers: Vec<Vec<u8>> = layers.iter().map(|layer| layer.clone().tgz()).collect();
    let found = unpack(&project, &layers).expect("layers");
    assert_eq!(found, expected);
}

fn layer() -> Builder {
    Builder::new()
}

#[test]
fn later_layers_replace_what_earlier_ones_have() {
    check(&[layer().file("a", "1").file("d/b", "2"), layer().file("a", "3")], &["a 3", "d/b 2"]);
    let within_a_file = [layer().file("a", "1").tgz(), layer().file("a/b", "2").tgz()];
    assert!(unpack(&Project::new(), &within_a_file).is_err());
}

#[test]
fn files_and_directories_replace_each_other() {
    check(&[layer().file("a/b", "1"), layer().file("a", "2")], &["a 2"]);
    check(&[layer().file("a", "1"), layer().directory("a").file("a/b", "2")], &["a/b 2"]);
    check(
        &[layer().special(b'2', "a", "b").file("b/x", ""), layer().directory("a").file("a/c", "")],
        &["a/c ", "b/x "],
    );
}

#[test]
fn whiteouts_remove_entries_of_lower_layers() {
    let low = || layer().file("a/b", "1").file("a/c/d", "2").file("e", "3");
    check(&[low(), layer().file("a/.wh.b", "").file(".wh.e", "")], &["a/c/d 2"]);
    check(&[low(), layer().file("a/.wh.c", "")], &["a/b 1", "e 3"]);
    check(
        &[low(), layer().file("none/.wh.x", "").file("a/.wh.none", "").file(".wh..wh.plnk", "")],
        &["a/b 1", "a/c/d 2", "e 3"],
    );
    // Entries of the same layer stay, in any order.
    check(
        &[low(), layer().file("a/new", "4").file("a/.wh..wh..opq", "").file("a/more", "5")],
        &["a/more 5", "a/new 4", "e 3"],
    );
    check(
        &[low(), layer().directory("a/c").file("a/c/x", "4").file("a/.wh..wh..opq", "")],
        &["a/c/x 4", "e 3"],
    );
}

#[test]
fn links_are_resolved_within_the_root() {
    let hard = layer().file("a", "1").special(b'1', "d/b", "./a").special(b'1', "a", "a");
    check(&[hard], &["a 1", "d/b 1"]);
    check(
        &[layer().special(b'2', "lib", "usr/lib"), layer().directory("usr/lib").file("lib/x", "1")],
        &["lib -> usr/lib", "usr/lib/x 1"],
    );
    let project = Project::new();
    project.write("outside/kept", "kept");
    let outside = project.path().join("outside");
    let up = "../../../../../../../../../../../..";
    let absolute = outside.to_str().expect("UTF-8");
    for target in [absolute, &format!("{up}{absolute}"), up] {
        let hostile = [
            layer().special(b'2', "way", target).directory(absolute.trim_start_matches('/')).tgz(),
            layer()
                .file("way/made", "x")
                .file("way/.wh.kept", "")
                .file("way/.wh..wh..opq", "")
                .directory("way/dir")
                .tgz(),
            layer().special(b'1', "stolen", "way/kept").tgz(),
            layer().special(b'2', "way/link", "/").file("way/link/made", "x").tgz(),
        ];
        // Whether it is done inside or refused, nothing happens outside.
        for count in 1..=hostile.len() {
            let _ = unpack(&project, &hostile[..count]);
            assert_eq!(listed(&outside), ["kept kept"], "{target}");
            std::fs::remove_dir_all(project.path().join("root")).expect("the root");
        }
    }
}

#[test]
fn paths_that_leave_the_root_are_refused() {
    for path in ["../x", "a/../../x", "a/..", "..", "a/.wh...", "a/.wh.."] {
        let project = Project::new();
        let refused = unpack(&project, &[layer().directory("a").file(path, "x").tgz()]).expect_err(path);
        assert_eq!(refused.code(), "bad-image", "{path}: {refused}");
    }
    let long = "n".repeat(256);
    assert!(unpack(&Project::new(), &[layer().file(&long, "").tgz()]).is_err());
    check(&[layer().file("/a//./b", "1")], &["a/b 1"]);
}

#[test]
fn privileged_entries_are_skipped_without_privileges() {
    let project = Project::new();
    let special = layer().special(b'3', "dev/null", "").special(b'4', "disk", "").special(b'6', "pipe", "");
    let found = unpack(&project, &[special.file_with_mode("su", "x", 0o6755).tgz()]).expect("a layer");
    assert_eq!(found, ["su x"]);
    let found = std::fs::metadata(project.path().join("root/su")).expect("a file");
    assert_eq!(found.mode() & 0o7777, 0o755);
    assert_eq!(found.mtime(), 0o3560116604);
}

#[test]
fn long_names_of_both_formats_are_complete() {
    let long = format!("{}/{}", "d".repeat(120), "f".repeat(120));
    let target = format!("/{}", "t".repeat(180));
    let made =
        layer().gnu_long_path(&long).file("x", "1").pax(&[("linkpath", &target)]).special(b'2', "l", "cut");
    check(&[made], &[&format!("{long} 1"), &format!("l -> {target}")]);
}

#[test]
fn links_of_an_existing_root_stay_inside() {
    // As if another process had unpacked a layer: links of the root are followed inside it
    // only.
    let project = Project::new();
    project.write("outside/kept", "kept");
    std::fs::create_dir(project.path().join("root")).expect("a folder");
    symlink(project.path().join("outside"), project.path().join("root/way")).expect("a link");
    let _ = unpack(&project, &[layer().file("way/made", "x").tgz()]);
    assert_eq!(listed(&project.path().join("outside")), ["kept kept"]);
}
