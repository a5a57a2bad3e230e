//! Errors of npm's formats: manifests, lockfiles, configuration, specifiers, versions.

use rusk_base::Problem;

use crate::json::{Member, Node, SyntaxError, line_and_column};

/// Names the environment variable that the credentials of a request needed. A registry may respond
/// with 404 as well.
pub fn with_unset_variable(problem: Problem, name: Option<String>) -> Problem {
    let Some(name) = name else { return problem };
    problem
        .note(format!("its credentials in .npmrc are `${{{name}}}`, and `{name}` is not set"))
        .hint(format!("set the environment variable `{name}`"))
}

pub(crate) fn manifest_too_large(bytes: usize) -> Problem {
    let bytes_max = crate::manifest::MANIFEST_BYTES_MAX;
    Problem::new("manifest-size", format!("package.json has {bytes} bytes, expected at most {bytes_max}"))
}

pub(crate) fn manifest_syntax(error: SyntaxError) -> Problem {
    Problem::new("manifest-syntax", format!("package.json is not JSON: {error}"))
}

pub(crate) fn manifest_kind(text: &str, key: &str, node: &Node<'_>, expected: &str) -> Problem {
    let (line, _) = line_and_column(text, node.start);
    let found = node.kind();
    Problem::new("manifest-kind", format!("`{key}` is {found}, expected {expected}"))
        .note(format!("line {line} of package.json"))
}

pub(crate) fn field_path(path: &str) -> Problem {
    Problem::new("bad-value", format!("`{path}` is no path of a field"))
        .hint("paths are such as `scripts.build`, `contributors[0].name`, `exports[./sub]`, `files[]`")
}

pub(crate) fn field_value(found: &str, error: &SyntaxError) -> Problem {
    Problem::new("bad-value", format!("`{found}` is not JSON: {error}"))
        .hint("without `--json` the value is a string")
}

pub(crate) fn package_extensions(text: &str, node: &Node<'_>, expected: &str) -> Problem {
    let (line, _) = line_and_column(text, node.start);
    Problem::new("package-extensions", format!("expected {expected}"))
        .note(format!("line {line} of package.json"))
}

pub(crate) fn script_kind(name: &str, found: &str, line: usize) -> Problem {
    Problem::new("manifest-kind", format!("script `{name}` is {found}, expected a string"))
        .note(format!("line {line} of package.json"))
}

pub(crate) fn script_nul(name: &str, line: usize) -> Problem {
    Problem::new("manifest-kind", format!("script `{name}` holds a NUL, which no command line can"))
        .note(format!("line {line} of package.json"))
}

pub(crate) fn manifest_name(text: &str, key: &str, member: &Member<'_>) -> Problem {
    let (line, _) = line_and_column(text, member.start);
    let name = &member.key;
    Problem::new("manifest-name", format!("`{key}` names `{name}`, expected `name` or `@scope/name`"))
        .note(format!("line {line} of package.json"))
}

pub(crate) fn glob(glob: &str, expected: &str) -> Problem {
    Problem::new("workspace-glob", format!("`workspaces` has `{glob}`, expected {expected}"))
}

pub(crate) fn bunfig_syntax(text: &str, offset: usize, reason: &str) -> Problem {
    let (line, column) = line_and_column(text, offset);
    Problem::new("bunfig-syntax", format!("bunfig.toml is not TOML: line {line}, column {column}: {reason}"))
}

pub(crate) fn bunfig_kind(text: &str, offset: usize, key: &str, found: &str, expected: &str) -> Problem {
    let (line, _) = line_and_column(text, offset);
    Problem::new("bunfig-kind", format!("`{key}` is {found}, expected {expected}"))
        .note(format!("line {line} of bunfig.toml"))
}

pub(crate) fn package_name(name: &str, error: crate::name::NameError) -> Problem {
    Problem::new("package-name", format!("`{name}` is no package name: expected {error}"))
}

pub(crate) fn specifier(text: &str, expected: &str) -> Problem {
    Problem::new("specifier", format!("`{text}` says no place to take a package from: expected {expected}"))
}

pub(crate) fn specifier_too_long(bytes: usize, bytes_max: usize) -> Problem {
    Problem::new("specifier", format!("a specifier has {bytes} bytes, expected at most {bytes_max}"))
}

pub(crate) fn lockfile_syntax(error: &SyntaxError) -> Problem {
    Problem::new("lockfile-syntax", format!("bun.lock is damaged: {error}"))
        .hint("restore it from version control, or delete it to resolve from nothing")
}

pub(crate) fn lockfile_conflict(line: usize) -> Problem {
    Problem::new("lockfile-conflict", format!("bun.lock has a merge conflict at line {line}"))
        .hint("keep one side, then run `rusk install`")
}

pub(crate) fn lockfile_version(line: usize, found: &str) -> Problem {
    let newest = crate::bun_lock::Format::NEWEST.number();
    let message = format!("bun.lock has version `{found}`, expected at most {newest}");
    Problem::new("lockfile-version", message)
        .note(format!("line {line} of bun.lock"))
        .hint("a newer tool wrote it; update rusk, or write it again with an older one")
}

/// An invalid entry of a lockfile.
pub(crate) fn lockfile(line: usize, expected: &str) -> Problem {
    Problem::new("lockfile-entry", format!("bun.lock line {line}: expected {expected}"))
}

pub(crate) fn filter(found: &str) -> Problem {
    Problem::new(
        "bad-filter",
        format!("`{found}` is not a filter, expected a name, a path, `{{dir}}` or `[git-ref]`"),
    )
    .hint("`foo...` adds dependencies, `...foo` dependents, `!foo` excludes")
}

/// `line`: of the patch, from 1.
pub(crate) fn bad_patch(line: usize, found: &str) -> Problem {
    Problem::new("bad-patch", format!("line {line} of the patch has {found}, expected a diff of git"))
}

/// `state`: what is wrong with the file that the patch changes.
pub(crate) fn patch_target(line: usize, path: &str, state: &str) -> Problem {
    Problem::new("patch-conflict", format!("`{path}` {state}")).note(format!("line {line} of the patch"))
}

/// `at`: the line of the file, from 1.
pub(crate) fn patch_conflict(
    line: usize,
    path: &str,
    at: usize,
    expected: &[u8],
    found: Option<&[u8]>,
) -> Problem {
    /// More of a line is not shown.
    const SHOWN_BYTES_MAX: usize = 80;
    let shown =
        |text: &[u8]| String::from_utf8_lossy(&text[..text.len().min(SHOWN_BYTES_MAX)]).trim_end().to_owned();
    let found = found.map_or("the end of the file".to_owned(), |found| format!("`{}`", shown(found)));
    Problem::new("patch-conflict", format!("the patch does not apply to line {at} of `{path}`"))
        .note(format!("expected `{}`, found {found}", shown(expected)))
        .note(format!("line {line} of the patch"))
}
