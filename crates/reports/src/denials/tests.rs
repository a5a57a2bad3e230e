//! What is proposed for what was denied.

use std::net::SocketAddr;

use super::*;

fn base() -> GrantBase<'static> {
    GrantBase { project: Path::new("/app"), home: Some(Path::new("/home/me")) }
}

#[test]
fn the_proposal_has_each_grant_once() {
    let address: SocketAddr = "127.0.0.1:443".parse().unwrap();
    let denied = BTreeSet::from([
        DeniedAccess::Network(None),
        DeniedAccess::Network(Some(address)),
        DeniedAccess::Read("/opt/tool".into()),
        DeniedAccess::Read("/srv/cache".into()),
        DeniedAccess::Write("/srv/cache".into()),
    ]);
    let denied = Denials::new(denied, BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(flags(&denied, &base()), " --network --read=/opt/tool --write=/srv/cache");
    assert_eq!(
        text("left", false, &denied, &base()).lines().last(),
        Some("grant it by `rusk approve left --network --read=/opt/tool --write=/srv/cache`")
    );
    assert_eq!(text("left", true, &Denials::default(), &base()), "left: succeeds, and was denied nothing\n");
}

#[test]
fn a_script_that_succeeds_may_need_a_grant_all_the_same() {
    let calls = BTreeSet::from([DeniedAccess::Write("/app/out".into())]);
    let denied = Denials::new(calls, BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(
        text("left", true, &denied, &base()),
        "left: succeeds without more grants, but may have left out what it was denied\n  writing /app/out\n\
         should it need that, grant it by `rusk approve left --write=out`\n"
    );
}

#[test]
fn a_host_is_a_smaller_grant_than_the_network() {
    let calls = BTreeSet::from([DeniedAccess::Network(None), DeniedAccess::Read("/opt/tool".into())]);
    let denied = Denials::new(calls, BTreeSet::from(["downloads.test".to_owned()]), &NetworkAccess::None);
    assert_eq!(flags(&denied, &base()), " --connect=downloads.test --read=/opt/tool");
    assert_eq!(
        text("left", false, &denied, &base()),
        "left: fails; it was denied\n  connecting to downloads.test\n  reading /opt/tool\n\
         grant it by `rusk approve left --connect=downloads.test --read=/opt/tool`\n"
    );
}

#[test]
fn a_proposal_is_quoted_for_the_shell() {
    let calls = BTreeSet::from([DeniedAccess::Read("/x;touch${IFS}/tmp/y".into())]);
    let denied = Denials::new(calls, BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(flags(&denied, &base()), " --read='/x;touch${IFS}/tmp/y'");
}

#[test]
fn files_of_the_system_are_not_proposed_beside_other_grants() {
    let read = |path: &str| DeniedAccess::Read(path.into());
    let reads = || BTreeSet::from([read("/etc"), read("/etc/machine-id"), read("/dev/kmsg")]);
    let beside_host =
        Denials::new(reads(), BTreeSet::from(["downloads.test".to_owned()]), &NetworkAccess::None);
    assert_eq!(flags(&beside_host, &base()), " --connect=downloads.test");
    assert!(text("left", false, &beside_host, &base()).contains("  reading /etc/machine-id\n"));
    assert_eq!(
        flags(&Denials::new(reads(), BTreeSet::new(), &NetworkAccess::None), &base()),
        " --read=/dev/kmsg --read=/etc/machine-id"
    );
    let beside_read =
        Denials::new([read("/opt/tool"), read("/etc/hosts")].into(), BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(flags(&beside_read, &base()), " --read=/opt/tool");
}

#[test]
fn a_proposed_path_is_the_same_for_everybody() {
    let calls = BTreeSet::from([
        DeniedAccess::Read("/app/bun.lock".into()),
        DeniedAccess::Write("/home/me/.cache/left".into()),
    ]);
    let denied = Denials::new(calls, BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(flags(&denied, &base()), " --read=bun.lock --write='~/.cache/left'");
}

#[test]
fn the_directory_of_a_missing_file_is_proposed() {
    let create = |path: &str| DeniedAccess::Create(path.into());
    let calls = BTreeSet::from([
        create("/app/.git/hooks/pre-commit"),
        create("/app/.git/hooks/pre-push"),
        DeniedAccess::Read("/app/.git/hooks".into()),
        DeniedAccess::Write("/app/.git/hooks/post-merge".into()),
    ]);
    let denied = Denials::new(calls, BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(flags(&denied, &base()), " --write=.git/hooks");
    // Not the whole project, nor a directory of all programs.
    let calls = BTreeSet::from([create("/app/lefthook.yml"), create("/home/me/.x"), create("/tmp/y")]);
    let denied = Denials::new(calls, BTreeSet::new(), &NetworkAccess::None);
    assert_eq!(flags(&denied, &base()), " --write=lefthook.yml --write='~/.x' --write=/tmp/y");
    let text = text("left", false, &denied, &base());
    assert!(
        text.contains("make `lefthook.yml` first: the grant of what is missing makes a directory\n"),
        "{text}"
    );
}

#[test]
fn with_granted_hosts_the_network_is_not_proposed() {
    let calls = || BTreeSet::from([DeniedAccess::Network(None)]);
    let granted = NetworkAccess::Hosts(vec!["downloads.test".to_owned()]);
    assert_eq!(flags(&Denials::new(calls(), BTreeSet::new(), &granted), &base()), "");
}
