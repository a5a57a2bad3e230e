//! Other package managers, from the npm registry at the versions of `xtask/peers.json`, in
//! `target/peers`.

use crate::{files, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs programs of npm packages, whatever node is installed here.
pub const NODE: &str = "node@24.11.0";

/// Installs packages from the npm registry, each `name@version`, unless `program` is there; returns
/// the directory of their programs. The manifest may have overrides.
pub fn install_into(
    directory: &Path,
    manifest: &str,
    packages: &[&str],
    program: &str,
) -> Result<PathBuf, String> {
    let programs = directory.join("node_modules/.bin");
    if programs.join(program).exists() {
        return Ok(programs);
    }
    files::write(&directory.join("package.json"), manifest)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock"]).args(packages);
    process::succeed(npm.current_dir(directory))?;
    Ok(programs)
}

/// Installs them if these versions are missing; returns the directory of their programs.
pub fn install() -> Result<PathBuf, String> {
    let directory = files::target().join("peers");
    let manifest = include_str!("../peers.json");
    let installed = directory.join("installed.json");
    let programs = directory.join("node_modules/.bin");
    if files::find(&installed).is_some_and(|text| text == manifest) {
        return Ok(programs);
    }
    files::write(&directory.join("package.json"), manifest)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock"]).current_dir(&directory);
    process::succeed(&mut npm)?;
    files::write(&installed, manifest)?;
    Ok(programs)
}

/// As [`install`]; if that fails it prints so, and the programs are looked up on PATH.
#[allow(clippy::print_stderr, reason = "a warning about other versions")]
pub fn find() -> PathBuf {
    install().unwrap_or_else(|message| {
        eprintln!("{message}\nother tools are looked for on PATH");
        PathBuf::new()
    })
}

/// Our own program, built for release.
pub fn rusk() -> Result<PathBuf, String> {
    build("rusk")
}

/// Builds the program of one of our packages for release; both have the same name.
pub fn build(package: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--locked", "--package", package]).current_dir(files::root());
    process::succeed(&mut build)?;
    Ok(files::target().join("release").join(package))
}

/// The directory of release builds.
pub fn release() -> PathBuf {
    files::target().join("release/rusk")
}
