//! Output files of a bundle. Values only.

use std::path::PathBuf;

/// The result of a build.
#[derive(Debug, Default)]
pub struct Bundle {
    pub files: Vec<OutputFile>,
    /// Modules that were read.
    pub modules: usize,
    /// Their files; no output may replace one.
    pub inputs: Vec<PathBuf>,
    pub warnings: Vec<crate::Diagnostic>,
}

#[derive(Debug)]
pub struct OutputFile {
    /// Relative to the output directory.
    pub path: PathBuf,
    pub kind: OutputKind,
    pub bytes: Vec<u8>,
}

impl OutputFile {
    /// Characters that depend on the content, as `[hash]` of a naming template.
    pub fn hash(&self) -> String {
        crate::exports::hash(&self.bytes)
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
