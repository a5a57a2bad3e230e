//! A build: scan, link, print, render. In: options. Out: the output files, or all errors. Without
//! splitting each entry point is a bundle of its own.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use oxc_sourcemap::SourceMap;

use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::link::{self, Linked};
use crate::minify;
use crate::options::{BundleOptions, Destination, SourceMaps};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::print::PrintedModule;
use crate::problem;
use crate::render;
use crate::scan::{Asset, Scanner};
use crate::worker::{Crew, STACK_BYTES};

/// Bundles all entry points.
pub fn bundle(options: &BundleOptions) -> Result<Bundle, Vec<Diagnostic>> {
    if options.entries.is_empty() {
        return Err(vec![problem::no_entry()]);
    }
    let mut bundle = Bundle::default();
    if options.splitting {
        build_graph(options, &mut bundle)?;
    } else {
        let mut errors = Vec::new();
        for entry in &options.entries {
            let root = root_directory(options);
            let single = BundleOptions { entries: vec![entry.clone()], root: Some(root), ..options.clone() };
            if let Err(found) = build_graph(&single, &mut bundle) {
                errors.extend(found.into_iter().filter(|error| !errors.contains(error)).collect::<Vec<_>>());
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
    }
    let mut seen = BTreeSet::new();
    bundle.files.retain(|file| file.kind != OutputKind::Asset || seen.insert(file.path.clone()));
    check_paths(&bundle)?;
    Ok(bundle)
}

/// Two outputs may not have one path.
fn check_paths(bundle: &Bundle) -> Result<(), Vec<Diagnostic>> {
    let mut seen = BTreeSet::new();
    let twice = bundle.files.iter().filter(|file| !seen.insert(&file.path));
    let errors: Vec<Diagnostic> = twice.map(|file| problem::output_paths(&file.path)).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn build_graph(options: &BundleOptions, bundle: &mut Bundle) -> Result<(), Vec<Diagnostic>> {
    let scanner = Scanner::new(options)?;
    let (jobs, entries) = scanner.entries()?;
    let crew = Crew::new(jobs, options.threads.max(1));
    let built = thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let started =
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || crew.work(&scanner));
            if let Err(error) = started {
                crew.set_linked(Err(()));
                return Err(vec![problem::no_thread(&error)]);
            }
        }
        let (modules, errors) = crew.scanned();
        bundle.modules += modules.len();
        let linked = match errors.is_empty() {
            true => link::link(modules, scanner.externals(), entries, options),
            false => Err(sorted(errors)),
        };
        match linked {
            Ok(linked) => {
                let linked = Arc::new(linked);
                crew.set_linked(Ok(linked.clone()));
                Ok((linked, crew.printed()))
            }
            Err(errors) => {
                crew.set_linked(Err(()));
                Err(errors)
            }
        }
    });
    let (linked, printed) = built?;
    bundle.inputs.extend(linked.modules.iter().map(|module| module.path.clone()));
    add_chunks(options, &linked, printed, bundle)?;
    bundle.files.extend(scanner.finish().into_iter().map(of_asset));
    Ok(())
}

/// In the order of files and lines.
fn sorted(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.sort_by(|left, right| {
        let key = |error: &Diagnostic| error.at.as_ref().map(|at| (at.file.clone(), at.line, at.column));
        key(left).cmp(&key(right))
    });
    errors
}

fn of_asset(asset: Asset) -> OutputFile {
    OutputFile { path: asset.path, kind: OutputKind::Asset, bytes: asset.bytes }
}

fn add_chunks(
    options: &BundleOptions,
    linked: &Linked,
    printed: Vec<PrintedModule>,
    bundle: &mut Bundle,
) -> Result<(), Vec<Diagnostic>> {
    let mut printed: HashMap<usize, PrintedModule> =
        printed.into_iter().map(|module| (module.index, module)).collect();
    let root = root_directory(options);
    for chunk in &linked.chunks {
        let rendered = render::render(linked, chunk, &mut printed, options);
        let (mut code, mut map) = (rendered.code, rendered.map);
        if options.minify.is_any() {
            (code, map) = minify::minify(&code, map.as_ref(), options).map_err(|error| vec![error])?;
        }
        let path = match (&options.destination, chunk.entry) {
            (Destination::File(file), _) => PathBuf::from(file.file_name().unwrap_or_default()),
            (_, Some(entry)) => {
                let source = exports::relative_path(&root, &linked.modules[entry].path);
                exports::output_path(&options.naming.entry, Path::new(&source), "js", code.as_bytes())
            }
            (_, None) => {
                exports::output_path(&options.naming.chunk, Path::new("chunk"), "js", code.as_bytes())
            }
        };
        let kind = if chunk.entry.is_some() { OutputKind::EntryPoint } else { OutputKind::Chunk };
        add_code(options, linked, CodeFile { path, kind, code, map }, bundle);
    }
    Ok(())
}

struct CodeFile {
    path: PathBuf,
    kind: OutputKind,
    code: String,
    map: Option<SourceMap<'static>>,
}

fn add_code(options: &BundleOptions, linked: &Linked, file: CodeFile, bundle: &mut Bundle) {
    let CodeFile { path, kind, mut code, map } = file;
    let map = map.map(|map| set_sources(options, linked, map, &path));
    let map_path = PathBuf::from(format!("{}.map", path.display()));
    match (options.source_maps, map) {
        (SourceMaps::Inline, Some(map)) => {
            code.push_str(&format!("\n//# sourceMappingURL={}\n", map.to_data_url()));
        }
        (mode @ (SourceMaps::Linked | SourceMaps::External), Some(map)) => {
            if mode == SourceMaps::Linked {
                let name = map_path.file_name().unwrap_or_default().to_string_lossy();
                code.push_str(&format!("\n//# sourceMappingURL={}{name}\n", options.public_path));
            }
            let bytes = map.to_json_string().into_bytes();
            bundle.files.push(OutputFile { path, kind, bytes: code.into_bytes() });
            bundle.files.push(OutputFile { path: map_path, kind: OutputKind::SourceMap, bytes });
            return;
        }
        _ => {}
    }
    bundle.files.push(OutputFile { path, kind, bytes: code.into_bytes() });
}

/// Makes the paths of sources relative to the map's file.
fn set_sources(
    options: &BundleOptions,
    linked: &Linked,
    mut map: SourceMap<'static>,
    path: &Path,
) -> SourceMap<'static> {
    let directory = match &options.destination {
        Destination::Directory(directory) => directory.join(path),
        Destination::File(file) => file.clone(),
        Destination::Text => options.current_dir.join(path),
    };
    let directory = directory.parent().unwrap_or(Path::new("/"));
    let paths: HashMap<&str, &Path> =
        linked.modules.iter().map(|module| (module.name.as_str(), module.path.as_path())).collect();
    let sources: Vec<String> = map
        .get_sources()
        .map(|name| match paths.get(name) {
            Some(path) => exports::relative_path(directory, path),
            None => name.to_owned(),
        })
        .collect();
    map.set_sources(sources.iter().map(String::as_str));
    map
}

/// The directory that the paths of outputs are relative to.
fn root_directory(options: &BundleOptions) -> PathBuf {
    if let Some(root) = &options.root {
        return options.current_dir.join(root);
    }
    let paths = options.entries.iter().map(|entry| options.current_dir.join(entry));
    let directories = paths
        .map(|path| rusk_base::files::normalized(&path).parent().map(Path::to_owned).unwrap_or_default());
    let common = directories.reduce(|left, right| {
        let same = left.components().zip(right.components()).take_while(|(one, other)| one == other);
        same.map(|(component, _)| component).collect()
    });
    common.unwrap_or_default()
}
