//! Messages to browsers, and the script of a page, as text. In: modules. Out: JSON for the
//! WebSocket, JavaScript for the page.

use std::fmt::Write as _;

use oxc_sourcemap::SourceMap;
use rusk_npm::json::quote_into;

use super::DevGraph;
use crate::diagnostic::Diagnostic;
use crate::module::{ModuleIndex, RecordKind, RecordTarget};

/// A message to all browsers that show a page.
#[derive(Debug)]
pub struct PageMessage {
    pub page: usize,
    pub text: String,
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote_into(&mut out, text);
    out
}

pub(super) fn reload(version: u32) -> String {
    format!("{{\"type\":\"reload\",\"version\":{version}}}")
}

pub(super) fn errors(version: u32, errors: &[&Diagnostic]) -> String {
    format!("{{\"type\":\"errors\",\"version\":{version},\"errors\":{}}}", error_list(errors))
}

/// Errors as the overlay shows them.
pub(super) fn error_list(errors: &[&Diagnostic]) -> String {
    let entries = errors.iter().map(|error| {
        let mut entry = format!("{{\"message\":{}", quoted(error.problem.message()));
        if let Some(at) = &error.at {
            let _ = write!(
                entry,
                ",\"file\":{},\"line\":{},\"column\":{},\"text\":{},\"indent\":{},\"width\":{}",
                quoted(&at.file),
                at.line,
                at.column,
                quoted(&at.text),
                at.indent(),
                at.width
            );
        }
        let notes: Vec<String> = error.problem.notes().iter().map(|note| quoted(note)).collect();
        let _ = write!(entry, ",\"notes\":[{}]", notes.join(","));
        if let Some(hint) = error.problem.hint_line() {
            let _ = write!(entry, ",\"hint\":{}", quoted(hint));
        }
        entry + "}"
    });
    format!("[{}]", entries.collect::<Vec<_>>().join(","))
}

/// Entries of the registry as JavaScript, and their source maps.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) text: String,
    maps: Vec<(SourceMap<'static>, u32)>,
    lines: u32,
}

impl Entries {
    pub(super) fn push(&mut self, text: &str) {
        self.lines += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32;
        self.text.push_str(text);
    }

    pub(super) fn into_map(self) -> SourceMap<'static> {
        crate::source_map::join(self.maps)
    }
}

impl DevGraph {
    pub(super) fn update_message(
        &self,
        number: usize,
        mut changed: Vec<ModuleIndex>,
        removed: &[ModuleIndex],
        stylesheet: Option<&str>,
    ) -> String {
        changed.retain(|&index| self.is_entry(index));
        changed.sort_unstable();
        let mut text = format!("{{\"type\":\"update\",\"version\":{}", self.version);
        if let Some(stylesheet) = stylesheet {
            let _ = write!(text, ",\"css\":{}", quoted(stylesheet));
        }
        let names = |list: &[ModuleIndex]| {
            list.iter().map(|&index| quoted(&self.id(index))).collect::<Vec<_>>().join(",")
        };
        let _ = write!(text, ",\"changed\":[{}],\"removed\":[{}]", names(&changed), names(removed));
        if !changed.is_empty() {
            let mut entries = Entries::default();
            entries.push("(__rusk) => { __rusk.define({\n");
            for &index in &changed {
                self.add_entry(index, &mut entries);
            }
            entries.push("}) }\n");
            let code = std::mem::take(&mut entries.text);
            let url = format!("{}page/{number}.{}.js", super::DEV_PREFIX, self.version);
            let map = entries.into_map().to_data_url();
            let code = format!("{code}//# sourceURL={url}\n//# sourceMappingURL={map}\n");
            let _ = write!(text, ",\"code\":{}", quoted(&code));
        }
        text + "}"
    }

    /// Whether the browser's registry has the module.
    pub(super) fn is_entry(&self, index: ModuleIndex) -> bool {
        self.scripts[index].is_some()
    }

    /// The name of a module in the registry.
    pub(super) fn id(&self, index: ModuleIndex) -> String {
        let module = &self.modules[index];
        let is_first = |other: &super::GraphFile| other.file.path == module.path;
        match self.files.iter().position(is_first) {
            Some(first) if first != index => format!("{}?{}", module.name, self.files[index].loader.name()),
            _ => module.name.clone(),
        }
    }

    /// `"id": [kind, { tables, deps }, function],`
    pub(super) fn add_entry(&self, index: ModuleIndex, entries: &mut Entries) {
        let Some(script) = &self.scripts[index] else { return };
        let mut head = format!("{}: [\"{}\", {{", quoted(&self.id(index)), script.kind);
        head.push_str(&script.tables);
        if !script.tables.is_empty() {
            head.push(',');
        }
        let requests: Vec<String> =
            script.requests.iter().map(|specifier| self.target_text(index, specifier, true)).collect();
        let _ = write!(head, "\"requests\":[{}]", requests.join(","));
        let mut deps: Vec<String> = Vec::new();
        for record in &self.modules[index].records {
            let target = self.target_text(index, &record.specifier, record.kind == RecordKind::Statement);
            let entry = format!("{}:{target}", quoted(&record.specifier));
            if !deps.contains(&entry) {
                deps.push(entry);
            }
        }
        let _ = write!(head, ",\"deps\":{{{}}}}}, ", deps.join(","));
        entries.push(&head);
        if let Some(map) = &script.map {
            entries.maps.push((map.clone(), entries.lines));
        }
        entries.push(&script.code);
        entries.push("],\n");
    }

    /// The id of what a specifier stands for; `{"url": ...}` for modules of other servers; `null`
    /// for what was not found.
    fn target_text(&self, index: ModuleIndex, specifier: &str, is_statement: bool) -> String {
        let records = &self.modules[index].records;
        let of_kind = |record: &&crate::module::ImportRecord| {
            record.specifier == specifier && (record.kind == RecordKind::Statement) == is_statement
        };
        let record = records
            .iter()
            .find(of_kind)
            .or_else(|| records.iter().find(|record| record.specifier == specifier));
        match record.map(|record| &record.target) {
            Some(RecordTarget::Module(target)) => quoted(&self.id(*target)),
            Some(RecordTarget::External(external)) => {
                let specifier = self.externals.get(*external).map_or(specifier, |found| &found.specifier);
                format!("{{\"url\":{}}}", quoted(specifier))
            }
            _ => "null".to_owned(),
        }
    }
}
