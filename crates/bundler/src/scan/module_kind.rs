//! Whether a file is an ES module or CommonJS. In: its name, its package, its code. Out: a kind.

use std::path::Path;

use oxc::ast::ast::{Program, Statement};
use rusk_modules::Format as FileFormat;
use rusk_transpile::SourceKind;

use super::ScanJob;
use crate::loader::Loader;
use crate::module::{Module, ModuleKind};

/// What is known before the file is parsed. A `.cjs` file with module syntax is taken as bun and
/// esbuild do.
pub(super) fn known_kind(job: &ScanJob, source: &str) -> Option<SourceKind> {
    match job.file.format {
        FileFormat::Module => Some(SourceKind::Module),
        FileFormat::CommonJs if is_named_commonjs(&job.file.path) && !may_have_module_syntax(source) => {
            Some(SourceKind::CommonJs)
        }
        // JSX adds imports, which a file without module syntax cannot tell of itself.
        _ if matches!(job.loader, Loader::Jsx | Loader::Tsx) && !may_be_commonjs(source) => {
            Some(SourceKind::Module)
        }
        _ => None,
    }
}

/// The kind of a parsed module.
pub(super) fn parsed_kind(
    job: &ScanJob,
    kind: SourceKind,
    program: &Program<'_>,
    module: &Module,
) -> ModuleKind {
    match kind {
        SourceKind::Module if job.file.format != FileFormat::Module && is_mixed(program, module) => {
            ModuleKind::CommonJs
        }
        SourceKind::Module => ModuleKind::Esm,
        SourceKind::CommonJs | SourceKind::Script => ModuleKind::CommonJs,
    }
}

/// Whether a module imports by statements, and exports by `module` or `exports`. bun and esbuild
/// make it CommonJS.
fn is_mixed(program: &Program<'_>, module: &Module) -> bool {
    (module.uses("module") || module.uses("exports"))
        && !module.features.has_top_level_await
        && !module.features.uses_import_meta
        && !program.body.iter().any(is_export)
}

/// The transformer of TypeScript adds `export {}`, which has no place in the source.
fn is_export(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ImportDeclaration(_) => false,
        Statement::ExportNamedDeclaration(export) => !export.specifiers.is_empty() || !export.span.is_empty(),
        statement => statement.is_module_declaration(),
    }
}

fn is_named_commonjs(path: &Path) -> bool {
    matches!(path.extension().and_then(|end| end.to_str()), Some("cjs" | "cts"))
}

fn may_have_module_syntax(source: &str) -> bool {
    ["import", "export"].iter().any(|word| source.contains(word))
}

/// Whether a text may be that of a CommonJS module.
fn may_be_commonjs(source: &str) -> bool {
    ["exports", "require", "module."].iter().any(|word| source.contains(word))
}
