//! Rendering of a chunk: imports of external modules, helper functions, the code of the modules in
//! order, exports. In: printed modules. Out: the code of an output file, and its source map.

mod chunks;
mod exports;
mod externals;
mod namespaces;
mod runtime_functions;

use std::borrow::Cow;
use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::chunk::{self, Chunk, ChunkIndex};
use crate::chunk_files;
use crate::data_module::MemberValue;
use crate::link::{Linked, member as member_of};
use crate::map_piece::MapPiece;
use crate::module::{Module, ModuleIndex, ModuleKind};
use crate::options::{BuildTarget, BundleOptions, ModuleFormat};
use crate::order::Item;
use crate::output_bytes::OutputBytes;
use crate::piece;
use crate::print::{self, PrintedModule};
use crate::scan;
use crate::symbols::{
    Binding, DEFAULT, INTEROP, INTEROP_NODE, LOADER, LOADER_NODE, SymbolIndex, SymbolRef, WRAPPER,
};
use crate::wrap::Wrap;

use chunks::SharedFunctions;
pub(crate) use exports::{EXPORTED_OBJECT, REQUIRED_EXPORT};
pub(crate) use runtime_functions::RuntimeFunctions;

/// The code of a chunk.
pub(crate) struct RenderedChunk {
    pub(crate) index: ChunkIndex,
    pub(crate) code: OutputBytes,
    /// Maps of modules, each with its first line.
    pub(crate) maps: Vec<(MapPiece, u32)>,
    /// Bytes of each module in the code.
    pub(crate) module_bytes: Vec<(ModuleIndex, usize)>,
}

pub(crate) fn line_count(text: &str) -> u32 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32
}

/// Text, its lines, and maps of parts of it.
#[derive(Default)]
struct CodeText {
    text: OutputBytes,
    lines: u32,
    maps: Vec<(MapPiece, u32)>,
    /// The text ends with a semicolon that a line's end can stand for.
    is_separable: bool,
}

impl CodeText {
    fn push(&mut self, text: &str) {
        self.push_lines(text, line_count(text));
    }

    /// `lines`: those of the text.
    fn push_lines(&mut self, text: &str, lines: u32) {
        self.separate(text);
        self.lines += lines;
        self.text.push(text);
    }

    /// Before a text is added.
    fn separate(&mut self, text: &str) {
        // No statement goes on with a name: a semicolon is inserted at the end of the line.
        let starts_with_name = |first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '$');
        if !text.is_empty() && std::mem::take(&mut self.is_separable) && text.starts_with(starts_with_name) {
            self.text.replace_end(";\n", "\n");
        }
    }

    fn push_module(&mut self, module: PrintedModule) {
        self.maps.extend(module.map.map(|(map, line)| (map, self.lines + line)));
        self.separate(&module.code);
        self.lines += module.lines;
        self.text.push_piece(module.code);
        self.is_separable = module.is_separable;
    }
}

/// Renders all chunks that have code; the last one may be that of the functions that they share.
pub(crate) fn render(
    linked: &Linked,
    mut printed: FxHashMap<ModuleIndex, PrintedModule>,
    options: &BundleOptions,
) -> Vec<RenderedChunk> {
    let chunks = linked.chunks.iter().enumerate();
    let written = chunks.filter(|(_, chunk)| chunk::is_written(linked, chunk));
    let mut renderers: Vec<Renderer<'_>> = written
        .map(|(index, chunk)| {
            let mut renderer = Renderer::new(linked, index, chunk, options);
            renderer.render_body(&mut printed);
            renderer
        })
        .collect();
    let needs: Vec<RuntimeFunctions> = renderers.iter().map(|renderer| renderer.helpers.clone()).collect();
    let shared = SharedFunctions::new(linked, &needs);
    let functions = shared.code(options);
    let mut rendered: Vec<RenderedChunk> =
        renderers.drain(..).map(|renderer| renderer.finish(&shared)).collect();
    let index = linked.chunks.len();
    let functions = functions.map(|code| match linked.is_minified {
        true => piece::minify_text(&code, linked, options),
        false => code,
    });
    rendered.extend(functions.map(|code| RenderedChunk {
        index,
        code: code.into(),
        maps: Vec::new(),
        module_bytes: Vec::new(),
    }));
    rendered
}

struct Renderer<'r> {
    linked: &'r Linked,
    index: ChunkIndex,
    chunk: &'r Chunk,
    options: &'r BundleOptions,
    helpers: RuntimeFunctions,
    body: CodeText,
    module_bytes: Vec<(ModuleIndex, usize)>,
    /// CommonJS modules that the chunk's own scope evaluates.
    evaluated: FxHashSet<ModuleIndex>,
    /// Modules whose objects of exports stand before all code.
    early_namespaces: Vec<ModuleIndex>,
    /// Exports that are set first.
    early_exports: String,
}

impl<'r> Renderer<'r> {
    fn new(linked: &'r Linked, index: ChunkIndex, chunk: &'r Chunk, options: &'r BundleOptions) -> Self {
        let evaluated = chunk.items.iter().filter_map(|ordered| match ordered.item {
            Item::Evaluate(module) => Some(module),
            Item::Define(_) => None,
        });
        Renderer {
            linked,
            index,
            chunk,
            options,
            helpers: RuntimeFunctions::default(),
            body: CodeText::default(),
            module_bytes: Vec::new(),
            evaluated: evaluated.collect(),
            early_namespaces: Vec::new(),
            early_exports: String::new(),
        }
    }

    /// All that decides which functions the chunk needs.
    fn render_body(&mut self, printed: &mut FxHashMap<ModuleIndex, PrintedModule>) {
        self.push_early_namespaces();
        for ordered in &self.chunk.items {
            self.item(ordered.item, printed);
        }
        let tail = format!("{}{}", self.tail(), self.chunk_exports());
        self.push_added(&tail);
        // Minification would remove it.
        let annotation = self.name_annotation();
        self.body.push(&annotation);
        self.early_exports = self.early_exports();
    }
}

impl Renderer<'_> {
    fn item(&mut self, item: Item, printed: &mut FxHashMap<ModuleIndex, PrintedModule>) {
        match item {
            Item::Evaluate(module) => {
                let text = print::evaluation(self.linked, module, "", "var ", &mut self.helpers);
                self.comment(module);
                self.push_added(&text);
            }
            Item::Define(module) => {
                self.define(module, printed);
            }
        }
    }

    /// Adds statements that are not those of a module.
    fn push_added(&mut self, text: &str) {
        let text = self.shrink(text);
        self.body.push(&text);
    }

    fn shrink<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.linked.is_minified {
            true => piece::minify_text(text, self.linked, self.options).into(),
            false => text.into(),
        }
    }

    /// The path of a module before its code.
    fn comment(&mut self, module: ModuleIndex) {
        if !self.options.minify.whitespace {
            let separator = if self.body.text.is_empty() { "" } else { "\n" };
            let text =
                format!("{separator}// {}\n", self.linked.modules[module].name.replace(['\n', '\r'], " "));
            self.body.push(&text);
        }
    }

    fn define(&mut self, module: ModuleIndex, printed: &mut FxHashMap<ModuleIndex, PrintedModule>) {
        let linked = self.linked;
        let mut own = match linked.modules[module].kind {
            ModuleKind::Data => PrintedModule::new(module, self.data(module)),
            _ => printed.remove(&module).unwrap_or_else(|| PrintedModule::new(module, String::new())),
        };
        self.helpers.merge(std::mem::take(&mut own.helpers));
        for (name, local) in &linked.modules[module].helpers {
            if !own.code.is_empty() {
                self.helpers.add_function(name, local);
            }
        }
        let namespace =
            if linked.wraps[module] == Wrap::Esm { String::new() } else { self.namespace(module) };
        let namespace = self.shrink(&namespace).into_owned();
        let interop = self.interop(module);
        let interop = self.shrink(&interop).into_owned();
        if own.code.is_empty() && namespace.is_empty() && interop.is_empty() {
            return;
        }
        self.comment(module);
        if self.options.has_metafile() {
            let code = chunk_files::final_bytes(&own.code);
            self.module_bytes.push((module, namespace.len() + code + interop.len()));
        }
        self.body.push(&namespace);
        self.body.push_module(own);
        self.body.push(&interop);
    }

    /// The variables of imported CommonJS modules that are not evaluated by this chunk's scope
    /// alone.
    fn interop(&mut self, module: ModuleIndex) -> String {
        let linked = self.linked;
        let mut text = String::new();
        for (symbol, loader, mode) in [(INTEROP, LOADER, ""), (INTEROP_NODE, LOADER_NODE, ", 1")] {
            let name = linked.name(SymbolRef::new(module, symbol));
            if let Some(loader) = linked.names.get(&SymbolRef::new(module, loader)) {
                self.helpers.add(RuntimeFunctions::TO_ESM);
                let wrapper = linked.name(SymbolRef::new(module, WRAPPER));
                let _ = writeln!(
                    text,
                    "var {name};\nvar {loader} = () => {name} ||= __toESM({wrapper}(){mode});"
                );
            } else if !self.evaluated.contains(&module) && linked.is_live(SymbolRef::new(module, symbol)) {
                let _ = writeln!(text, "var {name};");
            }
        }
        text
    }

    /// The variables of a module that is data.
    fn data(&mut self, module: ModuleIndex) -> String {
        let text = self.data_code(module);
        self.shrink(&text).into_owned()
    }

    fn data_code(&mut self, module: ModuleIndex) -> String {
        let linked = self.linked;
        let Some(data) = &linked.modules[module].data else { return String::new() };
        let Module { asset, loader, .. } = &linked.modules[module];
        let of_chunk = match (asset, loader) {
            (Some(path), Some(loader)) => {
                Some(scan::asset_value(&chunk_files::url(linked, self.index, path), *loader, self.options))
            }
            _ => None,
        };
        let data = of_chunk.as_ref().unwrap_or(data);
        if !linked.live.modules[module] && !linked.is_printed(module) {
            return String::new();
        }
        let value = |name_of: &dyn Fn(usize) -> Option<String>| data.expression(name_of);
        if data.text.starts_with("__require(") {
            self.helpers.add(RuntimeFunctions::REQUIRE);
        }
        if linked.wraps[module] == Wrap::CommonJs {
            self.helpers.add(RuntimeFunctions::COMMON_JS);
            let name = linked.name(SymbolRef::new(module, WRAPPER));
            let value = value(&|_| None);
            return format!(
                "var {name} = __commonJS(function(exports, module) {{\n  module.exports = {value};\n}});\n"
            );
        }
        let name_of = |index: usize| linked.names.get(&SymbolRef::new(module, index as SymbolIndex)).cloned();
        let default = linked.names.get(&SymbolRef::new(module, DEFAULT));
        let whole = default.map(|name| format!("var {name} = {};\n", value(&name_of))).unwrap_or_default();
        let (mut before, mut after) = (String::new(), String::new());
        for (index, member) in data.members.iter().enumerate() {
            let Some(name) = name_of(index) else { continue };
            match &member.value {
                MemberValue::Text(range) => {
                    let _ = writeln!(before, "var {name} = {};", &data.text[range.clone()]);
                }
                MemberValue::Property => {
                    let object = default.map_or("undefined", String::as_str);
                    let _ = writeln!(after, "var {name} = {};", member_of(object, &member.name));
                }
            }
        }
        before + &whole + &after
    }

    fn finish(mut self, shared: &SharedFunctions) -> RenderedChunk {
        let head = self.head(shared);
        let CodeText { text: mut code, maps, .. } = self.body;
        let lines = line_count(&head);
        code.push_front(head);
        if self.options.format == ModuleFormat::Iife {
            code.push("})();\n");
        }
        if !self.options.footer.is_empty() {
            code.push(&self.options.footer);
            code.push("\n");
        }
        let maps = maps.into_iter().map(|(map, line)| (map, line + lines)).collect();
        RenderedChunk { index: self.index, code, maps, module_bytes: self.module_bytes }
    }

    /// Whether all code is that of ES modules, in a format that is not strict itself.
    fn is_strict(&self) -> bool {
        self.options.format != ModuleFormat::Esm
            && self.chunk.items.iter().all(|ordered| match ordered.item {
                Item::Define(module) => {
                    self.linked.modules[module].kind != ModuleKind::CommonJs
                        || !self.linked.is_printed(module)
                }
                Item::Evaluate(_) => true,
            })
    }

    /// All before the code of the modules.
    fn head(&mut self, shared: &SharedFunctions) -> String {
        let mut head = String::new();
        let entry = self.chunk.entry.map(|entry| &self.linked.modules[entry]);
        if let Some(hashbang) = entry.and_then(|entry| entry.hashbang.as_ref()) {
            head.push_str(hashbang);
            head.push('\n');
        }
        for directive in entry.iter().flat_map(|entry| &entry.directives) {
            let _ = writeln!(head, "{directive};");
        }
        // bun expects a function around the code of CommonJS with this mark.
        if self.options.target == BuildTarget::Bun && self.options.format != ModuleFormat::CommonJs {
            head.push_str("// @bun\n");
        }
        if !self.options.banner.is_empty() {
            head.push_str(&self.options.banner);
            head.push('\n');
        }
        if self.options.format == ModuleFormat::Iife {
            head.push_str(if self.options.minify.whitespace { "(()=>{" } else { "(() => {\n" });
        }
        if self.is_strict() {
            head.push_str("\"use strict\";\n");
        }
        let (imports, values) = self.externals();
        let chunk_imports = self.chunk_imports(shared);
        let functions = self.helpers.text(self.options);
        let added = [imports, chunk_imports, functions, values, std::mem::take(&mut self.early_exports)];
        head.push_str(&self.shrink(&added.concat()));
        if !self.options.minify.whitespace && (head.ends_with("}\n") || head.ends_with(";\n")) {
            head.push('\n');
        }
        head
    }
}

/// Whether a binding is a plain name of the chunk.
fn plain_name<'l>(linked: &'l Linked, binding: &Binding) -> Option<&'l str> {
    match binding {
        Binding::Symbol(symbol) => linked.names.get(symbol).map(String::as_str),
        Binding::Member(..) | Binding::Constant(_) | Binding::Undefined => None,
    }
}

/// Names in order without repetition.
fn unique<T: std::hash::Hash + Eq + Clone>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = FxHashSet::default();
    items.filter(|item| seen.insert(item.clone())).collect()
}
