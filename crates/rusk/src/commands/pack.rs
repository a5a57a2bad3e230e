//! `rusk pack`: creates the tarball of a package, or says what would be in it.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_install::project::read_members;
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_pack::file_list::{self, Surroundings};
use rusk_pack::published_manifest::{self, PackageFields, WorkspaceVersions};
use rusk_pack::tarball::{self, TarballOptions};
use rusk_pack::{FileList, Tarball};
use rusk_resolver::members::Members;
use rusk_scripts::{Exit, Package};

use super::context::RunContext;
use super::{lifecycle, members, problem};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::text::bytes_text;
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, string};

/// A larger tarball is refused.
const TARBALL_BYTES_MAX: u64 = 1 << 30;

/// A package with its tarball.
pub struct PackedPackage {
    pub fields: PackageFields,
    /// The package.json in the tarball.
    pub manifest_text: String,
    pub list: FileList,
    pub tarball: Tarball,
}

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let here = RunContext::at(current_dir.clone(), "pack")?;
    let selected = members::directories(invocation, &here, screen)?;
    if let (Some(_), Some(operand)) = (&selected, invocation.operands.first()) {
        return Err(crate::problem::operand_with_selection(operand));
    }
    if selected.as_ref().is_some_and(|dirs| dirs.len() > 1) && invocation.is_given(Flag::Filename) {
        return Err(problem::one_file_for_several());
    }
    let dir = || invocation.operands.first().map_or(current_dir.clone(), |dir| current_dir.join(dir));
    let is_list = selected.is_some();
    let dirs = selected.unwrap_or_else(|| vec![dir()]);
    let texts = dirs.iter().map(|dir| run_at(dir, &current_dir, invocation, screen));
    let texts = texts.collect::<Result<Vec<_>>>()?;
    let text = match invocation.is_on(Flag::Json) {
        true => members::joined_json(&texts, is_list),
        false if invocation.is_on(Flag::Silent) => texts.concat(),
        false => texts.join("\n"),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// Packs the package of a directory; returns what is printed about it.
fn run_at(dir: &Path, current_dir: &Path, invocation: &Invocation, screen: &mut Screen) -> Result<String> {
    let context = RunContext::at(host::current_dir(Some(dir))?, "pack")?;
    let package = context.package()?;
    let mut environment = context.environment();
    let runs_scripts = !invocation.is_on(Flag::IgnoreScripts);
    if runs_scripts {
        lifecycle::run(&["prepack", "prepare"], package, &mut environment, screen)?;
    }
    let manifest = OwnManifest::read(package)?;
    let file = output_path(invocation, current_dir, &manifest.fields)?;
    let packed = pack(package, manifest, &context.project_dir, Some(&file), invocation)?;
    for path in &packed.list.skipped {
        screen.warning(&format!("`{path}` is left out: other systems cannot unpack a file of this name"));
    }
    if !invocation.is_on(Flag::DryRun) {
        if let Some(dir) = file.parent() {
            files::create_directories(dir)?;
        }
        files::write_atomically(&file, &packed.tarball.bytes)?;
    }
    if runs_scripts {
        lifecycle::run(&["postpack"], package, &mut environment, screen)?;
    }
    match (invocation.is_on(Flag::Json), invocation.is_on(Flag::Silent)) {
        (true, _) => json(&packed, &file),
        (_, true) => Ok(format!("{}\n", file.strip_prefix(current_dir).unwrap_or(&file).display())),
        _ => Ok(text(&packed, &file, current_dir)),
    }
}

/// The package.json of the package, with a name and a version.
pub struct OwnManifest {
    text: String,
    fields: PackageFields,
}

impl OwnManifest {
    pub fn read(package: &Package) -> Result<OwnManifest> {
        let text = files::read_to_string(&package.dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
        let fields = PackageFields::parse(&text)?;
        fields.identity().map_err(|problem| problem::in_package(problem, &package.dir))?;
        Ok(OwnManifest { text, fields })
    }
}

/// Packs the files of a package as they are now. `output`: the tarball that is to be written, which
/// is no part of the package.
pub fn pack(
    package: &Package,
    manifest: OwnManifest,
    project_dir: &Path,
    output: Option<&Path>,
    invocation: &Invocation,
) -> Result<PackedPackage> {
    let dir = &package.dir;
    let OwnManifest { text, fields } = manifest;
    let workspace = Workspace::of(dir, project_dir)?;
    let mut list = file_list::list(dir, &fields, &workspace.surroundings)?;
    list.files.retain(|file| output.is_none_or(|output| dir.join(&file.path) != output));
    let manifest_text = published_manifest::render(&text, &workspace)?;
    if let Some(manifest) = list.files.iter_mut().find(|file| file.path == "package.json") {
        manifest.bytes = manifest_text.len() as u64;
    }
    let options = TarballOptions {
        level: invocation.value(Flag::GzipLevel).and_then(|level| level.parse().ok()),
        programs: fields.program_paths().into_iter().map(str::to_owned).collect(),
    };
    let tarball = tarball::write(dir, &list, &manifest_text, &options)?;
    Ok(PackedPackage { fields, manifest_text, list, tarball })
}

/// Reads a tarball that was packed before.
pub fn read_tarball(file: &Path) -> Result<PackedPackage> {
    let (tarball, list, manifest_text) = tarball::read(files::read_bytes(file, TARBALL_BYTES_MAX)?)?;
    let fields = PackageFields::parse(&manifest_text)?;
    fields.identity()?;
    Ok(PackedPackage { fields, manifest_text, list, tarball })
}

/// `@scope/name` 1.0.0 is `scope-name-1.0.0.tgz`.
pub fn file_name(name: &str, version: &str) -> String {
    format!("{}-{version}.tgz", name.trim_start_matches('@').replace('/', "-"))
}

fn output_path(invocation: &Invocation, current_dir: &Path, fields: &PackageFields) -> Result<PathBuf> {
    let (name, version) = fields.identity()?;
    let name = file_name(name, version);
    Ok(match (invocation.path(Flag::Filename), invocation.path(Flag::Destination)) {
        (Some(file), _) => current_dir.join(file),
        (None, Some(dir)) => current_dir.join(dir).join(name),
        (None, None) => current_dir.join(name),
    })
}

/// The files with their sizes, then totals.
fn text(packed: &PackedPackage, file: &Path, current_dir: &Path) -> String {
    let mut text = String::new();
    for file in &packed.list.files {
        text.push_str(&format!(
            "packed {:>9} {}\n",
            bytes_text(file.bytes),
            rusk_base::problem::printable(&file.path)
        ));
    }
    for name in &packed.list.bundled {
        text.push_str(&format!("bundled {name}\n"));
    }
    let tarball = &packed.tarball;
    let shown = file.strip_prefix(current_dir).unwrap_or(file);
    text.push_str(&format!("\n{}\n\n", shown.display()));
    for (label, value) in [
        ("Total files", packed.list.files.len().to_string()),
        ("Unpacked size", bytes_text(tarball.unpacked_bytes)),
        ("Packed size", bytes_text(tarball.bytes.len() as u64)),
        ("Shasum", tarball.shasum.clone()),
        ("Integrity", tarball.integrity.to_string()),
    ] {
        text.push_str(&format!("{label}: {value}\n"));
    }
    text
}

/// The members of npm's `pack --json`.
fn json(packed: &PackedPackage, file: &Path) -> Result<String> {
    let (name, version) = packed.fields.identity()?;
    let files = packed.list.files.iter().map(|file| {
        object(&[
            ("path", string(&file.path)),
            ("size", file.bytes.to_string()),
            ("mode", file.mode.to_string()),
        ])
    });
    Ok(line(&[
        ("id", string(&format!("{name}@{version}"))),
        ("name", string(name)),
        ("version", string(version)),
        ("size", packed.tarball.bytes.len().to_string()),
        ("unpackedSize", packed.tarball.unpacked_bytes.to_string()),
        ("shasum", string(&packed.tarball.shasum)),
        ("integrity", string(&packed.tarball.integrity.to_string())),
        ("filename", string(&file.display().to_string())),
        ("files", array(files)),
        ("entryCount", packed.list.files.len().to_string()),
        ("bundled", array(packed.list.bundled.iter().map(|name| string(name)))),
    ]))
}

/// The workspace around a package.
struct Workspace {
    members: Option<Members>,
    surroundings: Surroundings,
}

impl Workspace {
    fn of(package_dir: &Path, project_dir: &Path) -> Result<Workspace> {
        let members = match files::exists(&project_dir.join("package.json")) {
            true => Some(read_members(project_dir)?),
            false => None,
        };
        let surroundings = match package_dir.strip_prefix(project_dir) {
            Ok(inner) if !inner.as_os_str().is_empty() => Surroundings {
                outer_ignore_files: outer_ignore_files(project_dir, inner)?,
                ..Surroundings::default()
            },
            _ => {
                let paths =
                    members.iter().flat_map(|members| &members.workspaces).map(|member| member.path.clone());
                Surroundings { member_dirs: paths.collect(), ..Surroundings::default() }
            }
        };
        Ok(Workspace { members, surroundings })
    }
}

impl WorkspaceVersions for Workspace {
    fn version(&self, name: &str) -> Option<String> {
        let mut members = self.members.iter().flat_map(Members::all);
        members.find(|member| member.manifest.name.as_deref() == Some(name))?.manifest.version.clone()
    }

    fn catalog(&self, catalog: &str, name: &str) -> Option<String> {
        let manifest = &self.members.as_ref()?.project.manifest;
        let entries = match catalog {
            "" => &manifest.catalog,
            other => &manifest.catalogs.iter().find(|(name, _)| name == other)?.1,
        };
        entries.iter().find(|(entry, _)| entry == name).map(|(_, range)| range.clone())
    }
}

/// The ignore files of the project's directory and of those between it and a member.
fn outer_ignore_files(project_dir: &Path, inner: &Path) -> Result<Vec<String>> {
    let outer: Vec<&Path> = inner.ancestors().skip(1).collect();
    let found = outer.iter().rev().map(|dir| file_list::read_ignore_file(&project_dir.join(dir)));
    Ok(found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}
