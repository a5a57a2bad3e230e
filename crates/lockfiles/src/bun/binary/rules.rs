//! The sections behind the packages, each with a tag of eight bytes, in the order in which bun
//! writes them.

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::bun_lock::ConfigVersion;
use rusk_npm::graph::Text;
use rusk_npm::overrides::{Rule, Selector};

use super::buffers::{Buffers, DEPENDENCY_BYTES, STRING_BYTES};
use super::cursor::{Cursor, u32_at, u64_at};
use super::packages::PackageColumns;
use super::{FormatVersion, Sections};
use crate::problem;

const TAG_BYTES: usize = 8;
const HASH_BYTES: usize = 8;
/// A path, and the hash of the file.
const PATCH_BYTES: usize = 24;

/// Reads up to the first section that is not known: those of later versions are settings.
pub(super) fn read<'a>(
    cursor: &mut Cursor<'a>,
    buffers: &Buffers<'a>,
    layout: FormatVersion,
    columns: &PackageColumns<'a>,
) -> Result<Sections> {
    let names = columns.names_by_hash(buffers)?;
    // Files of before this section have the linker of before it.
    let mut sections = Sections { config_version: ConfigVersion::V0, ..Sections::default() };
    while cursor.remaining() >= TAG_BYTES {
        match cursor.take(TAG_BYTES)? {
            b"wOrKsPaC" => sections.member_versions = member_versions(cursor, buffers, layout)?,
            b"tRuStEDd" => sections.rules.trusted = Some(trusted(cursor, &names)?),
            b"eMpTrUsT" => sections.rules.trusted = Some(Vec::new()),
            b"oVeRriDs" => {
                cursor.array(HASH_BYTES)?;
                sections.rules.overrides.rules = overrides(cursor, buffers)?;
            }
            b"pAtChEdD" => {
                cursor.array(HASH_BYTES)?;
                let rows = cursor.array(PATCH_BYTES)?.chunks_exact(PATCH_BYTES);
                let paths = rows.map(|row| buffers.text_at(row, 0).map(Text::from));
                sections.patches = paths.collect::<Result<_>>()?;
            }
            b"cAtAlOgS" => {
                sections.rules.catalog = catalog(cursor, buffers)?;
                for name in strings(cursor, buffers)? {
                    sections.rules.catalogs.push((name.into(), catalog(cursor, buffers)?));
                }
                sections.rules.catalogs.sort();
            }
            b"cNfGvRsN" => {
                sections.config_version =
                    if cursor.u64()? == 0 { ConfigVersion::V0 } else { ConfigVersion::V1 };
            }
            _ => break,
        }
    }
    Ok(sections)
}

fn member_versions<'a>(
    cursor: &mut Cursor<'a>,
    buffers: &Buffers<'a>,
    layout: FormatVersion,
) -> Result<HashMap<u64, String>> {
    let hashes = cursor.array(HASH_BYTES)?;
    let versions = cursor.array(layout.version_bytes())?;
    // Paths, which the packages have too.
    cursor.array(HASH_BYTES)?;
    cursor.array(STRING_BYTES)?;
    let hashes = hashes.chunks_exact(HASH_BYTES).map(|hash| u64_at(hash, 0));
    let versions = versions.chunks_exact(layout.version_bytes());
    hashes.zip(versions).map(|(hash, version)| Ok((hash, buffers.version(version, layout)?))).collect()
}

/// The file has the lower half of each name's hash; a name that no package has does not matter.
fn trusted(cursor: &mut Cursor<'_>, names: &HashMap<u64, &str>) -> Result<Vec<Text>> {
    const HALF_BYTES: usize = 4;
    let halves: HashMap<u32, &str> = names
        .iter()
        .map(|(hash, name)| (u32::try_from(hash & u64::from(u32::MAX)).expect("it is masked"), *name))
        .collect();
    let rows = cursor.array(HALF_BYTES)?.chunks_exact(HALF_BYTES);
    let mut trusted: Vec<Text> =
        rows.filter_map(|row| halves.get(&u32_at(row, 0))).map(|name| Text::from(*name)).collect();
    trusted.sort();
    Ok(trusted)
}

fn overrides<'a>(cursor: &mut Cursor<'a>, buffers: &Buffers<'a>) -> Result<Vec<Rule>> {
    let rows = cursor.array(DEPENDENCY_BYTES)?.chunks_exact(DEPENDENCY_BYTES);
    let mut rules: Vec<Rule> = rows
        .map(|row| {
            let dependency = buffers.dependency(row)?;
            let target = Selector { name: dependency.name.to_owned(), range: String::new() };
            Ok(Rule { parent: None, target, literal: dependency.literal.to_owned() })
        })
        .collect::<Result<_>>()?;
    rules.sort_by(|a, b| a.target.cmp(&b.target));
    Ok(rules)
}

fn catalog<'a>(cursor: &mut Cursor<'a>, buffers: &Buffers<'a>) -> Result<Vec<(Text, Text)>> {
    let names = strings(cursor, buffers)?;
    let rows = cursor.array(DEPENDENCY_BYTES)?;
    if rows.len() / DEPENDENCY_BYTES != names.len() {
        return Err(problem::binary_lockfile("a catalog has more names than ranges"));
    }
    let mut entries: Vec<(Text, Text)> = names
        .into_iter()
        .zip(rows.chunks_exact(DEPENDENCY_BYTES))
        .map(|(name, row)| Ok((Text::from(name), Text::from(buffers.dependency(row)?.literal))))
        .collect::<Result<_>>()?;
    entries.sort();
    Ok(entries)
}

fn strings<'a>(cursor: &mut Cursor<'a>, buffers: &Buffers<'a>) -> Result<Vec<&'a str>> {
    cursor.array(STRING_BYTES)?.chunks_exact(STRING_BYTES).map(|raw| buffers.text(raw)).collect()
}
