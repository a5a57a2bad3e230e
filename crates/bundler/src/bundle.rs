//! A build: scan, link, print, render. In: options. Out: the output files, or all errors. Without
//! splitting each entry point is a bundle of its own.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use oxc_sourcemap::SourceMap;

use crate::chunk_files;
use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::graph::Graph;
use crate::link::{self, Linked};
use crate::minify;
use crate::module::ModuleIndex;
use crate::options::{BundleOptions, Destination, SourceMaps};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::pages;
use crate::print::PrintedModule;
use crate::problem;
use crate::render;
use crate::scan::{Asset, ScanJob, Scanner};
use crate::worker::{Crew, PrintJob, STACK_BYTES};

/// Bundles all entry points. Files that several of them import are parsed once.
pub fn bundle(options: &BundleOptions) -> Result<Bundle, Vec<Diagnostic>> {
    // With this thread the build does not wait for plugins alone.
    if let Some(plugins) = &options.plugins {
        plugins.add_busy(1);
    }
    let bundled = bundle_entries(options);
    if let Some(plugins) = &options.plugins {
        plugins.remove_busy();
    }
    bundled
}

fn bundle_entries(options: &BundleOptions) -> Result<Bundle, Vec<Diagnostic>> {
    if options.entries.is_empty() {
        return Err(vec![problem::no_entry()]);
    }
    let mut bundle = Bundle::default();
    build(options, &mut bundle)?;
    // Several entry points may have one asset, and pages with the same scripts one chunk.
    let mut seen = BTreeSet::new();
    bundle.files.retain(|file| seen.insert((file.path.clone(), rusk_hashes::xx3(&file.bytes, 0))));
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

fn build(options: &BundleOptions, bundle: &mut Bundle) -> Result<(), Vec<Diagnostic>> {
    let scanner = Scanner::new(options)?;
    let (jobs, entries) = scanner.entries()?;
    let crew = Arc::new(Crew::new(options.threads.max(1), options.plugins.clone()));
    thread::scope(|scope| {
        let work = |worker| {
            let (crew, scanner) = (&crew, &scanner);
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || crew.work(scanner, worker))
        };
        let started: std::io::Result<Vec<_>> = (0..options.threads.max(1)).map(work).collect();
        let built = match started {
            Ok(_) => build_with(options, &crew, &scanner, (jobs, &entries), bundle),
            Err(error) => Err(vec![problem::no_thread(&error)]),
        };
        crew.end();
        built
    })?;
    bundle.files.extend(scanner.finish().into_iter().map(of_asset));
    Ok(())
}

fn build_with(
    options: &BundleOptions,
    crew: &Crew,
    scanner: &Scanner<'_>,
    (jobs, entries): (Vec<ScanJob>, &[ModuleIndex]),
    bundle: &mut Bundle,
) -> Result<(), Vec<Diagnostic>> {
    let (mut modules, mut errors) = crew.scan(jobs);
    if errors.is_empty() {
        errors = pages::prepare(&mut modules);
    }
    if !errors.is_empty() {
        return Err(sorted(errors));
    }
    let graph = Graph::new(modules, scanner.externals(), entries);
    bundle.modules = graph.modules.len();
    bundle.inputs.extend(graph.modules.iter().map(|module| module.path.clone()));
    let mut groups: Vec<&[ModuleIndex]> = match options.splitting {
        true => vec![&graph.entries],
        false => graph.entries.chunks(1).collect(),
    };
    groups.dedup();
    let mut last_group = vec![0; graph.modules.len()];
    for (number, group) in groups.iter().enumerate() {
        let reached = graph.reached(group);
        reached
            .iter()
            .zip(&mut last_group)
            .filter(|(reached, _)| **reached)
            .for_each(|(_, last)| *last = number);
    }
    let mut errors = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let mut linked = match link::link(&graph, group, options) {
            Ok(linked) => linked,
            Err(found) => {
                let new: Vec<Diagnostic> = found.into_iter().filter(|one| !errors.contains(one)).collect();
                errors.extend(new);
                continue;
            }
        };
        if !errors.is_empty() {
            continue;
        }
        linked.chunk_paths = chunk_files::paths(&linked, options, &root_directory(options));
        let is_last = last_group.iter().map(|&last| last == number).collect();
        let job = PrintJob { linked: Arc::new(linked), is_last: Arc::new(is_last) };
        let printed = crew.print(job.clone());
        add_chunks(options, &job.linked, printed, bundle)?;
    }
    if errors.is_empty() { Ok(()) } else { Err(sorted(errors)) }
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
    let printed = printed.into_iter().map(|module| (module.index, module)).collect();
    let mut chunks = render::render(linked, printed, options);
    if options.minify.is_any() {
        for chunk in &mut chunks {
            let minified = minify::minify(&chunk.code, chunk.map.as_ref(), options);
            (chunk.code, chunk.map) = minified.map_err(|error| vec![error])?;
        }
    }
    let code = chunks.iter().map(|chunk| (chunk.index, chunk.code.as_str())).collect();
    let hashes = chunk_files::hashes(&code);
    let mut entry_paths = HashMap::new();
    for chunk in chunks {
        let entry = linked.chunks.get(chunk.index).and_then(|one| one.entry);
        if entry.is_some_and(|entry| !pages::has_code(&linked.modules, entry)) {
            continue;
        }
        let path = linked.chunk_paths[chunk.index].to_string_lossy();
        let path = PathBuf::from(chunk_files::replace(&path, &hashes));
        let code = chunk_files::replace(&chunk.code, &hashes);
        let is_entry =
            linked.chunks.get(chunk.index).is_some_and(|one| one.entry.is_some() && !one.is_dynamic);
        let kind = if is_entry { OutputKind::EntryPoint } else { OutputKind::Chunk };
        entry_paths.extend(entry.map(|entry| (entry, path.clone())));
        add_code(options, linked, CodeFile { path, kind, code, map: chunk.map }, bundle);
    }
    pages::add_outputs(options, linked, &entry_paths, bundle)
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
pub(crate) fn set_sources(
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
pub(crate) fn root_directory(options: &BundleOptions) -> PathBuf {
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
