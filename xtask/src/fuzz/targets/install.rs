//! The target of `rusk-install`: lockfiles, which come with every project that is cloned.

use rusk_install::hoist::{Everything, hoist};
use rusk_npm::bun_lock::{self, Lockfile};
use rusk_npm::credential;

/// What can be read can be placed and written, and what was written is read again as itself.
pub fn lockfile(input: &[u8]) {
    let Ok(parsed) = bun_lock::parse(&String::from_utf8_lossy(input)) else { return };
    let Some(written) = rendered(parsed) else { return };
    let again = bun_lock::parse(&written).expect("what was written can be read");
    assert_eq!(rendered(again).as_ref(), Some(&written), "written otherwise the second time");
}

/// `None` when the tree is refused: too deep, or too large.
fn rendered(mut lockfile: Lockfile) -> Option<String> {
    let tree = hoist(&mut lockfile.graph, &Everything).ok()?;
    Some(bun_lock::render(&lockfile, &tree, credential::default_registry()))
}
