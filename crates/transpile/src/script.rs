//! Output of the transpiler: code for the engine, and tables of imports and exports.
//! docs/contributing/transpile.md shows the form of the code. Absent: the module loader.

use crate::module_state;
use crate::position_map::PositionMap;

/// What a file is evaluated as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    CommonJs,
    Module,
    /// A script with global declarations: evaluated without a wrapper function.
    Script,
}

/// A file, ready for the engine.
///
/// The evaluated code is `head`, `text` and `tail`, one after the other: an expression whose value
/// is a function. If `text` is None, the source text is used unchanged.
#[derive(Clone, Debug)]
pub struct Script {
    pub kind: SourceKind,
    /// False if the file needed no parsing: then the engine reports syntax errors.
    pub is_parsed: bool,
    pub text: Option<String>,
    /// Prefix of generated names in the code; no name of the file has it.
    pub prefix: String,
    /// Imports and exports of a module; empty for CommonJS.
    pub tables: Tables,
    /// There is an `await` outside of all functions.
    pub has_top_level_await: bool,
    pub(crate) parameters: Vec<String>,
    pub(crate) prologue: String,
    pub(crate) positions: PositionMap,
}

/// The form of a module's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleForm {
    /// A function that is called after all imported modules have run: for modules in no cycle.
    Function,
    /// A generator function: the first `next` creates bindings and hoisted functions, the second
    /// one runs the body. For modules in a cycle.
    Generator,
}

/// Imports and exports of a module, as indexes into `names`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    pub names: Vec<String>,
    /// In source order, each once.
    pub requests: Vec<ModuleRequest>,
    /// The arguments of the function, after the module's own object.
    pub arguments: Vec<ModuleArgument>,
    /// Names that must exist: otherwise linking fails with a SyntaxError.
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    /// `export * as name from`, `export { name } from`.
    pub indirect_exports: Vec<IndirectExport>,
    /// Requests of `export * from`.
    pub star_exports: Vec<u32>,
}

/// An index of `Tables::names`.
pub type NameIndex = u32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleRequest {
    pub specifier: NameIndex,
    pub attributes: Vec<(NameIndex, NameIndex)>,
    pub phase: ImportPhase,
    /// Byte offset in the source.
    pub start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportPhase {
    Evaluation,
    /// `import source`
    Source,
    /// `import defer`
    Defer,
}

/// One argument of the module's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleArgument {
    /// The object whose properties are the bindings of the requested module.
    Bindings { request: u32 },
    /// The namespace object of the requested module; for `import source`, its module source.
    Namespace { request: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    pub request: u32,
    pub name: NameIndex,
    /// Byte offset of the name in the source.
    pub start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    pub name: NameIndex,
    pub binding: ExportBinding,
}

/// The state of an exported binding before the body has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportBinding {
    /// A function: initialized in the first step.
    Hoisted,
    /// `undefined`.
    Var,
    /// Uninitialized: reading it is a ReferenceError.
    Lexical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndirectExport {
    pub name: NameIndex,
    pub request: u32,
    /// None: the namespace object.
    pub imported: Option<NameIndex>,
    /// Byte offset of the imported name in the source.
    pub start: u32,
}

impl Script {
    pub(crate) fn empty() -> Script {
        Script {
            kind: SourceKind::CommonJs,
            is_parsed: true,
            text: None,
            prefix: String::new(),
            tables: Tables::default(),
            has_top_level_await: false,
            parameters: Vec::new(),
            prologue: String::new(),
            positions: PositionMap::default(),
        }
    }

    /// The code before the text, on its first line.
    pub fn head(&self, form: ModuleForm) -> String {
        let Script { prefix, prologue, .. } = self;
        match self.kind {
            SourceKind::CommonJs => {
                // The file's own object need not be created if the code does not use it. Otherwise
                // a function around the file's has it: programs see Node's five arguments.
                let own = if self.uses_own_object() {
                    format!("function({prefix}){{return ")
                } else {
                    String::new()
                };
                return format!(
                    "({own}function {prefix}file(exports, require, module, __filename, __dirname) {{"
                );
            }
            SourceKind::Script => return String::new(),
            SourceKind::Module => {}
        }
        let is_async = if self.has_top_level_await { "async " } else { "" };
        let (star, step) = match form {
            ModuleForm::Function => ("", ""),
            ModuleForm::Generator => ("*", "yield;"),
        };
        let parameters: String = self.parameters.iter().map(|parameter| format!(",{parameter}")).collect();
        format!("({is_async}function{star}({prefix}{parameters}){{\"use strict\";{prologue}{step}")
    }

    /// The code after the text: on a line of its own, since the text may end in a comment.
    pub fn tail(&self) -> &'static str {
        match self.kind {
            SourceKind::Script => "",
            SourceKind::CommonJs if self.uses_own_object() => "\n}})",
            SourceKind::CommonJs | SourceKind::Module => "\n})",
        }
    }

    fn uses_own_object(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.contains(self.prefix.as_str()))
    }

    /// Whether a module tells the values of its bindings (`ModuleState::Reported`).
    pub fn tells_state(&self) -> bool {
        self.prologue.contains(&module_state::call(&self.prefix))
    }

    /// The whole code: an expression, or a script.
    pub fn code(&self, source: &str, form: ModuleForm) -> String {
        let text = self.text.as_deref().unwrap_or(source);
        [&self.head(form), text, self.tail()].concat()
    }

    /// Maps positions in the evaluated code to positions in the file.
    pub fn position_map(&self, form: ModuleForm) -> PositionMap {
        self.positions.with_head(self.head(form).encode_utf16().count() as u32)
    }
}
