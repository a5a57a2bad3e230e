//! `rusk version`: raises the version of a package, in package.json and the lockfile, and records
//! it in git by a commit and a tag. As npm does, git is used only in the repository's own
//! directory: a tag `v1.2.0` would not say which of several packages it means.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files, problem::printable};
use rusk_npm::edit;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Scripts};
use rusk_npm::semver::{Increment, Syntax, Version, is_prerelease_identifier};
use rusk_scripts::{Environment, Exit};

use super::context::{RunContext, lock_project};
use super::{lifecycle, members, problem};
use git::Repository;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{line, object, optional, string};

mod git;
mod lockfiles;

/// What npm writes in front of the version in the name of a tag.
const TAG_PREFIX: &str = "v";

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let context = RunContext::find(invocation, "version")?;
    let Some(dirs) = members::directories(invocation, &context, screen)? else {
        let text = run_at(&context, invocation, screen)?;
        return screen.page(&text).map(|()| Exit::DONE);
    };
    // A tag `v1.2.0` would not say which of several packages it means.
    let alone = invocation.clone().with_on(Flag::NoGitTagVersion);
    let mut texts = Vec::with_capacity(dirs.len());
    for dir in dirs {
        let member = RunContext::at(dir, "version")?;
        let name = member.package()?.scripts.package_name.clone().unwrap_or_default();
        let text = run_at(&member, &alone, screen)?;
        let names_it = invocation.is_on(Flag::Json) || invocation.operands.is_empty();
        texts.push(if names_it { text } else { format!("{} {text}", printable(&name)) });
    }
    let text = match invocation.is_on(Flag::Json) {
        true => members::joined_json(&texts, true),
        false if invocation.operands.is_empty() => texts.join("\n"),
        false => texts.concat(),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

fn run_at(context: &RunContext, invocation: &Invocation, screen: &mut Screen) -> Result<String> {
    match invocation.operands.as_slice() {
        [] => Ok(overview(&context.package()?.scripts, invocation)),
        [wanted] => raise(context, wanted, invocation, screen),
        [_, other, ..] => Err(problem::two_versions(other)),
    }
}

/// The version, and what each increment would make of it.
fn overview(fields: &Scripts, invocation: &Invocation) -> String {
    let version = fields.package_version.as_deref().and_then(Version::parse);
    let identifier = invocation.value(Flag::Preid);
    let next = |increment: Increment| Some(version.as_ref()?.increment(increment, identifier)?.to_string());
    let increments = Increment::ALL.into_iter().filter_map(|by| Some((by.name(), next(by)?)));
    if invocation.is_on(Flag::Json) {
        let increments: Vec<_> = increments.map(|(name, version)| (name, string(&version))).collect();
        return line(&[
            ("name", optional(fields.package_name.as_deref())),
            ("version", optional(fields.package_version.as_deref())),
            ("increments", object(&increments)),
        ]);
    }
    let name = printable(fields.package_name.as_deref().unwrap_or("this package"));
    let version = printable(fields.package_version.as_deref().unwrap_or("has no version"));
    let increments: String = increments.map(|(name, version)| format!("{name:<10}  {version}\n")).collect();
    let gap = if increments.is_empty() { "" } else { "\n" };
    format!("{name} {version}\n{gap}{increments}")
}

fn raise(context: &RunContext, wanted: &str, invocation: &Invocation, screen: &mut Screen) -> Result<String> {
    let package = context.package()?;
    let fields = &package.scripts;
    let repository = Repository::find(&package.dir);
    let version = next_version(fields, wanted, invocation, repository.as_ref())
        .map_err(|problem| match invocation.is_on(Flag::Workspaces) || invocation.is_given(Flag::Filter) {
            true => problem::in_package(problem, &package.dir),
            false => problem,
        })?
        .to_string();
    let is_same = fields.package_version.as_deref() == Some(version.as_str());
    if is_same && !invocation.is_on(Flag::AllowSameVersion) {
        return Err(problem::same_version(&version));
    }
    // A version that comes from a tag has that tag already.
    let uses_git = !invocation.is_on(Flag::NoGitTagVersion) && wanted != "from-git";
    let repository = repository.filter(|_| uses_git);
    let tag = repository.as_ref().map(|_| format!("{TAG_PREFIX}{version}"));
    if let (Some(repository), Some(tag)) = (&repository, &tag) {
        repository.check_clean()?;
        repository.check_new_tag(tag)?;
    }
    let runs_scripts = !invocation.is_on(Flag::IgnoreScripts);
    let scripts = |names: &[&str], context: &RunContext, screen: &mut Screen| match runs_scripts {
        true => {
            let mut environment = with_versions(context.environment(), fields, &version);
            lifecycle::run(names, context.package()?, &mut environment, screen)
        }
        false => Ok(()),
    };
    scripts(&["preversion"], context, screen)?;
    // Scripts may install: they run without the lock.
    let lock = lock_project(&context.project_dir, invocation, screen)?;
    let changed = write(&package.dir, &context.project_dir, &version)?;
    drop(lock);
    // Scripts see the new version in `npm_package_version`.
    let context = RunContext::at(package.dir.clone(), "version")?;
    scripts(&["version"], &context, screen)?;
    if let (Some(repository), Some(tag)) = (&repository, &tag) {
        let message = invocation.value(Flag::Message).unwrap_or("%s").replace("%s", &version);
        let made = repository.commit(&changed, &message).and_then(|()| repository.tag(tag, &message));
        made.map_err(|problem| problem.note(format!("package.json has the version `{version}` already")))?;
    }
    scripts(&["postversion"], &context, screen)?;
    Ok(match invocation.is_on(Flag::Json) {
        true => line(&[
            ("name", optional(fields.package_name.as_deref())),
            ("oldVersion", optional(fields.package_version.as_deref())),
            ("newVersion", string(&version)),
            ("tag", optional(tag.as_deref())),
        ]),
        false => format!("{TAG_PREFIX}{version}\n"),
    })
}

fn next_version(
    fields: &Scripts,
    wanted: &str,
    invocation: &Invocation,
    repository: Option<&Repository>,
) -> Result<Version> {
    if wanted == "from-git" {
        let repository = repository.ok_or_else(problem::no_repository)?;
        let tag = repository.latest_tag()?;
        let version = tag.strip_prefix(TAG_PREFIX).unwrap_or(&tag);
        return Version::parse_with(version, Syntax::Strict).ok_or_else(|| problem::bad_tag_version(&tag));
    }
    let Some(by) = Increment::ALL.into_iter().find(|increment| increment.name() == wanted) else {
        let version = Version::parse_with(wanted, Syntax::Strict);
        return version.ok_or_else(|| problem::bad_version(wanted));
    };
    let identifier = invocation.value(Flag::Preid);
    if let Some(identifier) = identifier.filter(|identifier| !is_prerelease_identifier(identifier)) {
        return Err(problem::bad_preid(identifier));
    }
    let current = fields.package_version.as_deref().ok_or_else(|| problem::no_version_to_raise(wanted))?;
    let version = Version::parse(current).ok_or_else(|| problem::bad_current_version(current))?;
    version.increment(by, identifier).ok_or_else(|| problem::bad_current_version(current))
}

/// The variables that npm's documentation promises to the scripts.
fn with_versions(mut environment: Environment, fields: &Scripts, version: &str) -> Environment {
    environment.set("npm_old_version", fields.package_version.as_deref().unwrap_or_default());
    environment.set("npm_new_version", version);
    environment
}

/// Writes the version; returns the changed files.
fn write(package_dir: &Path, project_dir: &Path, version: &str) -> Result<Vec<PathBuf>> {
    let file = package_dir.join("package.json");
    let text = files::read_to_string(&file, MANIFEST_BYTES_MAX as u64)?;
    let new = edit::set_field(&text, "version", &string(version))?;
    if new != text {
        files::write_atomically(&file, new.as_bytes())?;
    }
    let mut changed = vec![file];
    changed.extend(lockfiles::write(package_dir, project_dir, version)?);
    Ok(changed)
}
