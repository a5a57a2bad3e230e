//! The JavaScript of our own, by name: `node/fs`, `internal/errors`, `web/url`. In: a name. Out: the function that a file is
//! the body of, or what a script of js itself gives. Each is compiled when it is first asked for, or was compiled in an earlier start. Absent: keeping what
//! they export; js/bootstrap.js does.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusk_jsc::{Compiled, Engine, Exception, Scope, Value};

#[allow(clippy::all)]
mod table {
    include!(concat!(env!("OUT_DIR"), "/builtins.rs"));
}

/// What is compiled for later starts when a process ends: some 20 ms of work.
const KEPT_BYTES_MAX: usize = 128 << 10;

/// What was compiled before, for all threads.
static COMPILED: OnceLock<Option<Compiled>> = OnceLock::new();

/// Where the sources are.
pub(crate) struct Builtins {
    engine: &'static Engine,
    /// Read from here rather than from ourselves, to try a change without a build.
    folder: Option<PathBuf>,
    /// Entries of the table that this thread compiled from their text.
    from_text: RefCell<Vec<usize>>,
}

impl Builtins {
    pub fn new(engine: &'static Engine, folder: Option<PathBuf>) -> Builtins {
        Builtins { engine, folder, from_text: RefCell::default() }
    }

    /// The function; `undefined` where there is no such file.
    pub fn compile<'s>(&self, scope: &'s Scope, name: &str) -> Result<Value<'s>, Exception<'s>> {
        if let Some(source) = self.folder.as_deref().and_then(|folder| read(folder, name)) {
            return scope.evaluate(&source, &url(name), 1);
        }
        match find(name) {
            Some(index) => self.run(scope, index),
            None => Ok(scope.undefined()),
        }
    }

    /// What a script of js itself gives.
    ///
    /// # Panics
    /// When there is no such script.
    pub fn script<'s>(&self, scope: &'s Scope, name: &str) -> Result<Value<'s>, Exception<'s>> {
        self.run(scope, find(name).expect("its name stands in build.rs"))
    }

    fn run<'s>(&self, scope: &'s Scope, index: usize) -> Result<Value<'s>, Exception<'s>> {
        let (name, source) = table::SOURCES[index];
        match self.compiled() {
            Some(compiled) if compiled.has(name) => {
                scope.evaluate_compiled(compiled, name, source, &url(name))
            }
            _ => {
                self.from_text.borrow_mut().push(index);
                scope.evaluate_static(source, &url(name))
            }
        }
    }

    fn compiled(&self) -> Option<&'static Compiled> {
        // What is being changed changes with each start.
        if self.folder.is_some() {
            return None;
        }
        COMPILED.get_or_init(|| Compiled::open(self.engine, table::STAMP)).as_ref()
    }

    /// The process ends: what had to be compiled is kept for the next one, a part each time.
    pub fn keep(&self, scope: &Scope) {
        let from_text = self.from_text.take();
        if from_text.is_empty() || self.folder.is_some() || self.engine.home().is_none() {
            return;
        }
        let mut bytes = 0;
        let is_enough = |source: &str| {
            bytes += source.len();
            bytes > KEPT_BYTES_MAX
        };
        let scripts: Vec<_> = from_text
            .into_iter()
            .map(|index| table::SOURCES[index])
            .scan(is_enough, |is_enough, (name, source)| {
                (!is_enough(source)).then(|| (name, source, url(name)))
            })
            .collect();
        scope.keep_compiled(self.engine, table::STAMP, self.compiled(), &scripts);
    }

    pub fn has(&self, name: &str) -> bool {
        let is_in = |folder: &Path| folder.join(name).with_extension("js").is_file();
        find(name).is_some() || self.folder.as_deref().is_some_and(is_in)
    }
}

/// Its place in the table.
fn find(name: &str) -> Option<usize> {
    table::SOURCES.binary_search_by_key(&name, |(name, _)| name).ok()
}

fn read(folder: &Path, name: &str) -> Option<String> {
    let body = std::fs::read_to_string(folder.join(format!("{name}.js"))).ok()?;
    Some(format!("(function (exports, require, module, native) {{{body}\n}})"))
}

/// As stacks show it; Node's own files are called so.
fn url(name: &str) -> String {
    match name.strip_prefix("node/") {
        Some(public) => format!("node:{public}"),
        None if name.contains('/') => format!("node:{name}"),
        None => format!("node:internal/{name}"),
    }
}
