//! The other package managers, from the npm registry at the versions of `xtask/peers.json`, in
//! `target/peers`.

use crate::{files, process};
use std::path::PathBuf;
use std::process::Command;

/// Installs them when they are not there at these versions; answers the folder of their programs.
pub fn install() -> Result<PathBuf, String> {
    let directory = files::target().join("peers");
    let wanted = include_str!("../peers.json");
    let installed = directory.join("installed.json");
    let programs = directory.join("node_modules/.bin");
    if files::find(&installed).is_some_and(|text| text == wanted) {
        return Ok(programs);
    }
    files::write(&directory.join("package.json"), wanted)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock"]).current_dir(&directory);
    process::succeed(&mut npm)?;
    files::write(&installed, wanted)?;
    Ok(programs)
}

/// As [`install`]; where that cannot be done it says so, and the names without a folder are looked
/// for on PATH.
#[allow(clippy::print_stderr, reason = "versions are not the ones that were asked for, and that is said")]
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

/// The program of one of our packages, which has the package's name, built for release.
pub fn build(package: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--locked", "--package", package]).current_dir(files::root());
    process::succeed(&mut build)?;
    Ok(files::target().join("release").join(package))
}

/// Where that program is once it is built.
pub fn release() -> PathBuf {
    files::target().join("release/rusk")
}
