//! A plan made true: packages linked out of sight, then put in place by one rename each; the whole
//! of node_modules by a single one when there was none. What goes is moved out of the way first and
//! deleted last.

pub(crate) mod ahead;
pub(crate) mod bins;
pub(crate) mod build;
mod ground;
mod local;
pub(crate) mod staging;

use std::collections::HashMap;
use std::path::Path;

use rusk_base::{Result, timeline};
use rusk_npm::graph::Graph;
use rusk_store::{Backend, Package, Store};

use crate::event::Events;
use crate::plan::{Knowledge, Plan, Unit};
use ahead::{Modules, Ready};
use staging::Staging;

/// In the staging folder, the node_modules that is made as a whole.
const WHOLE: &str = "new";

/// What linking needs besides the plan.
pub struct Workshop<'a> {
    pub project: &'a Path,
    pub cache_dir: &'a Path,
    pub store: &'a Store,
    pub backend: Backend,
    pub graph: &'a Graph,
    /// By stamp.
    pub packages: &'a HashMap<String, Package>,
    pub ready: &'a Ready,
    pub modules: Modules,
    /// The folders of workspaces, from the project.
    pub homes: Vec<String>,
    pub threads: usize,
}

impl<'a> Workshop<'a> {
    /// The same, to be changed in part.
    pub fn copy(&self) -> Workshop<'a> {
        Workshop { homes: self.homes.clone(), ..*self }
    }
}

/// Makes node_modules what the plan says. `commit` is called once, when all that takes space is
/// built and nothing is changed yet; after it there is no way back.
pub fn link(
    plan: &Plan,
    workshop: &Workshop<'_>,
    staging: &Staging<'_>,
    events: &mut dyn Events,
    commit: &mut dyn FnMut() -> Result<()>,
) -> Result<()> {
    let is_whole_made = plan.knowledge == Knowledge::None || workshop.modules == Modules::None;
    let (whole, single): (Vec<Unit<'_>>, Vec<Unit<'_>>) =
        plan.units().into_iter().partition(|unit| is_whole_made && unit.root.starts_with("node_modules/"));
    let bins = bins::of(plan, workshop);
    let mut builds = build::Builds::new(&bins, &plan.moves);
    for (number, unit) in single.iter().enumerate() {
        builds.add(unit, &unit.root, &number.to_string());
    }
    for unit in &whole {
        builds.add(unit, "node_modules", WHOLE);
    }
    if !whole.is_empty() {
        builds.finish("node_modules", WHOLE);
        staging.make_folder(WHOLE, workshop.cache_dir)?;
    }
    timeline::phase("link packages", || builds.make(workshop, staging.workbench(), events))?;
    let standing = builds.standing(plan);
    timeline::phase("write files", &mut *commit)?;
    timeline::phase("put in place", || {
        builds.move_packages(workshop, staging.workbench(), staging.project())?;
        take_away(plan, workshop, staging)?;
        if !whole.is_empty() {
            staging.keep_caches("node_modules", WHOLE)?;
            staging.put(WHOLE, "node_modules")?;
        } else if is_whole_made {
            staging.take("node_modules")?;
        }
        for (number, unit) in single.iter().enumerate() {
            staging.put(&number.to_string(), &unit.root)?;
        }
        Result::Ok(())
    })?;
    timeline::phase("link programs", || bins::link(plan, workshop, staging.project(), &standing))
}

/// Takes away what is no longer wanted, deepest first; of a tree that we do not know, all that lies
/// in workspaces.
fn take_away(plan: &Plan, workshop: &Workshop<'_>, staging: &Staging<'_>) -> Result<()> {
    match plan.knowledge {
        Knowledge::Whole => plan.remove.iter().rev().try_for_each(|path| staging.take(path)),
        Knowledge::None => {
            workshop.homes.iter().try_for_each(|home| staging.take(&format!("{home}/node_modules")))
        }
    }
}
