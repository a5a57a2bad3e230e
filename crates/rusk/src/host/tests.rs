//! The machine as it is found.

use super::*;

#[test]
fn the_project_is_the_nearest_folder_with_a_manifest() {
    let root = env::temp_dir().join(format!("rusk-host-{}", std::process::id()));
    let inner = root.join("src/deep");
    fs::create_dir_all(&inner).unwrap();
    fs::create_dir(root.join("src/package.json")).unwrap();
    assert_ne!(find_project(&inner), Some(root.as_path()));
    fs::write(root.join("package.json"), "{}").unwrap();
    assert_eq!(find_project(&inner), Some(root.as_path()));
    assert_eq!(find_project(&root), Some(root.as_path()));
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_host_is_filled() {
    let environment = BTreeMap::from([("HOME".to_owned(), "relative".to_owned())]);
    let host = host(PathBuf::from("/"), environment);
    assert!((host.processors)() >= 1);
    assert!(host.now_s > 1_700_000_000);
    assert_eq!(host.home_dir, None);
    assert!(host.user_agent.starts_with("rusk/"));
}

#[test]
fn no_node_is_no_version() {
    let path = |path: &str| BTreeMap::from([("PATH".to_owned(), path.to_owned())]);
    assert_eq!(node_version(&BTreeMap::new()), None);
    assert_eq!(node_version(&path("/nowhere")), None);
    assert_eq!(node_version(&path("")), None);
}

#[test]
fn an_answer_must_come_from_a_program_that_ends_well() {
    let answer = |script: &str| answer_of(Command::new("/bin/sh").args(["-c", script]), NODE_WAIT_MAX);
    assert_eq!(answer("echo v20.1.0").as_deref(), Some("v20.1.0\n"));
    assert_eq!(answer("echo v20.1.0; exit 1"), None);
}

#[test]
fn a_program_that_does_not_answer_is_ended() {
    let started = Instant::now();
    let answer = answer_of(Command::new("/bin/sleep").arg("60"), Duration::from_millis(20));
    assert_eq!(answer, None);
    assert!(started.elapsed() < Duration::from_secs(30));
}
