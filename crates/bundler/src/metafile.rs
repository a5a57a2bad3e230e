//! The metafile: JSON about inputs and outputs in esbuild's form, which its analyzers read. In:
//! linked modules, rendered chunks. Out: text. Absent: the order in which modules were read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use rusk_npm::json;

use crate::chunk::Chunk;
use crate::graph::Graph;
use crate::link::Linked;
use crate::module::{External, ImportRecord, Module, ModuleKind, RecordKind, RecordTarget};

/// What a metafile says of an output.
#[derive(Clone, Debug, Default)]
pub struct OutputDetails {
    /// Bytes that each input has in the output, by its name.
    pub inputs: BTreeMap<String, usize>,
    pub imports: Vec<OutputImport>,
    pub exports: Vec<String>,
    /// The name of the entry point's file.
    pub entry_point: Option<String>,
    /// The stylesheet of the entry point, relative to the output directory.
    pub css_bundle: Option<String>,
}

/// An import in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputImport {
    /// Relative to the output directory, or a specifier.
    pub path: String,
    pub is_dynamic: bool,
    pub is_external: bool,
}

/// A member of `inputs`.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputDetails {
    bytes: usize,
    pub(crate) imports: Vec<InputImport>,
    pub(crate) format: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) struct InputImport {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) original: String,
    pub(crate) is_external: bool,
    attribute: Option<String>,
}

/// All inputs by name.
pub(crate) fn inputs(graph: &Graph) -> BTreeMap<String, InputDetails> {
    let input = |module: &Module| InputDetails {
        bytes: module.source_bytes,
        imports: module.records.iter().filter_map(|record| input_import(graph, record)).collect(),
        format: match module.kind {
            ModuleKind::Esm => Some("esm"),
            ModuleKind::CommonJs => Some("cjs"),
            ModuleKind::Data => None,
        },
    };
    graph.modules.iter().map(|module| (module.name.clone(), input(module))).collect()
}

fn input_import(graph: &Graph, record: &ImportRecord) -> Option<InputImport> {
    let (path, is_external) = match record.target {
        RecordTarget::Module(target) => (graph.modules[target].name.clone(), false),
        RecordTarget::External(index) => (graph.externals[index].specifier.clone(), true),
        RecordTarget::Unresolved => return None,
    };
    Some(InputImport {
        path,
        kind: kind(record.kind),
        original: record.specifier.clone(),
        is_external,
        attribute: record.attribute.clone(),
    })
}

fn kind(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Statement => "import-statement",
        RecordKind::Require => "require-call",
        RecordKind::Dynamic => "dynamic-import",
        RecordKind::Worker => "entry-point-build",
    }
}

/// All but `inputs` of a chunk. Paths have tokens for hashes.
pub(crate) fn output(linked: &Linked, chunk: &Chunk) -> OutputDetails {
    let path = |index: usize| linked.chunk_paths[index].to_string_lossy().into_owned();
    let mut imports: Vec<OutputImport> = chunk
        .imports
        .iter()
        .map(|import| OutputImport { path: path(import.chunk), is_dynamic: false, is_external: false })
        .collect();
    let external = |index: &usize| {
        let External { specifier, .. } = &linked.externals[*index];
        OutputImport { path: specifier.clone(), is_dynamic: false, is_external: true }
    };
    imports.extend(chunk.externals.iter().map(external));
    for ordered in &chunk.items {
        let crate::order::Item::Define(module) = ordered.item else { continue };
        let (own, live) = (&linked.modules[module], &linked.live.parts[module]);
        let parts = own.parts.iter().zip(live).filter(|(_, live)| **live);
        for &record in parts.flat_map(|(part, _)| &part.records) {
            let RecordTarget::Module(target) = own.records[record].target else { continue };
            if linked.is_split(&own.records[record])
                && let Some(chunk) = linked.entry_chunk(target)
            {
                imports.push(OutputImport { path: path(chunk), is_dynamic: true, is_external: false });
            }
        }
    }
    let mut seen = BTreeSet::new();
    imports.retain(|import| seen.insert((import.path.clone(), import.is_dynamic)));
    let exports = chunk.entry.and_then(|entry| linked.live.exports.get(&entry)).into_iter().flatten();
    OutputDetails {
        inputs: BTreeMap::new(),
        imports,
        exports: exports.map(|(name, _)| name.clone()).collect(),
        entry_point: chunk.entry.map(|entry| linked.modules[entry].name.clone()),
        css_bundle: None,
    }
}

/// Writes the text. `outputs`: paths as the metafile has them, and sizes.
pub(crate) fn render(
    inputs: &BTreeMap<String, InputDetails>,
    outputs: &[(String, usize, &OutputDetails)],
    directory: &Path,
) -> String {
    let mut text = "{\n  \"inputs\": {".to_owned();
    let mut members = Members::default();
    for (name, input) in inputs {
        members.next(&mut text, "\n    ");
        key(&mut text, name);
        let _ = write!(text, "{{\n      \"bytes\": {},\n      \"imports\": [", input.bytes);
        let mut imports = Members::default();
        for import in &input.imports {
            imports.next(&mut text, "\n        ");
            input_import_text(&mut text, import);
        }
        imports.end(&mut text, "\n      ");
        text.push(']');
        if let Some(format) = input.format {
            let _ = write!(text, ",\n      \"format\": \"{format}\"");
        }
        text.push_str("\n    }");
    }
    members.end(&mut text, "\n  ");
    text.push_str("},\n  \"outputs\": {");
    let mut members = Members::default();
    for (path, bytes, details) in outputs {
        members.next(&mut text, "\n    ");
        key(&mut text, path);
        output_text(&mut text, *bytes, details, directory);
    }
    members.end(&mut text, "\n  ");
    text.push_str("}\n}\n");
    text
}

/// Commas between members.
#[derive(Default)]
struct Members {
    count: usize,
}

impl Members {
    fn next(&mut self, text: &mut String, indent: &str) {
        if self.count > 0 {
            text.push(',');
        }
        self.count += 1;
        text.push_str(indent);
    }

    fn end(&self, text: &mut String, indent: &str) {
        if self.count > 0 {
            text.push_str(indent);
        }
    }
}

fn key(text: &mut String, name: &str) {
    json::quote_into(text, name);
    text.push_str(": ");
}

fn input_import_text(text: &mut String, import: &InputImport) {
    text.push_str("{ \"path\": ");
    json::quote_into(text, &import.path);
    let _ = write!(text, ", \"kind\": \"{}\"", import.kind);
    match import.is_external {
        true => text.push_str(", \"external\": true"),
        false => {
            text.push_str(", \"original\": ");
            json::quote_into(text, &import.original);
        }
    }
    if let Some(attribute) = &import.attribute {
        text.push_str(", \"with\": { \"type\": ");
        json::quote_into(text, attribute);
        text.push_str(" }");
    }
    text.push_str(" }");
}

fn output_text(text: &mut String, bytes: usize, details: &OutputDetails, directory: &Path) {
    text.push_str("{\n      \"imports\": [");
    let mut imports = Members::default();
    for import in &details.imports {
        imports.next(text, "\n        ");
        text.push_str("{ \"path\": ");
        let path = match import.is_external {
            true => import.path.clone(),
            false => directory.join(&import.path).to_string_lossy().into_owned(),
        };
        json::quote_into(text, &path);
        let kind = if import.is_dynamic { "dynamic-import" } else { "import-statement" };
        let _ = write!(text, ", \"kind\": \"{kind}\"");
        text.push_str(if import.is_external { ", \"external\": true }" } else { " }" });
    }
    imports.end(text, "\n      ");
    text.push_str("],\n      \"exports\": [");
    for (index, name) in details.exports.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        json::quote_into(text, name);
    }
    text.push(']');
    if let Some(entry) = &details.entry_point {
        text.push_str(",\n      \"entryPoint\": ");
        json::quote_into(text, entry);
    }
    if let Some(path) = &details.css_bundle {
        text.push_str(",\n      \"cssBundle\": ");
        json::quote_into(text, &directory.join(path).to_string_lossy());
    }
    text.push_str(",\n      \"inputs\": {");
    let mut inputs = Members::default();
    for (name, bytes) in &details.inputs {
        inputs.next(text, "\n        ");
        key(text, name);
        let _ = write!(text, "{{ \"bytesInOutput\": {bytes} }}");
    }
    inputs.end(text, "\n      ");
    let _ = write!(text, "}},\n      \"bytes\": {bytes}\n    }}");
}
