//! A process that adds packages is killed, over and over, wherever it happens to be. What the store
//! shows afterwards is whole, and the next process gets its work done.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use rusk_store::{Expected, Key, Package, Store};
use rusk_testkit::project::Project;
use rusk_testkit::tarball::Builder;

/// Set for the process that is to be killed: the store's path.
const STORE_VARIABLE: &str = "RUSK_KILL_TEST_STORE";
const KILLS: usize = 12;
const PACKAGES: usize = 6;

fn key(at: usize) -> Key {
    Key::new("left", &format!("{at}.0.0"), "")
}

fn tarball(at: usize) -> Vec<u8> {
    let start = Builder::package("left", &format!("{at}.0.0"));
    let body = vec![b'x'; 3000];
    (0..40).fold(start, |builder, file| builder.file(&format!("package/d{}/f{file}", file % 7), &body)).tgz()
}

fn add(store: &Store, at: usize) -> Package {
    store.add(&key(at), &tarball(at), &Expected::default()).expect("added")
}

/// Not a test of its own: what [`a_killed_process_leaves_a_whole_store`] starts and kills. A line a
/// change.
#[test]
fn add_and_remove_until_killed() {
    let Some(root) = std::env::var_os(STORE_VARIABLE) else { return };
    loop {
        let store = Store::open(Path::new(&root)).expect("opened");
        for at in 0..PACKAGES {
            println!("\nadd");
            add(&store, at);
        }
        for at in 0..PACKAGES {
            println!("\nremove");
            store.remove(&key(at)).expect("removed");
        }
    }
}

/// Starts a process on the store and kills it some time after it began its change number `changes`.
fn kill_after(root: &Path, changes: usize, delay: Duration) {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "add_and_remove_until_killed", "--nocapture"])
        .env(STORE_VARIABLE, root)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut begun = lines.filter(|line| matches!(line.as_deref(), Ok("add" | "remove")));
    assert!(begun.nth(changes).is_some(), "it ended by itself");
    std::thread::sleep(delay);
    child.kill().expect("killed");
    child.wait().expect("ended");
}

#[test]
fn a_killed_process_leaves_a_whole_store() {
    let project = Project::new();
    let root = project.path().join("store");
    for round in 0..KILLS {
        // Each kill finds it at another change, and elsewhere in it.
        kill_after(&root, round * 5 % (2 * PACKAGES), Duration::from_micros(round as u64 * 97));
        check_whole(&root);
    }
    let store = Store::open(&root).expect("opened");
    for at in 0..PACKAGES {
        add(&store, at);
    }
    drop(store);
    assert_eq!(check_whole(&root), PACKAGES);
    check_debris_is_swept(&root);
}

/// Checks every package that the store shows; their number.
fn check_whole(root: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(root) else { return 0 };
    let names = entries.map(|entry| entry.expect("read").file_name().to_string_lossy().into_owned());
    let shown: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    let store = Store::open(root).expect("opened");
    for dir in &shown {
        let key = (0..PACKAGES).map(key).find(|key| key.dir_name() == dir).expect("a known key");
        let package = store.find(&key).expect("looked").expect("an index that adds up");
        let listing = package.index.listing().expect("its paths are plain");
        assert_eq!(listing.files().count(), 41);
        for file in listing.files() {
            let found = std::fs::metadata(store.find_file(&package, file.path).expect("a file of it"))
                .expect("there");
            assert_eq!(found.len(), u64::from(file.bytes), "{}", file.path);
        }
    }
    shown.len()
}

fn check_debris_is_swept(root: &Path) {
    let sessions =
        || std::fs::read_dir(root.join(".staging")).expect("listed").map(|entry| entry.expect("read").path());
    assert!(sessions().count() > 1, "kills leave their sessions");
    for session in sessions() {
        let past = SystemTime::now() - Duration::from_secs(2 * 3600);
        std::fs::File::open(session).expect("opened").set_modified(past).expect("set");
    }
    Store::open(root).expect("opened").sweep().expect("swept");
    assert_eq!(sessions().count(), 0);
}
