//! Builtins: JavaScript files of the extensions, by id (`node/fs`, `internal/errors`, `web/url`).
//! In: an id. Out: the function that the file is the body of. Each is compiled when it is first
//! required. Absent: the registry of what they export; js/bootstrap.js has it.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusk_extension_build::{id_hash, is_shared, wrapper};
use rusk_jsc::{Context, Exception, Outcome, Root, Scope, Value};

use crate::bytecode_cache;
use crate::extension::Extension;

/// An embedded file. `rusk-extension-build` writes tables of them.
pub struct Builtin {
    /// [`id_hash`] of the id.
    pub id_hash: u64,
    pub id: &'static str,
    /// [`rusk_extension_build::is_shared`].
    pub is_shared: bool,
    pub source: &'static str,
}

/// Where the sources are.
pub struct Builtins {
    /// A checkout whose files are read instead of the embedded ones (`RUSK_BUILTINS`), to try a
    /// change without a build.
    checkout: Option<PathBuf>,
    embedded: &'static [&'static Builtin],
    shared: OnceCell<SharedCode>,
}

/// Compiled functions of shared builtins and of the core's scripts, and the global object that they
/// belong to.
struct SharedCode {
    context: Context,
    functions: RefCell<HashMap<String, Root>>,
}

impl SharedCode {
    /// A function of the hidden global object, which is made when it is first asked for.
    fn once<'s>(
        &self,
        scope: &'s Scope,
        name: &str,
        make: impl for<'i> FnOnce(&'i Scope) -> Outcome<'i>,
    ) -> Outcome<'s> {
        if let Some(function) = self.functions.borrow().get(name) {
            return Ok(function.value(scope));
        }
        let made = scope.with_context(&self.context, |inner| {
            let root = |value| Root::new(inner, value);
            make(inner).map(root).map_err(|thrown| root(thrown.value()))
        });
        let function = made.map_err(|thrown| thrown.value(scope))?;
        let value = function.value(scope);
        self.functions.borrow_mut().insert(name.to_owned(), function);
        Ok(value)
    }
}

impl Builtins {
    pub fn new(checkout: Option<PathBuf>, extensions: &[&'static Extension]) -> Builtins {
        Builtins { checkout, embedded: embedded(extensions), shared: OnceCell::new() }
    }

    /// The function; `undefined` if there is no such file.
    pub fn compile<'s>(&self, scope: &'s Scope, id: &str) -> Result<Value<'s>, Exception<'s>> {
        match self.shared.get() {
            Some(shared) if is_shared(id) => shared.once(scope, id, |inner| self.compile_in(inner, id)),
            _ => self.compile_in(scope, id),
        }
    }

    /// A script of the core, which is a function. It takes the global object for which it runs,
    /// and is compiled once for all, as shared builtins are.
    pub fn core_script<'s>(&self, scope: &'s Scope, source: &'static str, url: &str) -> Outcome<'s> {
        match self.shared.get() {
            Some(shared) => {
                shared.once(scope, url, |inner| bytecode_cache::evaluate_builtin(inner, source, url))
            }
            None => bytecode_cache::evaluate_builtin(scope, source, url),
        }
    }

    fn compile_in<'s>(&self, scope: &'s Scope, id: &str) -> Outcome<'s> {
        if let Some(source) = self.checkout.as_deref().and_then(|checkout| read(checkout, id)) {
            return scope.evaluate(&source, &url(id), 1);
        }
        match self.find(id) {
            Some(builtin) => bytecode_cache::evaluate_builtin(scope, builtin.source, &url(id)),
            None => Ok(scope.undefined()),
        }
    }

    /// From now on shared builtins are compiled once for all global objects of the VM.
    pub fn share_code(&self, scope: &Scope) {
        self.shared
            .get_or_init(|| SharedCode { context: scope.create_context(), functions: RefCell::default() });
    }

    fn find(&self, id: &str) -> Option<&'static Builtin> {
        let index = self.embedded.binary_search_by_key(&id_hash(id), |builtin| builtin.id_hash).ok()?;
        Some(self.embedded[index]).filter(|builtin| builtin.id == id)
    }

    pub fn has(&self, id: &str) -> bool {
        let is_in = |checkout: &Path| find_file(checkout, id).is_some();
        self.find(id).is_some() || self.checkout.as_deref().is_some_and(is_in)
    }
}

/// One table of all extensions, sorted by hash and made once in a process: all its runtimes have
/// the same extensions.
fn embedded(extensions: &[&'static Extension]) -> &'static [&'static Builtin] {
    static TABLE: OnceLock<Vec<&'static Builtin>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let core = crate::EXTENSION.builtins;
        let mut all: Vec<_> =
            core.iter().chain(extensions.iter().flat_map(|extension| extension.builtins)).collect();
        all.sort_unstable_by_key(|builtin| builtin.id_hash);
        all
    })
}

/// Tells sets of builtins apart: those of different builds of rusk.
pub fn digest(extensions: &[&'static Extension]) -> u64 {
    let sizes = embedded(extensions).iter().map(|builtin| (builtin.id_hash, builtin.source.len() as u64));
    sizes.fold(0, |digest: u64, (id, bytes)| digest.rotate_left(5).wrapping_add(id ^ bytes))
}

/// The file of an id: in the core's directory, or in the one extension that has it.
fn find_file(checkout: &Path, id: &str) -> Option<PathBuf> {
    let inside = Path::new("js").join(format!("{id}.js"));
    let core = checkout.join("crates/runtime").join(&inside);
    if core.is_file() {
        return Some(core);
    }
    let extensions = std::fs::read_dir(checkout.join("ext")).ok()?;
    extensions.filter_map(|entry| Some(entry.ok()?.path().join(&inside))).find(|path| path.is_file())
}

fn read(checkout: &Path, id: &str) -> Option<String> {
    let body = std::fs::read_to_string(find_file(checkout, id)?).ok()?;
    let [head, tail] = wrapper(id, &body);
    Some(format!("{head}{body}{tail}"))
}

/// As stack traces show it; Node's own files are called so.
fn url(id: &str) -> String {
    format!("node:{}", id.strip_prefix("node/").unwrap_or(id))
}
