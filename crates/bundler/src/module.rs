//! Modules as values: what linking needs to know of a file. The syntax trees stay on the threads
//! that parsed them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::css::CssFile;
use crate::data_module::DataModule;
use crate::html::HtmlFile;
use crate::loader::Loader;
use crate::module_cache::FileStamp;
use crate::symbols::SymbolIndex;

/// An index of the list of modules.
pub(crate) type ModuleIndex = usize;

/// A file of the graph.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) path: PathBuf,
    /// For people: relative to the current directory.
    pub(crate) name: String,
    pub(crate) source_bytes: usize,
    pub(crate) kind: ModuleKind,
    pub(crate) records: Vec<ImportRecord>,
    /// `import()` and `require` calls that stay, because their path is not known.
    pub(crate) unknown_paths: Vec<UnknownPath>,
    pub(crate) imports: FxHashMap<SymbolIndex, ImportBinding>,
    pub(crate) exports: BTreeMap<String, Export>,
    /// Records of `export * from`.
    pub(crate) stars: Vec<usize>,
    pub(crate) parts: Vec<Part>,
    /// Parts that declare a symbol.
    pub(crate) declared: FxHashMap<SymbolIndex, Vec<usize>>,
    /// Symbols of the module's scope, without imports.
    pub(crate) root_symbols: Vec<(SymbolIndex, String)>,
    /// How often symbols of the module's scope are used, imports too.
    pub(crate) root_uses: Vec<(SymbolIndex, u32)>,
    /// Short values of constants that other modules can have in place of an import.
    pub(crate) constants: FxHashMap<SymbolIndex, String>,
    /// Enums whose members other code can have as values: the names of members, and their values.
    pub(crate) enums: FxHashMap<SymbolIndex, FxHashMap<String, String>>,
    /// Imports and enums whose members the module sets or deletes.
    pub(crate) changed_objects: FxHashSet<SymbolIndex>,
    /// With `--keep-names`: variables whose names functions and classes may have.
    pub(crate) kept_names: FxHashSet<SymbolIndex>,
    /// Members of imports that are called as methods.
    pub(crate) called_members: FxHashSet<(SymbolIndex, String)>,
    /// `None`: the module's object is used in ways that are not known.
    pub(crate) common_js: Option<CjsExports>,
    /// Names that the module uses and does not declare.
    pub(crate) globals: Vec<String>,
    pub(crate) features: Features,
    /// `false`: package.json says that the module may be dropped if nothing of it is used.
    pub(crate) side_effects: bool,
    /// The default import of CommonJS is `module.exports`, as in Node.
    pub(crate) is_node_mode: bool,
    pub(crate) data: Option<DataModule>,
    pub(crate) css: Option<CssFile>,
    pub(crate) html: Option<HtmlFile>,
    /// The path of the copy in the output, if the value is that path.
    pub(crate) asset: Option<PathBuf>,
    pub(crate) hashbang: Option<String>,
    /// Assignments to constants and imports.
    pub(crate) constant_writes: Vec<ConstantWrite>,
    /// Functions that transformed code calls: their names, and those in the code.
    pub(crate) helpers: Vec<(String, String)>,
    pub(crate) tree: Option<TreeId>,
    /// The file when it was parsed, if later builds can use the tree.
    pub(crate) stamp: Option<FileStamp>,
    pub(crate) loader: Option<Loader>,
    /// Other files that the code depends on, as the plugin says that loaded it.
    pub(crate) watched: Vec<PathBuf>,
    /// A worker begins with the module, which makes it an entry point.
    pub(crate) is_worker: bool,
    /// The user named it as an entry point.
    pub(crate) is_listed: bool,
    /// Directives that are not "use strict", with their quotes.
    pub(crate) directives: Vec<String>,
}

impl Module {
    /// Takes back what was collected from the code.
    pub(crate) fn forget_code(&mut self) {
        *self = Module {
            path: std::mem::take(&mut self.path),
            name: std::mem::take(&mut self.name),
            source_bytes: self.source_bytes,
            side_effects: self.side_effects,
            is_node_mode: self.is_node_mode,
            hashbang: self.hashbang.take(),
            helpers: std::mem::take(&mut self.helpers),
            stamp: self.stamp.take(),
            watched: std::mem::take(&mut self.watched),
            loader: self.loader,
            directives: std::mem::take(&mut self.directives),
            features: Features { has_types: self.features.has_types, ..Features::default() },
            ..Module::default()
        };
    }

    /// Whether the module refers to a name that it does not declare.
    pub(crate) fn uses(&self, global: &str) -> bool {
        self.globals.binary_search_by(|known| known.as_str().cmp(global)).is_ok()
    }
}

/// Which thread has a syntax tree, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeId {
    pub(crate) worker: usize,
    pub(crate) slot: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ModuleKind {
    #[default]
    Esm,
    CommonJs,
    /// JSON and the like: `data` has it.
    Data,
}

/// What printing has to look for, and what wrapping depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    pub(crate) has_top_level_await: bool,
    /// Code that is known at run time alone may refer to every name.
    pub(crate) has_direct_eval: bool,
    /// Some branch has a condition that is known.
    pub(crate) has_known_branch: bool,
    pub(crate) uses_module: bool,
    pub(crate) uses_require: bool,
    pub(crate) uses_import_meta: bool,
    pub(crate) uses_paths: bool,
    pub(crate) has_top_level_this: bool,
    pub(crate) has_types: bool,
}

/// A mention of another module.
#[derive(Clone, Debug)]
pub(crate) struct ImportRecord {
    pub(crate) specifier: String,
    pub(crate) kind: RecordKind,
    pub(crate) span: Range<u32>,
    /// `with { type }`
    pub(crate) attribute: Option<String>,
    pub(crate) target: RecordTarget,
    /// In a `try` block: a missing module is for the program to handle.
    pub(crate) may_fail: bool,
    /// `None`: the result of `require` is used in ways that are not known.
    pub(crate) require_use: Option<RequireUse>,
    /// The file that `require` loads by the same specifier, if it is another one.
    pub(crate) required_instead: Option<PathBuf>,
}

/// A call whose path is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownPath {
    pub(crate) kind: RecordKind,
    pub(crate) span: Range<u32>,
    /// With `*` for unknown parts; empty if nothing is known.
    pub(crate) shape: String,
}

/// What code does with the result of `require`, besides reading members.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequireUse {
    /// Members that are called as methods.
    pub(crate) called: BTreeSet<String>,
    /// Members that are read.
    pub(crate) read: BTreeSet<String>,
    /// Members whose names are not known are read.
    pub(crate) reads_all: bool,
    /// `module.exports = require('…')`
    pub(crate) is_redirect: bool,
}

/// The object of a CommonJS module, if the module only sets and reads members of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CjsExports {
    /// Names that only the module's evaluation sets.
    pub(crate) names: BTreeSet<String>,
    /// Names whose values may be functions with `this`.
    pub(crate) with_this: BTreeSet<String>,
    /// Names that the module itself reads.
    pub(crate) read: BTreeSet<String>,
    /// Statements that set names, by their index, and do nothing else.
    pub(crate) setters: Vec<(usize, Vec<String>)>,
    /// The object is that of this record.
    pub(crate) redirect: Option<usize>,
    pub(crate) is_es_module: bool,
}

impl CjsExports {
    /// Whether a statement of the module certainly sets a name.
    pub(crate) fn sets(&self, name: &str) -> bool {
        self.setters.iter().any(|(_, names)| names.iter().any(|set| set == name))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Statement,
    Require,
    Dynamic,
    /// `new Worker(new URL(specifier, import.meta.url))`: an entry point of its own.
    Worker,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecordTarget {
    Unresolved,
    Module(ModuleIndex),
    /// An index of the list of externals.
    External(usize),
}

/// `import { imported as symbol }` of a record.
#[derive(Clone, Debug)]
pub(crate) struct ImportBinding {
    pub(crate) record: usize,
    pub(crate) imported: ImportedName,
    pub(crate) span: Range<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ImportedName {
    Namespace,
    Name(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Export {
    /// A symbol of the module, which may be an import.
    Local(SymbolIndex),
    From {
        record: usize,
        imported: ImportedName,
        span: Range<u32>,
    },
}

/// An assignment that throws when it runs.
#[derive(Clone, Debug)]
pub(crate) struct ConstantWrite {
    pub(crate) name: String,
    pub(crate) is_import: bool,
    pub(crate) span: Range<u32>,
}

/// A statement of the module's body.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) uses: Vec<SymbolIndex>,
    /// `object.name`, where the object is an import or an enum, and no reference besides.
    pub(crate) members: Vec<(SymbolIndex, String)>,
    /// Records other than import statements.
    pub(crate) records: Vec<usize>,
    pub(crate) has_side_effects: bool,
}

/// A module that is not bundled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct External {
    pub(crate) specifier: String,
    pub(crate) attribute: Option<String>,
}
