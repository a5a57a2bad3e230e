//! bun.lockb: files that bun wrote, read as bun's text says; damaged files are errors.

use super::*;

const V2: &[u8] = include_bytes!("../../../../../fixtures/binary-lockfiles/bun-1.1.lockb");
const V3: &[u8] = include_bytes!("../../../../../fixtures/binary-lockfiles/bun-1.4.lockb");

/// Each dependency of a package and the package that it is bound to.
fn edges(file: &BinaryLockfile, package: &str) -> Vec<String> {
    let graph = &file.lockfile.graph;
    let id = graph.package_ids().find(|id| graph.label(*id) == package).expect("it is in the file");
    let edge = |id| {
        let dependency = graph.dependency(id);
        let bound = graph.binding(id).map_or("nothing".to_owned(), |bound| graph.label(bound));
        format!("{:?} {}@{} {bound}", dependency.role, graph.name(dependency.name), dependency.literal)
    };
    graph.dependencies_of(id).map(edge).collect()
}

fn code(bytes: &[u8]) -> String {
    read(bytes).expect_err("it is damaged").code().to_owned()
}

/// The file with another number at an offset.
fn with_u32(at: usize, number: u32) -> Vec<u8> {
    let mut bytes = V2.to_vec();
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    bytes
}

#[test]
fn every_dependency_is_bound_to_its_package() {
    let file = read(V2).expect("bun wrote it");
    assert_eq!(
        edges(&file, "app@root:"),
        [
            "Workspace @app/a@packages/a @app/a@workspace:packages/a",
            "Workspace b@packages/b b@workspace:packages/b",
            "Development tool@1.0.0 tool@1.0.0",
            "Optional native@* native@1.0.0",
            "Production left@^1.0.0 left@1.2.0",
            "Production right@^2.0.0 right@2.0.0",
            "Production sinister@npm:left@1.0.0 left@1.0.0",
            "Production ui@1.0.0 ui@1.0.0",
        ]
    );
    assert_eq!(edges(&file, "right@2.0.0"), ["Production left@^2.0.0 left@2.1.0"]);
    assert_eq!(edges(&file, "ui@1.0.0"), ["Peer left@^1.2.0 left@1.2.0", "OptionalPeer right@* nothing"]);
    assert_eq!(edges(&file, "@scope/box@1.0.0"), ["Production @scope/lid@1.x @scope/lid@1.0.0"]);
}

#[test]
fn both_versions_have_the_rules_of_package_json() {
    let texts = |names: &[&str]| names.iter().map(|name| Text::from(*name)).collect::<Vec<_>>();
    for (bytes, config) in [(V2, ConfigVersion::V0), (V3, ConfigVersion::V1)] {
        let Lockfile { rules, config_version, .. } = read(bytes).expect("bun wrote it").lockfile;
        assert_eq!(config_version, config);
        assert_eq!(rules.trusted, Some(texts(&["scripted"])));
        let [rule] = rules.overrides.rules.as_slice() else { panic!("{:?}", rules.overrides) };
        assert_eq!((rule.target.name.as_str(), rule.literal.as_str()), ("@scope/lid", "1.0.0"));
    }
    let rules = read(V3).expect("bun wrote it").lockfile.rules;
    assert_eq!(rules.catalog, [("right".into(), "^2.0.0".into())]);
    assert_eq!(rules.catalogs, [("old".into(), vec![("ui".into(), "1.0.0".into())])]);
}

#[test]
fn every_shortened_file_is_refused() {
    // Padding follows.
    const END_AT: usize = HEADER.len() + 4 + META_HASH_BYTES;
    let end = cursor::u64_at(V2, END_AT) as usize;
    assert!(end > END_AT && read(&V2[..end]).is_ok());
    for length in 0..end {
        let problem = read(&V2[..length]).expect_err("the rest is missing");
        assert_eq!(problem.code(), "lockfile-syntax", "at {length}");
    }
}

#[test]
fn what_is_not_the_format_is_refused() {
    const VERSION_AT: usize = HEADER.len();
    const COUNT_AT: usize = VERSION_AT + 4 + META_HASH_BYTES + 8;
    assert_eq!(code(b"no lockfile"), "lockfile-syntax");
    assert_eq!(code(&with_u32(VERSION_AT, 1)), "lockfile-version");
    assert_eq!(code(&with_u32(VERSION_AT, 4)), "lockfile-version");
    assert_eq!(code(&with_u32(COUNT_AT, 0)), "lockfile-syntax");
    assert_eq!(code(&with_u32(COUNT_AT, u32::MAX)), "lockfile-syntax");
    assert_eq!(code(&with_u32(COUNT_AT + 4, u32::MAX)), "lockfile-syntax");
}
