//! Command lines and the requests they become.

use super::*;
use crate::commands::{add, ci, install, remove, update};
use rusk_command_line::flags::parse::parse;
use rusk_configuration::request::{DependencyGroup, Existing, SavedRange, UpdateExtent, UpdateReach};
use std::path::Path;

fn invocation(line: &str) -> Invocation {
    parse(line.split(' ').map(Into::into)).expect(line)
}

fn request(line: &str) -> InstallRequest {
    install::request(&invocation(line)).expect(line)
}

#[test]
fn goals() {
    assert_eq!(request("install").goal, Goal::Install);
    assert_eq!(request("install --frozen-lockfile").goal, Goal::Frozen);
    assert_eq!(request("install --lockfile-only").goal, Goal::LockfileOnly);
    assert_eq!(request("install --dry-run").goal, Goal::DryRun);
    assert_eq!(ci::request(&invocation("ci")).goal, Goal::Clean);
}

#[test]
fn groups_left_out() {
    let omit = |line| request(line).omit;
    assert_eq!(omit("install"), Omit::default());
    assert_eq!(omit("install -p"), Omit { development: true, ..Omit::default() });
    assert_eq!(omit("install --omit dev"), Omit { development: true, ..Omit::default() });
    assert_eq!(
        omit("install --omit=peer --omit=optional"),
        Omit { optional: true, peer: true, development: false }
    );
}

#[test]
fn settings_that_a_flag_turns_off() {
    let check = |line, expected: &[OverriddenSetting]| {
        assert_eq!((request(line).omit, request(line).overridden.as_slice()), (Omit::default(), expected));
    };
    let development = [OverriddenSetting::OmitDevelopment];
    check("install --include=dev --omit=dev --production", &development);
    check("install --no-production", &development);
    check("install --include=prod --no-offline --offline", &[]);
    check("install --ignore-scripts=false", &[OverriddenSetting::IgnoreScripts]);
}

#[test]
fn where_packages_come_from() {
    assert_eq!(request("i").network, Network::Online);
    assert_eq!(request("i --offline").network, Network::Offline);
    assert_eq!(request("i --prefer-offline").network, Network::PreferOffline);
    assert_eq!(request("i --network-concurrency=8").network_concurrency, Some(8));
    assert_eq!(
        request("i --registry=http://127.0.0.1:4873").registry.as_deref(),
        Some("http://127.0.0.1:4873")
    );
    assert_eq!(request("i --cache-dir cache").cache_dir.as_deref(), Some(Path::new("cache")));
}

#[test]
fn how_files_are_placed() {
    assert_eq!(request("i").backend, BackendFlag::Best);
    assert_eq!(request("i --backend=hardlink").backend, BackendFlag::Hardlink);
    assert_eq!(request("i --backend=clonefile").backend, BackendFlag::Clone);
    assert_eq!(request("i --backend=copyfile").backend, BackendFlag::Copy);
    assert_eq!(request("i -f").reuse, Reuse::Nothing);
    assert_eq!(request("i --no-verify").verify, Verify::Nothing);
    assert_eq!(request("i --no-save").save, Save::No);
    assert_eq!(request("i --ignore-scripts").scripts, Scripts::Ignore);
    assert_eq!(request("i --engine-strict").engines, Engines::Refuse);
    assert_eq!(request("i --cpu=arm64 --cpu=x64").platform.cpu, ["arm64", "x64"]);
}

#[test]
fn edits() {
    let added = |group, range| Edit::Add {
        specifiers: vec!["left@1".to_owned()],
        group,
        range,
        existing: Existing::Replace,
        catalog: None,
    };
    let add = |line: &str| add::request(&invocation(line)).edit;
    assert_eq!(add("add left@1"), added(DependencyGroup::Current, SavedRange::Caret));
    assert_eq!(add("add -DE left@1"), added(DependencyGroup::Development, SavedRange::Exact));
    assert_eq!(add("add --peer left@1"), added(DependencyGroup::Peer, SavedRange::Caret));
    assert_eq!(add("add -O left@1"), added(DependencyGroup::Optional, SavedRange::Caret));
    assert_eq!(request("i -D left@1").edit, added(DependencyGroup::Development, SavedRange::Caret));
    assert_eq!(request("i").edit, Edit::None);
    let names = vec!["left".to_owned()];
    assert_eq!(remove::request(&invocation("rm left")).edit, Edit::Remove { names: names.clone() });
    let update = |line: &str| update::request(&invocation(line)).edit;
    assert_eq!(
        update("up"),
        Edit::Update {
            names: Vec::new(),
            reach: UpdateReach::InRange,
            groups: Vec::new(),
            extent: UpdateExtent::All
        }
    );
    assert_eq!(
        update("up --latest --depth=0 left"),
        Edit::Update {
            names,
            reach: UpdateReach::ToLatest,
            groups: Vec::new(),
            extent: UpdateExtent::Direct
        }
    );
}

#[test]
fn names_and_flags_that_need_each_other() {
    let code = |line| install::request(&invocation(line)).expect_err(line).code();
    assert_eq!(code("install -D"), "words-missing");
    assert_eq!(code("install --frozen-lockfile left"), "flags-conflict");
}
