//! Options of `Bun.build` as options of the bundler. In: the JSON that
//! js/internal/bundler/options.js makes, which has checked it. Out: [`BundleOptions`].

use std::path::PathBuf;

use rusk_base::files;
use rusk_bundler::{
    BuildTarget, BundleOptions, Destination, ExecutableSettings, JsxOverrides, Loader, MemoryFiles, Minify,
    ModuleFormat, Naming, Packages, PluginFilter, SourceMaps,
};
use rusk_npm::json::{Node, Value};

/// Where values are missing, JavaScript was not ours.
fn text(node: &Node<'_>, key: &str) -> Option<String> {
    node.find(key).and_then(Node::as_str).map(str::to_owned)
}

fn is_on(node: &Node<'_>, key: &str) -> bool {
    matches!(node.find(key).map(|found| &found.value), Some(Value::Bool(true)))
}

fn flag(node: &Node<'_>, key: &str) -> Option<bool> {
    match node.find(key)?.value {
        Value::Bool(value) => Some(value),
        _ => None,
    }
}

fn number(node: &Node<'_>, key: &str) -> usize {
    match node.find(key).map(|found| &found.value) {
        Some(Value::Number(digits)) => digits.parse().unwrap_or(0),
        _ => 0,
    }
}

fn string_list(node: &Node<'_>, key: &str) -> Vec<String> {
    let elements = node.find(key).map(Node::elements).unwrap_or_default();
    elements.iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Members of an object whose values are strings.
fn pairs(node: &Node<'_>, key: &str) -> Vec<(String, String)> {
    let members = node.find(key).map(Node::members).unwrap_or_default();
    let pair = |member: &rusk_npm::json::Member<'_>| {
        Some((member.key.to_string(), member.node.as_str()?.to_owned()))
    };
    members.iter().filter_map(pair).collect()
}

pub(crate) fn options(node: &Node<'_>, memory: Vec<(String, Vec<u8>)>) -> BundleOptions {
    let current_dir = PathBuf::from(text(node, "currentDir").unwrap_or_default());
    let absolute = |path: &str| files::normalized(&current_dir.join(path));
    let usual = Naming::default();
    let entries = rusk_bundler::expand_entries(&current_dir, string_list(node, "entrypoints"));
    let defaults = BundleOptions::new(current_dir.clone(), entries);
    BundleOptions {
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        target: match text(node, "target").as_deref() {
            Some("bun") => BuildTarget::Bun,
            Some("node") => BuildTarget::Node,
            _ => BuildTarget::Browser,
        },
        format: match text(node, "format").as_deref() {
            Some("cjs") => ModuleFormat::CommonJs,
            Some("iife") => ModuleFormat::Iife,
            _ => ModuleFormat::Esm,
        },
        destination: match (text(node, "outfile"), text(node, "outdir")) {
            (Some(file), _) => Destination::File(absolute(&file)),
            (None, Some(directory)) => Destination::Directory(absolute(&directory)),
            (None, None) => Destination::Text,
        },
        externals: string_list(node, "external"),
        packages: match text(node, "packages").as_deref() {
            Some("external") => Packages::External,
            _ => Packages::Bundle,
        },
        defines: pairs(node, "define"),
        source_maps: source_maps(node),
        minify: Minify {
            whitespace: is_on(node, "minifyWhitespace"),
            syntax: is_on(node, "minifySyntax"),
            identifiers: is_on(node, "minifyIdentifiers"),
        },
        splitting: is_on(node, "splitting"),
        min_chunk_bytes: number(node, "minChunkSize"),
        allow_unresolved: node.find("allowUnresolved").map(|_| string_list(node, "allowUnresolved")),
        naming: Naming {
            entry: text(node, "entryNaming").unwrap_or(usual.entry),
            chunk: text(node, "chunkNaming").unwrap_or(usual.chunk),
            asset: text(node, "assetNaming").unwrap_or(usual.asset),
        },
        public_path: text(node, "publicPath").unwrap_or_default(),
        drop: string_list(node, "drop"),
        features: string_list(node, "features"),
        conditions: string_list(node, "conditions"),
        loaders: loaders(node),
        banner: text(node, "banner").unwrap_or_default(),
        footer: text(node, "footer").unwrap_or_default(),
        jsx: jsx(node),
        root: text(node, "root").map(|root| absolute(&root)),
        keeps_annotations: flag(node, "emitDCEAnnotations").unwrap_or(!is_on(node, "minifyWhitespace")),
        keep_names: is_on(node, "keepNames"),
        metafile: is_on(node, "metafile"),
        metafile_markdown: is_on(node, "metafileMarkdown"),
        files: MemoryFiles::new(&current_dir, memory),
        ..defaults
    }
}

fn loaders(node: &Node<'_>) -> Vec<(String, Loader)> {
    let all = pairs(node, "loader").into_iter();
    all.filter_map(|(extension, name)| Some((extension, Loader::of_name(&name)?))).collect()
}

fn source_maps(node: &Node<'_>) -> SourceMaps {
    match text(node, "sourcemap").as_deref() {
        Some("linked") => SourceMaps::Linked,
        Some("inline") => SourceMaps::Inline,
        Some("external") => SourceMaps::External,
        _ => SourceMaps::None,
    }
}

fn jsx(node: &Node<'_>) -> JsxOverrides {
    JsxOverrides {
        is_classic: text(node, "jsxRuntime").map(|runtime| runtime == "classic"),
        factory: text(node, "jsxFactory"),
        fragment: text(node, "jsxFragment"),
        import_source: text(node, "jsxImportSource"),
        is_development: flag(node, "jsxDevelopment"),
        has_refresh: is_on(node, "reactFastRefresh"),
    }
}

/// How an executable is run; `None`: none is made.
pub(crate) fn executable(node: &Node<'_>) -> Option<ExecutableSettings> {
    let own = node.find("compile").filter(|own| matches!(own.value, Value::Object(_)))?;
    Some(ExecutableSettings {
        exec_arguments: string_list(own, "execArgv"),
        reads_env: flag(own, "autoloadDotenv") != Some(false),
        reads_bunfig: flag(own, "autoloadBunfig") != Some(false),
        assets: string_list(own, "assets").into_iter().map(PathBuf::from).collect(),
        program: text(own, "executablePath").map(PathBuf::from),
    })
}

/// Filters of one kind: arrays of pattern, flags and namespace.
pub(crate) fn filters(node: &Node<'_>, key: &str) -> Result<Vec<PluginFilter>, String> {
    let all = node.find(key).map(Node::elements).unwrap_or_default();
    let filter = |one: &Node<'_>| {
        let part = |index: usize| one.elements().get(index).and_then(Node::as_str);
        let (pattern, flags) = (part(0).unwrap_or_default(), part(1).unwrap_or_default());
        PluginFilter::new(pattern, flags, part(2).map(str::to_owned))
            .map_err(|error| format!("the filter /{pattern}/{flags} is not supported: {error}"))
    };
    all.iter().map(filter).collect()
}
