//! Printing of a module: its live statements with final names. In: a syntax tree, and all that was
//! linked. Out: code and its source map. Runs on the thread that parsed the module.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::PathBuf;

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions, IndentChar, LegalComment};
use oxc::parser::Parser;
use oxc::semantic::{Scoping, SemanticBuilder};
use oxc::span::SourceType;
use rustc_hash::FxHashSet;

use crate::link::Linked;
use crate::map_piece::MapPiece;
use crate::module::{ModuleIndex, RecordTarget};
use crate::options::BundleOptions;
use crate::piece::{self, Piece};
use crate::references;
use crate::render::{RuntimeFunctions, line_count};
use crate::rewrite;
use crate::symbols::{
    Binding, DEFAULT, EXTERNAL, INTEROP, INTEROP_NODE, LOADER, LOADER_NODE, NAMESPACE, SymbolIndex,
    SymbolRef, WRAPPER,
};
use crate::wrap::Wrap;

/// A parsed module.
pub(crate) struct Tree<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) scoping: Scoping,
    pub(crate) source: &'a str,
}

impl<'a> Tree<'a> {
    /// Of an empty file.
    pub(crate) fn empty(allocator: &'a Allocator) -> Tree<'a> {
        let program = Parser::new(allocator, "", SourceType::cjs()).parse().program;
        let scoping = SemanticBuilder::new().build(&program).semantic.into_scoping();
        Tree { program, scoping, source: "" }
    }
}

/// The code of a module.
#[derive(Debug)]
pub(crate) struct PrintedModule {
    pub(crate) index: ModuleIndex,
    pub(crate) code: String,
    /// Lines of the code.
    pub(crate) lines: u32,
    /// Lines of the code before the first line of the map.
    pub(crate) map: Option<(MapPiece, u32)>,
    pub(crate) helpers: RuntimeFunctions,
    /// The semicolon at the end only separates it from what follows.
    pub(crate) is_separable: bool,
}

impl PrintedModule {
    pub(crate) fn new(index: ModuleIndex, code: String) -> PrintedModule {
        let lines = line_count(&code);
        let helpers = RuntimeFunctions::default();
        PrintedModule { index, code, lines, map: None, helpers, is_separable: false }
    }
}

/// How code is printed everywhere: two spaces, legal comments, annotations if they are kept.
/// `map_path`: the source's name in a source map; `None`: no map is made.
pub(crate) fn codegen_settings(keeps_annotations: bool, map_path: Option<PathBuf>) -> CodegenOptions {
    CodegenOptions {
        comments: CommentOptions {
            normal: false,
            jsdoc: false,
            annotation: keeps_annotations,
            legal: LegalComment::Inline,
        },
        source_map_path: map_path,
        indent_char: IndentChar::Space,
        indent_width: 2,
        ..CodegenOptions::default()
    }
}

pub(crate) fn print<'a>(
    allocator: &'a Allocator,
    index: ModuleIndex,
    mut tree: Tree<'a>,
    linked: &Linked,
    options: &BundleOptions,
) -> PrintedModule {
    let wrap = linked.wraps[index];
    let mut plan = Plan::new(index, &tree.scoping, linked);
    plan.set_names(&mut tree.scoping, allocator);
    let mut helpers = RuntimeFunctions::default();
    rewrite::rewrite(allocator, &mut tree, &plan, linked, &mut helpers);
    let has_map = options.needs_maps();
    let map_path = has_map.then(|| PathBuf::from(&linked.modules[index].name));
    if linked.is_minified {
        return print_minified(allocator, tree, &plan, options, map_path, helpers);
    }
    let settings = CodegenOptions {
        initial_indent: u32::from(wrap != Wrap::None),
        ..codegen_settings(options.keeps_annotations, map_path)
    };
    let exports = (wrap == Wrap::Esm).then(|| plan.own_exports(&tree.scoping));
    let printed = Codegen::new().with_options(settings).with_scoping(Some(tree.scoping)).build(&tree.program);
    let map = printed.map.as_ref().map(MapPiece::new);
    let mut body = printed.code;
    if !body.is_empty() && !body.ends_with('\n') {
        body.push('\n');
    }
    // The printer reserves as much as the source has.
    body.shrink_to_fit();
    match wrap {
        Wrap::None => {
            PrintedModule { map: map.map(|map| (map, 0)), helpers, ..PrintedModule::new(index, body) }
        }
        Wrap::CommonJs => {
            helpers.add(RuntimeFunctions::COMMON_JS);
            let head = plan.cjs_head(&mut helpers);
            let lines = line_count(&head);
            let code = format!("{head}{body}}});\n");
            PrintedModule { map: map.map(|map| (map, lines)), helpers, ..PrintedModule::new(index, code) }
        }
        Wrap::Esm => {
            let head = plan.esm_head(&exports.unwrap_or_default(), &mut helpers);
            let lines = line_count(&head);
            let code = format!("{head}{body}}});\n");
            PrintedModule { map: map.map(|map| (map, lines)), helpers, ..PrintedModule::new(index, code) }
        }
    }
}

/// A module as a piece of a minified chunk.
fn print_minified<'a>(
    allocator: &'a Allocator,
    tree: Tree<'a>,
    plan: &Plan<'_>,
    options: &BundleOptions,
    map_path: Option<PathBuf>,
    mut helpers: RuntimeFunctions,
) -> PrintedModule {
    let (index, linked) = (plan.index, plan.linked);
    let Tree { mut program, scoping, .. } = tree;
    let module = &linked.modules[index];
    let wrapper = match linked.wraps[index] {
        Wrap::None => None,
        Wrap::CommonJs => {
            helpers.add(RuntimeFunctions::COMMON_JS);
            Some(format!("{}}});", plan.cjs_head(&mut helpers)))
        }
        Wrap::Esm => {
            let exports = plan.own_exports(&scoping);
            Some(format!("{}}});", plan.esm_head(&exports, &mut helpers)))
        }
    };
    program.source_type = piece::source_type(module.kind, options);
    let piece = Piece {
        program,
        wrapper,
        imports: piece::imported_names(linked, index),
        exports: piece::exported_names(linked, index),
        counts: Some(rusk_transpile::counts(&scoping)),
    };
    let printed = piece::print(allocator, piece, linked, options, map_path);
    let map = printed.map.map(|map| (map, 0));
    let is_separable = printed.is_separable;
    PrintedModule { map, helpers, is_separable, ..PrintedModule::new(index, printed.code) }
}

/// How one module is printed.
pub(crate) struct Plan<'l> {
    pub(crate) index: ModuleIndex,
    pub(crate) linked: &'l Linked,
    /// Names of the chunk's scope that the module refers to, and that it does not have itself.
    foreign: FxHashSet<Cow<'l, str>>,
    /// The name of `export default`, if it has none of its own.
    pub(crate) default_name: String,
    used: FxHashSet<String>,
    /// By symbol: those whose name is another one than in the tree.
    renamed: Vec<bool>,
}

impl<'l> Plan<'l> {
    fn new(index: ModuleIndex, scoping: &Scoping, linked: &'l Linked) -> Plan<'l> {
        let mut plan = Plan {
            index,
            linked,
            foreign: FxHashSet::default(),
            default_name: linked.name(SymbolRef::new(index, DEFAULT)).to_owned(),
            used: FxHashSet::default(),
            renamed: vec![false; scoping.symbols_len()],
        };
        plan.add_record_names();
        if linked.wraps[index] == Wrap::Esm {
            plan.used = scoping.symbol_names().map(str::to_owned).collect();
            plan.used.extend(plan.foreign.iter().map(|name| name.to_string()));
            plan.used.extend(linked.reserved_names.iter().cloned());
            plan.used.extend(linked.modules[index].globals.iter().cloned());
            let base = crate::names::of_path(&linked.modules[index].name);
            plan.default_name = plan.unused(&format!("{base}_default"));
        }
        plan
    }

    /// Wrappers and objects that `require` calls and import statements refer to.
    fn add_record_names(&mut self) {
        let linked = self.linked;
        let records = linked.modules[self.index].records.iter();
        let mut modules: Vec<ModuleIndex> = records
            .filter_map(|record| match record.target {
                RecordTarget::Module(target) => Some(target),
                RecordTarget::External(external) => Some(EXTERNAL + external),
                RecordTarget::Unresolved => None,
            })
            .collect();
        if linked.wraps[self.index] == Wrap::Esm {
            modules.push(self.index);
        }
        if linked.wraps[self.index] != Wrap::None {
            modules.extend(references::evaluated_by(linked, self.index));
        }
        for target in modules {
            let symbols: &[SymbolIndex] = match linked.wraps.get(target) {
                Some(Wrap::None) => &[NAMESPACE],
                _ => &[WRAPPER, NAMESPACE, INTEROP, INTEROP_NODE, LOADER, LOADER_NODE],
            };
            for &symbol in symbols {
                if let Some(name) = linked.names.get(&SymbolRef::new(target, symbol)) {
                    self.foreign.insert(Cow::Borrowed(name));
                }
            }
        }
        let helpers = linked.modules[self.index].helpers.iter().map(|(_, local)| local.as_str());
        self.foreign.extend(helpers.map(Cow::Borrowed));
    }

    fn unused(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while !self.used.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        name
    }

    /// Renames symbols: those of the module to their names in the chunk, imports to what they stand
    /// for, and inner ones that would hide such a name.
    fn set_names(&mut self, scoping: &mut Scoping, allocator: &Allocator) {
        let linked = self.linked;
        let module = &linked.modules[self.index];
        let mut renamed: Vec<(SymbolIndex, Cow<'l, str>)> = Vec::new();
        let mut own: Vec<(SymbolIndex, SymbolIndex)> = Vec::new();
        for (&symbol, binding) in &linked.bindings[self.index] {
            match binding {
                // A wrapped module that imports itself: its symbols have no names in the chunk.
                Binding::Symbol(target)
                    if target.module == self.index
                        && linked.wraps[self.index] != Wrap::None
                        && (target.symbol < LOADER_NODE || target.symbol == DEFAULT) =>
                {
                    own.push((symbol, target.symbol));
                }
                binding => renamed.push((symbol, linked.short_text(binding))),
            }
        }
        if linked.wraps[self.index] == Wrap::None {
            for (symbol, _) in &module.root_symbols {
                if let Some(name) = linked.names.get(&SymbolRef::new(self.index, *symbol)) {
                    renamed.push((*symbol, Cow::Borrowed(name)));
                }
            }
        }
        for binding in linked.members[self.index].values() {
            self.foreign.insert(first_name(linked.short_text(binding)));
        }
        let mut done = vec![false; scoping.symbols_len()];
        for (symbol, text) in renamed {
            let id = oxc::semantic::SymbolId::from_usize(symbol as usize);
            done[symbol as usize] = true;
            if scoping.symbol_name(id) != text {
                let name: &str = allocator.alloc_str(&text);
                self.foreign.insert(first_name(text));
                self.rename(scoping, id, name);
            }
        }
        own.iter().for_each(|(symbol, _)| done[*symbol as usize] = true);
        self.rename_hiding(scoping, allocator, &done);
        for (symbol, target) in own {
            let id = |symbol: SymbolIndex| oxc::semantic::SymbolId::from_usize(symbol as usize);
            let name = match target {
                DEFAULT => &self.default_name,
                target => scoping.symbol_name(id(target)),
            };
            let name: &str = allocator.alloc_str(name);
            self.rename(scoping, id(symbol), name);
        }
    }

    fn rename(&mut self, scoping: &mut Scoping, symbol: oxc::semantic::SymbolId, name: &str) {
        scoping.set_symbol_name(symbol, name.into());
        self.renamed[symbol.index()] = true;
    }

    /// Whether the tree has another name for a symbol than its final one.
    pub(crate) fn is_renamed(&self, symbol: oxc::semantic::SymbolId) -> bool {
        self.renamed[symbol.index()]
    }

    fn is_foreign(&self, name: &str) -> bool {
        self.foreign.contains(name) || self.linked.reserved_names.contains(name)
    }

    fn rename_hiding(&mut self, scoping: &mut Scoping, allocator: &Allocator, done: &[bool]) {
        let hiding: Vec<oxc::semantic::SymbolId> = scoping
            .symbol_ids()
            .filter(|id| !done[id.index()] && self.is_foreign(scoping.symbol_name(*id)))
            .collect();
        if hiding.is_empty() {
            return;
        }
        self.used.extend(scoping.symbol_names().map(str::to_owned));
        self.used.extend(self.foreign.iter().map(|name| name.to_string()));
        self.used.extend(self.linked.reserved_names.iter().cloned());
        self.used.extend(self.linked.modules[self.index].globals.iter().cloned());
        for id in hiding {
            let wanted = scoping.symbol_name(id).to_owned();
            let name = self.unused(&wanted);
            let name: &str = allocator.alloc_str(&name);
            self.rename(scoping, id, name);
        }
    }

    /// Exports of a wrapped module as its own statements refer to them.
    fn own_exports(&self, scoping: &Scoping) -> Vec<(String, String)> {
        let exports = self.linked.live.exports.get(&self.index);
        let text = |binding: &Binding| match binding {
            Binding::Symbol(symbol) if symbol.module == self.index && symbol.symbol == DEFAULT => {
                self.default_name.clone()
            }
            Binding::Symbol(symbol) if symbol.module == self.index && symbol.symbol != NAMESPACE => {
                scoping.symbol_name(oxc::semantic::SymbolId::from_usize(symbol.symbol as usize)).to_owned()
            }
            binding => self.linked.text(binding),
        };
        exports.into_iter().flatten().map(|(name, binding)| (name.clone(), text(binding))).collect()
    }

    /// The beginning of a wrapped ES module: the object of its exports, and the evaluation of what
    /// it imports.
    fn esm_head(&self, exports: &[(String, String)], helpers: &mut RuntimeFunctions) -> String {
        let linked = self.linked;
        let name = |symbol| linked.name(SymbolRef::new(self.index, symbol));
        helpers.add(RuntimeFunctions::ESM);
        let is_async = linked.is_async[self.index];
        let keyword = if is_async { "async " } else { "" };
        let mut head = format!("var {} = {{}};\n", name(NAMESPACE));
        let _ = writeln!(head, "var {} = __esm({keyword}() => {{", name(WRAPPER));
        head.push_str(&export_call(name(NAMESPACE), exports, "  ", helpers));
        self.push_evaluations(&mut head, helpers);
        for binding in linked.dynamic_stars.get(&self.index).into_iter().flatten() {
            helpers.add(RuntimeFunctions::RE_EXPORT);
            let _ = writeln!(head, "  __reExport({}, {});", name(NAMESPACE), linked.text(binding));
        }
        head
    }

    /// The beginning of a CommonJS module, which may have import statements.
    fn cjs_head(&self, helpers: &mut RuntimeFunctions) -> String {
        let name = self.linked.name(SymbolRef::new(self.index, WRAPPER));
        let mut head = format!("var {name} = __commonJS(function(exports, module) {{\n");
        self.push_evaluations(&mut head, helpers);
        head
    }

    /// The evaluation of what a wrapped module imports by statements.
    fn push_evaluations(&self, head: &mut String, helpers: &mut RuntimeFunctions) {
        for target in references::evaluated_by(self.linked, self.index) {
            head.push_str(&evaluation(self.linked, target, "  ", "", helpers));
        }
    }
}

/// `__export(object, { name: () => value })`
pub(crate) fn export_call(
    object: &str,
    exports: &[(String, String)],
    indent: &str,
    helpers: &mut RuntimeFunctions,
) -> String {
    if exports.is_empty() {
        return String::new();
    }
    helpers.add(RuntimeFunctions::EXPORT);
    let mut call = format!("{indent}__export({object}, {{\n");
    for (index, (name, value)) in exports.iter().enumerate() {
        let comma = if index + 1 < exports.len() { "," } else { "" };
        let _ = writeln!(call, "{indent}  {}: () => {value}{comma}", property_key(name));
    }
    let _ = writeln!(call, "{indent}}});");
    call
}

/// A key of an object literal.
pub(crate) fn property_key(name: &str) -> String {
    match oxc::syntax::identifier::is_identifier_name(name) && name != "__proto__" {
        true => name.to_owned(),
        false => {
            let mut quoted = String::new();
            rusk_npm::json::quote_into(&mut quoted, name);
            if name == "__proto__" { format!("[{quoted}]") } else { quoted }
        }
    }
}

/// The evaluation of a wrapped module. `declaration`: `"var "` where the result is declared.
pub(crate) fn evaluation(
    linked: &Linked,
    module: ModuleIndex,
    indent: &str,
    declaration: &str,
    helpers: &mut RuntimeFunctions,
) -> String {
    let wrapper = linked.name(SymbolRef::new(module, WRAPPER));
    match linked.wraps[module] {
        Wrap::None => String::new(),
        Wrap::Esm => {
            let keyword = if linked.is_async[module] { "await " } else { "" };
            format!("{indent}{keyword}{wrapper}();\n")
        }
        Wrap::CommonJs => {
            let mut text = String::new();
            let modes = [(INTEROP, LOADER, ""), (INTEROP_NODE, LOADER_NODE, ", 1")];
            for (symbol, loader, mode) in modes {
                let interop = SymbolRef::new(module, symbol);
                if let Some(loader) = linked.names.get(&SymbolRef::new(module, loader)) {
                    let _ = writeln!(text, "{indent}{loader}();");
                } else if linked.is_live(interop) {
                    helpers.add(RuntimeFunctions::TO_ESM);
                    let name = linked.name(interop);
                    let _ = writeln!(text, "{indent}{declaration}{name} = __toESM({wrapper}(){mode});");
                }
            }
            if let Some(members) = linked.live.statics.get(&module) {
                let members = members.iter().map(|member| {
                    format!("{}: {}", property_key(linked.statics.name(*member)), linked.name(*member))
                });
                let members = members.collect::<Vec<_>>().join(", ");
                let _ = writeln!(text, "{indent}{declaration}{{ {members} }} = {wrapper}();");
            }
            if text.is_empty() { format!("{indent}{wrapper}();\n") } else { text }
        }
    }
}

/// The variable of a reference.
fn first_name(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.find(['.', '[']) {
        None => text,
        Some(end) => match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
            Cow::Owned(mut text) => {
                text.truncate(end);
                Cow::Owned(text)
            }
        },
    }
}
