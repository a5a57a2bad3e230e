//! Errors of the commands that create, version and maintain a package.

use std::path::Path;

use rusk_base::Problem;
use rusk_npm::semver::Increment;

use rusk_command_line::flags::suggest;

/// More lines of another program are left out.
const LINES_MAX: usize = 10;

pub fn bad_version(found: &str) -> Problem {
    let names = Increment::ALL.map(Increment::name);
    let problem = Problem::new("bad-version", format!("`{found}` is neither a version nor an increment"))
        .note(format!("increments: {}, from-git", names.join(", ")));
    match suggest::nearest(found, names) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem,
    }
}

/// Of several packages, the one that an error is about.
pub fn in_package(problem: Problem, dir: &Path) -> Problem {
    problem.note(format!("directory: `{}`", dir.display()))
}

pub fn two_versions(found: &str) -> Problem {
    Problem::new("word-not-taken", format!("expected one version or increment, found `{found}`, too"))
}

pub fn bad_preid(found: &str) -> Problem {
    Problem::new("bad-value", format!("`--preid` expects a name such as `beta`, found `{found}`"))
}

pub fn no_version_to_raise(increment: &str) -> Problem {
    Problem::new("bad-version", format!("package.json has no `version` for `{increment}` to raise"))
        .hint("set the first one, for example `rusk version 1.0.0`")
}

pub fn bad_current_version(found: &str) -> Problem {
    Problem::new("bad-version", format!("the `version` in package.json is `{found}`, which has no next one"))
        .hint("set a version, for example `rusk version 1.0.0`")
}

pub fn same_version(version: &str) -> Problem {
    Problem::new("same-version", format!("the version is `{version}` already"))
        .hint("`--allow-same-version` allows it")
}

pub fn no_repository() -> Problem {
    Problem::new("no-repository", "`from-git` needs a git repository in the package's own directory")
}

pub fn bad_tag_version(tag: &str) -> Problem {
    Problem::new("bad-version", format!("the latest tag `{tag}` is no version"))
}

pub fn git_not_clean(changes: &str) -> Problem {
    let problem = Problem::new("git-not-clean", "the git repository has changes that are not committed");
    with_lines(problem, changes).hint("commit them first, or leave git out with `--no-git-tag-version`")
}

pub fn git_tag_exists(tag: &str) -> Problem {
    Problem::new("git-tag-exists", format!("the git repository has a tag `{tag}` already"))
        .hint("remove the tag, or leave git out with `--no-git-tag-version`")
}

pub fn git_failed(command: &str, said: &str) -> Problem {
    with_lines(Problem::new("git-failed", format!("`git {command}` failed")), said)
}

pub fn no_git(error: std::io::Error) -> Problem {
    Problem::new("no-git", "cannot start `git`").cause(error)
}

fn with_lines(problem: Problem, text: &str) -> Problem {
    text.lines().filter(|line| !line.trim().is_empty()).take(LINES_MAX).fold(problem, Problem::note)
}

/// `deploy` with another number of members than one.
pub fn one_member_to_deploy(names: &[String]) -> Problem {
    Problem::new(
        "several-members",
        format!("expected one member, found {}: `{}`", names.len(), names.join("`, `")),
    )
    .hint("deploy each to its own directory: `rusk deploy --filter=NAME DIR`")
}

/// `--filename` with several members.
pub fn one_file_for_several() -> Problem {
    Problem::new("flags-conflict", "`--filename` names one tarball, and several members are selected")
        .hint("`--destination` names a directory for all of them")
}

/// The name of a package to create from.
pub fn bad_template(found: &str) -> Problem {
    Problem::new("bad-name", format!("`{found}` is no template that `rusk create` knows"))
        .hint("for example `vite@7`, `@scope/name`, `./template`, `user/repository`")
}

pub fn two_directories(found: &str) -> Problem {
    Problem::new("word-not-taken", format!("expected one directory, found `{found}`, too"))
}

pub fn bad_manifest(dir: &Path) -> Problem {
    Problem::new("bad-manifest", format!("package.json in `{}` is not an object of JSON", dir.display()))
}

pub fn bad_answer(question: &str, found: &str, expected: &str) -> Problem {
    Problem::new("bad-value", format!("{question}: expected {expected}, found `{found}`"))
}

pub fn two_templates() -> Problem {
    Problem::new("flags-conflict", "`--react` and `--library` contradict each other")
}

pub fn react_style(found: &str) -> Problem {
    Problem::new("bad-value", format!("--react is `{found}`, expected `tailwind`, `shadcn` or nothing"))
}

pub fn two_packages(found: &str) -> Problem {
    Problem::new("word-not-taken", format!("expected one package, found `{found}`, too"))
}

pub fn not_a_package(dir: &Path) -> Problem {
    Problem::new(
        "not-a-package",
        format!("package.json in `{}` has no valid name and version", dir.display()),
    )
}

pub fn unnamed(dir: &Path) -> Problem {
    Problem::new("not-a-package", format!("package.json in `{}` has no valid `name`", dir.display()))
}

pub fn not_installed(name: &str) -> Problem {
    Problem::new("not-installed", format!("no package `{name}` in the project's node_modules"))
}

pub fn other_version(name: &str, wanted: &str, found: &[&str]) -> Problem {
    let versions = if found.len() == 1 { "version" } else { "versions" };
    let found = found.join("`, `");
    Problem::new(
        "not-installed",
        format!("expected `{name}@{wanted}` in node_modules, found {versions} `{found}`"),
    )
}

pub fn several_versions(name: &str, found: &[&str]) -> Problem {
    Problem::new(
        "several-versions",
        format!("`{name}` is installed in the versions `{}`", found.join("`, `")),
    )
    .hint(format!("name one of them: `rusk patch {name}@{}`", found[0]))
}

pub fn edited_already(label: &str, dir: &Path) -> Problem {
    Problem::new("patch-begun", format!("`{label}` is being edited in `{}`", dir.display()))
        .hint("finish it with `rusk patch --commit`, or remove the directory to begin again")
}

/// `edited`: the directories of the packages that are.
pub fn nothing_to_commit(target: &str, edited: &[String]) -> Problem {
    let problem = Problem::new("no-patch", format!("`{target}` is no package that is being edited"));
    match edited {
        [] => problem.hint("`rusk patch NAME` makes a copy to edit"),
        [only] => problem.hint(format!("`rusk patch --commit {only}` commits what is being edited")),
        all => problem.note(format!("being edited: `{}`", all.join("`, `"))),
    }
}

pub fn nothing_edited(label: &str) -> Problem {
    Problem::new("no-patch", format!("the copy of `{label}` has no changes"))
}

pub fn copy(path: &Path, error: std::io::Error) -> Problem {
    Problem::new("copy", format!("cannot copy `{}`", path.display())).cause(error)
}

pub fn not_registered(name: &str) -> Problem {
    Problem::new("not-registered", format!("no package `{name}` is registered"))
        .hint("run `rusk link` in its directory, or link the directory: `rusk link ./DIR`")
}

pub fn not_linked(name: &str) -> Problem {
    Problem::new("not-linked", format!("`{name}` is neither linked nor in package.json"))
}

pub fn register(place: &Path, error: std::io::Error) -> Problem {
    Problem::new("register", format!("cannot make the link `{}`", place.display())).cause(error)
}

pub fn nothing_to_rebuild(name: &str) -> Problem {
    Problem::new(
        "no-member",
        format!("no package of the project, and no approved package, is named `{name}`"),
    )
}

pub fn unapproved_scripts(name: &str) -> Problem {
    Problem::new("unapproved-scripts", format!("the install scripts of `{name}` are not approved"))
        .hint(format!("`rusk approve {name}` approves and runs them"))
}

pub fn not_rebuilt(names: &[String]) -> Problem {
    let names = names.join("`, `");
    Problem::new("not-rebuilt", format!("no install script of `{names}` ran to its end"))
        .note("it has none that is approved in this version, is not installed, or is optional and failed")
        .hint("`rusk approve` lists the packages that have some")
}

pub const SCRIPTS_IGNORED: &str = "`ignore-scripts` is set, so no script runs";

pub fn scripts_ignored() -> Problem {
    Problem::new("scripts-ignored", "`ignore-scripts` is set, so no script runs")
        .note("it is set in `.npmrc`, bunfig.toml or the environment")
        .hint("with `npm_config_ignore_scripts=false` in the environment they run")
}

pub fn config_usage() -> Problem {
    Problem::new(
        "words-missing",
        "`rusk config` expects `get`, `set`, `delete` or `list`, and their operands",
    )
    .hint("for example `rusk config set save-exact true`")
}

pub fn pkg_usage() -> Problem {
    Problem::new("words-missing", "`rusk pkg` expects `get`, `set FIELD=VALUE` or `delete FIELD`")
        .hint("for example `rusk pkg set scripts.build=tsc`")
}

pub fn bad_config_key(key: &str) -> Problem {
    Problem::new("bad-value", format!("`{key}` cannot be a key of .npmrc"))
}

pub fn bad_config_value(key: &str) -> Problem {
    Problem::new("bad-value", format!("the value of `{key}` has several lines, .npmrc takes one"))
}

pub fn secret_key(key: &str) -> Problem {
    Problem::new("secret", format!("`{key}` is a secret, which is not shown"))
}

pub fn grants_without_names() -> Problem {
    Problem::new("names-missing", "`--record` and grants need the names of packages, found none")
        .hint("name the packages, or approve all with `--all`")
}

pub fn no_scripts_of(name: &str) -> Problem {
    Problem::new("no-scripts", format!("no installed package `{name}` has install scripts"))
        .hint("`rusk approve` lists those that have some")
}

pub fn refused_scripts(name: &str) -> Problem {
    Problem::new("refused-scripts", format!("the project refuses the scripts of `{name}`"))
        .hint("remove it from `allowScripts` or pnpm's lists, in package.json or pnpm-workspace.yaml")
}
