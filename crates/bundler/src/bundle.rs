//! A build: scan, link, print, render. In: options. Out: the output files, or all errors. Without
//! splitting each entry point is a bundle of its own, of modules that are parsed once.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use oxc_sourcemap::SourceMap;
use rustc_hash::FxHashMap;

use crate::chunk_files;
use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::graph::Graph;
use crate::link::{self, Linked};
use crate::map_piece::{self, MapPiece};
use crate::memory;
use crate::metafile::{self, OutputDetails};
use crate::metafile_markdown;
use crate::module::{Module, ModuleIndex, RecordKind, RecordTarget};
use crate::module_cache::{FileStamp, ModuleCache};
use crate::options::{BuildMode, BuildTarget, BundleOptions, Destination, ModuleFormat, SourceMaps};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::output_bytes::OutputBytes;
use crate::pages;
use crate::print::PrintedModule;
use crate::problem;
use crate::render::{self, RenderedChunk};
use crate::scan::{Asset, Scanner};
use crate::served_pages::{self, ServedPages};
use crate::transpile_only;
use crate::worker::{Crew, PrintJob, STACK_BYTES};

/// Bundles all entry points.
pub fn bundle(options: &BundleOptions) -> Result<Bundle, Vec<Diagnostic>> {
    bundle_as(options, Builds::One)
}

/// As [`bundle`], in a process that ends after it.
pub fn last_bundle(options: &BundleOptions) -> Result<Bundle, Vec<Diagnostic>> {
    bundle_as(options, Builds::Last)
}

fn bundle_as(options: &BundleOptions, builds: Builds) -> Result<Bundle, Vec<Diagnostic>> {
    match options.mode {
        BuildMode::Bundle => with_builder(options, builds, |builder| builder.build())?,
        BuildMode::Transpile if options.format == ModuleFormat::Esm => transpile_only::transpile(options),
        // Linking turns import and export statements into those of the format.
        BuildMode::Transpile => with_builder(options, builds, |builder| builder.build())?,
    }
}

/// How often a [`BundleBuilder`] is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builds {
    One,
    /// Once, and then the process ends: its memory is left to the kernel.
    Last,
    /// Syntax trees are retained, so that only files that have changed are parsed again.
    Many,
}

/// Threads that can build again and again, and what they have parsed.
pub struct BundleBuilder {
    builds: Builds,
    options: Arc<BundleOptions>,
    crew: Arc<Crew>,
    /// `None`: modules are not used again.
    cache: Option<Arc<ModuleCache>>,
    /// Files of the last build, even if it failed.
    files: Vec<(PathBuf, Option<FileStamp>)>,
    /// Files that decide how others are parsed.
    settings: Vec<Option<FileStamp>>,
    /// Trees in the arenas, of old modules too.
    trees: usize,
}

/// More trees than these many times the modules that are used, and their memory is given back.
const OLD_TREES_MAX: usize = 2;

/// Starts the threads, and ends them when `run` is done.
pub fn with_builder<R>(
    options: &BundleOptions,
    builds: Builds,
    run: impl FnOnce(&mut BundleBuilder) -> R,
) -> Result<R, Vec<Diagnostic>> {
    if options.entries.is_empty() {
        return Err(vec![problem::no_entry()]);
    }
    let threads = options.threads.max(1);
    if builds == Builds::Last {
        memory::retain_freed();
    }
    let options = Arc::new(options.clone());
    let crew = Arc::new(Crew::new(threads, options.plugins.clone(), builds == Builds::Last));
    // What plugins answer may change without a file.
    let is_cached = builds == Builds::Many && options.plugins.is_none();
    thread::scope(|scope| {
        let work = |worker| {
            let crew = Arc::clone(&crew);
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || crew.work(worker))
        };
        let started: std::io::Result<Vec<_>> = (0..threads).map(work).collect();
        let result = match started {
            Ok(_) => Ok(run(&mut BundleBuilder {
                builds,
                options,
                crew: Arc::clone(&crew),
                cache: is_cached.then(Arc::default),
                files: Vec::new(),
                settings: Vec::new(),
                trees: 0,
            })),
            Err(error) => Err(vec![problem::no_thread(&error)]),
        };
        crew.end();
        result
    })
}

impl BundleBuilder {
    pub fn build(&mut self) -> Result<Bundle, Vec<Diagnostic>> {
        // With this thread the build does not wait for plugins alone.
        if let Some(plugins) = &self.options.plugins {
            plugins.add_busy(1);
        }
        let built = self.build_all();
        if let Some(plugins) = &self.options.plugins {
            plugins.remove_busy();
        }
        built
    }

    /// A build that the caller has counted as work, if there are plugins.
    pub(crate) fn build_all(&mut self) -> Result<Bundle, Vec<Diagnostic>> {
        self.forget_old();
        let mut bundle = Bundle::default();
        self.build_into(&mut bundle)?;
        remove_equal(&mut bundle.files);
        check_paths(&bundle)?;
        Ok(bundle)
    }

    /// The files that the last build read, or wanted to.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// Whether one of these files is not as the last build found it.
    pub fn has_changed(&self, files: &HashSet<&Path>) -> bool {
        let mut read = self.files.iter().filter(|(path, _)| files.contains(path.as_path()));
        read.any(|(path, stamp)| stamp.is_some() && *stamp != FileStamp::find(path))
    }

    /// Gives up trees if most are old, or if they may be parsed differently now.
    fn forget_old(&mut self) {
        let Some(cache) = &self.cache else {
            if std::mem::take(&mut self.trees) > 0 {
                self.crew.forget();
            }
            return;
        };
        let settings: Vec<Option<FileStamp>> = ["tsconfig.json", "jsconfig.json", "package.json"]
            .iter()
            .map(|name| FileStamp::find(&self.options.current_dir.join(name)))
            .collect();
        let are_other = settings != self.settings;
        self.settings = settings;
        if are_other || self.trees > OLD_TREES_MAX * cache.count() + 64 {
            cache.clear();
            self.crew.forget();
            self.trees = 0;
        }
    }

    fn build_into(&mut self, bundle: &mut Bundle) -> Result<(), Vec<Diagnostic>> {
        let scanner = Arc::new(Scanner::new(Arc::clone(&self.options), self.cache.clone())?);
        // Those of the build before say nothing about one that ends here.
        self.files.clear();
        let (jobs, entries) = scanner.entries()?;
        let (mut modules, mut errors) = self.crew.scan(scanner.clone(), jobs);
        if errors.is_empty() {
            errors = pages::prepare(&mut modules);
        }
        if self.options.mode == BuildMode::Transpile {
            modules
                .iter_mut()
                .flat_map(|module| &mut module.parts)
                .for_each(|part| part.has_side_effects = true);
        }
        bundle.parsed = self.cache.as_ref().map(|_| scanner.parsed());
        self.trees += scanner.parsed();
        self.files = modules.iter().map(|module| (module.path.clone(), module.stamp)).collect();
        let mut page_files = Vec::new();
        if errors.is_empty() && self.options.target == BuildTarget::Bun {
            let pages = self.add_served_pages(&mut modules, bundle);
            (page_files, errors) = (pages.files, pages.errors);
        }
        if !errors.is_empty() {
            self.keep(modules);
            return Err(sorted(errors));
        }
        if self.builds == Builds::Last {
            // It would be closed and freed directory by directory.
            std::mem::forget(Arc::clone(&scanner));
            if modules.len() >= memory::LARGE_MODULES_MIN {
                memory::reserve_large();
            }
        }
        prefer_required(&mut modules);
        let graph = Graph::new(modules, scanner.externals(), &entries);
        let linked = self.link_all(&graph, bundle);
        if let Ok(modules) = Arc::try_unwrap(graph.modules) {
            self.keep(modules);
        }
        linked?;
        bundle.files.extend(scanner.take_assets().into_iter().map(of_asset));
        bundle.files.append(&mut page_files);
        Ok(())
    }

    /// Builds the pages that the program serves.
    fn add_served_pages(&mut self, modules: &mut [Module], bundle: &mut Bundle) -> ServedPages {
        let mut pages = served_pages::build(&self.options, modules);
        let stamped = |path: &PathBuf| (path.clone(), FileStamp::find(path));
        self.files.extend(pages.inputs.iter().map(stamped));
        bundle.modules += pages.modules;
        bundle.inputs.append(&mut pages.inputs);
        bundle.warnings.append(&mut pages.warnings);
        pages
    }

    fn keep(&self, modules: Vec<Module>) {
        match &self.cache {
            Some(cache) => cache.put(modules.into_iter()),
            None if self.builds == Builds::Last => std::mem::forget(modules),
            None => {}
        }
    }

    /// Links, prints and renders all bundles.
    fn link_all(&self, graph: &Graph, bundle: &mut Bundle) -> Result<(), Vec<Diagnostic>> {
        let options = &*self.options;
        bundle.modules += graph.modules.len();
        bundle.inputs.extend(graph.modules.iter().map(|module| module.path.clone()));
        let mut groups: Vec<&[ModuleIndex]> = match options.splitting {
            true => vec![&graph.entries],
            false => graph.entries.chunks(1).collect(),
        };
        groups.dedup();
        let last_group = last_groups(graph, &groups);
        let mut errors = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let mut linked = match link::link(graph, group, options) {
                Ok(linked) => linked,
                Err(found) => {
                    let new: Vec<Diagnostic> =
                        found.into_iter().filter(|one| !errors.contains(one)).collect();
                    errors.extend(new);
                    continue;
                }
            };
            if !errors.is_empty() {
                continue;
            }
            let root = root_directory(options);
            linked.worker_paths = chunk_files::worker_paths(&linked, options, &root);
            linked.chunk_paths = chunk_files::paths(&linked, options, &root);
            let is_last = |last: &usize| self.cache.is_none() && *last == number;
            let is_last = last_group.iter().map(is_last).collect();
            let job = PrintJob { linked: Arc::new(linked), is_last: Arc::new(is_last) };
            let printed = self.crew.print(job.clone())?;
            add_chunks(options, &job.linked, printed, bundle)?;
            if self.builds == Builds::Last {
                std::mem::forget(job);
            }
        }
        if !errors.is_empty() {
            return Err(sorted(errors));
        }
        add_metafile(options, graph, bundle);
        Ok(())
    }
}

/// A package that some module requires and others import by its member `module` is in the bundle
/// once, as the file that is required, so that both have the same objects.
fn prefer_required(modules: &mut [Module]) {
    if !modules.iter().flat_map(|module| &module.records).any(|record| record.required_instead.is_some()) {
        return;
    }
    let required = modules.iter().flat_map(|module| &module.records);
    let required = required.filter(|record| record.kind == RecordKind::Require);
    let required: FxHashMap<PathBuf, ModuleIndex> = required
        .filter_map(|record| match record.target {
            RecordTarget::Module(target) => Some((modules[target].path.clone(), target)),
            RecordTarget::Unresolved | RecordTarget::External(_) => None,
        })
        .collect();
    for record in modules.iter_mut().flat_map(|module| &mut module.records) {
        let target = record.required_instead.as_ref().and_then(|path| required.get(path));
        if let Some(&target) = target {
            record.target = RecordTarget::Module(target);
        }
    }
}

/// The last of the groups that contains each module.
fn last_groups(graph: &Graph, groups: &[&[ModuleIndex]]) -> Vec<usize> {
    let mut last_group = vec![0; graph.modules.len()];
    for (number, group) in groups.iter().enumerate() {
        let reached = graph.reached(group);
        let of_group = reached.iter().zip(&mut last_group).filter(|(reached, _)| **reached);
        of_group.for_each(|(_, last)| *last = number);
    }
    last_group
}

fn add_metafile(options: &BundleOptions, graph: &Graph, bundle: &mut Bundle) {
    if !options.has_metafile() {
        return;
    }
    let directory = match &options.destination {
        Destination::Directory(directory) => directory.as_path(),
        Destination::File(file) => file.parent().unwrap_or(Path::new("/")),
        Destination::Text => &options.current_dir,
    };
    let directory = rusk_base::files::normalized(directory);
    let directory = PathBuf::from(exports::relative_path(&options.current_dir, &directory));
    let details = bundle.files.iter().filter_map(|file| {
        let path = directory.join(&file.path).to_string_lossy().into_owned();
        Some((path, file.bytes.len(), file.details.as_ref()?))
    });
    let details: Vec<(String, usize, &OutputDetails)> = details.collect();
    let inputs = metafile::inputs(graph);
    bundle.metafile_markdown =
        options.metafile_markdown.then(|| metafile_markdown::render(&inputs, &details, &directory));
    bundle.metafile = options.metafile.then(|| metafile::render(&inputs, &details, &directory));
}

/// Several entry points may have one asset, and pages with the same scripts one chunk.
fn remove_equal(files: &mut Vec<OutputFile>) {
    let mut counts: FxHashMap<PathBuf, usize> = FxHashMap::default();
    files.iter().for_each(|file| *counts.entry(file.path.clone()).or_default() += 1);
    let mut seen = BTreeSet::new();
    files.retain(|file| {
        counts.get(&file.path) == Some(&1)
            || seen.insert((file.path.clone(), rusk_hashes::xx3(&file.bytes.contiguous(), 0)))
    });
}

/// Two outputs may not have one path.
fn check_paths(bundle: &Bundle) -> Result<(), Vec<Diagnostic>> {
    let mut seen = BTreeSet::new();
    let twice = bundle.files.iter().filter(|file| !seen.insert(&file.path));
    let errors: Vec<Diagnostic> = twice.map(|file| problem::output_paths(&file.path)).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// In the order of files, lines and messages: threads find them in any order.
pub(crate) fn sorted(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.sort_by_cached_key(|error| {
        let place = error.at.as_ref().map(|at| (at.file.clone(), at.line, at.column));
        (place, error.problem.to_string())
    });
    errors
}

fn of_asset(asset: Asset) -> OutputFile {
    OutputFile::new(asset.path, OutputKind::Asset, asset.bytes)
}

fn add_chunks(
    options: &BundleOptions,
    linked: &Linked,
    printed: Vec<PrintedModule>,
    bundle: &mut Bundle,
) -> Result<(), Vec<Diagnostic>> {
    let printed = printed.into_iter().map(|module| (module.index, module)).collect();
    let mut chunks = render::render(linked, printed, options);
    let hashes = match chunks.iter().any(|chunk| chunk_files::has_hash(linked, chunk.index)) {
        true => chunk_files::set_names(&mut chunks),
        false => FxHashMap::default(),
    };
    let mut entry_paths = FxHashMap::default();
    for chunk in chunks {
        let entry = linked.chunks.get(chunk.index).and_then(|one| one.entry);
        if entry.is_some_and(|entry| !pages::has_code(&linked.modules, entry)) {
            continue;
        }
        let path = linked.chunk_paths[chunk.index].to_string_lossy();
        let path = PathBuf::from(chunk_files::replace(&path, &hashes));
        let own = linked.chunks.get(chunk.index);
        let details = options.has_metafile().then(|| {
            let inputs = source_bytes(linked, &chunk);
            let mut details = own.map(|own| metafile::output(linked, own)).unwrap_or_default();
            details.imports.iter_mut().for_each(|one| one.path = chunk_files::replace(&one.path, &hashes));
            OutputDetails { inputs, ..details }
        });
        let is_listed = entry.is_some_and(|entry| linked.modules[entry].is_listed);
        let is_entry = own.is_some_and(|one| !one.is_dynamic) && is_listed;
        let kind = if is_entry { OutputKind::EntryPoint } else { OutputKind::Chunk };
        entry_paths.extend(entry.map(|entry| (entry, path.clone())));
        let maps = options.needs_maps().then_some(chunk.maps);
        add_code(options, linked, CodeFile { path, kind, code: chunk.code, maps, details }, bundle);
    }
    pages::add_outputs(options, linked, &entry_paths, bundle)
}

/// Bytes of each input in a chunk.
fn source_bytes(linked: &Linked, chunk: &RenderedChunk) -> BTreeMap<String, usize> {
    let name = |module: ModuleIndex| linked.modules[module].name.clone();
    chunk.module_bytes.iter().map(|&(module, bytes)| (name(module), bytes)).collect()
}

struct CodeFile {
    path: PathBuf,
    kind: OutputKind,
    code: OutputBytes,
    maps: Option<Vec<(MapPiece, u32)>>,
    details: Option<OutputDetails>,
}

fn add_code(options: &BundleOptions, linked: &Linked, file: CodeFile, bundle: &mut Bundle) {
    let CodeFile { path, kind, mut code, maps, details } = file;
    let map = maps.map(|maps| {
        let path_of = source_paths(options, linked, &path);
        map_piece::join(maps, path_of)
    });
    let map_path = PathBuf::from(format!("{}.map", path.display()));
    match (options.source_maps, map) {
        (SourceMaps::Inline, Some(map)) => {
            code.push(&format!("\n//# sourceMappingURL={}\n", map_piece::data_url(&map)));
        }
        (mode @ (SourceMaps::Linked | SourceMaps::External), Some(map)) => {
            if mode == SourceMaps::Linked {
                let name = map_path.file_name().unwrap_or_default().to_string_lossy();
                code.push(&format!("\n//# sourceMappingURL={}{name}\n", options.public_path));
            }
            bundle.files.push(OutputFile { path, kind, bytes: code, details });
            bundle.files.push(OutputFile::new(map_path, OutputKind::SourceMap, map));
            return;
        }
        _ => {}
    }
    bundle.files.push(OutputFile { path, kind, bytes: code, details });
}

/// Makes the paths of sources relative to the map's file.
pub(crate) fn set_sources(
    options: &BundleOptions,
    linked: &Linked,
    mut map: SourceMap<'static>,
    path: &Path,
) -> SourceMap<'static> {
    let path_of = source_paths(options, linked, path);
    let sources: Vec<String> = map.get_sources().map(path_of).collect();
    map.set_sources(sources.iter().map(String::as_str));
    map
}

/// Paths of modules relative to the file of a map, by their names.
fn source_paths<'l>(
    options: &BundleOptions,
    linked: &'l Linked,
    path: &Path,
) -> impl Fn(&str) -> String + use<'l> {
    let directory = match &options.destination {
        // Where an executable is says nothing of where its sources were.
        Destination::File(_) if options.is_executable => options.current_dir.join("program"),
        Destination::Directory(directory) => directory.join(path),
        Destination::File(file) => file.clone(),
        Destination::Text => options.current_dir.join(path),
    };
    let directory = rusk_base::files::normalized(directory.parent().unwrap_or(Path::new("/")));
    let paths: FxHashMap<&str, &Path> =
        linked.modules.iter().map(|module| (module.name.as_str(), module.path.as_path())).collect();
    move |name| match paths.get(name) {
        Some(path) => exports::relative_path(&directory, path),
        None => name.to_owned(),
    }
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
