//! Outputs of stylesheets and pages. In: linked modules, the paths of chunks. Out: the stylesheet
//! of each entry point that has one, and the HTML of pages.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::bundle;
use crate::css;
use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::file_reference::FileReferenceKind;
use crate::html::{self, PageFile, PageFiles};
use crate::link::Linked;
use crate::metafile::OutputDetails;
use crate::module::{Module, ModuleIndex};
use crate::options::{BundleOptions, Destination, ModuleFormat, SourceMaps};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::problem;

/// Completes scanned modules before they are linked: the values of stylesheets; what a page loads
/// is used.
pub(crate) fn prepare(modules: &mut [Module]) -> Vec<Diagnostic> {
    let loaded: Vec<ModuleIndex> = modules
        .iter()
        .filter(|module| module.html.is_some())
        .flat_map(|module| crate::wrap::targets(module).map(|(_, target)| target).collect::<Vec<_>>())
        .collect();
    for target in loaded {
        modules[target].side_effects = true;
    }
    css::set_exports(modules).err().unwrap_or_default()
}

/// Whether an entry point has a file with code: stylesheets have none, nor pages without scripts.
pub(crate) fn has_code(modules: &[Module], entry: ModuleIndex) -> bool {
    let module = &modules[entry];
    let mut targets = crate::wrap::targets(module).map(|(_, target)| target);
    module.css.is_none() && (module.html.is_none() || targets.any(|target| modules[target].css.is_none()))
}

/// `chunks`: the file of each entry point's code.
pub(crate) fn add_outputs(
    options: &BundleOptions,
    linked: &Linked,
    chunks: &FxHashMap<ModuleIndex, PathBuf>,
    bundle: &mut Bundle,
) -> Result<(), Vec<Diagnostic>> {
    for &entry in &linked.entries[..linked.user_entries] {
        let roots = css::roots(linked, entry);
        let sheet = match roots.is_empty() {
            true => None,
            false => Some(add_stylesheet(options, linked, entry, &roots, bundle)?),
        };
        let code =
            chunks.get(&entry).and_then(|path| bundle.files.iter_mut().find(|file| file.path == *path));
        if let (Some(sheet), Some(details)) = (&sheet, code.and_then(|file| file.details.as_mut())) {
            details.css_bundle = Some(sheet.to_string_lossy().into_owned());
        }
        if linked.modules[entry].html.is_some() {
            let script = chunks.get(&entry).map(PathBuf::as_path);
            add_page(options, linked, entry, script, sheet.as_deref(), bundle)?;
        }
    }
    Ok(())
}

/// Returns its path.
fn add_stylesheet(
    options: &BundleOptions,
    linked: &Linked,
    entry: ModuleIndex,
    roots: &[ModuleIndex],
    bundle: &mut Bundle,
) -> Result<PathBuf, Vec<Diagnostic>> {
    let module = &linked.modules[entry];
    let source = exports::relative_path(&bundle::root_directory(options), &module.path);
    let template = if module.html.is_some() { &options.naming.chunk } else { &options.naming.entry };
    // URLs in the file depend on its directory, which depends on the template alone.
    let directory = exports::output_path(template, Path::new(&source), "css", b"");
    let directory = directory.parent().unwrap_or(Path::new("")).to_owned();
    let url = |target: ModuleIndex| asset_url(options, &linked.modules, target, &directory);
    let rendered = css::render(&linked.modules, roots, options.minify.whitespace, &url)?;
    let path = match (&options.destination, module.css.is_some()) {
        (Destination::File(file), true) => PathBuf::from(file.file_name().unwrap_or_default()),
        (Destination::File(file), false) if module.html.is_none() => {
            PathBuf::from(file.file_name().unwrap_or_default()).with_extension("css")
        }
        _ => exports::output_path(template, Path::new(&source), "css", rendered.code.as_bytes()),
    };
    let mut code = rendered.code;
    let map = bundle::set_sources(options, linked, rendered.map, &path);
    let map_path = PathBuf::from(format!("{}.map", path.display()));
    let comment = match options.source_maps {
        SourceMaps::Inline => Some(map.to_data_url()),
        SourceMaps::Linked => {
            let name = map_path.file_name().unwrap_or_default().to_string_lossy();
            Some(format!("{}{name}", options.public_path))
        }
        SourceMaps::External | SourceMaps::None => None,
    };
    if let Some(url) = comment {
        code.push_str(&format!("\n/*# sourceMappingURL={url} */\n"));
    }
    let kind = if module.css.is_some() { OutputKind::EntryPoint } else { OutputKind::Asset };
    let details = options.has_metafile().then(|| OutputDetails {
        inputs: rendered.file_bytes,
        entry_point: Some(module.name.clone()),
        ..OutputDetails::default()
    });
    bundle.files.push(OutputFile { path: path.clone(), kind, bytes: code.into(), details });
    if matches!(options.source_maps, SourceMaps::Linked | SourceMaps::External) {
        let bytes = map.to_json_string().into_bytes();
        bundle.files.push(OutputFile::new(map_path, OutputKind::SourceMap, bytes));
    }
    Ok(path)
}

fn add_page(
    options: &BundleOptions,
    linked: &Linked,
    entry: ModuleIndex,
    script: Option<&Path>,
    sheet: Option<&Path>,
    bundle: &mut Bundle,
) -> Result<(), Vec<Diagnostic>> {
    let module = &linked.modules[entry];
    let Some(file) = &module.html else { return Ok(()) };
    let source = exports::relative_path(&bundle::root_directory(options), &module.path);
    let directory = exports::output_path(&options.naming.entry, Path::new(&source), "html", b"");
    let directory = directory.parent().unwrap_or(Path::new("")).to_owned();
    let files = PageFiles {
        script: script.map(|path| page_file(options, path, &directory, bundle)),
        stylesheet: sheet.map(|path| page_file(options, path, &directory, bundle)),
        assets: file
            .references
            .iter()
            .map(|reference| match (reference.kind, reference.target) {
                (FileReferenceKind::HtmlAsset, Some(target)) => {
                    Some(asset_url(options, &linked.modules, target, &directory))
                }
                _ => None,
            })
            .collect(),
        is_module: options.format == ModuleFormat::Esm,
    };
    let fail = |message: String| vec![problem::html(&message)];
    let mut page = html::page(file, &files).map_err(fail)?;
    if options.minify.whitespace {
        page = html::minify(&page).map_err(fail)?;
    }
    let path = match &options.destination {
        Destination::File(file) => PathBuf::from(file.file_name().unwrap_or_default()),
        _ => exports::output_path(&options.naming.entry, Path::new(&source), "html", page.as_bytes()),
    };
    bundle.files.push(OutputFile::new(path, OutputKind::EntryPoint, page.into_bytes()));
    Ok(())
}

/// A script or stylesheet of a page: its URL, or the text, which is taken from the outputs.
fn page_file(options: &BundleOptions, path: &Path, directory: &Path, bundle: &mut Bundle) -> PageFile {
    let place = bundle.files.iter().rposition(|file| file.path == path);
    match place.filter(|_| options.is_standalone) {
        Some(place) => {
            let file = bundle.files.remove(place);
            PageFile::Text(file.bytes.into_text())
        }
        None => PageFile::Url(output_url(options, path, directory)),
    }
}

/// The URL of an asset in a file of a directory.
pub(crate) fn asset_url(
    options: &BundleOptions,
    modules: &[Module],
    target: ModuleIndex,
    directory: &Path,
) -> String {
    let module = &modules[target];
    match (&module.asset, &module.data) {
        (Some(path), _) => output_url(options, path, directory),
        // A `data:` URL, as a string literal.
        (None, Some(data)) => rusk_npm::json::parse(&data.text, rusk_npm::json::Dialect::Strict)
            .ok()
            .and_then(|node| node.as_str().map(str::to_owned))
            .unwrap_or_default(),
        (None, None) => String::new(),
    }
}

/// The URL of an output in a file of a directory. Both are relative to the output directory.
fn output_url(options: &BundleOptions, path: &Path, directory: &Path) -> String {
    if !options.public_path.is_empty() {
        return format!("{}{}", options.public_path, path.display());
    }
    let root = Path::new("/");
    let relative = exports::relative_path(&root.join(directory), &root.join(path));
    if relative.starts_with("../") { relative } else { format!("./{relative}") }
}
