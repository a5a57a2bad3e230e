//! The document that publishes a version: a packument with one version and its tarball as an
//! attachment, as registries expect it in a PUT. In: the published package.json, the tarball, tag
//! and access. Out: JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_base::Result;
use rusk_npm::json::text::{object, string};
use rusk_npm::json::{self, Dialect};

use crate::Tarball;
use crate::problem;

/// Who may read the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    Restricted,
}

impl Access {
    pub fn parse(text: &str) -> Option<Access> {
        match text {
            "public" => Some(Access::Public),
            "restricted" | "private" => Some(Access::Restricted),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Access::Public => "public",
            Access::Restricted => "restricted",
        }
    }
}

/// A version that is about to be published.
pub struct NewVersion<'a> {
    pub name: &'a str,
    pub version: &'a str,
    /// The package.json in the tarball: strict JSON.
    pub manifest_text: &'a str,
    pub tarball: &'a Tarball,
    /// The contents of the readme.
    pub readme: Option<&'a str>,
    pub tag: &'a str,
    /// `None`: the registry's default.
    pub access: Option<Access>,
    /// With `/` at the end.
    pub registry: &'a str,
    pub provenance: Option<Provenance<'a>>,
}

/// A signed statement of how the tarball was built.
pub struct Provenance<'a> {
    pub media_type: &'a str,
    /// JSON.
    pub text: &'a str,
}

/// Renders the document.
pub fn render(version: &NewVersion<'_>) -> Result<Vec<u8>> {
    let NewVersion { name, tarball, .. } = version;
    let file = format!("{name}-{}.tgz", version.version);
    let manifest = manifest(version, &file)?;
    let attachment = object(&[
        ("content_type", string("application/octet-stream")),
        ("data", string(&STANDARD.encode(&tarball.bytes))),
        ("length", tarball.bytes.len().to_string()),
    ]);
    let mut attachments = vec![(file.as_str(), attachment)];
    let statement_file = format!("{name}-{}.sigstore", version.version);
    if let Some(Provenance { media_type, text }) = &version.provenance {
        let attachment = object(&[
            ("content_type", string(media_type)),
            ("data", string(text)),
            ("length", text.len().to_string()),
        ]);
        attachments.push((&statement_file, attachment));
    }
    let document = object(&[
        ("_id", string(name)),
        ("name", string(name)),
        ("dist-tags", object(&[(version.tag, string(version.version))])),
        ("versions", object(&[(version.version, manifest)])),
        ("access", version.access.map_or("null".to_owned(), |access| string(access.as_str()))),
        ("_attachments", object(&attachments)),
    ]);
    Ok(document.into_bytes())
}

/// The members of package.json, and what the registry adds to them.
fn manifest(version: &NewVersion<'_>, file: &str) -> Result<String> {
    let root = json::parse(version.manifest_text, Dialect::Strict)
        .map_err(|error| problem::invalid_field("package.json", &error.to_string(), "strict JSON"))?;
    let added = ["_id", "dist", "readme"];
    let own = root.members().iter().filter(|member| !added.contains(&&*member.key));
    let own = own.map(|member| {
        let value = &version.manifest_text[member.node.start..member.node.end];
        (member.key.to_string(), value.to_owned())
    });
    let tarball = version.tarball;
    let dist = object(&[
        ("integrity", string(&tarball.integrity.to_string())),
        ("shasum", string(&tarball.shasum)),
        ("tarball", string(&format!("{}{}/-/{file}", version.registry, version.name))),
    ]);
    let id = string(&format!("{}@{}", version.name, version.version));
    let mut members: Vec<(String, String)> = own.collect();
    members.push(("_id".to_owned(), id));
    members.push(("dist".to_owned(), dist));
    members.extend(version.readme.map(|readme| ("readme".to_owned(), string(readme))));
    let members: Vec<(&str, String)> =
        members.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    Ok(object(&members))
}

#[cfg(test)]
mod tests;
