//! The script of one module: an entry of the browser's registry. In: a syntax tree with its module
//! syntax, or a value. Out: the text of a function (docs/contributing/transpile.md shows its form),
//! the tables of imports and exports as JSON, and a source map.

use std::path::{Path, PathBuf};

use oxc::allocator::Allocator;
use oxc::codegen::Codegen;
use oxc_sourcemap::SourceMap;
use rusk_npm::json::quote_into;
use rusk_transpile::{
    HELPERS_OBJECT, Language, ModuleArgument, ModuleForm, Options, Script, SourceKind, Tables,
};

use crate::data_module::DataModule;
use crate::diagnostic::Diagnostic;
use crate::module::{Module, ModuleKind, RecordKind};
use crate::print::{Tree, codegen_settings};
use crate::react_refresh;

/// The script of a module.
#[derive(Debug)]
pub(super) struct ModuleScript {
    /// `esm`, `cjs` or `data`.
    pub(super) kind: &'static str,
    /// An expression: a function.
    pub(super) code: String,
    /// Members of the entry's table, as JSON without braces.
    pub(super) tables: String,
    /// Specifiers of import statements, in the order of the tables.
    pub(super) requests: Vec<String>,
    pub(super) map: Option<SourceMap<'static>>,
    /// Of code and tables.
    pub(super) hash: u64,
}

impl ModuleScript {
    fn new(kind: &'static str, code: String, tables: String) -> ModuleScript {
        let hash = rusk_hashes::xx3(format!("{code}\0{tables}").as_bytes(), 0);
        ModuleScript { kind, code, tables, requests: Vec::new(), map: None, hash }
    }
}

/// A module without code: a page.
pub(super) fn empty() -> ModuleScript {
    ModuleScript::new("data", "() => ({})".to_owned(), String::new())
}

/// A module that is a value.
pub(super) fn of_data(data: &DataModule) -> ModuleScript {
    let value = data.expression(|_| None);
    ModuleScript::new("data", format!("() => ({value}\n)"), String::new())
}

/// A program. `refreshes`: whether React components are registered for Fast Refresh.
pub(super) fn of_tree<'a>(
    allocator: &'a Allocator,
    mut tree: Tree<'a>,
    module: &Module,
    current_dir: &Path,
    refreshes: bool,
) -> Result<ModuleScript, Vec<Diagnostic>> {
    super::workers::rewrite(allocator, &mut tree.program, module, current_dir);
    let mut scoping = tree.scoping;
    if refreshes {
        scoping = react_refresh::add_calls(allocator, &mut tree.program, scoping, &module.name);
    }
    let mut settings = codegen_settings(false, Some(PathBuf::from(&module.name)));
    settings.comments.normal = true;
    let printed = Codegen::new().with_options(settings).with_scoping(Some(scoping)).build(&tree.program);
    // CommonJS with import statements is an ES module here.
    let has_imports = module.records.iter().any(|record| record.kind == RecordKind::Statement);
    let kind = match module.kind {
        ModuleKind::CommonJs if !has_imports => SourceKind::CommonJs,
        _ => SourceKind::Module,
    };
    let options = Options::new(Language::JavaScript, Some(kind));
    let script = rusk_transpile::transpile(&printed.code, &module.name, &options)
        .map_err(|errors| Diagnostic::of_syntax(&module.name, &printed.code, errors))?;
    let mut done = of_script(&script, &printed.code, module);
    done.map = printed.map.map(SourceMap::into_owned);
    Ok(done)
}

fn of_script(script: &Script, source: &str, module: &Module) -> ModuleScript {
    let head = script.head(ModuleForm::Generator);
    let text = script.text.as_deref().unwrap_or(source);
    let mut locals = String::new();
    let prefix = &script.prefix;
    if source.contains(HELPERS_OBJECT) {
        locals.push_str(&format!("const {HELPERS_OBJECT} = {prefix}.helpers;"));
    }
    for (name, local) in &module.helpers {
        locals.push_str(&format!("const {local} = {prefix}.helpers.{name};"));
    }
    // An arrow function around the file's has the helpers in scope, for `"use strict"` comes first.
    let is_own = head.starts_with("(function(");
    let code = match (script.kind, locals.is_empty()) {
        (_, true) => format!("{head}{text}{}", script.tail()),
        (SourceKind::Module, false) => {
            format!(
                "({prefix}, ...rest) => {{{locals}return {head}{text}{}({prefix}, ...rest)}}",
                script.tail()
            )
        }
        (_, false) => format!(
            "({prefix}) => {{{locals}return {head}{text}{}{}}}",
            script.tail(),
            if is_own { format!("({prefix})") } else { String::new() }
        ),
    };
    let (kind, mut tables) = match script.kind {
        SourceKind::Module => ("esm", tables(&script.tables)),
        _ => ("cjs", String::new()),
    };
    if kind == "cjs" && (is_own || !locals.is_empty()) {
        tables.push_str("\"own\":true");
    }
    if script.has_top_level_await {
        tables.push_str(",\"async\":true");
    }
    let mut done = ModuleScript::new(kind, code, tables);
    let name = |index: u32| script.tables.names[index as usize].clone();
    done.requests = script.tables.requests.iter().map(|request| name(request.specifier)).collect();
    done
}

/// The tables of a module: arguments, names that it exports from others.
fn tables(tables: &Tables) -> String {
    let name = |index: u32| &tables.names[index as usize];
    let arguments = tables.arguments.iter().map(|argument| match argument {
        ModuleArgument::Bindings { request } | ModuleArgument::Namespace { request } => request.to_string(),
    });
    let mut text = format!("\"args\":[{}]", arguments.collect::<Vec<_>>().join(","));
    let indirect = tables.indirect_exports.iter().map(|export| {
        let mut entry = "[".to_owned();
        quote_into(&mut entry, name(export.name));
        entry.push_str(&format!(",{},", export.request));
        match export.imported {
            Some(imported) => quote_into(&mut entry, name(imported)),
            None => entry.push_str("null"),
        }
        entry + "]"
    });
    text.push_str(&format!(",\"indirect\":[{}]", indirect.collect::<Vec<_>>().join(",")));
    let stars: Vec<String> = tables.star_exports.iter().map(u32::to_string).collect();
    text.push_str(&format!(",\"stars\":[{}]", stars.join(",")));
    text
}
