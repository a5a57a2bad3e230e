//! Kills a process that unpacks and prunes images, at random moments. All images in the cache must
//! then be complete, and the next process must succeed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rusk_sysroot::image::{provide, prune};
use rusk_testkit::image::Image;
use rusk_testkit::project::{Project, tree};
use rusk_testkit::tarball::Builder;

/// Set for the process to kill: the directory with image and cache.
const FOLDER_VARIABLE: &str = "RUSK_KILL_TEST_IMAGE";
const KILLS: u64 = 12;
const FILES: usize = 120;

fn image() -> Image {
    let layer = |number: usize| {
        let name = |file: usize| format!("d{}/f{file}", file % 7);
        (0..FILES)
            .fold(Builder::new(), |tar, file| tar.file(&name(file), number.to_string().repeat(900)))
            .tgz()
    };
    (0..3).fold(Image::new(""), |image, number| image.layer(layer(number)))
}

/// Not a test of its own: what [`a_killed_process_leaves_whole_images`] starts and kills. A line a
/// change.
#[test]
fn unpack_and_prune_until_killed() {
    let Some(directory) = std::env::var_os(FOLDER_VARIABLE) else { return };
    let directory = Path::new(&directory);
    let (source, cache) = (directory.join("image.tar"), directory.join("cache"));
    loop {
        std::fs::copy(directory.join("kept.tar"), &source).expect("copied");
        println!("\nunpack");
        provide(&source, &cache, &mut |_| {}).expect("unpacked");
        std::fs::remove_file(&source).expect("removed");
        println!("\nprune");
        prune(&cache, &mut |_| {}).expect("pruned");
    }
}

/// Starts a process and kills it some time after it began its change number `changes`.
fn kill_after(directory: &Path, changes: usize, delay: Duration) {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "unpack_and_prune_until_killed", "--nocapture"])
        .env(FOLDER_VARIABLE, directory)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut begun = lines.filter(|line| matches!(line.as_deref(), Ok("unpack" | "prune")));
    assert!(begun.nth(changes).is_some(), "it ended by itself");
    std::thread::sleep(delay);
    child.kill().expect("killed");
    child.wait().expect("ended");
}

#[test]
fn a_killed_process_leaves_whole_images() {
    let project = Project::new();
    let directory = project.path();
    std::fs::write(directory.join("kept.tar"), image().tar()).expect("written");
    for round in 0..KILLS {
        kill_after(&directory, (round % 4) as usize, Duration::from_micros(round * 700));
        for image in shown(&directory) {
            assert_eq!(
                tree(&directory.join("cache/roots").join(&image).join("root")).len(),
                FILES,
                "{image}"
            );
        }
    }
    std::fs::copy(directory.join("kept.tar"), directory.join("image.tar")).expect("copied");
    let image =
        provide(&directory.join("image.tar"), &directory.join("cache"), &mut |_| {}).expect("unpacked");
    assert_eq!(tree(&image.root).len(), FILES);
    std::fs::remove_file(directory.join("image.tar")).expect("removed");
    prune(&directory.join("cache"), &mut |_| {}).expect("pruned");
    assert_eq!(shown(&directory), [""; 0]);
    assert!(!directory.join("cache/roots/.staging").exists(), "debris is gone");
}

/// The images in the cache.
fn shown(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory.join("cache/roots")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| !name.starts_with('.')).collect()
}
