//! A bundle as a single-file executable. In: options, a bundle, this program. Out: options for such
//! a bundle; the executable. Absent: the format (`rusk_embedded`).

use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_embedded::{Payload, ROOT};

use crate::exports;
use crate::options::{BuildTarget, BundleOptions, Destination, ModuleFormat, SourceMaps};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::problem;
use crate::write;

/// How the program of an executable is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutableSettings {
    /// Flags of rusk.
    pub exec_arguments: Vec<String>,
    /// Whether `.env` files and bunfig.toml are read where it is started.
    pub reads_env: bool,
    pub reads_bunfig: bool,
    /// Files and directories that are embedded with their paths.
    pub assets: Vec<PathBuf>,
    /// Program that the files are added to; `None`: the one that runs.
    pub program: Option<PathBuf>,
}

/// Options of the bundle, whose files are embedded. The first entry point is the program. The
/// destination is the executable.
pub fn executable_options(options: BundleOptions) -> Result<BundleOptions> {
    let Some(entry) = options.entries.first() else {
        return Err(problem::executable_entries());
    };
    if options.format != ModuleFormat::Esm {
        return Err(problem::executable_format());
    }
    let file = match &options.destination {
        Destination::File(file) => file.clone(),
        Destination::Directory(directory) => directory.join(default_name(entry)),
        Destination::Text => options.current_dir.join(default_name(entry)),
    };
    let source_maps = match options.source_maps {
        SourceMaps::None => SourceMaps::None,
        _ => SourceMaps::Inline,
    };
    Ok(BundleOptions {
        target: BuildTarget::Bun,
        destination: Destination::File(file),
        public_path: ROOT.to_owned(),
        is_executable: true,
        source_maps,
        ..options
    })
}

/// As bun names it: the file without its extension, or the directory of an `index` file.
fn default_name(entry: &str) -> PathBuf {
    let path = Path::new(entry);
    let stem = path.file_stem().unwrap_or_default();
    let directory = path.parent().and_then(Path::file_name).filter(|_| stem == "index");
    PathBuf::from(directory.unwrap_or(stem))
}

/// Writes the executable. `own_program`: rusk. Paths of assets and programs begin at
/// `current_dir`. Out: the number of embedded files that are no code.
pub fn write_executable(
    bundle: &Bundle,
    file: &Path,
    settings: &ExecutableSettings,
    own_program: &Path,
    current_dir: &Path,
) -> Result<usize> {
    let target = write::executable_target(bundle, file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // The path is a part of URLs, too.
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_');
    let entry = format!("{ROOT}{}", name.replace(|character| !is_plain(character), "_"));
    let mut payload = Payload {
        entry: entry.clone(),
        exec_arguments: settings.exec_arguments.clone(),
        reads_env: settings.reads_env,
        reads_bunfig: settings.reads_bunfig,
        ..Payload::default()
    };
    let is_main = |output: &OutputFile| output.path.as_os_str() == file.file_name().unwrap_or_default();
    for output in &bundle.files {
        let bytes = || output.bytes.contiguous().into_owned();
        match output.kind {
            OutputKind::EntryPoint if is_main(output) => {
                payload.code.push((entry.clone(), bytes()));
            }
            OutputKind::EntryPoint | OutputKind::Chunk => {
                payload.code.push((format!("{ROOT}{}", output.path.display()), bytes()));
            }
            _ => payload.assets.push((format!("{ROOT}{}", output.path.display()), bytes())),
        }
    }
    for path in &settings.assets {
        let path = rusk_base::files::normalized(&current_dir.join(path));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add_asset(&path, &name, current_dir, &mut payload)?;
    }
    match &settings.program {
        Some(path) => rusk_embedded::write(&current_dir.join(path), None, &payload, &target)?,
        None => rusk_embedded::write(own_program, rusk_embedded::location(), &payload, &target)?,
    };
    Ok(payload.assets.len())
}

/// A file, or all files of a directory, below the root as `name`. Symbolic links in directories are
/// left out.
fn add_asset(path: &Path, name: &str, current_dir: &Path, payload: &mut Payload) -> Result<()> {
    let unreadable =
        |error: std::io::Error| problem::asset_unreadable(&exports::relative_path(current_dir, path), &error);
    if !path.is_dir() {
        let bytes = std::fs::read(path).map_err(unreadable)?;
        payload.assets.push((format!("{ROOT}{name}"), bytes));
        return Ok(());
    }
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut entries = entries.map_err(unreadable)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_dir() || kind.is_file() {
            let name = format!("{name}/{}", entry.file_name().display());
            add_asset(&entry.path(), &name, current_dir, payload)?;
        }
    }
    Ok(())
}
