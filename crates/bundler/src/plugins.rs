//! Plugins of a build: filters that are tested here, and requests to the program that has the
//! plugins. In: specifiers and paths. Out: requests for those that a filter matches; their answers,
//! from any thread and in any order. Absent: JavaScript; `ext/bundler` has it.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use crate::loader::Loader;
use crate::module::RecordKind;

/// The namespace of files.
pub(crate) const FILE_NAMESPACE: &str = "file";

/// The plugins of one build.
pub struct Plugins {
    resolve: Vec<PluginFilter>,
    load: Vec<PluginFilter>,
    requests: Box<dyn Fn(PluginRequest) + Send + Sync>,
    /// Queued jobs, and threads that work. At zero, the build waits for answers alone.
    busy: AtomicUsize,
}

/// Which specifiers or paths a callback is for.
pub struct PluginFilter {
    pattern: regress::Regex,
    /// `None`: for paths of files, and for specifiers in any module.
    namespace: Option<String>,
}

/// What the build asks for. Filters are indices of the lists that [`Plugins::new`] got.
pub enum PluginRequest {
    Resolve {
        specifier: SpecifierRequest,
        filters: Vec<usize>,
        reply: Reply<PluginResolution>,
    },
    Load {
        module: LoadRequest,
        filters: Vec<usize>,
        reply: Reply<PluginContents>,
    },
    /// The build waits for answers alone.
    Idle,
}

/// A specifier in a module, or an entry point.
#[derive(Clone, Debug)]
pub struct SpecifierRequest {
    pub specifier: String,
    /// Path of the module; empty for an entry point.
    pub importer: String,
    pub namespace: String,
    /// Directory of the importer.
    pub directory: String,
    /// Bun's word for the kind of import.
    pub kind: &'static str,
}

/// A module to load.
#[derive(Clone, Debug)]
pub struct LoadRequest {
    pub path: String,
    pub namespace: String,
    /// What the bundler would do with the file.
    pub loader: Loader,
}

/// What a specifier stands for.
#[derive(Clone, Debug)]
pub struct PluginResolution {
    pub path: String,
    pub namespace: String,
    pub is_external: bool,
    /// `Some(false)`: the module may be dropped if nothing of it is used.
    pub side_effects: Option<bool>,
}

/// The content of a module.
#[derive(Clone, Debug)]
pub struct PluginContents {
    pub bytes: Vec<u8>,
    pub loader: Option<Loader>,
    /// Other files that the content depends on.
    pub watched: Vec<PathBuf>,
}

/// A callback of a plugin failed.
#[derive(Clone, Debug)]
pub struct PluginFailure {
    pub plugin: String,
    pub message: String,
}

/// `None`: no plugin is responsible.
pub type Answer<T> = Result<Option<T>, PluginFailure>;

/// Takes one answer, on any thread. Dropping it unused is a failure.
pub struct Reply<T>(Option<Box<dyn FnOnce(Answer<T>) + Send>>);

impl PluginFilter {
    /// `pattern`, `flags`: of a regular expression of JavaScript.
    pub fn new(pattern: &str, flags: &str, namespace: Option<String>) -> Result<PluginFilter, String> {
        let pattern = regress::Regex::with_flags(pattern, flags).map_err(|error| error.to_string())?;
        Ok(PluginFilter { pattern, namespace })
    }

    fn is_match(&self, text: &str) -> bool {
        self.pattern.find(text).is_some()
    }

    fn resolves(&self, specifier: &str, namespace: &str) -> bool {
        let is_own = self.namespace.as_ref().is_none_or(|own| own == namespace);
        is_own && self.is_match(specifier)
    }

    fn loads(&self, path: &str, namespace: &str) -> bool {
        self.namespace.as_deref().unwrap_or(FILE_NAMESPACE) == namespace && self.is_match(path)
    }
}

impl Plugins {
    /// `requests` is called on the threads of the build and must not block.
    pub fn new(
        resolve: Vec<PluginFilter>,
        load: Vec<PluginFilter>,
        requests: Box<dyn Fn(PluginRequest) + Send + Sync>,
    ) -> Plugins {
        Plugins { resolve, load, requests, busy: AtomicUsize::new(0) }
    }

    /// Whether the build waits for answers alone. Exact on a thread that answers, between answers.
    pub fn is_idle(&self) -> bool {
        self.busy.load(Ordering::SeqCst) == 0
    }

    pub(crate) fn add_busy(&self, count: usize) {
        self.busy.fetch_add(count, Ordering::SeqCst);
    }

    pub(crate) fn remove_busy(&self) {
        if self.busy.fetch_sub(1, Ordering::SeqCst) == 1 {
            (self.requests)(PluginRequest::Idle);
        }
    }

    /// The filters that a specifier matches.
    pub(crate) fn resolve_filters(&self, specifier: &str, namespace: &str) -> Vec<usize> {
        matching(&self.resolve, |filter| filter.resolves(specifier, namespace))
    }

    /// The filters that a module matches.
    pub(crate) fn load_filters(&self, path: &str, namespace: &str) -> Vec<usize> {
        matching(&self.load, |filter| filter.loads(path, namespace))
    }

    /// Asks for many specifiers at once and waits for all answers.
    pub(crate) fn resolve(
        self: &Arc<Plugins>,
        requests: Vec<(SpecifierRequest, Vec<usize>)>,
    ) -> Vec<Answer<PluginResolution>> {
        let count = requests.len();
        let (sender, receiver) = mpsc::channel();
        let remaining = Arc::new(AtomicUsize::new(count));
        for (index, (specifier, filters)) in requests.into_iter().enumerate() {
            let (sender, remaining, own) = (sender.clone(), Arc::clone(&remaining), Arc::clone(self));
            let reply = Reply::new(move |answer| {
                if remaining.fetch_sub(1, Ordering::SeqCst) == 1 {
                    own.add_busy(1);
                }
                // The receiver waits for all.
                let _ = sender.send((index, answer));
            });
            (self.requests)(PluginRequest::Resolve { specifier, filters, reply });
        }
        if count > 0 {
            self.remove_busy();
        }
        let mut answers: Vec<Answer<PluginResolution>> = (0..count).map(|_| Ok(None)).collect();
        for (index, answer) in receiver.iter().take(count) {
            answers[index] = answer;
        }
        answers
    }

    /// Asks for the content of a module; the caller does not wait.
    pub(crate) fn load(&self, module: LoadRequest, filters: Vec<usize>, reply: Reply<PluginContents>) {
        (self.requests)(PluginRequest::Load { module, filters, reply });
    }
}

fn matching(filters: &[PluginFilter], is_match: impl Fn(&PluginFilter) -> bool) -> Vec<usize> {
    let matches = filters.iter().enumerate().filter(|(_, filter)| is_match(filter));
    matches.map(|(index, _)| index).collect()
}

impl fmt::Debug for Plugins {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Plugins({} resolve, {} load)", self.resolve.len(), self.load.len())
    }
}

impl<T> Reply<T> {
    pub(crate) fn new(take: impl FnOnce(Answer<T>) + Send + 'static) -> Reply<T> {
        Reply(Some(Box::new(take)))
    }

    pub fn send(mut self, answer: Answer<T>) {
        if let Some(take) = self.0.take() {
            take(answer);
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(take) = self.0.take() {
            let message = "the program ended before it answered".to_owned();
            take(Err(PluginFailure { plugin: String::new(), message }));
        }
    }
}

impl RecordKind {
    /// Bun's word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RecordKind::Statement => "import-statement",
            RecordKind::Require => "require-call",
            RecordKind::Dynamic => "dynamic-import",
            RecordKind::Worker => "entry-point-build",
        }
    }
}
