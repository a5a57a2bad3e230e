//! Errors of the commands that read what is installed.

use rusk_base::Problem;

pub fn no_lockfile(file: &str) -> Problem {
    Problem::new("no-lockfile", format!("there is no {file}, which says what is installed"))
        .hint("run `rusk install` first")
}

pub fn bad_range(argument: &str) -> Problem {
    Problem::new("bad-range", format!("the part of `{argument}` after `@` is not a version range"))
}

pub fn audit_usage() -> Problem {
    Problem::new("bad-operand", "`rusk audit` accepts only `fix` or `signatures` as an argument")
}

pub fn licenses_usage() -> Problem {
    Problem::new("bad-operand", "`rusk licenses` accepts only `list` as an argument")
}

pub fn nothing_installed() -> Problem {
    Problem::new(
        "nothing-installed",
        "no package of the lockfile is in node_modules, where licenses are read",
    )
    .hint("run `rusk install` first")
}

pub fn nothing_signed() -> Problem {
    Problem::new("nothing-signed", "no package of the lockfile is from a registry that has signing keys")
}

pub fn no_sbom_format() -> Problem {
    Problem::new("sbom-format", "`rusk sbom` needs a format: `cyclonedx` or `spdx`")
        .hint("run `rusk sbom --sbom-format cyclonedx`")
}

pub fn not_in_node_modules(label: &str) -> Problem {
    Problem::new("not-installed", format!("`{label}` of the lockfile is not in node_modules"))
        .hint("run `rusk install` first, or pass `--package-lock-only`")
}

pub fn no_package_name() -> Problem {
    Problem::new("no-package-name", "the current directory has no package.json with a `name`")
        .hint("name a package: `rusk info NAME`")
}

pub fn no_field(field: &str) -> Problem {
    Problem::new("no-field", format!("the package has no field `{field}`"))
        .hint("`rusk info NAME --json` shows all fields")
}

/// `name`: of a package, or a pattern.
pub fn no_such_dependency(name: &str) -> Problem {
    Problem::new("not-a-dependency", format!("no dependency in package.json matches `{name}`"))
}

/// `what`: the arguments.
pub fn not_installed(what: &str) -> Problem {
    Problem::new("not-installed", format!("no package in the lockfile matches {what}"))
}
