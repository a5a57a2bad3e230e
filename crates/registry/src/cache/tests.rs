//! Packuments of one registry are not taken for those of another one.

use rusk_npm::packument::{Source, encode};
use rusk_testkit::project::Project;

use super::*;

const GENUINE: &str = "http://registry.test/";

/// The 64-bit FNV-1a hash of this URL is that of `GENUINE`.
const COLLIDING: &str = concat!(
    "http://mirror.test/hLRARz8vtAEyJz9T4MmYvH22koB2BUyuDyEsouJUselscp83yBzgEL6ABh0pxyb5TLwk78",
    "DBjTOj_FcmlUT_BuGK2aBybJr1IqY6HMNXOqxmNJUI3St4tAAU7DJ1GX4Gt_P4MOfkf3QTZAp5b0dILg2UQANSV-",
    "x1Kfo8TRBzLKH0MTLFIJDVinzojk0z1W7q/",
);

fn left() -> PackageName {
    PackageName::parse("left").expect("it is a name")
}

fn bytes() -> Vec<u8> {
    let source = Source { name: "left", etag: "", fetched_s: 1, fresh_until_s: 2 };
    encode(r#"{"dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{}}}"#, &source).expect("it is JSON")
}

#[test]
fn a_chosen_url_of_a_registry_leads_to_no_other_ones_packuments() {
    let project = Project::new();
    let cache = Cache::new(project.path().join("packuments"), None);
    cache.write(COLLIDING, &left(), &bytes());
    assert!(cache.find(COLLIDING, &left()).is_some());
    assert!(cache.find(GENUINE, &left()).is_none());
    assert!(Cache::new(project.path().join("packuments"), None).find(GENUINE, &left()).is_none());
}

#[test]
fn partitions_are_apart() {
    let project = Project::new();
    let cache =
        |partition: Option<&str>| Cache::new(project.path().join("packuments"), partition.map(str::to_owned));
    cache(Some("one")).write(GENUINE, &left(), &bytes());
    assert!(cache(Some("one")).find(GENUINE, &left()).is_some());
    assert!(cache(Some("two")).find(GENUINE, &left()).is_none());
    assert!(cache(None).find(GENUINE, &left()).is_none());
    cache(None).write(GENUINE, &left(), &bytes());
    assert!(cache(None).find(GENUINE, &left()).is_some());
    assert!(cache(Some("two")).find(GENUINE, &left()).is_none());
}

#[test]
fn a_directory_of_an_earlier_version_is_not_read() {
    let project = Project::new();
    let dir = project.path().join("packuments");
    let earlier = dir.join("cf7850d7afe92453");
    std::fs::create_dir_all(&earlier).expect("it is created");
    std::fs::write(earlier.join("left.packument"), bytes()).expect("it is written");
    assert!(Cache::new(dir, None).find(GENUINE, &left()).is_none());
}
