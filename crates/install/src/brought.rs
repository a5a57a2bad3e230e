//! What a folder says of itself, as whoever made it wrote it down: a clone brings its node_modules
//! along, and our record in it. In: the folder. Out: what an install would believe. For those that
//! try hostile texts.

use std::os::fd::BorrowedFd;
use std::path::Path;

use crate::state;
use crate::still::Witness;

/// The places that an install takes for its own or for a stranger's, either of which it may remove:
/// paths from the project.
pub fn places(project: BorrowedFd<'_>) -> Vec<String> {
    state::read(project).places.into_keys().collect()
}

/// Whether an install would say that nothing is left to do, were it asked as the witness says.
pub fn stands(folder: &Path) -> bool {
    Witness::find(folder).is_some_and(|witness| witness.stands())
}
