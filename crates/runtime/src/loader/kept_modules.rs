//! Kept modules: what a process that loads the same files for one global object after another keeps
//! of them: the transpiled source, and the engine's script of it. In: ES modules and CommonJS files
//! that were read. Out: the same ones, while their files are unchanged. A file that is loaded once,
//! as most tests are, is not kept, but for modules that tell their state, which tests do not.
//! Absent: modules and functions within one global object (js/internal/esm/kept_modules.js,
//! js/internal/modules/kept_functions.js).

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rusk_jsc::{KeptScript, Outcome, Scope};
use rusk_transpile::{AsyncContext, ModuleForm, PositionMap, Script, SourceKind};

use super::unchanged_files::Stamp;
use crate::bytecode_cache;
use crate::source_positions;

/// Limit of the sources; at the limit all are forgotten. A large project without its packages has
/// some 5 MiB.
const BYTES_MAX: usize = 32 << 20;

/// Limit of the paths that were loaded once.
const ONCE_MAX: usize = 100_000;

/// Options that may differ from one load of a file to the next.
pub type Variant = (Option<SourceKind>, AsyncContext);

/// A module, whose file had this stamp.
pub struct KeptModule {
    stamp: Stamp,
    variant: Variant,
    /// Empty if the script has a text of its own.
    source: String,
    script: Script,
    function: RefCell<Option<Compiled>>,
    generator: RefCell<Option<Compiled>>,
}

/// What is known of a module between its tables and its function.
pub enum ModuleCode {
    Own { source: String, script: Box<Script> },
    Kept(Rc<KeptModule>),
}

/// One form of a module.
struct Compiled {
    positions: Rc<PositionMap>,
    /// `None`: the engine evaluates the code anew each time.
    script: Option<KeptScript>,
}

#[derive(Default)]
struct KeptModules {
    by_path: HashMap<String, Rc<KeptModule>>,
    bytes: usize,
    /// Paths that were loaded once.
    once: HashSet<String>,
}

thread_local! {
    /// `None`: one program runs here.
    static KEPT: RefCell<Option<KeptModules>> = const { RefCell::new(None) };
}

/// From now on modules that are loaded again are kept.
pub fn start() {
    KEPT.with_borrow_mut(|kept| _ = kept.get_or_insert_default());
}

pub fn has_started() -> bool {
    KEPT.with_borrow(Option::is_some)
}

/// Whether a module is kept; its file may have changed.
pub fn has(path: &str) -> bool {
    KEPT.with_borrow(|kept| kept.as_ref().is_some_and(|kept| kept.by_path.contains_key(path)))
}

/// The module of an unchanged file.
pub fn find(path: &str, variant: Variant) -> Option<Rc<KeptModule>> {
    let module = KEPT.with_borrow(|kept| kept.as_ref()?.by_path.get(path).cloned())?;
    (module.variant == variant && Stamp::of(path) == Some(module.stamp)).then_some(module)
}

/// Keeps a module that was read just now, if it is read again or will be evaluated once.
pub fn keep(path: &str, variant: Variant, source: String, script: Box<Script>) -> ModuleCode {
    if script.kind != SourceKind::Module {
        return ModuleCode::Own { source, script };
    }
    KEPT.with_borrow_mut(|kept| {
        let stamp = kept.as_mut().and_then(|kept| kept.stamp_to_keep(path, &script));
        match (kept, stamp) {
            (Some(kept), Some(stamp)) => ModuleCode::Kept(kept.add(path, stamp, variant, source, *script)),
            _ => ModuleCode::Own { source, script },
        }
    })
}

/// Keeps a CommonJS file that the engine has accepted, if it is read again.
pub fn keep_commonjs(path: &str, variant: Variant, source: String, script: Script) {
    KEPT.with_borrow_mut(|kept| {
        if let Some(kept) = kept
            && let Some(stamp) = kept.stamp_to_keep(path, &script)
        {
            kept.add(path, stamp, variant, source, script);
        }
    });
}

impl KeptModules {
    /// The stamp of a file; `None`: it is loaded for the first time, or may still change without
    /// another stamp.
    fn stamp_to_keep(&mut self, path: &str, script: &Script) -> Option<Stamp> {
        let is_known = self.by_path.remove(path).is_some() || self.once.remove(path);
        if !is_known && !script.tells_state() {
            if self.once.len() >= ONCE_MAX {
                self.once.clear();
            }
            self.once.insert(path.to_owned());
            return None;
        }
        let stamp = Stamp::of(path).filter(Stamp::is_settled);
        if stamp.is_none() {
            self.once.insert(path.to_owned());
        }
        stamp
    }

    fn add(
        &mut self,
        path: &str,
        stamp: Stamp,
        variant: Variant,
        source: String,
        script: Script,
    ) -> Rc<KeptModule> {
        let source = if script.text.is_some() { String::new() } else { source };
        let bytes = script.text.as_ref().map_or(source.len(), String::len);
        if self.bytes + bytes > BYTES_MAX {
            self.by_path.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        let (function, generator) = Default::default();
        let module = Rc::new(KeptModule { stamp, variant, source, script, function, generator });
        self.by_path.insert(path.to_owned(), Rc::clone(&module));
        module
    }
}

impl ModuleCode {
    pub fn script(&self) -> &Script {
        match self {
            ModuleCode::Own { script, .. } => script,
            ModuleCode::Kept(module) => &module.script,
        }
    }
}

impl KeptModule {
    /// Whether it is no ES module.
    pub fn is_commonjs(&self) -> bool {
        self.script.kind == SourceKind::CommonJs
    }

    /// The module's function.
    pub fn evaluate<'s>(&self, scope: &'s Scope, url: &str, form: ModuleForm) -> Outcome<'s> {
        let mut compiled = match form {
            ModuleForm::Function => self.function.borrow_mut(),
            ModuleForm::Generator => self.generator.borrow_mut(),
        };
        let mut bytecode = None;
        let compiled = compiled.get_or_insert_with(|| {
            let kept = bytecode_cache::keep_script(scope, &self.script.code(&self.source, form), url);
            let script = kept.map(|(script, code)| {
                bytecode = code;
                script
            });
            Compiled { positions: Rc::new(self.script.position_map(form)), script }
        });
        source_positions::add_positions(url, Rc::clone(&compiled.positions));
        match &compiled.script {
            Some(script) => scope.evaluate_script(script, bytecode),
            None => scope.evaluate(&self.script.code(&self.source, form), url, 1),
        }
    }
}
