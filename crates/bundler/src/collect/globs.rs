//! Imports with a path that is known in part: each file that it may mean is a record. In: the call.
//! Out: records at the place of the call. Absent: packages, where such calls look for files that
//! the program need not have.

use oxc::ast::ast::Expression;
use oxc::span::Span;

use super::Collector;
use crate::glob_import::PathPattern;
use crate::module::RecordKind;

impl<'a> Collector<'_, 'a> {
    pub(super) fn add_glob(&mut self, source: &Expression<'a>, kind: RecordKind, span: Span) {
        let Some(pattern) = PathPattern::of(source) else { return };
        let path = self.module.path.clone();
        if path.components().any(|part| part.as_os_str() == "node_modules") {
            return;
        }
        for file in pattern.find_files(&path) {
            let record = self.record(&file.specifier, kind, None, span);
            // Files that do not resolve after all are for the program to miss.
            self.module.records[record].may_fail = true;
            self.part.records.push(record);
        }
    }
}
