//! The object that `--json` prints at the end, on one line. Its shape is documented in
//! docs/reference/json-output.md.

use std::error::Error;
use std::time::Duration;

use rusk_base::Problem;
use rusk_install::Summary;
use rusk_install::summary::{Change, LockfileOutcome};
use rusk_npm::json::text::{array, line, object, optional, string};
use rusk_npm::manifest::Scripts;

/// What an install did.
pub fn summary(summary: &Summary, warnings: &[String]) -> String {
    let lockfile = match summary.lockfile {
        LockfileOutcome::Unchanged => "unchanged",
        LockfileOutcome::Written => "written",
        LockfileOutcome::Removed => "removed",
        LockfileOutcome::Withheld => "withheld",
    };
    let times = &summary.times;
    let milliseconds = object(&[
        ("resolve", milliseconds(times.resolve)),
        ("fetch", milliseconds(times.fetch)),
        ("link", milliseconds(times.link)),
        ("scripts", milliseconds(times.scripts)),
        ("total", milliseconds(times.total)),
    ]);
    let fetched =
        object(&[("tarballs", summary.fetched.to_string()), ("bytes", summary.fetched_bytes.to_string())]);
    line(&[
        ("installed", summary.installed.to_string()),
        ("added", summary.added.to_string()),
        ("changed", summary.changed.to_string()),
        ("removed", summary.removed.to_string()),
        ("direct", array(summary.direct.iter().map(change))),
        ("scriptsHeldBack", array(summary.scripts_held_back.iter().map(|name| string(name)))),
        ("scriptsRun", array(summary.scripts_run.iter().map(|name| string(name)))),
        ("lockfile", string(lockfile)),
        ("fetched", fetched),
        ("milliseconds", milliseconds),
        ("warnings", array(warnings.iter().map(|text| string(text)))),
    ])
}

/// The scripts of a package.
pub fn scripts(scripts: &Scripts, warnings: &[String]) -> String {
    let commands = scripts.commands.iter().map(|(name, command)| (name.as_str(), string(command)));
    line(&[
        ("name", optional(scripts.package_name.as_deref())),
        ("version", optional(scripts.package_version.as_deref())),
        ("scripts", object(&commands.collect::<Vec<_>>())),
        ("warnings", array(warnings.iter().map(|text| string(text)))),
    ])
}

/// Why it could not be done.
pub fn problem(problem: &Problem, warnings: &[String]) -> String {
    let error = object(&[
        ("code", string(problem.code())),
        ("message", string(problem.message())),
        ("notes", array(problem.notes().iter().map(|note| string(note)))),
        ("causes", array(causes(problem).iter().map(|cause| string(cause)))),
        ("hint", optional(hint(problem).as_deref())),
    ]);
    line(&[("error", error), ("warnings", array(warnings.iter().map(|text| string(text))))])
}

fn change(change: &Change) -> String {
    object(&[
        ("name", string(&change.name)),
        ("before", optional(change.before.as_deref())),
        ("after", optional(change.after.as_deref())),
    ])
}

/// The causes, the nearest first.
fn causes(problem: &Problem) -> Vec<String> {
    let mut causes = Vec::new();
    let mut next = problem.source();
    while let Some(error) = next {
        causes.push(match error.downcast_ref::<Problem>() {
            Some(problem) => problem.message().to_owned(),
            None => error.to_string(),
        });
        next = error.source();
    }
    causes
}

/// The last line of the rendered form; line ends within a part are escaped there.
fn hint(problem: &Problem) -> Option<String> {
    problem.to_string().rsplit_once("\nhint: ").map(|(_, hint)| hint.to_owned())
}

/// With three digits after the point.
pub fn milliseconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests;
