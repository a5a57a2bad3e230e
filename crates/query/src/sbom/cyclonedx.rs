//! CycloneDX 1.5, with npm's choice of fields (`sbom-cyclonedx.js`).

use std::collections::HashSet;

use rusk_npm::integrity::{Algorithm, Integrity};

use super::json::Json;
use super::license_expression::{License, parse};
use super::{Bill, Component, FactSource, Materials};

pub(super) fn document(materials: &Materials<'_>, bill: &Bill, uuid: &str) -> Json {
    let phase = match materials.facts {
        FactSource::NodeModules => "build",
        FactSource::Lockfile => "pre-build",
    };
    let tool = Json::Object(vec![
        ("vendor", Json::of("rusk")),
        ("name", Json::of("rusk")),
        ("version", Json::of(materials.tool_version)),
    ]);
    let metadata = Json::Object(vec![
        ("timestamp", Json::of(materials.timestamp)),
        ("lifecycles", Json::List(vec![Json::Object(vec![("phase", Json::of(phase))])])),
        ("tools", Json::List(vec![tool])),
        ("component", component(&bill.project, materials.project_type)),
    ]);
    let all = std::iter::once(&bill.project).chain(&bill.components);
    Json::Object(vec![
        ("$schema", Json::of("http://cyclonedx.org/schema/bom-1.5.schema.json")),
        ("bomFormat", Json::of("CycloneDX")),
        ("specVersion", Json::of("1.5")),
        ("serialNumber", Json::of(format!("urn:uuid:{uuid}"))),
        ("version", Json::Number(1)),
        ("metadata", metadata),
        ("components", Json::List(bill.components.iter().map(|one| component(one, "library")).collect())),
        ("dependencies", Json::List(all.map(|one| dependencies(materials, bill, one)).collect())),
    ])
}

fn component(component: &Component, package_type: &str) -> Json {
    let description = &component.description;
    let mut members = vec![
        ("bom-ref", Json::of(component.id())),
        ("type", Json::of(package_type)),
        ("name", Json::of(component.directory_name.as_str())),
    ];
    members.extend(component.version.as_deref().map(|version| ("version", Json::of(version))));
    members.push(("scope", Json::of(if component.is_optional { "optional" } else { "required" })));
    members.extend(description.author.as_deref().map(|author| ("author", Json::of(author))));
    members.extend(description.description.as_deref().map(|text| ("description", Json::of(text))));
    members.push(("purl", Json::of(component.purl())));
    members.push(("properties", properties(component)));
    members.push(("externalReferences", references(component)));
    members.extend(component.integrity.map(|integrity| ("hashes", hashes(&integrity))));
    let license = description.license.as_deref().and_then(|text| Some((text, parse(text)?)));
    members.extend(license.map(|(text, license)| ("licenses", licenses(text, license))));
    Json::Object(members)
}

fn properties(component: &Component) -> Json {
    let all = [
        (component.is_development, "cdx:npm:package:development"),
        (component.description.is_private, "cdx:npm:package:private"),
        (component.is_bundled, "cdx:npm:package:bundled"),
    ];
    let property = |name: &str| Json::Object(vec![("name", Json::of(name)), ("value", Json::of("true"))]);
    Json::List(all.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| property(name)).collect())
}

fn references(component: &Component) -> Json {
    let description = &component.description;
    let all = [
        ("distribution", &component.resolved),
        ("vcs", &description.repository),
        ("website", &description.homepage),
        ("issue-tracker", &description.bugs),
    ];
    let reference = |(kind, url): (&str, &Option<String>)| {
        Some(Json::Object(vec![("type", Json::of(kind)), ("url", Json::of(url.as_deref()?))]))
    };
    Json::List(all.into_iter().filter_map(reference).collect())
}

fn hashes(integrity: &Integrity) -> Json {
    let algorithm = match integrity.algorithm() {
        Algorithm::Sha1 => "SHA-1",
        Algorithm::Sha256 => "SHA-256",
        Algorithm::Sha384 => "SHA-384",
        Algorithm::Sha512 => "SHA-512",
    };
    Json::List(vec![Json::Object(vec![("alg", Json::of(algorithm)), ("content", Json::of(hex(integrity)))])])
}

pub(super) fn hex(integrity: &Integrity) -> String {
    integrity.digest().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn licenses(text: &str, license: License) -> Json {
    Json::List(vec![match license {
        License::Single(id) => Json::Object(vec![("license", Json::Object(vec![("id", Json::of(id))]))]),
        License::Expression => Json::Object(vec![("expression", Json::of(text))]),
    }])
}

fn dependencies(materials: &Materials<'_>, bill: &Bill, of: &Component) -> Json {
    let mut seen = HashSet::new();
    let ids = bill.edges(materials, of).into_iter().map(|(_, component)| component.id());
    let unique: Vec<Json> = ids.filter(|id| seen.insert(id.clone())).map(Json::Text).collect();
    Json::Object(vec![("ref", Json::of(of.id())), ("dependsOn", Json::List(unique))])
}
