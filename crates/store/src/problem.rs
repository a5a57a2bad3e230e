//! Errors of the store and of tarballs. [`in_package`] adds the name of the package.

use rusk_base::Problem;

/// Says which package was being added.
pub fn in_package(problem: Problem, package: &str) -> Problem {
    problem.note(format!("in the package `{package}`"))
}

pub fn gzip_damaged() -> Problem {
    Problem::new("tarball-damaged", "the tarball is not a whole gzip stream")
}

pub fn gzip_trailing() -> Problem {
    Problem::new("tarball-damaged", "bytes follow the end of the gzip stream, expected none")
}

pub fn unpacks_too_large(tarball_bytes: usize, unpacked_bytes_max: usize) -> Problem {
    let message = format!(
        "{tarball_bytes} bytes of tarball unpack to more than the limit of {unpacked_bytes_max} bytes"
    );
    Problem::new("tarball-too-large", message)
}

pub fn tar_truncated(entry: &str) -> Problem {
    Problem::new("tarball-truncated", format!("the tarball ends within the entry `{entry}`"))
}

pub fn header_invalid(offset: usize, field: &str) -> Problem {
    Problem::new("tarball-header", format!("the tar header at byte {offset} has an invalid {field}"))
}

pub fn entry_unsupported(entry: &str, what: &str) -> Problem {
    Problem::new("tarball-entry", format!("the entry `{entry}` is {what}, expected a plain file"))
}

pub fn path_invalid(entry: &str, expected: &str) -> Problem {
    Problem::new("tarball-path", format!("the path `{entry}` is not allowed, expected {expected}"))
}

pub fn too_many(what: &str, max: usize) -> Problem {
    Problem::new("tarball-too-large", format!("the tarball has more than {max} {what}"))
}

pub fn file_is_dir(path: &str) -> Problem {
    Problem::new("tarball-conflict", format!("the path `{path}` is both a file and a directory"))
}

pub fn manifest_missing() -> Problem {
    Problem::new("tarball-manifest", "the tarball has no `package.json`")
}

pub fn manifest_too_large(bytes: usize, bytes_max: usize) -> Problem {
    Problem::new(
        "tarball-manifest",
        format!("`package.json` has {bytes} bytes, expected at most {bytes_max}"),
    )
}

pub fn manifest_invalid(error: rusk_npm::json::SyntaxError) -> Problem {
    Problem::new("tarball-manifest", "`package.json` is not JSON").cause(error)
}

pub fn manifest_differs(field: &str, found: &str, wanted: &str) -> Problem {
    Problem::new("tarball-manifest", format!("`package.json` has the {field} `{found}`, expected `{wanted}`"))
}

pub fn integrity_differs(found: &str, wanted: &str) -> Problem {
    Problem::new("integrity-differs", format!("the tarball has the integrity `{found}`, expected `{wanted}`"))
        .hint("the tarball was changed after it was locked, or on its way; do not install it before you know which")
}

pub fn target_not_dir(path: &str) -> Problem {
    Problem::new(
        "link-target",
        format!("cannot link into `{path}`: expected a directory, found something else"),
    )
}
