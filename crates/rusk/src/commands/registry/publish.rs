//! `rusk publish`: packs the package and uploads it.

mod provenance;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_npm::json::{self, Dialect};
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_npm::name::PackageName;
use rusk_npm::semver::Version;
use rusk_pack::publish_document::{self, Access, NewVersion, Provenance};
use rusk_pack::published_manifest::PackageFields;
use rusk_registry::{ApiMethod, ApiRequest};
use rusk_scripts::Exit;

use self::provenance::ProvenanceRule;
use super::problem;
use super::session::Session;
use crate::commands::context::RunContext;
use crate::commands::pack::{self, OwnManifest, PackedPackage};
use crate::commands::{lifecycle, members};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::text::bytes_text;
use rusk_screen::Screen;
use rusk_screen::json::{line, object, string};

/// A larger readme is not sent; the tarball has it.
const README_BYTES_MAX: u64 = 4 << 20;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let operand = invocation.operands.first();
    let here = RunContext::at(current_dir.clone(), "publish")?;
    if let Some(dirs) = members::directories(invocation, &here, screen)? {
        if let Some(operand) = operand {
            return Err(crate::problem::operand_with_selection(operand));
        }
        return members_of(&dirs, invocation, &environment, screen);
    }
    if let Some(file) = operand.map(|operand| current_dir.join(operand)).filter(|path| files::is_file(path)) {
        let packed = pack::read_tarball(&file)?;
        let text = upload(&packed, None, invocation, &environment, screen)?;
        return screen.page(&text).map(|()| Exit::DONE);
    }
    let dir = operand.map_or(current_dir.clone(), |dir| current_dir.join(dir));
    publish_at(&dir, invocation, &environment, screen, &mut |text, screen| screen.page(text))?;
    Ok(Exit::DONE)
}

/// Every package that is not private and whose version the registry does not have, each after those
/// that it depends on.
fn members_of(
    dirs: &[PathBuf],
    invocation: &Invocation,
    environment: &BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let mut texts = Vec::new();
    let mut skipped = 0;
    for dir in dirs {
        if is_skipped(dir, invocation, environment, screen)? {
            skipped += 1;
            continue;
        }
        publish_at(dir, invocation, environment, screen, &mut |text, screen| {
            if invocation.is_on(Flag::Json) {
                texts.push(text.to_owned());
                return Ok(());
            }
            screen.page(text)
        })?;
    }
    if skipped > 0 {
        let packages = rusk_reports::text::counted(skipped, "package");
        screen.report(&format!("{packages} skipped: private, without a version, or published already\n"));
    }
    if invocation.is_on(Flag::Json) {
        screen.page(&members::joined_json(&texts, true))?;
    }
    Ok(Exit::DONE)
}

fn is_skipped(
    dir: &Path,
    invocation: &Invocation,
    environment: &BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<bool> {
    let text = files::read_to_string(&dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
    let fields = PackageFields::parse(&text)?;
    let (name, version) = match fields.identity() {
        Ok(identity) if !fields.manifest.private => identity,
        _ => return Ok(true),
    };
    let Ok(name) = PackageName::parse(name) else { return Ok(true) };
    let registry = PublishConfig::of(&text).registry;
    let session = Session::open_at(invocation, environment.clone(), Some(dir), registry.as_deref(), screen)?;
    is_published(&session, &name, version)
}

/// Packs and uploads the package of a directory. `print`: prints what is said about it, before the
/// scripts that follow.
fn publish_at(
    dir: &Path,
    invocation: &Invocation,
    environment: &BTreeMap<String, String>,
    screen: &mut Screen,
    print: &mut dyn FnMut(&str, &mut Screen) -> Result<()>,
) -> Result<()> {
    let context = RunContext::at(host::current_dir(Some(dir))?, "publish")?;
    let package = context.package()?;
    let mut scripts = context.environment();
    let runs_scripts = !invocation.is_on(Flag::IgnoreScripts);
    if runs_scripts {
        lifecycle::run(&["prepublishOnly", "prepack", "prepare"], package, &mut scripts, screen)?;
    }
    let manifest = OwnManifest::read(package)?;
    let packed = pack::pack(package, manifest, &context.project_dir, None, invocation)?;
    if runs_scripts {
        lifecycle::run(&["postpack"], package, &mut scripts, screen)?;
    }
    print(&upload(&packed, Some(&package.dir), invocation, environment, screen)?, screen)?;
    if runs_scripts && !invocation.is_on(Flag::DryRun) {
        lifecycle::run(&["publish", "postpublish"], package, &mut scripts, screen)?;
    }
    Ok(())
}

/// What package.json says about publishing.
#[derive(Default)]
struct PublishConfig {
    registry: Option<String>,
    access: Option<String>,
    tag: Option<String>,
    provenance: Option<bool>,
}

impl PublishConfig {
    fn of(manifest_text: &str) -> PublishConfig {
        let Ok(root) = json::parse(manifest_text, Dialect::Strict) else { return PublishConfig::default() };
        let string = |key| Some(root.find("publishConfig")?.find(key)?.as_str()?.to_owned());
        PublishConfig {
            registry: string("registry"),
            access: string("access"),
            tag: string("tag"),
            provenance: root.find("publishConfig").and_then(|config| config.find("provenance")?.as_bool()),
        }
    }
}

fn upload(
    packed: &PackedPackage,
    dir: Option<&Path>,
    invocation: &Invocation,
    environment: &BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<String> {
    let (name, version) = packed.fields.identity()?;
    if packed.fields.manifest.private {
        return Err(problem::package_is_private(name));
    }
    let package_name = PackageName::parse(name).expect("it was checked above");
    let config = PublishConfig::of(&packed.manifest_text);
    let mut session =
        Session::open_at(invocation, environment.clone(), dir, config.registry.as_deref(), screen)?;
    let tag = tag(invocation, &config, version)?;
    let access = match invocation.value(Flag::Access).or(config.access.as_deref()) {
        Some(text) => Some(Access::parse(text).ok_or_else(|| problem::bad_access(text))?),
        None => None,
    };
    let registry = session.registry(Some(&package_name)).to_owned();
    if invocation.is_on(Flag::TolerateRepublish) && is_published(&session, &package_name, version)? {
        screen.warning(&format!("{name}@{version} is published already"));
        return Ok(String::new());
    }
    if !invocation.is_on(Flag::DryRun) {
        let identity = session.use_trusted_publishing(&package_name, invocation, screen)?;
        let rule = ProvenanceRule::of(invocation, &config, &session);
        let provenance =
            provenance::obtain(&rule, packed, access, identity.as_deref(), &session, invocation, screen)?;
        let readme = dir.and_then(|dir| readme(dir, packed));
        let document = publish_document::render(&NewVersion {
            name,
            version,
            manifest_text: &packed.manifest_text,
            tarball: &packed.tarball,
            readme: readme.as_deref(),
            tag: &tag,
            access,
            registry: &registry,
            provenance: provenance
                .as_ref()
                .map(|bundle| Provenance { media_type: &bundle.media_type, text: &bundle.text }),
        })?;
        let request = ApiRequest {
            method: ApiMethod::Put,
            url: session.client.package_url(&package_name, ""),
            body: Some(document),
            headers: vec![("npm-command", "publish".to_owned())],
            subject: format!("the publication of {name}@{version}"),
        };
        session.call(request, screen)?;
    }
    text(packed, &tag, &registry, invocation)
}

/// `latest`, unless a flag or package.json names another tag. A prerelease needs one, so that it
/// does not become what everyone installs.
fn tag(invocation: &Invocation, config: &PublishConfig, version: &str) -> Result<String> {
    let given = invocation.value(Flag::Tag).or(config.tag.as_deref());
    let is_prerelease = Version::parse(version).is_some_and(|version| version.is_prerelease());
    match given {
        Some(tag) if super::dist_tag::is_valid(tag) => Ok(tag.to_owned()),
        Some(tag) => Err(problem::bad_tag(tag)),
        None if is_prerelease => Err(problem::prerelease_without_tag(version)),
        None => Ok("latest".to_owned()),
    }
}

fn is_published(session: &Session, name: &PackageName, version: &str) -> Result<bool> {
    let packument = session.find(session.client.package_url(name, ""), format!("the packument of {name}"))?;
    let root = packument.as_deref().and_then(|text| json::parse(text, Dialect::Strict).ok());
    Ok(root.and_then(|root| root.find("versions")?.find(version).map(|_| ())).is_some())
}

/// The readme at the root of the package.
fn readme(dir: &Path, packed: &PackedPackage) -> Option<String> {
    let is_readme = |path: &str| {
        let name = path.to_ascii_lowercase();
        name == "readme" || name == "readme.md" || name == "readme.markdown"
    };
    let file = packed.list.files.iter().find(|file| is_readme(&file.path))?;
    files::read_to_string(&dir.join(&file.path), README_BYTES_MAX).ok()
}

fn text(packed: &PackedPackage, tag: &str, registry: &str, invocation: &Invocation) -> Result<String> {
    let (name, version) = packed.fields.identity()?;
    let tarball = &packed.tarball;
    let is_dry = invocation.is_on(Flag::DryRun);
    Ok(if invocation.is_on(Flag::Json) {
        line(&[
            ("id", string(&format!("{name}@{version}"))),
            ("name", string(name)),
            ("version", string(version)),
            ("tag", string(tag)),
            ("published", (!is_dry).to_string()),
            ("size", tarball.bytes.len().to_string()),
            ("unpackedSize", tarball.unpacked_bytes.to_string()),
            ("entryCount", packed.list.files.len().to_string()),
            (
                "dist",
                object(&[
                    ("integrity", string(&tarball.integrity.to_string())),
                    ("shasum", string(&tarball.shasum)),
                ]),
            ),
        ])
    } else if invocation.is_on(Flag::Silent) {
        String::new()
    } else {
        let verb = if is_dry { "would publish" } else { "published" };
        let size = bytes_text(tarball.bytes.len() as u64);
        let files = rusk_reports::text::counted(packed.list.files.len(), "file");
        let registry = rusk_base::problem::printable(registry).into_owned();
        format!(
            "{verb} {name}@{version} with tag {tag} to {registry}\n{files}, {size}, {}\n",
            tarball.integrity
        )
    })
}
