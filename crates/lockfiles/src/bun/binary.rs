//! `bun.lockb`, the binary lockfile of bun before 1.2. In: its bytes. Out: a bound graph and the
//! rules of package.json, as `bun.lock` has them. Versions 2 and 3 of the format are read, and
//! none is written. The file is columns of fixed size: packages by field, then dependencies,
//! bindings and strings, to which packages refer by offset and length. Absent: the tree, which
//! follows from the graph, and scripts.

mod buffers;
mod cursor;
mod packages;
mod rules;

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::bun_lock::{ConfigVersion, Lockfile};
use rusk_npm::graph::Text;

use crate::problem;
use buffers::Buffers;
use cursor::Cursor;
use packages::PackageColumns;

/// The file's name in a project.
pub const FILE_NAME: &str = "bun.lockb";

const HEADER: &[u8] = b"#!/usr/bin/env bun\nbun-lockfile-format-v0\n";

/// A digest that this reader does not need.
const META_HASH_BYTES: usize = 32;

/// What the file says.
#[derive(Clone, Debug)]
pub struct BinaryLockfile {
    /// Without `patched`.
    pub lockfile: Lockfile,
    /// Paths of patches: the file has no name of what they are for, only its hash.
    pub patches: Vec<Text>,
}

/// How versions are stored: three numbers of 32 bits, or of 64 since bun 1.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormatVersion {
    V2,
    V3,
}

pub fn read(bytes: &[u8]) -> Result<BinaryLockfile> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take(HEADER.len()).ok() != Some(HEADER) {
        return Err(problem::binary_lockfile("it does not begin as one"));
    }
    let layout = match cursor.u32()? {
        2 => FormatVersion::V2,
        3 => FormatVersion::V3,
        other => return Err(problem::binary_lockfile_version(other)),
    };
    cursor.take(META_HASH_BYTES)?;
    // Padding follows.
    let end = cursor::to_usize(cursor.u64()?)?;
    cursor.end_at(end)?;
    let columns = PackageColumns::read(&mut cursor, layout)?;
    let buffers = Buffers::read(&mut cursor)?;
    let sections = rules::read(&mut cursor, &buffers, layout, &columns)?;
    let graph = packages::graph(&columns, &buffers, layout, &sections.member_versions)?;
    let lockfile =
        Lockfile { format: None, config_version: sections.config_version, graph, rules: sections.rules };
    Ok(BinaryLockfile { lockfile, patches: sections.patches })
}

/// What follows the packages.
#[derive(Default)]
struct Sections {
    rules: rusk_npm::bun_lock::Rules,
    patches: Vec<Text>,
    /// By the hash of a member's name.
    member_versions: HashMap<u64, String>,
    config_version: ConfigVersion,
}

#[cfg(test)]
mod tests;
