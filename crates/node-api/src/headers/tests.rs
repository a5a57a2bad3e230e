//! Tests of `headers`.

use super::*;

const SETTINGS: HeaderSettings<'_> = HeaderSettings { node_version: "25.9.0", config: "{}" };

fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("rusk-headers-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    directory
}

#[test]
fn the_layout_is_that_of_an_installation() {
    let directory = directory("layout");
    let top = provide(&directory, SETTINGS).expect("they are written");
    let read = |name: &str| std::fs::read_to_string(top.join("include/node").join(name)).expect(name);
    assert!(read("node_version.h").contains("#define NODE_MAJOR_VERSION 25\n#define NODE_MINOR_VERSION 9\n"));
    assert!(read("node_api.h").contains("napi_create_threadsafe_function"));
    assert!(read("common.gypi").contains("'target_defaults'"));
    assert_eq!(read("config.gypi"), "# Settings of this program.\n{}\n");
    assert!(read("v8.h").contains("#error"));
    std::fs::remove_dir_all(directory).expect("it is there");
}

#[test]
fn files_that_are_there_are_not_written_again() {
    let directory = directory("again");
    let top = provide(&directory, SETTINGS).expect("they are written");
    let header = top.join("include/node/node_api.h");
    std::fs::write(&header, "marked").expect("it is there");
    assert_eq!(provide(&directory, SETTINGS).expect("they are there"), top);
    assert_eq!(std::fs::read_to_string(header).expect("it is there"), "marked");
    let other = HeaderSettings { node_version: "26.0.0", ..SETTINGS };
    assert_ne!(provide(&directory, other).expect("they are written"), top);
    std::fs::remove_dir_all(directory).expect("it is there");
}
