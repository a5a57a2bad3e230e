//! The metafile as a report in Markdown, with bun's headings: sizes, largest modules, entry points,
//! who imports what, and lines to search in. In: what the metafile in JSON has. Out: text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::metafile::{InputDetails, OutputDetails};

/// Rows of a table of modules.
const ROWS_MAX: usize = 20;

/// What the sections share.
struct Report<'r> {
    inputs: &'r BTreeMap<String, InputDetails>,
    outputs: Vec<ReportedOutput<'r>>,
    /// Bytes of each input in all outputs.
    bytes: BTreeMap<&'r str, usize>,
    importers: BTreeMap<&'r str, BTreeSet<&'r str>>,
    text: String,
}

struct ReportedOutput<'r> {
    path: String,
    bytes: usize,
    details: &'r OutputDetails,
}

/// Writes the report. `outputs`: paths and sizes. `directory`: where the outputs are.
pub(crate) fn render(
    inputs: &BTreeMap<String, InputDetails>,
    outputs: &[(String, usize, &OutputDetails)],
    directory: &Path,
) -> String {
    let prefix = format!("{}/", directory.display());
    let path = |path: &str| format!("./{}", path.strip_prefix(&prefix).unwrap_or(path));
    let outputs: Vec<ReportedOutput<'_>> = outputs
        .iter()
        .map(|(name, bytes, details)| ReportedOutput { path: path(name), bytes: *bytes, details })
        .collect();
    let mut bytes: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, count) in outputs.iter().flat_map(|output| &output.details.inputs) {
        *bytes.entry(name).or_default() += count;
    }
    let mut importers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (importer, input) in inputs {
        for import in input.imports.iter().filter(|import| !import.is_external) {
            importers.entry(&import.path).or_default().insert(importer);
        }
    }
    let mut report = Report { inputs, outputs, bytes, importers, text: String::new() };
    report.summary();
    report.largest();
    report.entry_points();
    report.most_imported();
    report.graph();
    report.lines();
    report.text
}

impl<'r> Report<'r> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn bytes_of(&self, module: &str) -> usize {
        self.bytes.get(module).copied().unwrap_or(0)
    }

    /// Modules with code in the outputs, the largest first.
    fn by_size(&self) -> Vec<(&'r str, usize)> {
        let mut all: Vec<(&str, usize)> = self.bytes.iter().map(|(name, bytes)| (*name, *bytes)).collect();
        all.sort_by_key(|(name, bytes)| (std::cmp::Reverse(*bytes), *name));
        all
    }

    fn summary(&mut self) {
        let installed: Vec<usize> =
            self.bytes.iter().filter(|(name, _)| is_installed(name)).map(|(_, bytes)| *bytes).collect();
        let externals: BTreeSet<&str> = self
            .inputs
            .values()
            .flat_map(|input| &input.imports)
            .filter(|import| import.is_external)
            .map(|import| import.path.as_str())
            .collect();
        let format = |name| self.inputs.values().filter(|input| input.format == Some(name)).count();
        let total: usize = self.outputs.iter().map(|output| output.bytes).sum();
        // A program has a second output if it imports stylesheets.
        let entries: BTreeSet<&str> =
            self.outputs.iter().filter_map(|output| output.details.entry_point.as_deref()).collect();
        let chunks = self.outputs.iter().filter(|output| output.details.entry_point.is_none()).count();
        let rows = [
            ("Total output size", size(total)),
            ("Input modules", self.inputs.len().to_string()),
            ("Entry points", entries.len().to_string()),
            ("Code-split chunks", chunks.to_string()),
            (
                "node_modules contribution",
                format!("{} files ({})", installed.len(), size(installed.iter().sum())),
            ),
            ("ESM modules", format("esm").to_string()),
            ("CommonJS modules", format("cjs").to_string()),
            ("External imports", externals.len().to_string()),
        ];
        self.line("# Bundle Analysis Report\n\n## Quick Summary\n\n| Metric | Value |\n|--------|-------|");
        rows.iter().for_each(|(name, value)| self.line(&format!("| {name} | {value} |")));
    }

    fn largest(&mut self) {
        let total: usize = self.outputs.iter().map(|output| output.bytes).sum();
        self.line("\n## Largest Modules by Output Contribution\n");
        self.line("| Output Bytes | % of Total | Module | Format |\n|---|---|---|---|");
        for (name, bytes) in self.by_size().into_iter().take(ROWS_MAX) {
            let share = 100.0 * bytes as f64 / total.max(1) as f64;
            let format = self.inputs.get(name).and_then(|input| input.format).unwrap_or("data");
            self.line(&format!("| {} | {share:.1}% | `{name}` | {format} |", size(bytes)));
        }
    }

    fn entry_points(&mut self) {
        self.line("\n## Entry Point Analysis");
        for index in 0..self.outputs.len() {
            let ReportedOutput { path, bytes, details } = &self.outputs[index];
            let Some(entry) = &details.entry_point else { continue };
            let mut text = format!(
                "\n### Entry: `{entry}`\n\n**Output file**: `{path}`\n**Bundle size**: {}\n",
                size(*bytes)
            );
            if !details.exports.is_empty() {
                let names: Vec<String> = details.exports.iter().map(|name| format!("`{name}`")).collect();
                let _ = writeln!(text, "**Exports**: {}", names.join(", "));
            }
            let chunks: Vec<_> = details.imports.iter().filter(|import| !import.is_external).collect();
            if !chunks.is_empty() {
                text.push_str("\n**Loads these chunks** (code-splitting):\n");
            }
            for import in chunks {
                let kind = if import.is_dynamic { "dynamic-import" } else { "import-statement" };
                let _ = writeln!(text, "- `./{}` ({kind})", import.path);
            }
            text.push_str("\n**Bundled modules**:\n\n| Bytes | Module |\n|---|---|\n");
            let mut modules: Vec<_> = details.inputs.iter().collect();
            modules.sort_by_key(|(name, bytes)| (std::cmp::Reverse(**bytes), *name));
            for (name, bytes) in modules.into_iter().take(ROWS_MAX) {
                let _ = writeln!(text, "| {} | `{name}` |", size(*bytes));
            }
            self.text.push_str(&text);
        }
    }

    fn most_imported(&mut self) {
        self.line("\n## Dependency Chains\n\n### Most Commonly Imported Modules\n");
        self.line("| Import Count | Module | Imported By |\n|---|---|---|");
        let several = self.importers.iter().filter(|(_, importers)| importers.len() > 1);
        let mut several: Vec<_> = several.map(|(name, importers)| (*name, importers.clone())).collect();
        several.sort_by_key(|(name, importers)| (std::cmp::Reverse(importers.len()), *name));
        for (name, importers) in several.into_iter().take(ROWS_MAX) {
            self.line(&format!("| {} | `{name}` | {} |", importers.len(), listed(&importers, 5)));
        }
    }

    fn graph(&mut self) {
        self.line("\n## Full Module Graph");
        for (name, input) in self.inputs {
            let mut text =
                format!("\n### `{name}`\n\n- **Output contribution**: {}\n", size(self.bytes_of(name)));
            if let Some(format) = input.format {
                let _ = writeln!(text, "- **Format**: {format}");
            }
            match self.importers.get(name.as_str()) {
                Some(importers) => {
                    let _ = writeln!(
                        text,
                        "- **Imported by** ({} files): {}",
                        importers.len(),
                        listed(importers, usize::MAX)
                    );
                }
                None => text.push_str("- **Imported by**: (entry point or orphan)\n"),
            }
            if !input.imports.is_empty() {
                text.push_str("- **Imports**:\n");
            }
            for import in &input.imports {
                let what = match import.is_external {
                    true => "**external**".to_owned(),
                    false => format!("contributes {}", size(self.bytes_of(&import.path))),
                };
                let _ = writeln!(
                    text,
                    "  - `{}` ({}, {what}, specifier: `{}`)",
                    import.path, import.kind, import.original
                );
            }
            self.text.push_str(&text);
        }
    }

    fn lines(&mut self) {
        self.line("\n## Raw Data for Searching\n\n### All Modules\n\n```");
        for (name, input) in self.inputs {
            self.line(&format!("[MODULE: {name}]"));
            self.line(&format!("[OUTPUT_BYTES: {name} = {} bytes]", self.bytes_of(name)));
            self.line(&format!("[FORMAT: {name} = {}]", input.format.unwrap_or("data")));
            if is_installed(name) {
                self.line(&format!("[NODE_MODULES: {name}]"));
            }
        }
        self.line("```\n\n### All Imports\n\n```");
        for (name, input) in self.inputs {
            for import in &input.imports {
                self.line(&match import.is_external {
                    true => format!("[EXTERNAL: {name} imports {}]", import.path),
                    false => format!("[IMPORT: {name} -> {}]", import.path),
                });
            }
        }
        self.line("```\n\n### Reverse Dependencies (Imported By)\n\n```");
        for (name, importers) in self.importers.clone() {
            importers.iter().for_each(|importer| self.line(&format!("[IMPORTED_BY: {name} <- {importer}]")));
        }
        self.line("```\n\n### Entry Points\n\n```");
        for index in 0..self.outputs.len() {
            let ReportedOutput { path, bytes, details } = &self.outputs[index];
            if let Some(entry) = &details.entry_point {
                let line = format!("[ENTRY: {entry} -> {path} ({bytes} bytes)]");
                self.line(&line);
            }
        }
        self.line("```");
    }
}

fn is_installed(name: &str) -> bool {
    name.split('/').any(|part| part == "node_modules")
}

fn listed(names: &BTreeSet<&str>, max: usize) -> String {
    let mut shown: Vec<String> = names.iter().take(max).map(|name| format!("`{name}`")).collect();
    if names.len() > shown.len() {
        shown.push(format!("and {} more", names.len() - shown.len()));
    }
    shown.join(", ")
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{:.2} KB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
