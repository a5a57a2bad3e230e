//! SPDX 2.3, with npm's choice of fields (`sbom-spdx.js`).

use std::collections::HashSet;

use rusk_npm::graph::Role;

use super::cyclonedx::hex;
use super::json::Json;
use super::{Bill, Component, Materials};

const DOCUMENT: &str = "SPDXRef-DOCUMENT";
const NO_ASSERTION: &str = "NOASSERTION";

pub(super) fn document(materials: &Materials<'_>, bill: &Bill, uuid: &str) -> Json {
    let project = &bill.project;
    let name = project.name.replace('/', "%2f");
    let version = project.version.as_deref().unwrap_or_default();
    let namespace = format!("http://spdx.org/spdxdocs/{name}-{version}-{uuid}");
    let creation = Json::Object(vec![
        ("created", Json::of(materials.timestamp)),
        ("creators", Json::List(vec![Json::of(format!("Tool: rusk-{}", materials.tool_version))])),
    ]);
    let mut packages = vec![package(project, Some(materials.project_type))];
    packages.extend(bill.components.iter().map(|component| package(component, None)));
    let mut relationships = vec![relationship(DOCUMENT, &id(project), "DESCRIBES")];
    for component in std::iter::once(project).chain(&bill.components) {
        relationships.extend(relationships_of(materials, bill, component));
    }
    Json::Object(vec![
        ("spdxVersion", Json::of("SPDX-2.3")),
        ("dataLicense", Json::of("CC0-1.0")),
        ("SPDXID", Json::of(DOCUMENT)),
        ("name", Json::of(project.id())),
        ("documentNamespace", Json::of(namespace)),
        ("creationInfo", creation),
        ("documentDescribes", Json::List(vec![Json::of(id(project))])),
        ("packages", Json::List(packages)),
        ("relationships", Json::List(relationships)),
    ])
}

fn package(component: &Component, purpose: Option<&str>) -> Json {
    let description = &component.description;
    let or_nothing = |text: &Option<String>| Json::of(text.as_deref().unwrap_or(NO_ASSERTION));
    let mut members = vec![("name", Json::of(component.name.as_str())), ("SPDXID", Json::of(id(component)))];
    members.extend(component.version.as_deref().map(|version| ("versionInfo", Json::of(version))));
    members.push(("packageFileName", Json::of(component.location.as_str())));
    members.extend(description.description.as_deref().map(|text| ("description", Json::of(text))));
    members.extend(purpose.map(|purpose| ("primaryPackagePurpose", Json::of(purpose.to_uppercase()))));
    let purl = Json::Object(vec![
        ("referenceCategory", Json::of("PACKAGE-MANAGER")),
        ("referenceType", Json::of("purl")),
        ("referenceLocator", Json::of(component.purl())),
    ]);
    members.extend([
        ("downloadLocation", or_nothing(&component.resolved)),
        ("filesAnalyzed", Json::Flag(false)),
        ("homepage", or_nothing(&description.homepage)),
        ("licenseDeclared", or_nothing(&description.license)),
        ("externalRefs", Json::List(vec![purl])),
    ]);
    if let Some(integrity) = &component.integrity {
        let checksum = Json::Object(vec![
            ("algorithm", Json::of(integrity.algorithm().as_str().to_uppercase())),
            ("checksumValue", Json::of(hex(integrity))),
        ]);
        members.push(("checksums", Json::List(vec![checksum])));
    }
    Json::Object(members)
}

/// Several dependencies on one package in one role, by alias, are one relationship.
fn relationships_of(materials: &Materials<'_>, bill: &Bill, of: &Component) -> Vec<Json> {
    let mut seen = HashSet::new();
    let edges = bill.edges(materials, of).into_iter().map(|(dependency, component)| {
        let kind = match materials.graph.dependency(dependency).role {
            Role::Peer => "PREREQUISITE_FOR",
            Role::Optional => "OPTIONAL_DEPENDENCY_OF",
            Role::Development => "DEV_DEPENDENCY_OF",
            Role::Production | Role::Workspace | Role::OptionalPeer => "DEPENDENCY_OF",
        };
        (id(component), kind)
    });
    let unique: Vec<(String, &str)> = edges.filter(|edge| seen.insert(edge.clone())).collect();
    unique.into_iter().map(|(from, kind)| relationship(&from, &id(of), kind)).collect()
}

fn relationship(element: &str, related: &str, kind: &str) -> Json {
    Json::Object(vec![
        ("spdxElementId", Json::of(element)),
        ("relatedSpdxElement", Json::of(related)),
        ("relationshipType", Json::of(kind)),
    ])
}

/// `SPDXRef-Package-scope.name-1.0.0`: an identifier has no `@` and no `/`.
fn id(component: &Component) -> String {
    let name = component.name.trim_start_matches('@').replace('/', ".");
    format!("SPDXRef-Package-{name}-{}", component.version.as_deref().unwrap_or_default())
}
