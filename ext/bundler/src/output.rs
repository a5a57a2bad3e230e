//! The result of a build for JavaScript. In: a bundle, or errors. Out: arrays that
//! js/internal/bundler/build.js turns into artifacts and messages.

use std::path::{Path, PathBuf};

use rusk_bundler::{
    Bundle, BundleOptions, Destination, Diagnostic, ExecutableSettings, OutputFile, OutputKind,
};
use rusk_jsc::{Bytes, Exception, Object, Scope, Value};

/// What a build hands to the loop's thread.
pub(crate) struct BuildResult {
    pub(crate) files: Vec<OutputFile>,
    /// Where they were written.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// As JSON, if it was asked for.
    pub(crate) metafile: Option<String>,
    /// In Markdown, if it was asked for.
    pub(crate) metafile_markdown: Option<String>,
}

impl BuildResult {
    pub(crate) fn failed(errors: Vec<Diagnostic>) -> BuildResult {
        BuildResult {
            files: Vec::new(),
            directory: None,
            errors,
            warnings: Vec::new(),
            metafile: None,
            metafile_markdown: None,
        }
    }

    /// Bundles, and writes an executable. Its only file has the executable's path.
    pub(crate) fn of_executable(
        options: BundleOptions,
        settings: &ExecutableSettings,
        program: &Path,
    ) -> BuildResult {
        let options = match rusk_bundler::executable_options(options) {
            Ok(options) => options,
            Err(problem) => return BuildResult::failed(vec![problem.into()]),
        };
        let Destination::File(file) = &options.destination else { return BuildResult::failed(Vec::new()) };
        let bundle = match rusk_bundler::bundle(&options) {
            Ok(bundle) => bundle,
            Err(errors) => return BuildResult::failed(errors),
        };
        if let Err(problem) =
            rusk_bundler::write_executable(&bundle, file, settings, program, &options.current_dir)
        {
            return BuildResult::failed(vec![problem.into()]);
        }
        let entries = bundle.files.into_iter().filter(|output| output.kind == OutputKind::EntryPoint);
        let files = entries.map(|output| OutputFile { path: file.clone(), ..output }).collect();
        BuildResult {
            files,
            directory: Some(PathBuf::from("/")),
            errors: Vec::new(),
            warnings: bundle.warnings,
            metafile: bundle.metafile,
            metafile_markdown: bundle.metafile_markdown,
        }
    }

    /// Writes the files if they have a destination.
    pub(crate) fn of_bundle(bundle: Bundle, destination: &Destination) -> BuildResult {
        let directory = match destination {
            Destination::Directory(directory) => Some(directory.clone()),
            Destination::File(file) => file.parent().map(PathBuf::from),
            Destination::Text => None,
        };
        if let Some(directory) = &directory
            && let Err(problem) = rusk_bundler::write(&bundle, directory)
        {
            return BuildResult::failed(vec![problem.into()]);
        }
        BuildResult {
            files: bundle.files,
            directory,
            errors: Vec::new(),
            warnings: bundle.warnings,
            metafile: bundle.metafile,
            metafile_markdown: bundle.metafile_markdown,
        }
    }

    /// Files as arrays of path, kind, hash and bytes; errors and warnings as arrays of their parts;
    /// the metafile, and the one in Markdown.
    pub(crate) fn into_arrays<'s>(self, scope: &'s Scope) -> Result<[Value<'s>; 5], Exception<'s>> {
        let directory = self.directory;
        let mut files = Vec::with_capacity(self.files.len());
        for file in self.files {
            let path = match &directory {
                Some(directory) => directory.join(&file.path),
                None => PathBuf::from(format!("./{}", file.path.display())),
            };
            let parts = [
                scope.string(&path.to_string_lossy()),
                scope.string(file.kind.name()),
                scope.string(&file.hash()),
                Bytes::from_vec(scope, file.bytes.into_vec())?.value(),
            ];
            files.push(scope.array(&parts)?.value());
        }
        let files = scope.array(&files)?.value();
        let text = |text: Option<String>| text.map_or_else(|| scope.undefined(), |text| scope.string(&text));
        let (errors, warnings) = (messages(scope, &self.errors)?, messages(scope, &self.warnings)?);
        Ok([files, errors, warnings, text(self.metafile), text(self.metafile_markdown)])
    }
}

fn messages<'s>(scope: &'s Scope, diagnostics: &[Diagnostic]) -> Result<Value<'s>, Exception<'s>> {
    let mut all = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics {
        all.push(message(scope, diagnostic)?);
    }
    scope.array(&all).map(Object::value)
}

/// Code, message, notes, hint, specifier, kind of import; then file, line, column, text, width and
/// offset if it is about a place.
fn message<'s>(scope: &'s Scope, diagnostic: &Diagnostic) -> Result<Value<'s>, Exception<'s>> {
    let problem = &diagnostic.problem;
    let text = |text: Option<&str>| text.map_or_else(|| scope.undefined(), |text| scope.string(text));
    let notes: Vec<Value<'_>> = problem.notes().iter().map(|note| scope.string(note)).collect();
    let mut parts = vec![
        scope.string(problem.code()),
        scope.string(problem.message()),
        scope.array(&notes)?.value(),
        text(problem.hint_line()),
        text(diagnostic.import.as_ref().map(|(specifier, _)| specifier.as_str())),
        text(diagnostic.import.as_ref().map(|(_, kind)| *kind)),
    ];
    if let Some(at) = &diagnostic.at {
        let number = |number: u32| scope.number(f64::from(number));
        parts.extend([
            scope.string(&at.file),
            number(at.line),
            number(at.column),
            scope.string(&at.text),
            number(at.width),
            scope.number(at.offset.into()),
        ]);
    }
    scope.array(&parts).map(Object::value)
}
