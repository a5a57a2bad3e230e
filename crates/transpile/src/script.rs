//! What comes out: a text for the engine, and tables of what it imports and exports.
//! docs/contributing/transpile.md shows the form of the text. Absent: what a loader makes of it.

use crate::position_map::PositionMap;

/// How a file is to be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    CommonJs,
    Module,
    /// A text whose declarations are global ones: evaluated as it stands, without a function around
    /// it.
    Script,
}

/// A file, ready for the engine.
///
/// What is evaluated is `head`, `text` and `tail` behind each other, an expression whose value is a
/// function. Where `text` is `None`, the file stands there as it came.
#[derive(Clone, Debug)]
pub struct Script {
    pub kind: SourceKind,
    /// Not, where nothing in it asked for it: the engine is the first to see an error of syntax.
    pub is_parsed: bool,
    pub text: Option<String>,
    /// Names of ours that stand in the text begin so; no name of the file does.
    pub prefix: String,
    /// What a module takes and gives; empty for CommonJS.
    pub tables: Tables,
    /// `await` stands outside of all functions.
    pub has_top_level_await: bool,
    pub(crate) parameters: Vec<String>,
    pub(crate) prologue: String,
    pub(crate) positions: PositionMap,
}

/// When a module's function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleForm {
    /// It is called when all that it imports has run: for modules that are in no cycle.
    Function,
    /// It gives a generator: the first `next` makes bindings and hoisted functions, the second one
    /// runs the body.
    Generator,
}

/// What a module takes and gives, by the names in `names`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    pub names: Vec<String>,
    /// In the order of the source, each once.
    pub requests: Vec<ModuleRequest>,
    /// What the function is called with, behind the module's own object.
    pub arguments: Vec<ModuleArgument>,
    /// What must be there, or linking fails with a SyntaxError.
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
    /// Where it stands in the source: a byte.
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

/// One argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleArgument {
    /// The object whose properties are the bindings of the requested module.
    Bindings { request: u32 },
    /// The namespace object of the requested module; with `import source`, what that gives.
    Namespace { request: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    pub request: u32,
    pub name: NameIndex,
    /// Where the name stands in the source: a byte.
    pub start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    pub name: NameIndex,
    pub binding: ExportBinding,
}

/// What an exported name stands for before the body has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportBinding {
    /// A function: there from the first step on.
    Hoisted,
    /// `undefined`.
    Var,
    /// Nothing yet: reading it is a ReferenceError.
    Lexical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndirectExport {
    pub name: NameIndex,
    pub request: u32,
    /// None: the namespace object.
    pub imported: Option<NameIndex>,
    /// Where the imported name stands in the source: a byte.
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

    /// What stands before the text, on its first line.
    pub fn head(&self, form: ModuleForm) -> String {
        let Script { prefix, prologue, .. } = self;
        match self.kind {
            SourceKind::CommonJs => {
                // Where nothing asks for the file's own object, it need not be made; its parameter
                // being there says that something does.
                let is_asked = self.text.as_ref().is_some_and(|text| text.contains(prefix.as_str()));
                let own = if is_asked { format!(", {prefix}") } else { String::new() };
                return format!(
                    "(function {prefix}file(exports, require, module, __filename, __dirname{own}) {{"
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

    /// What stands behind the text: on a line of its own, for the text may end in a comment.
    pub fn tail(&self) -> &'static str {
        if self.kind == SourceKind::Script { "" } else { "\n})" }
    }

    /// The whole: an expression, or a script.
    pub fn code(&self, source: &str, form: ModuleForm) -> String {
        let text = self.text.as_deref().unwrap_or(source);
        [&self.head(form), text, self.tail()].concat()
    }

    /// Places in what is evaluated, as places in the file.
    pub fn position_map(&self, form: ModuleForm) -> PositionMap {
        self.positions.with_head(self.head(form).encode_utf16().count() as u32)
    }
}
