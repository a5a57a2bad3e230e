//! Every tarball the plan needs, in the store.

use std::collections::{HashMap, VecDeque};

use rusk_base::Result;
use rusk_npm::graph::{Graph, PackageId};
use rusk_store::{Key, Package};

use crate::decide::Decided;
use crate::event::{Event, Phase};
use crate::hoist::Selection;
use crate::layout::Wanted;
use crate::plan::{Origin, Plan};
use crate::request::{Goal, Request};
use crate::shop::Shop;
use crate::site::Site;
use crate::source;
use crate::summary::Summary;

/// Packages of the store by what names them in a plan.
pub type Packages = HashMap<String, Package>;

/// Looks for what is most likely installed, so that it is linked, or arrives, while the plan is
/// made.
pub fn begin(
    site: &Site,
    request: &Request,
    graph: &Graph,
    keys: &source::Keys<'_>,
    shop: &mut Shop<'_>,
) -> Result<()> {
    let wanted = Wanted { omit: request.omit, platform: site.platform };
    let (mut seen, mut packages) = (vec![false; graph.len()], VecDeque::from([PackageId(0)]));
    while let Some(package) = packages.pop_front() {
        if let Some(key) = keys.find(graph, package)
            && !shop.downloads.find_ahead(key)?
            && let Some(order) = source::order(graph, package, &site.configuration, request.verify)
        {
            shop.downloads.send_for(shop.client, order);
        }
        for id in graph.dependencies_of(package).filter(|&id| wanted.takes(graph, package, id)) {
            let found = graph.binding(id).filter(|found| !seen[found.0 as usize]);
            if let Some(found) = found {
                seen[found.0 as usize] = true;
                packages.push_back(found);
            }
        }
    }
    Ok(())
}

/// Orders what is missing, waits for it, and finds everything the plan makes in the store.
pub fn fetch(
    site: &Site,
    request: &Request,
    decided: &Decided,
    plan: &Plan,
    names: &source::Keys<'_>,
    mut shop: Shop<'_>,
    summary: &mut Summary,
) -> Result<Packages> {
    if request.goal == Goal::LockfileOnly {
        return Ok(Packages::new());
    }
    let mut keys: Vec<(String, Key)> = Vec::new();
    let mut elsewhere: Vec<(String, Package)> = Vec::new();
    for (stamp, package) in wanted(plan) {
        let graph = &decided.graph;
        let Some(key) = names.find(graph, package) else {
            let entry = graph.package(package);
            let found = shop.bring(graph.package_name(package), &entry.source, entry.integrity)?;
            elsewhere.push((stamp, found));
            continue;
        };
        if !shop.downloads.need(key)?
            && let Some(order) = source::order(graph, package, &site.configuration, request.verify)
        {
            shop.downloads.send_for(shop.client, order);
        }
        keys.push((stamp, key.clone()));
    }
    // Also when all has arrived by now: what is told must not depend on who was faster.
    if shop.downloads.tally().ordered > 0 {
        shop.events.event(Event::Phase(Phase::Fetch));
    }
    if !shop.downloads.is_complete() {
        shop.downloads.offer_found();
    }
    shop.receive_tarballs()?;
    let tally = shop.downloads.tally();
    (summary.fetched, summary.fetched_bytes) = (tally.arrived, tally.bytes);
    let mut found = shop.downloads.finish()?;
    let mut packages: Packages =
        keys.into_iter().filter_map(|(stamp, key)| Some((stamp, found.remove(&key)?))).collect();
    packages.extend(elsewhere);
    summary.scripts_held_back = held_back(&packages);
    Ok(packages)
}

/// The packages of the store that the plan has anything to do with: those it makes, and for their
/// programs those that stay.
fn wanted(plan: &Plan) -> Vec<(String, PackageId)> {
    let from_store = plan.places.iter().filter(|place| place.origin == Origin::Store);
    let shared = plan.shared.iter().flat_map(|shared| shared.wanted());
    let mut wanted: Vec<(String, PackageId)> =
        from_store.chain(shared).map(|place| (place.stamp.clone(), place.package)).collect();
    wanted.sort();
    wanted.dedup_by(|a, b| a.0 == b.0);
    if plan.is_empty() { Vec::new() } else { wanted }
}

fn held_back(packages: &Packages) -> Vec<String> {
    let scripted = packages.values().filter(|package| package.index.manifest.scripts.any());
    let mut labels: Vec<String> = scripted.map(|package| package.key.label().to_owned()).collect();
    labels.sort();
    labels.dedup();
    labels
}
