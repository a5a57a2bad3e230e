//! `yarn.lock`: packages by the descriptors that lead to them, `name@range`. In: the text and the
//! package.json files of the project, or a new graph. Out: a graph in which every dependency is
//! bound as its descriptor says, or the text. Absent: where packages lie, which Yarn decides anew.

mod assignment;
pub mod berry;
mod classic;
mod descriptor;
mod members;
mod quote;
mod syntax;

use rusk_base::Result;

use crate::{FormatDetails, Lockfile, MemberText, NewLockfile, Previous};

pub fn read(text: &str, members: &[MemberText<'_>]) -> Result<Lockfile> {
    let blocks = syntax::parse(text)?;
    if let Some(metadata) = blocks.iter().find(|block| block.key() == "__metadata") {
        return berry::read(berry::version(metadata)?, &blocks, members);
    }
    classic::read(&blocks, members)
}

pub fn render(previous: Option<&Previous<'_>>, new: &mut NewLockfile<'_>) -> String {
    match previous.map(|previous| (previous, &previous.lockfile.details)) {
        Some((previous, FormatDetails::YarnBerry(details))) => berry::render(details.version, previous, new),
        _ => classic::render(previous, new),
    }
}

#[cfg(test)]
mod tests;
