//! References of stylesheets and pages to other files. In: a scanned CSS or HTML file. Out: its
//! references with their modules, and jobs for those that are new.

use std::path::Path;

use rusk_modules::{Importer, Kind};

use super::{ScanJob, Scanner};
use crate::css::{self, InvalidRules};
use crate::diagnostic::Diagnostic;
use crate::file_reference::{FileReference, FileReferenceKind};
use crate::html;
use crate::loader::Loader;
use crate::module::{ImportRecord, Module, ModuleKind, RecordKind, RecordTarget};
use crate::problem;
use crate::resolve::{Resolution, ResolvedFile};

/// Larger files of `url()` are copied, smaller ones become `data:` URLs, as in bun.
const INLINE_BYTES_MAX: u64 = 128 << 10;

impl Scanner {
    /// A stylesheet.
    pub(super) fn load_css(&self, module: &mut Module, source: &str) -> Result<(), Vec<Diagnostic>> {
        let is_module = module.path.to_string_lossy().ends_with(".module.css");
        let is_installed = module.path.components().any(|part| part.as_os_str() == "node_modules");
        let invalid = if is_installed { InvalidRules::Dropped } else { InvalidRules::Errors };
        module.css = Some(css::scan(&module.name, source, is_module, invalid)?);
        module.kind = ModuleKind::Data;
        module.side_effects = true;
        Ok(())
    }

    /// A page: a program that imports its scripts and stylesheets.
    pub(super) fn load_html(&self, module: &mut Module, source: &str) -> Result<(), Vec<Diagnostic>> {
        module.html = Some(html::scan(&module.name, source).map_err(|error| vec![error])?);
        module.kind = ModuleKind::Esm;
        module.side_effects = true;
        Ok(())
    }

    /// Resolves the references of a stylesheet or a page.
    pub(super) fn resolve_references(
        &self,
        module: &mut Module,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<ScanJob> {
        let mut jobs = Vec::new();
        let (path, name) = (module.path.clone(), module.name.clone());
        if let Some(css) = &mut module.css {
            let source = std::mem::take(&mut css.source);
            let imports = css.imports.iter_mut().map(|import| &mut import.reference);
            for reference in imports.chain(&mut css.urls).chain(&mut css.composed) {
                jobs.extend(self.resolve_reference(reference, &path, &name, &source, errors));
            }
            css.source = source;
        }
        if let Some(html) = &mut module.html {
            for reference in &mut html.references {
                jobs.extend(self.resolve_reference(reference, &path, &name, &html.source, errors));
            }
            let code = html.references.iter().filter(|reference| {
                matches!(reference.kind, FileReferenceKind::Script | FileReferenceKind::Style)
            });
            module.records = code.filter_map(import_record).collect();
        }
        jobs
    }

    fn resolve_reference(
        &self,
        reference: &mut FileReference,
        importer: &Path,
        name: &str,
        source: &str,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<ScanJob> {
        if reference.is_external() || self.resolver.is_external(&reference.specifier) {
            return None;
        }
        let Some(file) = self.find_file(reference, importer) else {
            if reference.is_optional {
                return None;
            }
            let problem = problem::unresolved(&reference.specifier, &[], None);
            errors.push(problem.at(name, source, reference.span.clone()));
            return None;
        };
        let loader = self.reference_loader(reference.kind, &file.path);
        let (index, job) = self.register(file, Some(loader), false);
        reference.target = Some(index);
        job
    }

    /// A path relative to the file, or else to the root, or else a package.
    fn find_file(&self, reference: &FileReference, importer: &Path) -> Option<ResolvedFile> {
        let decoded = decode_percent(&reference.specifier);
        let specifier = decoded.as_str();
        let is_style = reference.kind == FileReferenceKind::Style;
        let relative = match specifier.starts_with(['.', '/']) {
            true => specifier.to_owned(),
            false => format!("./{specifier}"),
        };
        let rooted =
            specifier.strip_prefix('/').map(|rest| format!("{}/{rest}", self.options.current_dir.display()));
        let candidates = [Some(relative.as_str()), rooted.as_deref(), Some(specifier)];
        candidates.into_iter().flatten().find_map(|candidate| {
            match self.resolver.resolve_reference(
                Importer::File(importer),
                candidate,
                Kind::Import,
                is_style,
            )? {
                Resolution::File(file) => Some(file),
                _ => None,
            }
        })
    }

    fn reference_loader(&self, kind: FileReferenceKind, path: &Path) -> Loader {
        let configured = self.loader(path);
        match kind {
            FileReferenceKind::Script => configured,
            FileReferenceKind::Style => Loader::Css,
            _ if configured == Loader::DataUrl || self.options.is_standalone => Loader::DataUrl,
            FileReferenceKind::HtmlAsset => Loader::File,
            FileReferenceKind::CssAsset => {
                let is_small = path.metadata().is_ok_and(|found| found.len() < INLINE_BYTES_MAX);
                if is_small { Loader::DataUrl } else { Loader::File }
            }
        }
    }
}

/// The import statement that a page's script or stylesheet stands for.
fn import_record(reference: &FileReference) -> Option<ImportRecord> {
    Some(ImportRecord {
        specifier: reference.specifier.clone(),
        kind: RecordKind::Statement,
        span: reference.span.clone(),
        attribute: None,
        target: RecordTarget::Module(reference.target?),
        may_fail: false,
        require_use: None,
        required_instead: None,
    })
}

/// `%20` and the like in the path of a URL.
fn decode_percent(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
