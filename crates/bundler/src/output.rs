//! Output files of a bundle. Values only.

use std::path::PathBuf;

use crate::metafile::OutputDetails;
use crate::output_bytes::OutputBytes;

/// The result of a build.
#[derive(Debug, Default)]
pub struct Bundle {
    pub files: Vec<OutputFile>,
    pub modules: usize,
    /// Files that were parsed, if others may be known from an earlier build.
    pub parsed: Option<usize>,
    /// Their files; no output may replace one.
    pub inputs: Vec<PathBuf>,
    pub warnings: Vec<crate::Diagnostic>,
    /// In esbuild's form, if it was asked for.
    pub metafile: Option<String>,
    /// The same as a report in Markdown, if it was asked for.
    pub metafile_markdown: Option<String>,
}

#[derive(Debug)]
pub struct OutputFile {
    /// Relative to the output directory.
    pub path: PathBuf,
    pub kind: OutputKind,
    pub bytes: OutputBytes,
    /// Of code, if a metafile was asked for.
    pub details: Option<OutputDetails>,
}

impl OutputFile {
    pub(crate) fn new(path: PathBuf, kind: OutputKind, bytes: impl Into<OutputBytes>) -> OutputFile {
        OutputFile { path, kind, bytes: bytes.into(), details: None }
    }
}

impl OutputFile {
    /// Characters that depend on the content, as `[hash]` of a naming template.
    pub fn hash(&self) -> String {
        crate::exports::hash(&self.bytes.contiguous())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    EntryPoint,
    Chunk,
    Asset,
    SourceMap,
}

impl OutputKind {
    /// Bun's word for it.
    pub fn name(self) -> &'static str {
        match self {
            OutputKind::EntryPoint => "entry point",
            OutputKind::Chunk => "chunk",
            OutputKind::Asset => "asset",
            OutputKind::SourceMap => "source map",
        }
    }
}
