//! Imports with a path that is known in part: each file that it may mean is a record. In: the call.
//! Out: records at the place of the call. Absent: packages, where such calls look for files that
//! the program need not have.

use oxc::ast::ast::Expression;
use oxc::span::{GetSpan, Span};

use super::{Collector, range};
use crate::glob_import::{self, PathPattern};
use crate::module::{RecordKind, UnknownPath};

impl<'a> Collector<'_, 'a> {
    pub(super) fn add_glob(&mut self, source: &Expression<'a>, kind: RecordKind, span: Span) {
        let path = self.module.path.clone();
        let is_installed = path.components().any(|part| part.as_os_str() == "node_modules");
        let pattern = PathPattern::of(source).filter(|_| !is_installed);
        let files = pattern.map(|pattern| pattern.find_files(&path)).unwrap_or_default();
        if files.is_empty() {
            let shape = glob_import::shape(source);
            self.module.unknown_paths.push(UnknownPath { kind, span: range(source.span()), shape });
        }
        for file in files {
            let record = self.record(&file.specifier, kind, None, span);
            // Files that do not resolve after all are for the program to miss.
            self.module.records[record].may_fail = true;
            self.part.records.push(record);
        }
    }
}
