//! Links packages according to a plan: built in the staging directory, then moved to their
//! locations by one rename each; all of node_modules by a single rename when there was none. What
//! is replaced is moved away first and deleted last.

pub(crate) mod bins;
pub(crate) mod build;
pub(crate) mod early;
mod ext4_placement;
mod local;
pub(crate) mod staging;

use std::collections::HashMap;
use std::path::Path;

use rusk_base::{Result, timeline};
use rusk_npm::graph::Graph;
use rusk_store::{Backend, Package, Store};

use crate::event::Reporter;
use crate::member_entries::RequestedNames;
use crate::plan::{Completeness, Plan, RenameUnit};
use early::{EarlyPackages, NodeModules};
use staging::StagingArea;

/// In the staging directory, the node_modules that is made as a whole.
const NEW_TREE: &str = "new";

/// What linking needs besides the plan.
pub struct LinkContext<'a> {
    pub project: &'a Path,
    pub cache_dir: &'a Path,
    pub store: &'a Store,
    pub backend: Backend,
    pub graph: &'a Graph,
    /// By stamp.
    pub packages: &'a HashMap<String, Package>,
    pub early: &'a EarlyPackages,
    pub node_modules: NodeModules,
    /// Directories of workspaces, relative to the project.
    pub member_dirs: Vec<String>,
    pub threads: usize,
}

impl<'a> LinkContext<'a> {
    /// A copy, to be changed in part.
    pub fn copy(&self) -> LinkContext<'a> {
        LinkContext { member_dirs: self.member_dirs.clone(), ..*self }
    }
}

/// Makes node_modules match the plan. `commit` is called once, when everything that needs disk
/// space is built and nothing has changed yet; after it there is no rollback.
pub fn link(
    plan: &Plan,
    context: &LinkContext<'_>,
    staging: &StagingArea<'_>,
    reporter: &mut dyn Reporter,
    commit: &mut dyn FnMut() -> Result<()>,
) -> Result<()> {
    let builds_new_tree =
        plan.completeness == Completeness::Unknown || context.node_modules == NodeModules::Absent;
    let (in_new_tree, single): (Vec<RenameUnit<'_>>, Vec<RenameUnit<'_>>) =
        plan.units().into_iter().partition(|unit| builds_new_tree && unit.root.starts_with("node_modules/"));
    let bins = bins::of(plan, context);
    let mut builds = build::BuildQueue::new(&bins, &plan.moves);
    for (number, unit) in single.iter().enumerate() {
        builds.add(unit, &unit.root, &number.to_string());
    }
    for unit in &in_new_tree {
        builds.add(unit, "node_modules", NEW_TREE);
    }
    if !in_new_tree.is_empty() {
        builds.finish("node_modules", NEW_TREE);
        staging.make_dir(NEW_TREE, context.cache_dir)?;
    }
    timeline::phase("link packages", || builds.make(context, staging.staging_dir(), reporter))?;
    let existing_dirs = builds.existing_dirs(plan);
    if context.node_modules == NodeModules::Present {
        staging.check_writable("node_modules")?;
    }
    timeline::phase("write files", &mut *commit)?;
    timeline::phase("move into place", || {
        builds.move_packages(context, staging.staging_dir(), staging.project())?;
        remove_obsolete(plan, context, staging)?;
        if !in_new_tree.is_empty() {
            match context.node_modules {
                NodeModules::Absent => staging.publish(NEW_TREE, "node_modules")?,
                NodeModules::Present => staging.publish_tree(NEW_TREE, "node_modules")?,
            }
        } else if builds_new_tree {
            staging.move_out("node_modules")?;
        }
        for (number, unit) in single.iter().enumerate() {
            staging.publish_unit(&number.to_string(), unit)?;
        }
        Result::Ok(())
    })?;
    timeline::phase("link programs", || bins::link(plan, context, staging.project(), &existing_dirs))
}

/// Removes what is no longer needed, deepest first; of an unknown tree, what an install may have
/// made in the node_modules of members.
fn remove_obsolete(plan: &Plan, context: &LinkContext<'_>, staging: &StagingArea<'_>) -> Result<()> {
    match plan.completeness {
        Completeness::Complete => plan.remove.iter().rev().try_for_each(|path| staging.move_out(path)),
        Completeness::Unknown => {
            plan.replaced.iter().rev().try_for_each(|path| staging.move_out(path))?;
            let requested = RequestedNames::of(context.graph);
            let mut dirs = context.member_dirs.iter().map(|member| format!("{member}/node_modules"));
            dirs.try_for_each(|dir| staging.move_out_installed(&dir, &requested))
        }
    }
}
