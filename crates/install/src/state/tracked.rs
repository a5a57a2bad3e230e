//! Directories of a plan whose changes are detected by fingerprints. In: a plan. Out: each
//! directory of locations or programs, and its status from before, if the install changes nothing
//! in it.

use std::collections::BTreeSet;

use super::{FileStat, parents};
use crate::layout::LayoutKind;
use crate::plan::Plan;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackedDirectory {
    pub path: String,
    /// Status of a directory that the install does not change; shows changes by other programs
    /// meanwhile.
    pub stat: Option<FileStat>,
}

impl TrackedDirectory {
    /// All tracked directories of a plan, sorted by path.
    pub fn all(plan: &Plan) -> Vec<TrackedDirectory> {
        let made = plan.made().map(|location| &location.path);
        let changed = made.chain(&plan.remove).chain(plan.moves.values());
        // Our own directory is removed from there, and made again.
        let touched: BTreeSet<&str> =
            changed.flat_map(|path| parents(path)).chain(["node_modules"]).collect();
        let has_programs = |dir: &str| dir.ends_with("/.bin") || plan.dirs_with_bins.contains(dir);
        let is_left_alone = |dir: &str| !touched.contains(dir) && !has_programs(dir);
        // Both are sorted by path.
        let mut unchanged = plan.installed.unchanged.iter().peekable();
        let watch = |path: String| {
            while unchanged.next_if(|(unchanged, _)| **unchanged < path).is_some() {}
            let found = unchanged.peek().filter(|(unchanged, _)| **unchanged == path);
            let stat = found.filter(|_| is_left_alone(&path)).map(|(_, found)| **found);
            TrackedDirectory { path, stat }
        };
        directories(plan).into_iter().map(watch).collect()
    }
}

fn directories(plan: &Plan) -> BTreeSet<String> {
    let mut parents: Vec<&str> =
        plan.locations.iter().filter_map(|location| Some(location.path.rsplit_once('/')?.0)).collect();
    // Most follow another one of the same directory.
    parents.dedup();
    let mut dirs: BTreeSet<String> = parents.into_iter().map(str::to_owned).collect();
    dirs.extend(plan.dirs.iter().cloned());
    // A `.bin` that is created later changes its parent directory.
    dirs.extend(plan.dirs_with_bins.iter().map(|dir| format!("{dir}/.bin")));
    if let Some(shared) = &plan.shared {
        dirs.extend(shared.closure_path().to_str().map(str::to_owned));
    }
    if let LayoutKind::Isolated(store) = plan.kind {
        dirs.extend(["node_modules", store.path()].map(str::to_owned));
    }
    dirs
}
