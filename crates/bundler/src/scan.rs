//! Scanning: reads a file, makes a module of it, resolves what it imports. In: a job. Out: the
//! module, its syntax tree, jobs for the modules that it is the first to import. Runs on many
//! threads.

mod asset;
mod module_kind;
mod plugin_hooks;
mod records;
mod references;
mod source_text;
mod transpile_options;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use oxc::allocator::Allocator;
use rustc_hash::FxHashMap;

use crate::browser_modules;
use crate::collect;
use crate::data_module::{self, DataModule};
use crate::defines::{self, Constants};
use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::loader::Loader;
use crate::macros::{self, MacroHost, MacroModule};
use crate::module::{ConstantWrite, External, Module, ModuleIndex, ModuleKind, RecordKind, RecordTarget};
use crate::module_cache::{FileStamp, ModuleCache};
use crate::options::BundleOptions;
use crate::print::Tree;
use crate::problem;
use crate::react_refresh;
use crate::resolve::{ModuleResolver, Resolution, ResolvedFile};
use crate::worker::STACK_BYTES;
pub(crate) use asset::{Asset, media_type, value as asset_value};
pub(crate) use plugin_hooks::JobSource;
use plugin_hooks::{ENTRY_POINT, ImporterModule};
use source_text::{read, text_of};

/// A file to read, or an empty module.
#[derive(Debug)]
pub(crate) struct ScanJob {
    pub(crate) index: ModuleIndex,
    pub(crate) file: ResolvedFile,
    pub(crate) loader: Loader,
    pub(crate) is_disabled: bool,
    pub(crate) source: JobSource,
}

/// What all scans share.
pub(crate) struct Scanner {
    options: Arc<BundleOptions>,
    constants: Constants,
    macros: Option<MacroHost>,
    resolver: ModuleResolver,
    registry: Mutex<Registry>,
    assets: Mutex<Vec<Asset>>,
    /// Modules of earlier builds, if there are more to come.
    cache: Option<Arc<ModuleCache>>,
    parsed: AtomicUsize,
}

/// Modules by file and loader; external modules.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    modules: FxHashMap<(PathBuf, Loader, bool), ModuleIndex>,
    externals: FxHashMap<External, usize>,
}

/// The result of a job.
pub(crate) struct Scanned<'a> {
    pub(crate) module: Module,
    pub(crate) tree: Option<Tree<'a>>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) jobs: Vec<ScanJob>,
}

impl Scanner {
    pub(crate) fn new(
        options: Arc<BundleOptions>,
        cache: Option<Arc<ModuleCache>>,
    ) -> Result<Scanner, Vec<Diagnostic>> {
        Ok(Scanner {
            constants: Constants::new(&options)?,
            macros: options
                .macro_program
                .clone()
                .map(|program| MacroHost::new(program, options.current_dir.clone())),
            resolver: ModuleResolver::new(&options),
            registry: Mutex::default(),
            assets: Mutex::default(),
            cache,
            parsed: AtomicUsize::new(0),
            options,
        })
    }

    /// Continues with what another scanner knew.
    pub(crate) fn with_registry(self, registry: Registry) -> Scanner {
        Scanner { registry: Mutex::new(registry), ..self }
    }

    pub(crate) fn into_parts(self) -> (Registry, Vec<Asset>) {
        let registry = self.registry.into_inner().unwrap_or_else(PoisonError::into_inner);
        (registry, self.assets.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn resolve(
        &self,
        importer: &Path,
        specifier: &str,
        kind: RecordKind,
    ) -> Result<Resolution, rusk_modules::ResolveError> {
        self.resolver.resolve(importer, specifier, kind)
    }

    pub(crate) fn options(&self) -> &BundleOptions {
        &self.options
    }

    /// The jobs of the entry points, and the module of each entry point.
    pub(crate) fn entries(&self) -> Result<(Vec<ScanJob>, Vec<ModuleIndex>), Vec<Diagnostic>> {
        let (mut jobs, mut modules, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let answers = self.resolve_entries_by_plugins();
        for (entry, answer) in self.options.entries.iter().zip(answers) {
            let found = match answer {
                Ok(Some(found)) => Ok(self.of_plugin(found)),
                Ok(None) => self.resolver.entry(entry),
                Err(failure) => {
                    errors.push(problem::plugin(&failure, "onResolve", entry));
                    continue;
                }
            };
            match found {
                Ok(Resolution::File(file)) => {
                    let (index, job) = self.register(file, None, false);
                    jobs.extend(job);
                    modules.push(index);
                }
                Ok(_) => errors.push(problem::entry_not_bundled(entry)),
                Err(_) => errors.push(problem::entry_missing(entry).of_import(entry, ENTRY_POINT)),
            }
        }
        if errors.is_empty() { Ok((jobs, modules)) } else { Err(errors) }
    }

    /// All external modules in the order of their indices.
    pub(crate) fn externals(&self) -> Vec<External> {
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        let mut externals: Vec<(usize, External)> =
            registry.externals.iter().map(|(external, index)| (*index, external.clone())).collect();
        externals.sort();
        externals.into_iter().map(|(_, external)| external).collect()
    }

    pub(crate) fn take_assets(&self) -> Vec<Asset> {
        std::mem::take(&mut *self.assets.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Files that were parsed.
    pub(crate) fn parsed(&self) -> usize {
        self.parsed.load(Ordering::Relaxed)
    }

    pub(crate) fn register(
        &self,
        file: ResolvedFile,
        loader: Option<Loader>,
        is_disabled: bool,
    ) -> (ModuleIndex, Option<ScanJob>) {
        let loader = loader.unwrap_or_else(|| self.loader(&file.path));
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        let next = registry.modules.len();
        let index = *registry.modules.entry((file.key(), loader, is_disabled)).or_insert(next);
        let source = JobSource::default();
        (index, (index == next).then_some(ScanJob { index, file, loader, is_disabled, source }))
    }

    fn loader(&self, path: &Path) -> Loader {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let given = self.options.loaders.iter().find(|(extension, _)| name.ends_with(extension.as_str()));
        given.map_or_else(
            || Loader::of_extension(&path.extension().unwrap_or_default().to_string_lossy()),
            |(_, loader)| *loader,
        )
    }

    /// The path of a file in messages and comments.
    fn display_name(&self, path: &Path) -> String {
        exports::relative_path(&self.options.current_dir, path)
    }

    pub(crate) fn scan<'a>(
        &self,
        allocator: &'a Allocator,
        mut job: ScanJob,
        buffer: &mut Vec<u8>,
    ) -> Scanned<'a> {
        let name = self.display_name(&job.file.key());
        let importer = ImporterModule::of(&job.file);
        let mut module = Module {
            name: name.clone(),
            side_effects: job.file.side_effects,
            is_node_mode: job.file.is_module_package
                || matches!(job.file.path.extension().and_then(|end| end.to_str()), Some("mjs" | "mts")),
            path: job.file.key(),
            ..Module::default()
        };
        if job.is_disabled {
            module.kind = ModuleKind::CommonJs;
            module.side_effects = false;
            module.name = format!("(disabled):{name}");
            let tree = Some(Tree::empty(allocator));
            return Scanned { module, tree, errors: Vec::new(), jobs: Vec::new() };
        }
        let mut errors = Vec::new();
        if let Some(module) = self.cached(&job) {
            return self.scan_cached(&job, module, buffer);
        }
        let tree = match self.load(allocator, &mut job, &mut module, buffer) {
            Ok(tree) => tree,
            Err(found) => {
                errors.extend(found);
                None
            }
        };
        let source = tree.as_ref().map_or("", |tree| tree.source);
        errors.extend(self.unknown_paths(&module, source));
        let mut jobs = self.resolve_records(&importer, &mut module, source, &mut errors);
        jobs.extend(self.resolve_references(&mut module, &mut errors));
        Scanned { module, tree, errors, jobs }
    }

    /// A file as JavaScript, whose imports are not followed.
    pub(crate) fn transpile<'a>(
        &self,
        allocator: &'a Allocator,
        mut job: ScanJob,
    ) -> Result<(Module, Option<Tree<'a>>), Vec<Diagnostic>> {
        let name = self.display_name(&job.file.path);
        let mut module = Module { name, path: job.file.path.clone(), ..Module::default() };
        let tree = match job.loader.language() {
            Some(_) => self.load(allocator, &mut job, &mut module, &mut Vec::new())?,
            None => None,
        };
        Ok((module, tree))
    }

    fn cached(&self, job: &ScanJob) -> Option<Module> {
        self.cache.as_ref()?.take(&job.file.path, job.loader)
    }

    /// A module whose tree some thread still has: only what it imports is resolved again.
    fn scan_cached<'a>(&self, job: &ScanJob, mut module: Module, buffer: &mut Vec<u8>) -> Scanned<'a> {
        let importer = ImporterModule::of(&job.file);
        let mut errors = Vec::new();
        module.records.iter_mut().for_each(|record| record.target = RecordTarget::Unresolved);
        let mut jobs = self.resolve_records(&importer, &mut module, "", &mut errors);
        if !errors.is_empty() {
            // The errors show lines of the file.
            let source = read(&module.path, buffer).map(|()| String::from_utf8_lossy(buffer).into_owned());
            errors.clear();
            let source = source.unwrap_or_default();
            jobs.extend(self.resolve_records(&importer, &mut module, &source, &mut errors));
        }
        Scanned { module, tree: None, errors, jobs }
    }

    /// Reads and parses; data modules have no tree.
    fn load<'a>(
        &self,
        allocator: &'a Allocator,
        job: &mut ScanJob,
        module: &mut Module,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<Tree<'a>>, Vec<Diagnostic>> {
        module.loader = Some(job.loader);
        if self.cache.is_some() {
            module.stamp = FileStamp::find(&job.file.path);
        }
        self.read_source(job, module, buffer)?;
        module.source_bytes = buffer.len();
        let Some(language) = job.loader.language() else {
            match job.loader {
                Loader::Css => {
                    self.load_css(module, &text_of(&module.name.clone(), &job.file.path, buffer)?)?
                }
                Loader::Html => {
                    self.load_html(module, &text_of(&module.name.clone(), &job.file.path, buffer)?)?
                }
                _ => self.load_data(job, module, buffer)?,
            }
            return Ok(None);
        };
        self.parsed.fetch_add(1, Ordering::Relaxed);
        let text = text_of(&module.name, &job.file.path, buffer)?;
        let source: &'a str = allocator.alloc_str(text.trim_start_matches('\u{feff}'));
        let kind = module_kind::known_kind(job, source);
        let options = self.transpile_options(&job.file.path, language, kind, source);
        let tree = rusk_transpile::syntax_tree(allocator, source, &module.name, &options, STACK_BYTES);
        let mut tree = tree.map_err(|errors| Diagnostic::of_syntax(&module.name, source, errors))?;
        let macro_module = MacroModule { name: &module.name, path: &job.file.path, source };
        let host = self.macros.as_ref();
        if let Some(scoping) =
            macros::apply(host, allocator, &mut tree.program, &tree.scoping, &macro_module)?
        {
            tree.scoping = scoping;
        }
        if let Some(scoping) =
            self.constants.apply(allocator, &mut tree.program, &tree.scoping, source, tree.kind)
        {
            tree.scoping = scoping;
        }
        if self.options.jsx.has_refresh && !is_installed(&job.file.path) {
            tree.scoping = react_refresh::register(allocator, &mut tree.program, tree.scoping, &module.name);
        }
        module.helpers =
            tree.helpers.iter().map(|helper| (helper.name.clone(), helper.local.clone())).collect();
        module.features.has_types = job.loader != Loader::Js;
        let directives = tree.program.directives.iter().filter(|one| one.directive != "use strict");
        module.directives = directives.map(|one| quoted_directive(&one.directive)).collect();
        module.hashbang = tree.program.hashbang.take().map(|line| format!("#!{}", line.value));
        collect::collect(&tree.program, &tree.scoping, module);
        if module.features.has_known_branch {
            // Few files have one, and what is in a branch that cannot run is not looked for.
            tree.scoping = defines::remove_dead_branches(allocator, &mut tree.program, &tree.scoping);
            module.forget_code();
            collect::collect(&tree.program, &tree.scoping, module);
        }
        if self.options.keep_names {
            module.kept_names = collect::kept_names(&tree.program, &tree.scoping);
        }
        check_writes(module, source)?;
        module.kind = module_kind::parsed_kind(job, tree.kind, &tree.program, module);
        Ok(Some(Tree { program: tree.program, scoping: tree.scoping, source }))
    }

    /// The source of a module: a plugin's, one in memory, or that of the file.
    fn read_source(
        &self,
        job: &mut ScanJob,
        module: &mut Module,
        buffer: &mut Vec<u8>,
    ) -> Result<(), Vec<Diagnostic>> {
        match std::mem::take(&mut job.source) {
            JobSource::Contents { bytes, watched } => {
                *buffer = bytes;
                module.watched = watched;
            }
            JobSource::Failed(error) => return Err(vec![error]),
            JobSource::File | JobSource::Unknown => match self.options.files.find(&job.file.path) {
                Some(bytes) => {
                    buffer.clear();
                    buffer.extend_from_slice(bytes);
                }
                None if job.file.namespace.as_deref() == Some(browser_modules::NAMESPACE) => {
                    let code = browser_modules::find(&job.file.path.to_string_lossy());
                    *buffer = code.unwrap_or_default().into_owned().into_bytes();
                }
                None if job.file.namespace.is_some() => {
                    return Err(vec![problem::namespace_without_loader(&module.name)]);
                }
                None => {
                    read(&job.file.path, buffer)
                        .map_err(|error| vec![problem::unreadable(&module.name, &error)])?;
                }
            },
        }
        Ok(())
    }

    fn load_data(&self, job: &ScanJob, module: &mut Module, buffer: &[u8]) -> Result<(), Vec<Diagnostic>> {
        module.kind = ModuleKind::Data;
        let data = match job.loader {
            Loader::DataUrl => DataModule::of_text(&asset::data_url(&job.file.path, buffer)),
            Loader::Base64 => DataModule::of_text(&asset::base64(buffer)),
            Loader::Bytes => DataModule::of_expression(asset::byte_array(buffer)),
            Loader::File | Loader::Wasm if self.options.is_standalone => {
                DataModule::of_text(&asset::data_url(&job.file.path, buffer))
            }
            // Its value is known when it is built.
            Loader::ServedPage => DataModule::default(),
            Loader::File | Loader::Wasm | Loader::Napi | Loader::SqliteEmbedded => {
                self.add_asset(job, module, buffer)
            }
            Loader::Xml => {
                let fault = |fault| vec![data_module::of_fault(&module.name, "", Loader::Xml.name(), fault)];
                let text = rusk_data_formats::xml_text(buffer).map_err(fault)?;
                DataModule::parse(&module.name, &text, Loader::Xml).map_err(|error| vec![error])?
            }
            loader => {
                let text = text_of(&module.name, &job.file.path, buffer)?;
                DataModule::parse(&module.name, &text, loader).map_err(|error| vec![error])?
            }
        };
        module.side_effects = false;
        exports::add_data_exports(module, &data);
        module.data = Some(data);
        Ok(())
    }
}

/// Errors for assignments that throw when they run.
fn check_writes(module: &mut Module, source: &str) -> Result<(), Vec<Diagnostic>> {
    let writes = std::mem::take(&mut module.constant_writes);
    let error = |write: ConstantWrite| {
        problem::constant_write(&write.name, write.is_import).at(&module.name, source, write.span)
    };
    match writes.is_empty() {
        true => Ok(()),
        false => Err(writes.into_iter().map(error).collect()),
    }
}

/// A directive's text is not unescaped, so it lacks its own kind of quotes alone.
fn quoted_directive(text: &str) -> String {
    let quote = if text.contains('"') { '\'' } else { '"' };
    format!("{quote}{text}{quote}")
}

fn is_installed(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "node_modules")
}
