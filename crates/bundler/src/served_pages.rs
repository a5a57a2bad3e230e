//! Pages that a server imports: each is bundled for browsers, and the import's value tells
//! `Bun.serve` which files there are, as in bun. In: scanned modules. Out: their values, and the
//! files of all pages.

use std::path::{Path, PathBuf};

use rusk_npm::json::quote_into;

use crate::bundle::{self, Builds, with_builder};
use crate::data_module::DataModule;
use crate::diagnostic::Diagnostic;
use crate::loader::Loader;
use crate::module::Module;
use crate::options::{BuildTarget, BundleOptions, Destination, ModuleFormat};
use crate::output::{Bundle, OutputFile, OutputKind};
use crate::scan::media_type;

/// What building the pages has made.
#[derive(Debug, Default)]
pub(crate) struct ServedPages {
    pub(crate) files: Vec<OutputFile>,
    pub(crate) modules: usize,
    /// Files that were read, or should have been.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) errors: Vec<Diagnostic>,
}

/// Builds all pages among the modules, and sets the values of their modules.
pub(crate) fn build(options: &BundleOptions, modules: &mut [Module]) -> ServedPages {
    let mut pages = ServedPages::default();
    for module in modules.iter_mut().filter(|module| module.loader == Some(Loader::ServedPage)) {
        let options = page_options(options, &module.path);
        let built = with_builder(&options, Builds::One, |builder| {
            let built = builder.build_all();
            pages.inputs.extend(builder.files().map(Path::to_owned));
            built
        });
        match built.and_then(|built| built) {
            Ok(built) => {
                module.data = Some(DataModule::of_expression(manifest(&options, &module.name, &built)));
                pages.add(built, options.is_executable);
            }
            Err(errors) => pages.errors.extend(errors),
        }
    }
    pages
}

impl ServedPages {
    fn add(&mut self, built: Bundle, is_executable: bool) {
        self.modules += built.modules;
        self.inputs.extend(built.inputs);
        self.warnings.extend(built.warnings);
        // An executable has one program; these are files in it.
        let kind = |kind| if is_executable { OutputKind::Asset } else { kind };
        self.files.extend(built.files.into_iter().map(|file| OutputFile { kind: kind(file.kind), ..file }));
    }
}

fn page_options(options: &BundleOptions, page: &Path) -> BundleOptions {
    let mut own = BundleOptions {
        entries: vec![page.to_string_lossy().into_owned()],
        target: BuildTarget::Browser,
        format: ModuleFormat::Esm,
        root: Some(bundle::root_directory(options)),
        metafile: false,
        banner: String::new(),
        footer: String::new(),
        ..options.clone()
    };
    if let Destination::File(file) = &options.destination {
        own.destination = Destination::Directory(file.parent().unwrap_or(Path::new("/")).to_owned());
    }
    if options.is_executable || options.public_path.is_empty() {
        // The server has the files at its root, whatever the page's route is.
        own.public_path = "/".to_owned();
    }
    if options.is_executable {
        own.naming.entry = "[name]-[hash].[ext]".to_owned();
    }
    own
}

/// The value of an import: the page, and all files with their headers.
fn manifest(options: &BundleOptions, name: &str, built: &Bundle) -> String {
    let prefix = if options.is_executable { rusk_embedded::ROOT } else { "./" };
    let is_page = |file: &&OutputFile| file.path.extension().is_some_and(|end| end == "html");
    let index = built.files.iter().find(is_page).map(|file| file.path.clone()).unwrap_or_default();
    let mut text = "{ \"index\": ".to_owned();
    quote_into(&mut text, &format!("{prefix}{}", index.display()));
    text.push_str(", \"files\": [");
    for (number, file) in built.files.iter().enumerate() {
        let extension = file.path.extension().unwrap_or_default().to_string_lossy();
        let loader = match file.kind {
            OutputKind::Asset if extension != "css" => Loader::File,
            OutputKind::SourceMap => Loader::File,
            _ => Loader::of_extension(&extension),
        };
        let is_entry = file.kind == OutputKind::EntryPoint || extension == "css" || extension == "js";
        text.push_str(if number == 0 { "{ \"input\": " } else { ", { \"input\": " });
        quote_into(&mut text, name);
        text.push_str(", \"path\": ");
        quote_into(&mut text, &format!("{prefix}{}", file.path.display()));
        text.push_str(&format!(
            ", \"loader\": \"{}\", \"isEntry\": {is_entry}, \"headers\": {{ \"etag\": \"{}\", \"content-type\": \"{}\" }} }}",
            loader.name(),
            file.hash(),
            content_type(&extension, &file.path),
        ));
    }
    text.push_str("] }");
    text
}

fn content_type(extension: &str, path: &Path) -> &'static str {
    match extension {
        "map" => "application/json;charset=utf-8",
        "json" => "application/json;charset=utf-8",
        _ => media_type(path),
    }
}
