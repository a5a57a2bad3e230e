//! Errors of packing.

use std::io;
use std::path::Path;

use rusk_base::Problem;

pub fn read(path: &Path, error: io::Error) -> Problem {
    Problem::new("pack-read", format!("cannot read `{}`", path.display())).cause(error)
}

pub fn too_many_files(files_max: usize) -> Problem {
    Problem::new("pack-files", format!("the package has more than {files_max} files"))
        .hint("name the files to publish in `files` of package.json")
}

pub fn too_deep(dir: &Path, depth_max: usize) -> Problem {
    Problem::new("pack-files", format!("`{}` is more than {depth_max} directories deep", dir.display()))
}

pub fn file_changed(path: &str) -> Problem {
    Problem::new("pack-changed", format!("`{path}` changed while it was packed"))
        .hint("run the command again when no other program writes to the package")
}

pub fn bundled_name(name: &str) -> Problem {
    Problem::new("pack-bundled", format!("`{name}` in bundleDependencies is not a package name"))
}

pub fn bundled_isolated(name: &str) -> Problem {
    Problem::new("pack-bundled", format!("the bundled dependency `{name}` is a link of the isolated layout"))
        .hint("install with `rusk install --linker=hoisted`, so that its files are in node_modules")
}

pub fn no_name(field: &str) -> Problem {
    Problem::new("pack-manifest", format!("package.json has no `{field}`, which a published package needs"))
}

pub fn invalid_field(field: &str, value: &str, expected: &str) -> Problem {
    Problem::new("pack-manifest", format!("`{field}` in package.json is `{value}`, expected {expected}"))
}

pub fn unresolved(name: &str, literal: &str, reason: &str) -> Problem {
    Problem::new("pack-dependency", format!("the dependency `{name}` is `{literal}`, but {reason}"))
}

pub fn no_manifest() -> Problem {
    Problem::new("pack-manifest", "the tarball has no package.json")
}

pub fn path_too_long(path: &str) -> Problem {
    Problem::new("pack-path", format!("the path `{path}` is too long for a tarball"))
}
