//! The effective request: flags, completed by the configuration.

use crate::request::{
    Edit, Engines, ForeignSources, Goal, InstallRequest, Network, Omit, OverriddenSetting, SavedRange,
    Scripts, UnverifiedTarballs, Verify,
};
use crate::{Defaults, LockfileRule, Writes};

/// Completes a request from `.npmrc` and bunfig.toml. A flag is stricter than they are, or says
/// which of their settings does not count.
pub fn request(given: &InstallRequest, defaults: &Defaults) -> InstallRequest {
    let defaults = &without(&given.overridden, defaults);
    let mut request = given.clone();
    request.omit = Omit {
        development: given.omit.development || defaults.omit.development,
        optional: given.omit.optional || defaults.omit.optional,
        peer: given.omit.peer || defaults.omit.peer,
    };
    if defaults.scripts == Scripts::Ignore {
        request.scripts = Scripts::Ignore;
    }
    if defaults.engines == Engines::Refuse {
        request.engines = Engines::Refuse;
    }
    if defaults.foreign_sources == ForeignSources::Allowed {
        request.foreign_sources = ForeignSources::Allowed;
    }
    if defaults.unverified_tarballs == UnverifiedTarballs::Allowed {
        request.unverified_tarballs = UnverifiedTarballs::Allowed;
    }
    // `--no-verify` is for a test of one install, and stronger.
    if given.verify == Verify::Integrity {
        request.verify = defaults.verify;
    }
    request.release_trust = given.release_trust.over(&defaults.release_trust);
    if given.network == Network::Online {
        request.network = defaults.network;
    }
    request.linker = given.linker.or(defaults.linker);
    request.goal = goal(given, defaults);
    if let Edit::Add { range: range @ SavedRange::Caret, .. } = &mut request.edit {
        *range = defaults.range;
    }
    request
}

fn without(overridden: &[OverriddenSetting], defaults: &Defaults) -> Defaults {
    let mut defaults = defaults.clone();
    for setting in overridden {
        match setting {
            OverriddenSetting::OmitDevelopment => defaults.omit.development = false,
            OverriddenSetting::OmitOptional => defaults.omit.optional = false,
            OverriddenSetting::OmitPeer => defaults.omit.peer = false,
            OverriddenSetting::IgnoreScripts => defaults.scripts = Scripts::Run,
            OverriddenSetting::EngineStrict => defaults.engines = Engines::Warn,
            OverriddenSetting::Offline if defaults.network == Network::Offline => {
                defaults.network = Network::Online;
            }
            OverriddenSetting::PreferOffline if defaults.network == Network::PreferOffline => {
                defaults.network = Network::Online;
            }
            OverriddenSetting::Offline | OverriddenSetting::PreferOffline => {}
            OverriddenSetting::FrozenLockfile => defaults.lockfile = LockfileRule::Updated,
            OverriddenSetting::DryRun => defaults.writes = Writes::Allowed,
            OverriddenSetting::Exact if defaults.range == SavedRange::Exact => {
                defaults.range = SavedRange::Caret;
            }
            OverriddenSetting::Exact => {}
            OverriddenSetting::ForeignSources => defaults.foreign_sources = ForeignSources::Refused,
            OverriddenSetting::UnverifiedTarballs => {
                defaults.unverified_tarballs = UnverifiedTarballs::Refused;
            }
            OverriddenSetting::VerifySignatures => defaults.verify = Verify::Integrity,
        }
    }
    defaults
}

/// An edit asks for a change of the lockfile, so a configured frozen lockfile does not forbid it.
fn goal(given: &InstallRequest, defaults: &Defaults) -> Goal {
    match given.goal {
        Goal::Install if defaults.writes == Writes::None => Goal::DryRun,
        Goal::Install if defaults.lockfile == LockfileRule::Frozen && given.edit == Edit::None => {
            Goal::Frozen
        }
        goal => goal,
    }
}
