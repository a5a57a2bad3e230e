//! The flags that mean the same in every command that installs, as a [`Request`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_configuration::request::{
    BackendFlag, BlockedScripts, DependencyScriptFlags, Edit, Engines, ForeignSources, Goal, JailFlag,
    Linker, Network, Omit, OverriddenSetting, PlatformFlags, ReleaseAgeSettings, Reruns, Reuse, Save,
    Scripts, Selection, TrustPolicy, TrustSettings, UnverifiedTarballs, Verify,
};
use rusk_configuration::{Configuration, Flags, effective};
use rusk_install::{HostEnvironment, InstallRequest};

use crate::{host, problem};
use rusk_command_line::flags::{Flag, Invocation};

/// The command that approves install scripts: of the project, or of global packages.
pub fn approve(invocation: &Invocation) -> &'static str {
    if invocation.is_on(Flag::Global) { "rusk approve -g" } else { "rusk approve" }
}

/// A project to install, and how.
pub struct ProjectRequest {
    pub host: HostEnvironment,
    pub dir: PathBuf,
    pub request: InstallRequest,
}

/// Whether no script runs in a project, by a flag or by its configuration.
pub fn ignores_scripts(request: &InstallRequest, project: &Path, host: &HostEnvironment) -> Result<bool> {
    let configuration = Configuration::load(project, host, &Flags::of(request))?;
    Ok(effective::request(request, &configuration.defaults).scripts == Scripts::Ignore)
}

/// As [`with_edit`], for the project around the current directory, which must exist.
pub fn in_project(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    edit: Edit,
) -> Result<ProjectRequest> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment);
    let dir = host::find_project(&host.current_dir).map(ToOwned::to_owned);
    let dir = dir.ok_or_else(|| problem::no_package(&host.current_dir))?;
    let request = with_edit(invocation, edit);
    let cache_dir = request.cache_dir.as_ref().map(|path| host.current_dir.join(path));
    Ok(ProjectRequest { host, dir, request: InstallRequest { cache_dir, ..request } })
}

/// A request with this edit and everything the flags say.
pub fn with_edit(invocation: &Invocation, edit: Edit) -> InstallRequest {
    let values = |flag| invocation.values(flag).map(str::to_owned).collect::<Vec<_>>();
    InstallRequest {
        edit,
        selection: Selection::default(),
        goal: goal(invocation),
        omit: omit(invocation),
        scripts: if invocation.is_on(Flag::IgnoreScripts) { Scripts::Ignore } else { Scripts::Run },
        dependency_scripts: dependency_scripts(invocation),
        network: network(invocation),
        platform: PlatformFlags { os: values(Flag::Os), cpu: values(Flag::Cpu), libc: values(Flag::Libc) },
        network_concurrency: invocation.value(Flag::NetworkConcurrency).and_then(|count| count.parse().ok()),
        backend: backend(invocation),
        save: if invocation.is_on(Flag::NoSave) { Save::No } else { Save::Yes },
        reuse: if invocation.is_on(Flag::Force) { Reuse::Nothing } else { Reuse::InstalledFiles },
        verify: match (invocation.is_on(Flag::NoVerify), invocation.is_on(Flag::VerifySignatures)) {
            (true, _) => Verify::Nothing,
            (false, true) => Verify::Signatures,
            (false, false) => Verify::Integrity,
        },
        engines: if invocation.is_on(Flag::EngineStrict) { Engines::Refuse } else { Engines::Warn },
        foreign_sources: match invocation.is_on(Flag::AllowForeignSources) {
            true => ForeignSources::Allowed,
            false => ForeignSources::Refused,
        },
        unverified_tarballs: match invocation.is_on(Flag::AllowUnverifiedTarballs) {
            true => UnverifiedTarballs::Allowed,
            false => UnverifiedTarballs::Refused,
        },
        release_trust: TrustSettings {
            policy: invocation.value(Flag::TrustPolicy).and_then(TrustPolicy::of_name),
            excludes: names(invocation, Flag::TrustPolicyExcludes),
            ignored_after_s: None,
        },
        release_age: release_age(invocation),
        linker: linker(invocation),
        registry: invocation.value(Flag::Registry).map(str::to_owned),
        cache_dir: invocation.path(Flag::CacheDir).map(ToOwned::to_owned),
        overridden: overridden(invocation),
    }
}

/// The table forbids more than one of these at once.
fn goal(invocation: &Invocation) -> Goal {
    let goals = [
        (Flag::FrozenLockfile, Goal::Frozen),
        (Flag::LockfileOnly, Goal::LockfileOnly),
        (Flag::DryRun, Goal::DryRun),
    ];
    goals.into_iter().find(|(flag, _)| invocation.is_on(*flag)).map_or(Goal::Install, |(_, goal)| goal)
}

fn dependency_scripts(invocation: &Invocation) -> DependencyScriptFlags {
    DependencyScriptFlags {
        jail: if invocation.is_on(Flag::NoJail) { JailFlag::Off } else { JailFlag::Enforced },
        concurrency: invocation.value(Flag::ConcurrentScripts).and_then(|count| count.parse().ok()),
        blocked: match invocation.is_on(Flag::FailOnBlocked) {
            true => BlockedScripts::Refused,
            false => BlockedScripts::Named,
        },
        reruns: Reruns::default(),
    }
}

/// The groups of dependencies that the flags leave out.
pub fn omit(invocation: &Invocation) -> Omit {
    let omits =
        |group| invocation.values(Flag::Omit).any(|value| value == group) && !includes(invocation, group);
    let is_production = invocation.is_on(Flag::Production) && !includes(invocation, "dev");
    Omit { development: is_production || omits("dev"), optional: omits("optional"), peer: omits("peer") }
}

/// npm's `--include`, which is stronger than `--omit`.
fn includes(invocation: &Invocation, group: &str) -> bool {
    invocation.values(Flag::Include).any(|value| value == group)
}

/// The settings that a negated flag or `--include` turns off.
fn overridden(invocation: &Invocation) -> Vec<OverriddenSetting> {
    let negated = invocation.negated_flags().filter_map(OverriddenSetting::of_negated_flag);
    negated.chain(invocation.values(Flag::Include).filter_map(OverriddenSetting::of_group)).collect()
}

fn release_age(invocation: &Invocation) -> ReleaseAgeSettings {
    ReleaseAgeSettings {
        minimum_s: invocation.value(Flag::MinimumReleaseAge).and_then(|seconds| seconds.parse().ok()),
        excludes: names(invocation, Flag::MinimumReleaseAgeExcludes),
    }
}

/// The names of a repeatable flag, separated by commas; `None` without it.
fn names(invocation: &Invocation, flag: Flag) -> Option<Vec<String>> {
    let names = invocation.values(flag).flat_map(|value| value.split(','));
    let names: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    (!names.is_empty()).then_some(names)
}

fn network(invocation: &Invocation) -> Network {
    match (invocation.is_on(Flag::Offline), invocation.is_on(Flag::PreferOffline)) {
        (true, _) => Network::Offline,
        (_, true) => Network::PreferOffline,
        _ => Network::Online,
    }
}

fn linker(invocation: &Invocation) -> Option<Linker> {
    match invocation.value(Flag::Linker)? {
        "isolated" => Some(Linker::Isolated),
        "global" => Some(Linker::Global),
        _ => Some(Linker::Hoisted),
    }
}

fn backend(invocation: &Invocation) -> BackendFlag {
    match invocation.value(Flag::Backend) {
        Some("hardlink") => BackendFlag::Hardlink,
        Some("clone") => BackendFlag::Clone,
        Some("copy") => BackendFlag::Copy,
        _ => BackendFlag::Best,
    }
}

#[cfg(test)]
mod tests;
