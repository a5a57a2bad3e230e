//! Generator of projects with thousands of tiny packages, to measure how time grows with the number
//! of packages. In: a number of packages. Out: a project, and packuments and tarballs for the
//! registry. The output is deterministic.

use super::recorder::write_atomic;
use super::registry;
use crate::files;
use crate::report::Json;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_testkit::tarball;
use sha2::{Digest, Sha512};
use std::path::{Path, PathBuf};

/// Packages that depend on each other: the first has [`CHILDREN`] dependencies, which have
/// [`GRANDCHILDREN`] each.
pub const BLOCK: usize = 50;
const CHILDREN: usize = 7;
const GRANDCHILDREN: usize = 6;
pub const PACKAGES_MAX: usize = 40_000;

/// Generates what does not exist yet; returns the project directory.
pub fn make(packages: usize) -> Result<PathBuf, String> {
    if packages == 0 || !packages.is_multiple_of(BLOCK) || packages > PACKAGES_MAX {
        return Err(format!("expected a multiple of {BLOCK} up to {PACKAGES_MAX}, found {packages}"));
    }
    let recorded = registry::directory();
    for index in 0..packages {
        if !recorded.join("full").join(format!("{}.json", name(index))).exists() {
            publish(index, &recorded)?;
        }
    }
    let project = files::target().join("generated").join(packages.to_string());
    files::write(&project.join("package.json"), &manifest(packages))?;
    Ok(project)
}

pub fn name(index: usize) -> String {
    format!("generated-{index:05}")
}

/// Depends on the first package of each block.
fn manifest(packages: usize) -> String {
    let firsts = (0..packages).step_by(BLOCK);
    Json::object([
        ("name", Json::text(format!("generated-project-{packages}"))),
        ("version", Json::text("1.0.0")),
        ("private", Json::Text("true".to_owned())),
        ("dependencies", Json::Object(firsts.map(|first| (name(first), Json::text("1.0.0"))).collect())),
    ])
    .render()
    .replace("\"true\"", "true")
}

/// Dependencies of a package, within its block. The last generation depends on its counterpart in
/// the previous block.
fn dependencies(index: usize) -> Vec<usize> {
    let (first, offset) = (index - index % BLOCK, index % BLOCK);
    match offset {
        0 => (1..=CHILDREN).map(|child| first + child).collect(),
        1..=CHILDREN => {
            let from = first + 1 + CHILDREN + (offset - 1) * GRANDCHILDREN;
            (from..from + GRANDCHILDREN).collect()
        }
        _ => index.checked_sub(BLOCK).into_iter().collect(),
    }
}

fn publish(index: usize, recorded: &Path) -> Result<(), String> {
    let name = name(index);
    let dependency_map = |version: &str| {
        let names = dependencies(index).into_iter();
        Json::Object(names.map(|index| (self::name(index), Json::text(version))).collect())
    };
    let own = |more: Vec<(&str, Json)>| {
        let mut members = vec![("name", Json::text(name.as_str())), ("version", Json::text("1.0.0"))];
        members.extend(more);
        Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let manifest =
        own(vec![("main", Json::text("index.js")), ("dependencies", dependency_map("^1.0.0"))]).render();
    let packed = tarball::Builder::new()
        .file("package/package.json", &manifest)
        .file("package/index.js", format!("module.exports = require('./lib/{name}.js');\n"))
        .file(&format!("package/lib/{name}.js"), format!("module.exports = '{name}';\n").repeat(20))
        .file("package/README.md", format!("# {name}\n"))
        .tgz();
    let file = format!("{name}-1.0.0.tgz");
    let dist = Json::object([
        ("tarball", Json::text(format!("{}{name}/-/{file}", registry::url()))),
        ("integrity", Json::text(format!("sha512-{}", STANDARD.encode(Sha512::digest(&packed))))),
    ]);
    let version = own(vec![("dependencies", dependency_map("^1.0.0")), ("dist", dist)]);
    let packument = Json::object([
        ("name", Json::text(name.as_str())),
        ("dist-tags", Json::object([("latest", Json::text("1.0.0"))])),
        ("versions", Json::object([("1.0.0", version)])),
        ("modified", Json::text("2020-01-01T00:00:00.000Z")),
        ("time", Json::object([("1.0.0", Json::text("2020-01-01T00:00:00.000Z"))])),
    ])
    .render();
    write_atomic(&recorded.join("tarballs").join(&name).join("-").join(file), &packed)?;
    for form in ["short", "full"] {
        let file = recorded.join(form).join(format!("{name}.json"));
        write_atomic(&file.with_extension("json.gz"), &tarball::gzip(packument.as_bytes()))?;
        write_atomic(&file, packument.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
