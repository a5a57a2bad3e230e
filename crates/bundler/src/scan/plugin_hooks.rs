//! Plugins while scanning: who resolves a specifier, and who loads a module. In: specifiers,
//! modules. Out: answers of the plugins as resolutions and contents.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ScanJob, Scanner};
use crate::diagnostic::Diagnostic;
use crate::loader::Loader;
use crate::module::ImportRecord;
use crate::plugins::{
    Answer, FILE_NAMESPACE, LoadRequest, PluginContents, PluginResolution, Plugins, Reply, SpecifierRequest,
};
use crate::problem;
use crate::resolve::{Resolution, ResolvedFile};

/// Bun's word for the import of an entry point.
pub(super) const ENTRY_POINT: &str = "entry-point-build";

/// Where the content of a module comes from.
#[derive(Debug, Default)]
pub(crate) enum JobSource {
    /// A plugin, if there is one for it, or else the file.
    #[default]
    Unknown,
    /// The file: no plugin has answered.
    File,
    Contents {
        bytes: Vec<u8>,
        watched: Vec<PathBuf>,
    },
    Failed(Diagnostic),
}

/// The module whose specifiers are resolved.
pub(super) struct ImporterModule {
    pub(super) path: PathBuf,
    pub(super) namespace: Option<Arc<str>>,
}

impl ImporterModule {
    pub(super) fn of(file: &ResolvedFile) -> ImporterModule {
        ImporterModule { path: file.path.clone(), namespace: file.namespace.clone() }
    }

    /// A path that files can be resolved from.
    pub(super) fn file(&self, current_dir: &Path) -> PathBuf {
        match self.path.is_absolute() {
            true => self.path.clone(),
            false => current_dir.join(self.path.file_name().unwrap_or_default()),
        }
    }

    fn namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or(FILE_NAMESPACE)
    }
}

impl ScanJob {
    /// The job with what a plugin answered.
    pub(crate) fn answered(mut self, answer: Answer<PluginContents>) -> ScanJob {
        self.source = match answer {
            Ok(None) => JobSource::File,
            Ok(Some(contents)) => {
                self.loader = contents.loader.unwrap_or(self.loader);
                JobSource::Contents { bytes: contents.bytes, watched: contents.watched }
            }
            Err(failure) => JobSource::Failed(problem::plugin(&failure, "onLoad", &self.file.display_path())),
        };
        self
    }
}

impl Scanner {
    pub(crate) fn plugins(&self) -> Option<&Arc<Plugins>> {
        self.options.plugins.as_ref()
    }

    /// Asks a plugin for the content of a module if a filter matches it; else the job comes back.
    pub(crate) fn load_by_plugin(
        &self,
        job: ScanJob,
        resume: impl FnOnce(ScanJob) + Send + 'static,
    ) -> Option<ScanJob> {
        let Some(plugins) = self.plugins().filter(|_| matches!(job.source, JobSource::Unknown)) else {
            return Some(job);
        };
        if job.is_disabled || job.loader == Loader::ServedPage {
            return Some(job);
        }
        let path = job.file.path.to_string_lossy().into_owned();
        let namespace = job.file.namespace.as_deref().unwrap_or(FILE_NAMESPACE).to_owned();
        let filters = plugins.load_filters(&path, &namespace);
        if filters.is_empty() {
            return Some(job);
        }
        let request = LoadRequest { path, namespace, loader: job.loader };
        plugins.load(request, filters, Reply::new(move |answer| resume(job.answered(answer))));
        None
    }

    /// What plugins say of the specifiers of a module: for each record an answer.
    pub(super) fn resolve_by_plugins(
        &self,
        importer: &ImporterModule,
        records: &[ImportRecord],
    ) -> Vec<Answer<PluginResolution>> {
        let specifiers = records.iter().map(|record| (record.specifier.as_str(), record.kind.name()));
        self.ask(importer, specifiers.collect())
    }

    /// What plugins say of the entry points.
    pub(super) fn resolve_entries_by_plugins(&self) -> Vec<Answer<PluginResolution>> {
        let importer = ImporterModule { path: PathBuf::new(), namespace: None };
        let entries = self.options.entries.iter().map(|entry| (entry.as_str(), ENTRY_POINT));
        self.ask(&importer, entries.collect())
    }

    fn ask(
        &self,
        importer: &ImporterModule,
        specifiers: Vec<(&str, &'static str)>,
    ) -> Vec<Answer<PluginResolution>> {
        let mut answers: Vec<Answer<PluginResolution>> = specifiers.iter().map(|_| Ok(None)).collect();
        let Some(plugins) = self.plugins() else { return answers };
        let directory = match importer.path.as_os_str().is_empty() {
            true => self.options.current_dir.clone(),
            false => {
                importer.file(&self.options.current_dir).parent().map(Path::to_owned).unwrap_or_default()
            }
        };
        let (mut asked, mut requests) = (Vec::new(), Vec::new());
        for (index, (specifier, kind)) in specifiers.into_iter().enumerate() {
            let filters = plugins.resolve_filters(specifier, importer.namespace());
            if filters.is_empty() {
                continue;
            }
            let request = SpecifierRequest {
                specifier: specifier.to_owned(),
                importer: importer.path.to_string_lossy().into_owned(),
                namespace: importer.namespace().to_owned(),
                directory: directory.to_string_lossy().into_owned(),
                kind,
            };
            asked.push(index);
            requests.push((request, filters));
        }
        for (index, answer) in asked.into_iter().zip(plugins.resolve(requests)) {
            answers[index] = answer;
        }
        answers
    }

    /// A plugin's resolution as ours. Paths of files get what their package says of them.
    pub(super) fn of_plugin(&self, found: PluginResolution) -> Resolution {
        if found.is_external {
            return Resolution::External(found.path);
        }
        let is_file = found.namespace.is_empty() || found.namespace == FILE_NAMESPACE;
        let path = match is_file {
            true => rusk_base::files::normalized(&self.options.current_dir.join(&found.path)),
            false => PathBuf::from(&found.path),
        };
        let known = is_file.then(|| self.resolver.entry(&path.to_string_lossy()).ok()).flatten();
        let mut file = match known {
            Some(Resolution::File(file)) if file.path == path => file,
            _ => ResolvedFile {
                namespace: (!is_file).then(|| found.namespace.into()),
                ..ResolvedFile::plain(path)
            },
        };
        file.side_effects = found.side_effects.unwrap_or(file.side_effects);
        Resolution::File(file)
    }
}
