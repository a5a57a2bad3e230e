//! Tests of versions and fields of a packument.

use super::*;

const TEXT: &str = r#"{
  "name": "left", "dist-tags": { "latest": "1.2.0", "next": "2.0.0-rc.1" },
  "time": { "1.2.0": "2020-01-01T00:00:00.000Z" },
  "maintainers": [ { "name": "ann" } ],
  "versions": {
    "1.10.0": { "version": "1.10.0" },
    "1.2.0": { "version": "1.2.0", "license": "MIT", "dependencies": { "lodash.merge": "^4" },
      "maintainers": [], "note": "a \" b  c" },
    "2.0.0-rc.1": { "version": "2.0.0-rc.1" }
  }
}"#;

fn check_version(wanted: &str, expected: Option<&str>) {
    let document = RegistryDocument::parse(TEXT).unwrap();
    let found = document.find_version(wanted);
    assert_eq!(found.and_then(|node| node.find("version")?.as_str()), expected, "{wanted}");
}

#[test]
fn a_key_in_brackets_may_have_dots() {
    check_field("time[1.2.0]", Some("\"2020-01-01T00:00:00.000Z\""));
    check_field("dependencies[lodash.merge]", Some("\"^4\""));
    check_field("maintainers[0]", Some("{\"name\":\"ann\"}"));
}

#[test]
fn versions_are_found_as_an_install_would_choose() {
    check_version("latest", Some("1.2.0"));
    check_version("next", Some("2.0.0-rc.1"));
    check_version("^1", Some("1.2.0"));
    check_version(">1.2.0", Some("1.10.0"));
    check_version("1.10.0", Some("1.10.0"));
    check_version("^9", None);
    check_version("nightly", None);
}

fn check_field(path: &str, expected: Option<&str>) {
    let document = RegistryDocument::parse(TEXT).unwrap();
    let release = document.find_version("latest").unwrap();
    assert_eq!(document.field(release, path).as_deref(), expected, "{path}");
}

#[test]
fn fields_are_found_by_their_paths() {
    check_field("license", Some("\"MIT\""));
    check_field("dist-tags.next", Some("\"2.0.0-rc.1\""));
    check_field("dependencies.lodash.merge", Some("\"^4\""));
    check_field("maintainers[0].name", Some("\"ann\""));
    check_field("maintainers[0]name", Some("\"ann\""));
    check_field("maintainers[1]", None);
    check_field("time.1.2.0", Some("\"2020-01-01T00:00:00.000Z\""));
    check_field("versions", Some(r#"["1.2.0","1.10.0","2.0.0-rc.1"]"#));
    check_field("note", Some(r#""a \" b  c""#));
    check_field("nothing.here", None);
    check_field("[", None);
}

#[test]
fn a_merged_version_has_the_fields_of_the_package() {
    let document = RegistryDocument::parse(TEXT).unwrap();
    let release = document.find_version("1.10.0").unwrap();
    assert_eq!(
        document.merged(release),
        r#"{"version":"1.10.0","dist-tags":{"latest":"1.2.0","next":"2.0.0-rc.1"},"versions":["1.2.0","1.10.0","2.0.0-rc.1"],"time":{"1.2.0":"2020-01-01T00:00:00.000Z"},"maintainers":[{"name":"ann"}]}"#
    );
}
