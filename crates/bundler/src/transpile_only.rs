//! Builds without bundling: each entry point becomes JavaScript, its imports stay as they are. In:
//! options. Out: one output for each entry point, or all errors.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, StaticMemberExpression};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::codegen::Codegen;
use oxc::span::GetSpan;
use oxc_sourcemap::SourceMap;
use rusk_transpile::HELPERS_OBJECT;

use crate::bundle::{root_directory, sorted};
use crate::collect::function_name;
use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::minify::{self, TopLevel};
use crate::module::{Module, ModuleKind};
use crate::options::{BundleOptions, Destination, SourceMaps};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::print::{Tree, codegen_settings};
use crate::problem;
use crate::render::RuntimeFunctions;
use crate::scan::Scanner;

pub(crate) fn transpile(options: &BundleOptions) -> Result<Bundle, Vec<Diagnostic>> {
    if options.entries.is_empty() {
        return Err(vec![problem::no_entry()]);
    }
    let scanner = Scanner::new(Arc::new(options.clone()), None)?;
    let (jobs, _) = scanner.entries()?;
    let (mut bundle, mut errors) = (Bundle::default(), Vec::new());
    let mut allocator = Allocator::default();
    for job in jobs {
        match scanner.transpile(&allocator, job) {
            Ok((module, Some(tree))) => match output(options, &allocator, &module, tree) {
                Ok(files) => {
                    bundle.files.extend(files);
                    bundle.inputs.push(module.path);
                }
                Err(error) => errors.push(error),
            },
            Ok((module, None)) => errors.push(problem::not_transpiled(&module.name)),
            Err(found) => errors.extend(found),
        }
        allocator.reset();
    }
    bundle.modules = bundle.inputs.len();
    if errors.is_empty() { Ok(bundle) } else { Err(sorted(errors)) }
}

fn output<'a>(
    options: &BundleOptions,
    allocator: &'a Allocator,
    module: &Module,
    mut tree: Tree<'a>,
) -> Result<Vec<OutputFile>, Diagnostic> {
    FunctionCalls { ast: AstBuilder::new(allocator), allocator }.visit_program(&mut tree.program);
    let has_map = options.source_maps != SourceMaps::None;
    let map_path = has_map.then(|| PathBuf::from(&module.name));
    let settings = codegen_settings(options.keeps_annotations, map_path);
    let printed = Codegen::new().with_options(settings).build(&tree.program);
    let mut map = printed.map.map(SourceMap::into_owned);
    let mut functions = RuntimeFunctions::default();
    module.helpers.iter().for_each(|(name, local)| functions.add_function(name, local));
    let mut code = head(options, module, &functions.text(options));
    let lines = memchr::memchr_iter(b'\n', code.as_bytes()).count() as u32;
    map = map.map(|map| crate::source_map::join(vec![(map, lines)]));
    code.push_str(&printed.code);
    if options.minify.is_any() {
        let top_level = match module.kind {
            ModuleKind::Esm => TopLevel::Module,
            ModuleKind::CommonJs | ModuleKind::Data if module.features.uses_module => TopLevel::Private,
            ModuleKind::CommonJs | ModuleKind::Data => TopLevel::Script,
        };
        (code, map) = minify::minify(&code, map.as_ref(), options, top_level)?;
    }
    if !options.footer.is_empty() {
        code.push_str(&options.footer);
        code.push('\n');
    }
    Ok(files(options, module, code, map))
}

/// Directives stay first.
fn head(options: &BundleOptions, module: &Module, functions: &str) -> String {
    let mut head = String::new();
    if let Some(hashbang) = &module.hashbang {
        head.push_str(hashbang);
        head.push('\n');
    }
    if !options.banner.is_empty() {
        head.push_str(&options.banner);
        head.push('\n');
    }
    head.push_str(functions);
    head
}

fn files(
    options: &BundleOptions,
    module: &Module,
    mut code: String,
    map: Option<SourceMap<'static>>,
) -> Vec<OutputFile> {
    let source = exports::relative_path(&root_directory(options), &module.path);
    let path = match &options.destination {
        Destination::File(file) => PathBuf::from(file.file_name().unwrap_or_default()),
        _ => exports::output_path(&options.naming.entry, Path::new(&source), "js", code.as_bytes()),
    };
    let Some(mut map) = map.filter(|_| options.source_maps != SourceMaps::None) else {
        return vec![OutputFile::new(path, OutputKind::EntryPoint, code.into_bytes())];
    };
    let directory = match &options.destination {
        Destination::Directory(directory) => directory.join(&path),
        Destination::File(file) => file.clone(),
        Destination::Text => options.current_dir.join(&path),
    };
    let source = exports::relative_path(directory.parent().unwrap_or(Path::new("/")), &module.path);
    map.set_sources([source.as_str()]);
    if options.source_maps == SourceMaps::Inline {
        code.push_str(&format!("\n//# sourceMappingURL={}\n", map.to_data_url()));
        return vec![OutputFile::new(path, OutputKind::EntryPoint, code.into_bytes())];
    }
    let map_path = PathBuf::from(format!("{}.map", path.display()));
    if options.source_maps == SourceMaps::Linked {
        let name = map_path.file_name().unwrap_or_default().to_string_lossy();
        code.push_str(&format!("\n//# sourceMappingURL={}{name}\n", options.public_path));
    }
    let json = map.to_json_string().into_bytes();
    vec![
        OutputFile::new(path, OutputKind::EntryPoint, code.into_bytes()),
        OutputFile::new(map_path, OutputKind::SourceMap, json),
    ]
}

/// Members of the transpiler's object become functions.
struct FunctionCalls<'a> {
    ast: AstBuilder<'a>,
    allocator: &'a Allocator,
}

impl<'a> FunctionCalls<'a> {
    fn called<'m>(&self, expression: &'m Expression<'a>) -> Option<&'m StaticMemberExpression<'a>> {
        let Expression::StaticMemberExpression(member) = expression else { return None };
        member.object.is_specific_id(HELPERS_OBJECT).then_some(&**member)
    }
}

impl<'a> VisitMut<'a> for FunctionCalls<'a> {
    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        let Some(member) = self.called(expression) else {
            return walk_mut::walk_expression(self, expression);
        };
        let name = self.allocator.alloc_str(&function_name(&member.property.name));
        *expression = Expression::new_identifier(expression.span(), name, &self.ast);
    }
}
