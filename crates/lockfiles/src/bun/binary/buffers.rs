//! The arrays that packages share: bindings, dependencies, strings.

use std::ops::Range;

use rusk_base::Result;
use rusk_npm::graph::Role;

use super::FormatVersion;
use super::cursor::{Cursor, u32_at, u64_at};
use crate::problem;

/// A name, its hash, a byte of roles, a kind of specifier, the specifier.
pub(super) const DEPENDENCY_BYTES: usize = 26;
/// A string is its own bytes, or an offset and a length of four bytes each.
pub(super) const STRING_BYTES: usize = 8;
/// A string and its hash.
const EXTERNAL_STRING_BYTES: usize = 16;
const BINDING_BYTES: usize = 4;
/// The highest bit of a string's last byte: it is an offset and a length.
const IS_OFFSET: u8 = 0x80;

#[derive(Clone, Copy)]
pub(super) struct Buffers<'a> {
    /// Package ids of dependencies.
    bindings: &'a [u8],
    dependencies: &'a [u8],
    external_strings: &'a [u8],
    strings: &'a [u8],
}

/// One dependency as stored.
pub(super) struct StoredDependency<'a> {
    pub(super) name: &'a str,
    pub(super) literal: &'a str,
    pub(super) role: Role,
    pub(super) bundled: bool,
    /// The literal is the path of a member, whatever package.json has: `workspace:*`, say.
    pub(super) is_member: bool,
}

impl<'a> Buffers<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Buffers<'a>> {
        // The hoisted tree and its dependencies.
        cursor.array(1)?;
        cursor.array(1)?;
        let buffers = Buffers {
            bindings: cursor.array(BINDING_BYTES)?,
            dependencies: cursor.array(DEPENDENCY_BYTES)?,
            external_strings: cursor.array(EXTERNAL_STRING_BYTES)?,
            strings: cursor.array(1)?,
        };
        if cursor.u64()? != 0 {
            return Err(problem::binary_lockfile("the end of the packages is missing"));
        }
        Ok(buffers)
    }

    pub(super) fn text(&self, raw: &'a [u8]) -> Result<&'a str> {
        let bytes = if raw[STRING_BYTES - 1] & IS_OFFSET == 0 {
            raw.split(|byte| *byte == 0).next().unwrap_or_default()
        } else {
            let (offset, length) = (u32_at(raw, 0) as usize, (u32_at(raw, 4) & 0x7fff_ffff) as usize);
            let within = self.strings.get(offset..).and_then(|rest| rest.get(..length));
            within.ok_or_else(|| problem::binary_lockfile("a string lies outside of the strings"))?
        };
        std::str::from_utf8(bytes).map_err(|_| problem::binary_lockfile("a string is not UTF-8"))
    }

    /// The string at an offset of a row.
    pub(super) fn text_at(&self, row: &'a [u8], at: usize) -> Result<&'a str> {
        self.text(&row[at..at + STRING_BYTES])
    }

    /// Consecutive strings of a map.
    pub(super) fn external_strings_at(&self, range: Range<usize>) -> Result<Vec<&'a str>> {
        let rows = slice(self.external_strings, EXTERNAL_STRING_BYTES, range)?;
        rows.chunks_exact(EXTERNAL_STRING_BYTES).map(|row| self.text_at(row, 0)).collect()
    }

    /// The dependencies of a package, and the package that each is bound to.
    pub(super) fn dependencies(
        &self,
        dependencies: Range<usize>,
        bindings: Range<usize>,
    ) -> Result<Vec<(StoredDependency<'a>, Option<u32>)>> {
        if dependencies.len() != bindings.len() {
            return Err(problem::binary_lockfile("a package has more dependencies than bindings"));
        }
        let rows = slice(self.dependencies, DEPENDENCY_BYTES, dependencies)?;
        let ids = slice(self.bindings, BINDING_BYTES, bindings)?;
        let ids = ids.chunks_exact(BINDING_BYTES).map(|id| u32_at(id, 0));
        rows.chunks_exact(DEPENDENCY_BYTES)
            .zip(ids)
            .map(|(row, id)| Ok((self.dependency(row)?, (id != u32::MAX).then_some(id))))
            .collect()
    }

    pub(super) fn dependency_count(&self) -> usize {
        self.dependencies.len() / DEPENDENCY_BYTES
    }

    pub(super) fn dependency(&self, row: &'a [u8]) -> Result<StoredDependency<'a>> {
        const ROLES_AT: usize = 16;
        const KIND_AT: usize = 17;
        const LITERAL_AT: usize = 18;
        const MEMBER: u8 = 6;
        let roles = row[ROLES_AT];
        let (role, bundled) = (role(roles), roles & 1 << 6 != 0);
        Ok(StoredDependency {
            name: self.text_at(row, 0)?,
            literal: self.text_at(row, LITERAL_AT)?,
            role,
            bundled,
            is_member: row[KIND_AT] == MEMBER,
        })
    }

    /// A version, from its numbers, prerelease and build.
    pub(super) fn version(&self, row: &'a [u8], layout: FormatVersion) -> Result<String> {
        let (numbers, rest) = row.split_at(layout.numbers_bytes());
        let [major, minor, patch] = match layout {
            FormatVersion::V2 => [0, 4, 8].map(|at| u64::from(u32_at(numbers, at))),
            FormatVersion::V3 => [0, 8, 16].map(|at| u64_at(numbers, at)),
        };
        let mut version = format!("{major}.{minor}.{patch}");
        for (mark, at) in [('-', 0), ('+', EXTERNAL_STRING_BYTES)] {
            let tag = self.text_at(rest, at)?;
            if !tag.is_empty() {
                version.push(mark);
                version.push_str(tag);
            }
        }
        Ok(version)
    }
}

impl FormatVersion {
    fn numbers_bytes(self) -> usize {
        match self {
            // Four bytes are padding.
            FormatVersion::V2 => 16,
            FormatVersion::V3 => 24,
        }
    }

    pub(super) fn version_bytes(self) -> usize {
        self.numbers_bytes() + 2 * EXTERNAL_STRING_BYTES
    }
}

fn slice(column: &[u8], row_bytes: usize, range: Range<usize>) -> Result<&[u8]> {
    let rows = column.len() / row_bytes;
    if range.start > range.end || range.end > rows {
        return Err(problem::binary_lockfile("a package refers to what the file does not have"));
    }
    Ok(&column[range.start * row_bytes..range.end * row_bytes])
}

/// Bits from the second on: production, optional, development, peer, workspace. Dependencies of
/// members have the last one too.
fn role(bits: u8) -> Role {
    let has = |bit: u8| bits & 1 << bit != 0;
    match (has(4), has(3), has(2), has(1)) {
        (true, _, true, _) => Role::OptionalPeer,
        (true, ..) => Role::Peer,
        (_, true, ..) => Role::Development,
        (_, _, true, _) => Role::Optional,
        (.., false) if has(5) => Role::Workspace,
        _ => Role::Production,
    }
}
