//! Errors of an install itself; those of other crates are defined there.

use std::path::Path;

use rusk_base::{Problem, lock};
use rusk_npm::name::PackageName;
use rusk_npm::release_trust::TrustLoss;
use rusk_npm::specifier::jsr::jsr_name;
use rusk_npm::workspace_filter::WorkspaceFilter;
use rusk_signatures::Verdict;
use rusk_signatures::report::{Audited, reason_text};

/// Of a lock or a directory in the cache that cannot be made.
pub fn cache_unwritable(problem: Problem) -> Problem {
    match problem.code() {
        lock::TIMEOUT => problem,
        _ => problem.hint("name another cache by `--cache-dir`, or by the variable RUSK_CACHE_DIR"),
    }
}

/// Packages without a signature that an error names.
const UNSIGNED_MAX: usize = 20;
/// Lines of a scanner's stack trace.
const SCANNER_LINES_MAX: usize = 8;

pub(crate) fn no_workspace(path: &str) -> Problem {
    Problem::new("no-workspace", format!("`workspaces` names `{path}`, which has no package.json"))
}

pub(crate) fn too_many_dirs(dirs_max: usize) -> Problem {
    Problem::new(
        "workspace-directories",
        format!("`workspaces` may match in more than {dirs_max} directories"),
    )
    .hint("write narrower patterns, such as `packages/*`")
}

pub(crate) fn list(dir: &Path, error: std::io::Error) -> Problem {
    Problem::new("directory-list", format!("cannot list `{}`", dir.display())).cause(error)
}

pub(crate) fn not_for_a_catalog(name: &str, literal: &str) -> Problem {
    Problem::new(
        "catalog-entry",
        format!("`{name}` is `{literal}`, expected a range or a dist-tag for a catalog"),
    )
    .hint("leave `--catalog` out")
}

pub(crate) fn no_jsr_registry(name: &PackageName) -> Problem {
    let shown = jsr_name(name).unwrap_or_else(|| name.to_string());
    Problem::new("no-jsr-registry", format!("no registry is configured for `{shown}` of JSR"))
        .hint("set `@jsr:registry` in .npmrc to the URL of JSR's npm registry")
}

pub(crate) fn cache_dir_text(cache_dir: &Path) -> Problem {
    Problem::new(
        "cache-dir-text",
        format!("`{}` is not UTF-8, so packages there cannot be linked", cache_dir.display()),
    )
    .hint("pass `--linker=isolated`, or another `--cache-dir`")
}

pub(crate) fn project_text(project: &Path) -> Problem {
    Problem::new(
        "project-text",
        format!(
            "`{}` is not UTF-8 or has control characters, so its shared packages cannot be recorded",
            project.display()
        ),
    )
    .hint("pass `--linker=isolated`")
}

pub(crate) fn workspace_outside(path: &str) -> Problem {
    Problem::new("workspace-outside", format!("workspace `{path}` is a link that leads out of the project"))
        .hint("depend on it as `link:PATH`, or move it into the project")
}

pub(crate) fn no_manifest(dir: &Path) -> Problem {
    Problem::new("no-manifest", format!("`{}` has no package.json", dir.display()))
        .hint("run `rusk add NAME` to create one, or change to the project's directory")
}

pub(crate) fn unpacking_stopped() -> Problem {
    Problem::new("unpack", "a thread that unpacks tarballs stopped")
}

pub(crate) fn linking_stopped() -> Problem {
    Problem::new("link", "a thread that links packages stopped")
}

pub(crate) fn not_in_store(path: &str) -> Problem {
    Problem::new("not-in-store", format!("the package for `{path}` is not in the store"))
}

/// Found when a package is linked. An install removes what is damaged and begins again, so that
/// this is seen only if it happens twice.
pub(crate) fn store_damaged(label: &str) -> Problem {
    Problem::new("store-damaged", format!("files of `{label}` in the store were lost or changed"))
        .hint("run the command again")
}

pub(crate) fn is_store_damaged(problem: &Problem) -> bool {
    problem.code() == "store-damaged"
}

pub(crate) fn dir_too_deep(dir: &Path) -> Problem {
    Problem::new("directory-depth", format!("`{}` is nested too deep to be installed", dir.display()))
}

pub(crate) fn copy(file: &Path, error: std::io::Error) -> Problem {
    Problem::new("file-copy", format!("cannot copy `{}`", file.display())).cause(error)
}

pub(crate) fn no_local_package(path: &str) -> Problem {
    Problem::new("no-local-package", format!("`{path}` has no package.json"))
}

pub(crate) fn tarball_missing(url: &str) -> Problem {
    Problem::new("tarball", format!("the tarball `{url}` was requested but not received"))
}

pub(crate) fn frozen(file: &str, reason: &str) -> Problem {
    Problem::new("lockfile-frozen", format!("{file} does not match package.json"))
        .note(reason)
        // An install replaces bun.lockb.
        .hint(format!(
            "run `rusk install` and commit {}",
            if file == "bun.lockb" { "bun.lock" } else { file }
        ))
}

pub(crate) fn no_lockfile(file: &str) -> Problem {
    Problem::new("no-lockfile", format!("there is no {file}, which a frozen install needs"))
        .hint("run `rusk install` first")
}

pub(crate) fn nothing_to_deduplicate(file: &str) -> Problem {
    Problem::new("no-lockfile", format!("there is no {file}, in which versions could be duplicates"))
        .hint("run `rusk install`, which takes as few versions as the ranges allow")
}

pub(crate) fn transient_path(text: &str) -> Problem {
    Problem::new(
        "transient-path",
        format!("`{text}` is a local path, expected a package from a registry, a repository or a URL"),
    )
    .note("packages from a registry, a repository or a tarball URL can be run without installing them")
    .hint("`rusk exec ./FILE` runs a local file")
}

pub(crate) fn engine(text: String) -> Problem {
    Problem::new("engine", text).hint("use that version, or install without `--engine-strict`")
}

pub(crate) fn other_tool(text: String) -> Problem {
    Problem::new("package-manager", text).hint("use that one, or install without `package-manager-strict`")
}

pub(crate) fn dev_engines(text: String) -> Problem {
    Problem::new("dev-engines", text).hint("use that one, or pass `--force`")
}

pub(crate) fn invalid_dev_engines(expected: &str) -> Problem {
    Problem::new("dev-engines", format!("expected {expected}")).note("in package.json")
}

pub(crate) fn package_without_name(source: &str) -> Problem {
    Problem::new("package-name", format!("the package at `{source}` has no name"))
        .hint("pass one: `rusk add NAME@SOURCE`")
}

pub(crate) fn root_selected(member: &str) -> Problem {
    Problem::new(
        "root-selected",
        format!("`-w` selects the root of the project, and `{member}` is one of its members"),
    )
    .hint(format!("select the member with `-F {member}`"))
}

pub(crate) fn not_a_dependency(name: &str) -> Problem {
    Problem::new("not-a-dependency", format!("package.json does not depend on `{name}`"))
}

/// `found`: why git does not know the commit.
pub(crate) fn no_git_ref(git_ref: &str, found: &str) -> Problem {
    Problem::new("no-git-ref", format!("cannot list the changes since `{git_ref}`: {found}"))
        .hint("`[ref]` in a filter is a branch, a tag or a commit")
}

pub(crate) fn no_git_repository(git_ref: &str, dir: &Path) -> Problem {
    Problem::new(
        "no-git-ref",
        format!("cannot list the changes since `{git_ref}`: `{}` is in no Git repository", dir.display()),
    )
    .hint("a filter by name or by path needs no repository")
}

pub(crate) fn nothing_to_migrate() -> Problem {
    Problem::new("no-lockfile", "the project has no lockfile to migrate").hint("run `rusk install` first")
}

pub(crate) fn same_format(file: &str) -> Problem {
    Problem::new("same-lockfile", format!("the lockfile of the project is {file} already"))
}

pub fn no_member_selected(filters: &[WorkspaceFilter], names: &[&str]) -> Problem {
    const NAMES_MAX: usize = 20;
    let written: Vec<String> = filters.iter().map(|filter| format!("`{}`", filter.text)).collect();
    let mut known: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    if names.len() > NAMES_MAX {
        known.push(format!("{} more", names.len() - NAMES_MAX));
    }
    Problem::new("no-member", format!("no member of the project matches {}", written.join(", ")))
        .note(format!("members: {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") }))
}

pub(crate) fn no_match(pattern: &str) -> Problem {
    Problem::new("not-a-dependency", format!("no dependency in package.json matches `{pattern}`"))
}

/// `package`: the key of `patchedDependencies`.
pub(crate) fn no_patch(package: &str, path: &str) -> Problem {
    Problem::new("no-patch", format!("the patch `{path}` of `{package}` does not exist"))
        .note("named by `patchedDependencies` in package.json")
}

pub(crate) fn patch_outside(package: &str, path: &str) -> Problem {
    Problem::new("no-patch", format!("the patch `{path}` of `{package}` is outside the project"))
        .note("named by `patchedDependencies` in package.json")
}

pub(crate) fn not_locked(name: &str, version: &str) -> Problem {
    Problem::new("not-locked", format!("the lockfile has no `{name}@{version}` of a registry"))
        .hint("run `rusk install` first")
}

pub(crate) fn original_not_in_store(name: &str, version: &str) -> Problem {
    Problem::new("not-in-store", format!("`{name}@{version}` is not in the store any more"))
        .hint("run `rusk install --force` to download it again")
}

pub fn blocked_scripts(labels: &[String]) -> Problem {
    let count = labels.len();
    let packages = if count == 1 { "package has" } else { "packages have" };
    let problem =
        Problem::new("blocked-scripts", format!("{count} {packages} install scripts that are not approved"));
    let problem = labels.iter().fold(problem, |problem, label| problem.note(label));
    problem.hint("`rusk approve` shows what they would run, and approves them")
}

pub fn grant_without_home(path: &str) -> Problem {
    Problem::new("no-home", format!("`{path}` is granted to a script, but HOME is not set"))
}

pub(crate) fn trust_lost(label: &str, loss: &TrustLoss) -> Problem {
    let TrustLoss { trust, before, trust_before } = loss;
    let message = format!("`{label}` was published with {}, and earlier versions with more", trust.name());
    Problem::new("trust-lost", message)
        .note(format!("{before} was published with {}", trust_before.name()))
        .note("a stolen token publishes so")
        .hint(format!("ask its maintainers; `--trust-policy-excludes={label}` accepts it"))
}

/// `host`: of the tarball's URL.
pub(crate) fn unverified_tarball(label: &str, host: &str) -> Problem {
    let message =
        format!("the tarball of `{label}` is at `{host}`, outside of its registry, without an integrity");
    Problem::new("unverified-tarball", message)
        .note("nothing can tell whether it is the one that was published")
        .hint("remove its entry from the lockfile, or accept it with `--allow-unverified-tarballs`")
}

pub(crate) fn no_scanner(module: &str) -> Problem {
    let message = format!("the security scanner `{module}` is not a dependency of the project");
    Problem::new("scanner", message)
        .note("`install.security.scanner` in bunfig.toml names it")
        .hint(format!("remove that line, run `rusk add --dev {module}`, and add it again"))
}

pub(crate) fn scanner_failed(module: &str, reason: &str) -> Problem {
    let mut lines = reason.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let problem = Problem::new("scanner", format!("the security scanner `{module}` failed: {first}"));
    lines.take(SCANNER_LINES_MAX).fold(problem, Problem::note)
}

pub(crate) fn scan_refused(module: &str, fatal: usize) -> Problem {
    let plural = if fatal == 1 { "advisory" } else { "advisories" };
    Problem::new("scan-refused", format!("the security scanner `{module}` has {fatal} fatal {plural}"))
        .note("the project was not changed")
}

pub(crate) fn scan_warned(module: &str, count: usize) -> Problem {
    let plural = if count == 1 { "warning" } else { "warnings" };
    Problem::new("scan-refused", format!("the security scanner `{module}` has {count} {plural}"))
        .note("the project was not changed")
        .hint("at a terminal, rusk asks whether to continue")
}

/// The script of the package at `outer`, whose directory has `inner` in it, ran before and may have
/// changed it.
pub(crate) fn enclosed_script(inner: &str, outer: &str) -> Problem {
    let message =
        format!("the script of `{inner}` does not run: that of the package around it may have changed it");
    Problem::new("enclosed-script", message)
        .note(format!("`{inner}` is in `{outer}`, whose script ran before with other grants"))
        .hint(format!("remove `{outer}`, and install again"))
}

/// Packages whose registry has keys, and did not sign them as they are.
pub fn not_signed(packages: &[&Audited]) -> Problem {
    let named = |one: &Audited| {
        let reason = match &one.verdict {
            Verdict::Invalid(reason) => reason_text(reason),
            Verdict::Missing | Verdict::Verified => "the registry has keys, and did not sign it".to_owned(),
        };
        format!("{}@{}: {reason}", one.name, one.version)
    };
    let count = packages.len();
    let noun = if count == 1 { "package has" } else { "packages have" };
    let problem = Problem::new("not-signed", format!("{count} {noun} no valid signature of the registry"));
    packages.iter().take(UNSIGNED_MAX).fold(problem, |problem, one| problem.note(named(one)))
}

pub fn signatures_refused(subject: &str, status: u16) -> Problem {
    Problem::new("signatures-unknown", format!("the registry answered {status} when asked for {subject}"))
        .note("signatures are verified because of `--verify-signatures` or `verifySignatures`")
}

pub fn signatures_unknown(subject: &str) -> Problem {
    Problem::new("signatures-unknown", format!("the registry's answer for {subject} has another form"))
}
