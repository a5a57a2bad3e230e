//! The packages that a security scanner sees. In: a graph. Out: JSON in the form of bun's
//! `Bun.Security.Package`, without members of the project, credentials and query strings.

use std::collections::HashMap;

use rusk_configuration::Configuration;
use rusk_configuration::request::Verify;
use rusk_npm::credential::without_credentials;
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::json::quote_into;

use crate::store_keys;

pub fn json(graph: &Graph, configuration: &Configuration) -> String {
    let requested = requested_ranges(graph);
    let mut out = String::from("[");
    for id in graph.package_ids() {
        let source = &graph.package(id).source;
        if matches!(source, Source::Root | Source::Workspace { .. }) {
            continue;
        }
        out.push_str(if out.len() > 1 { ",{" } else { "{" });
        let version = match source {
            Source::Npm { version, .. } => version.to_string(),
            source => without_secrets(&source.text(), Query::Removed),
        };
        let range = requested.get(&id).map(|range| without_secrets(range, Query::Removed));
        let members = [
            ("name", graph.package_name(id).to_string()),
            ("version", version),
            ("requestedRange", range.unwrap_or_default()),
            ("tarball", tarball(graph, id, configuration)),
        ];
        for (index, (key, value)) in members.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            quote_into(&mut out, key);
            out.push(':');
            quote_into(&mut out, value);
        }
        out.push('}');
    }
    out + "]"
}

/// What the project asks for, else the first dependent.
fn requested_ranges(graph: &Graph) -> HashMap<PackageId, &str> {
    let mut requested = HashMap::new();
    let is_member =
        |id: &PackageId| matches!(graph.package(*id).source, Source::Root | Source::Workspace { .. });
    let (members, others): (Vec<_>, Vec<_>) = graph.package_ids().partition(is_member);
    for id in members.into_iter().chain(others).flat_map(|owner| graph.dependencies_of(owner)) {
        if let Some(package) = graph.binding(id) {
            requested.entry(package).or_insert_with(|| &*graph.dependency(id).literal);
        }
    }
    requested
}

fn tarball(graph: &Graph, id: PackageId, configuration: &Configuration) -> String {
    match &graph.package(id).source {
        Source::Npm { .. } => {
            let download = store_keys::download_request(graph, id, configuration, Verify::Nothing);
            download.map(|download| without_secrets(&download.url, Query::Kept)).unwrap_or_default()
        }
        Source::RemoteTarball { url } => without_secrets(url, Query::Removed),
        Source::LocalTarball { path } => path.to_string(),
        _ => String::new(),
    }
}

/// Some registries sign the URLs of their tarballs in the query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    Kept,
    Removed,
}

/// A URL without `user:password@`; other strings unchanged.
pub(super) fn without_secrets(text: &str, query: Query) -> String {
    let text = without_credentials(text);
    match (query, text.split_once('?')) {
        (Query::Removed, Some((before, after))) => {
            let fragment = after.find('#').map_or("", |at| &after[at..]);
            format!("{before}{fragment}")
        }
        _ => text,
    }
}
