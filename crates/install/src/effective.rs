//! The effective request: flags, completed by the configuration.

use crate::configuration::{Defaults, LockfileRule, Writes};
use crate::request::{
    Edit, Engines, ForeignSources, Goal, InstallRequest, Network, Omit, SavedRange, Scripts,
    UnverifiedTarballs, Verify,
};

/// Completes a request from `.npmrc` and bunfig.toml. A flag can only be stricter than they are.
pub fn request(given: &InstallRequest, defaults: &Defaults) -> InstallRequest {
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
