//! Workers of pages in development: the server bundles the file of a worker when a page asks for
//! it. In: modules. Out: the URL in the code of a page, the file of such a URL. Absent: updates; a
//! worker that runs stays as it is until the page is loaded again.

use std::path::{Path, PathBuf};

use oxc::allocator::Allocator;
use oxc::ast::ast::{Program, StringLiteral};
use oxc::ast_visit::VisitMut;
use rusk_base::files;

use super::{DEV_PREFIX, DevGraph};
use crate::exports;
use crate::module::{ImportRecord, Module, RecordKind};

/// Characters that would end the path of a URL.
const ESCAPES: [(&str, &str); 3] = [("%", "%25"), ("#", "%23"), ("?", "%3F")];

impl DevGraph {
    /// The file of a worker, by its path relative to the current directory.
    pub fn worker(&self, name: &str) -> Option<PathBuf> {
        let workers = self.modules.iter().flat_map(|module| {
            let records = module.records.iter().filter(|record| record.kind == RecordKind::Worker);
            records.filter_map(|record| file_of(module, record))
        });
        workers.into_iter().find(|path| exports::relative_path(&self.options.current_dir, path) == name)
    }
}

fn file_of(module: &Module, record: &ImportRecord) -> Option<PathBuf> {
    let is_relative = record.specifier.starts_with('.');
    let path = files::normalized(&module.path.parent()?.join(&record.specifier));
    (is_relative && path.is_file()).then_some(path)
}

/// Sets the URLs of workers in the code of a module.
pub(super) fn rewrite<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    module: &Module,
    current_dir: &Path,
) {
    let workers = module.records.iter().filter(|record| record.kind == RecordKind::Worker);
    let urls: Vec<(u32, String)> = workers
        .filter_map(|record| {
            let name = exports::relative_path(current_dir, &file_of(module, record)?);
            let escaped = ESCAPES.iter().fold(name, |name, (from, to)| name.replace(from, to));
            Some((record.span.start, format!("{DEV_PREFIX}worker/{escaped}")))
        })
        .collect();
    if !urls.is_empty() {
        WorkerUrls { allocator, urls }.visit_program(program);
    }
}

struct WorkerUrls<'a> {
    allocator: &'a Allocator,
    /// By the place of the literal.
    urls: Vec<(u32, String)>,
}

impl<'a> VisitMut<'a> for WorkerUrls<'a> {
    fn visit_string_literal(&mut self, literal: &mut StringLiteral<'a>) {
        if let Some((_, url)) = self.urls.iter().find(|(start, _)| *start == literal.span.start) {
            literal.value = self.allocator.alloc_str(url).into();
            literal.raw = None;
        }
    }
}
