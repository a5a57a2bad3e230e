//! Resolution of what a module imports. In: a module's records. Out: their targets, jobs for
//! modules that are new, errors. Absent: references of stylesheets and pages.

use std::path::Path;
use std::sync::PoisonError;

use rusk_modules::{Format as FileFormat, ResolveError};

use super::plugin_hooks::ImporterModule;
use super::{ScanJob, Scanner};
use crate::browser_modules;
use crate::diagnostic::Diagnostic;
use crate::loader::Loader;
use crate::module::{External, ImportRecord, Module, RecordKind, RecordTarget, UnknownPath};
use crate::options::BuildTarget;
use crate::problem;
use crate::resolve::{Resolution, ResolvedFile};

impl Scanner {
    /// Resolves all records; returns the jobs of modules that are new.
    pub(super) fn resolve_records(
        &self,
        importer: &ImporterModule,
        module: &mut Module,
        source: &str,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<ScanJob> {
        let mut jobs = Vec::new();
        let (path, name) = (importer.file(&self.options.current_dir), module.name.clone());
        let answers = self.resolve_by_plugins(importer, &module.records);
        for (record, answer) in module.records.iter_mut().zip(answers) {
            // The development server has no files of workers.
            if record.kind == RecordKind::Worker && self.options.keeps_hot_api {
                continue;
            }
            let found = match answer {
                Ok(Some(found)) => Ok(self.of_plugin(found)),
                Ok(None) if is_database(record) && self.options.target != BuildTarget::Bun => {
                    errors.push(problem::sqlite_target().at(&name, source, record.span.clone()));
                    continue;
                }
                Ok(None) if record.attribute.as_deref() == Some(Loader::Sqlite.name()) => {
                    Ok(Resolution::External(record.specifier.clone()))
                }
                Ok(None) => self.resolve_record(importer, &path, record),
                Err(failure) => {
                    let error = problem::plugin(&failure, "onResolve", &record.specifier);
                    errors.push(error.at(&name, source, record.span.clone()));
                    continue;
                }
            };
            match found {
                Ok(Resolution::File(file)) => {
                    let loader = self.loader_of_record(record, &file.path);
                    if record.kind != RecordKind::Require {
                        record.required_instead =
                            self.resolver.required_instead(&path, &record.specifier, &file.path);
                    }
                    let (index, job) = self.register(file, loader, false);
                    record.target = RecordTarget::Module(index);
                    jobs.extend(job);
                }
                Ok(Resolution::Disabled(path)) => {
                    let file = ResolvedFile {
                        format: FileFormat::CommonJs,
                        side_effects: false,
                        ..ResolvedFile::plain(path)
                    };
                    let (index, job) = self.register(file, None, true);
                    record.target = RecordTarget::Module(index);
                    jobs.extend(job);
                }
                Ok(Resolution::External(specifier)) => {
                    let external = External { specifier, attribute: record.attribute.clone() };
                    record.target = RecordTarget::External(self.register_external(external));
                }
                Ok(Resolution::Absent(_)) | Err(_) if record.may_fail => {}
                Ok(Resolution::Absent(module)) => {
                    let error = problem::not_in_browsers(&module, record.kind);
                    let error = error.at(&name, source, record.span.clone());
                    errors.push(error.of_import(&record.specifier, record.kind.name()));
                }
                Err(error) => {
                    errors.push(self.unresolved(&name, source, record, &error.problem()));
                }
            }
        }
        jobs
    }

    /// Errors for calls whose path is not known, unless they may stay.
    pub(super) fn unknown_paths(&self, module: &Module, source: &str) -> Vec<Diagnostic> {
        let Some(allowed) = &self.options.allow_unresolved else { return Vec::new() };
        let is_allowed = |shape: &str| {
            let is_match = |pattern: &String| match pattern.as_str() {
                "" => shape.is_empty(),
                "*" | "**" => true,
                pattern => !shape.is_empty() && fast_glob::glob_match(pattern, shape),
            };
            allowed.iter().any(is_match)
        };
        let unknown = module.unknown_paths.iter().filter(|unknown| !is_allowed(&unknown.shape));
        let error = |unknown: &UnknownPath| {
            problem::unknown_path(unknown.kind, &unknown.shape).at(&module.name, source, unknown.span.clone())
        };
        unknown.map(error).collect()
    }

    /// Without plugins. `path`: that of the importer.
    fn resolve_record(
        &self,
        importer: &ImporterModule,
        path: &Path,
        record: &ImportRecord,
    ) -> Result<Resolution, ResolveError> {
        let specifier = record.specifier.as_str();
        let is_own = importer.namespace.as_deref() == Some(browser_modules::NAMESPACE);
        if is_own && browser_modules::find(specifier).is_some() {
            return Ok(Resolution::File(ResolvedFile::of_browser_module(specifier)));
        }
        let found = self.resolver.resolve(path, specifier, record.kind);
        match (found, specifier.split_once('?')) {
            // No file has the query in its name.
            (Err(error), Some((file, _))) => {
                self.resolver.resolve(path, file, record.kind).map_err(|_| error)
            }
            (found, _) => found,
        }
    }

    /// The loader that an import chooses; `None`: that of the file.
    fn loader_of_record(&self, record: &ImportRecord, path: &Path) -> Option<Loader> {
        let named = record.attribute.as_deref().and_then(Loader::of_name);
        if named.is_some_and(|loader| loader != Loader::Html) {
            return named;
        }
        if let Some((_, query)) = record.specifier.split_once('?')
            && !path.to_string_lossy().ends_with(&format!("?{query}"))
            && let Some(loader) = loader_of_query(query)
        {
            return Some(loader);
        }
        // A page is an entry point. A server gets what serves it, other programs its path.
        let is_page = named.is_some() || self.loader(path) == Loader::Html;
        is_page.then_some(match self.options.target {
            BuildTarget::Bun if !self.options.keeps_hot_api => Loader::ServedPage,
            BuildTarget::Bun | BuildTarget::Browser | BuildTarget::Node => Loader::File,
        })
    }

    fn register_external(&self, external: External) -> usize {
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        let next = registry.externals.len();
        *registry.externals.entry(external).or_insert(next)
    }

    fn unresolved(
        &self,
        name: &str,
        source: &str,
        record: &ImportRecord,
        problem: &rusk_base::Problem,
    ) -> Diagnostic {
        let notes = problem.notes().iter().filter(|note| !note.starts_with("wanted by "));
        let notes: Vec<String> = notes.cloned().collect();
        let is_package = crate::resolve::is_package(&record.specifier);
        let hint = match (is_package, record.specifier.contains(':'), self.options.target) {
            (true, false, _) => {
                let package = package_name(&record.specifier);
                Some(format!("run `rusk add {package}`, or mark it as external: --external {package}"))
            }
            (_, true, BuildTarget::Browser) => Some("--target=node bundles for Node".to_owned()),
            _ => None,
        };
        problem::unresolved(&record.specifier, &notes, hint)
            .at(name, source, record.span.clone())
            .of_import(&record.specifier, record.kind.name())
    }
}

fn is_database(record: &ImportRecord) -> bool {
    let loader = record.attribute.as_deref().and_then(Loader::of_name);
    matches!(loader, Some(Loader::Sqlite | Loader::SqliteEmbedded))
}

fn package_name(specifier: &str) -> String {
    let count = if specifier.starts_with('@') { 2 } else { 1 };
    specifier.split('/').take(count).collect::<Vec<_>>().join("/")
}

/// As in Vite: the content as text, the file itself, or a `data:` URL.
fn loader_of_query(query: &str) -> Option<Loader> {
    match query {
        "raw" => Some(Loader::Text),
        "url" => Some(Loader::File),
        "inline" | "url&inline" | "inline&url" => Some(Loader::DataUrl),
        _ => None,
    }
}
