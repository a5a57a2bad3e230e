//! Options of a bundle from flags and the environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_bundler::{
    BuildMode, BuildTarget, BundleOptions, Destination, JsxOverrides, Loader, Minify, ModuleFormat, Naming,
    Packages, SourceMaps,
};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_npm::bunfig;
use rusk_scripts::dotenv;

use crate::program::settings;
use crate::{host, problem};

const NODE_ENV: &str = "process.env.NODE_ENV";

/// As for programs.
const SETTINGS_BYTES_MAX: u64 = 1024 * 1024;

pub fn options(invocation: &Invocation, environment: &BTreeMap<String, String>) -> Result<BundleOptions> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let bunfig = match files::find_string(&current_dir.join("bunfig.toml"), SETTINGS_BYTES_MAX)? {
        Some(text) => bunfig::Program::parse(&text)?,
        None => bunfig::Program::default(),
    };
    let entries = rusk_bundler::expand_entries(&current_dir, invocation.operands.clone());
    let strings = |flag| invocation.values(flag).map(str::to_owned).collect::<Vec<String>>();
    let text = |flag| invocation.value(flag).unwrap_or_default().to_owned();
    let minify = minify(invocation);
    let root = root(invocation, &current_dir)?;
    let splitting = splitting(invocation)?;
    let options = BundleOptions {
        threads: host::processors(),
        target: target(invocation, &current_dir),
        format: match invocation.value(Flag::BuildFormat) {
            Some("cjs") => ModuleFormat::CommonJs,
            Some("iife") => ModuleFormat::Iife,
            _ => ModuleFormat::Esm,
        },
        destination: destination(invocation, &current_dir, entries.len())?,
        externals: strings(Flag::External),
        packages: match invocation.value(Flag::Packages) {
            Some("external") => Packages::External,
            _ => Packages::Bundle,
        },
        defines: defines(invocation, environment, &current_dir, bunfig.defines)?,
        source_maps: source_maps(invocation)?,
        minify,
        splitting,
        min_chunk_bytes: invocation
            .value(Flag::MinChunkSize)
            .and_then(|bytes| bytes.parse().ok())
            .unwrap_or(0),
        allow_unresolved: allow_unresolved(invocation),
        metafile: invocation.is_given(Flag::Metafile),
        metafile_markdown: invocation.is_given(Flag::MetafileMd),
        mode: match invocation.is_on(Flag::NoBundle) {
            true => BuildMode::Transpile,
            false => BuildMode::Bundle,
        },
        naming: naming(invocation),
        public_path: text(Flag::PublicPath),
        drop: strings(Flag::Drop),
        features: strings(Flag::Feature),
        conditions: strings(Flag::Conditions),
        loaders: loaders(invocation, &bunfig.loaders)?,
        banner: text(Flag::Banner),
        footer: text(Flag::Footer),
        jsx: JsxOverrides {
            is_classic: invocation.value(Flag::JsxRuntime).map(|runtime| runtime == "classic"),
            factory: invocation.value(Flag::JsxFactory).map(str::to_owned),
            fragment: invocation.value(Flag::JsxFragment).map(str::to_owned),
            import_source: invocation.value(Flag::JsxImportSource).map(str::to_owned),
            is_development: None,
            has_refresh: invocation.is_on(Flag::ReactFastRefresh),
        },
        jsx_defaults: settings::compiler_options(bunfig.jsx),
        root,
        keeps_annotations: match invocation.is_negated(Flag::EmitDceAnnotations) {
            true => false,
            false => invocation.is_on(Flag::EmitDceAnnotations) || !minify.whitespace,
        },
        keep_names: invocation.is_on(Flag::KeepNames),
        macro_program: match invocation.is_on(Flag::NoMacros) {
            true => None,
            false => Some(host::program()?),
        },
        ..BundleOptions::new(current_dir.clone(), entries)
    };
    Ok(options)
}

/// As in bun, a program whose first line names bun is for it.
fn target(invocation: &Invocation, current_dir: &Path) -> BuildTarget {
    let is_for_bun = |entry: &String| rusk_bundler::names_bun(&current_dir.join(entry));
    match invocation.value(Flag::Target) {
        Some("bun") => BuildTarget::Bun,
        Some("node") => BuildTarget::Node,
        Some(_) => BuildTarget::Browser,
        None if invocation.operands.iter().any(is_for_bun) => BuildTarget::Bun,
        None => BuildTarget::Browser,
    }
}

/// The file of --metafile or --metafile-md, `usual` if it has no name.
pub fn metafile(invocation: &Invocation, flag: Flag, usual: &str, current_dir: &Path) -> Option<PathBuf> {
    let name = invocation.value(flag).filter(|name| !name.is_empty()).unwrap_or(usual);
    invocation.is_given(flag).then(|| current_dir.join(name))
}

/// Patterns; `<empty>` is bun's word for the empty one.
fn allow_unresolved(invocation: &Invocation) -> Option<Vec<String>> {
    if invocation.is_on(Flag::RejectUnresolved) {
        return Some(Vec::new());
    }
    let patterns = invocation.values(Flag::AllowUnresolved);
    let patterns = patterns.map(|text| if text == "<empty>" { "" } else { text }.to_owned());
    let patterns: Vec<String> = patterns.collect();
    (!patterns.is_empty()).then_some(patterns)
}

fn destination(invocation: &Invocation, current_dir: &Path, count: usize) -> Result<Destination> {
    let is_executable = invocation.is_on(Flag::Compile) && invocation.value(Flag::Target) != Some("browser");
    if invocation.values(Flag::Asset).next().is_some() && !is_executable {
        return Err(problem::build_asset_without_compile());
    }
    match (invocation.path(Flag::Outdir), invocation.path(Flag::Outfile)) {
        (Some(directory), _) => Ok(Destination::Directory(current_dir.join(directory))),
        (None, Some(file)) if is_executable => Ok(Destination::File(current_dir.join(file))),
        (None, Some(_)) if count > 1 => Err(problem::build_outfile_for_many(count)),
        (None, Some(_)) if invocation.is_on(Flag::Splitting) => Err(problem::build_outfile_for_chunks()),
        (None, Some(file)) => Ok(Destination::File(current_dir.join(file))),
        (None, None) if is_executable => Ok(Destination::Text),
        (None, None) if count > 1 => Err(problem::build_outdir_for_many(count)),
        (None, None) if invocation.is_on(Flag::Splitting) => Err(problem::build_outdir_for_chunks()),
        // As in bun: two outputs cannot be printed.
        (None, None) if matches!(source_maps(invocation)?, SourceMaps::Linked | SourceMaps::External) => {
            Ok(Destination::Directory(current_dir.join("dist")))
        }
        (None, None) => Ok(Destination::Text),
    }
}

/// The directory of --root.
fn root(invocation: &Invocation, current_dir: &Path) -> Result<Option<PathBuf>> {
    let root = invocation.path(Flag::RootDir).map(|root| current_dir.join(root));
    match &root {
        Some(root) if !files::is_directory(root) => Err(problem::build_root(root)),
        _ => Ok(root),
    }
}

fn splitting(invocation: &Invocation) -> Result<bool> {
    match (invocation.is_on(Flag::Splitting), invocation.value(Flag::BuildFormat)) {
        (true, Some(format @ ("cjs" | "iife"))) => Err(problem::build_splitting_format(format)),
        (is_on, _) => Ok(is_on),
    }
}

fn minify(invocation: &Invocation) -> Minify {
    if invocation.is_on(Flag::Minify) || invocation.is_on(Flag::Production) {
        return Minify::ALL;
    }
    Minify {
        whitespace: invocation.is_on(Flag::MinifyWhitespace),
        syntax: invocation.is_on(Flag::MinifySyntax),
        identifiers: invocation.is_on(Flag::MinifyIdentifiers),
    }
}

fn source_maps(invocation: &Invocation) -> Result<SourceMaps> {
    if !invocation.is_given(Flag::Sourcemap) {
        return Ok(SourceMaps::None);
    }
    let mode = invocation.value(Flag::Sourcemap).filter(|mode| !mode.is_empty()).unwrap_or("linked");
    SourceMaps::of_name(mode).ok_or_else(|| problem::build_source_map_mode(mode))
}

fn naming(invocation: &Invocation) -> Naming {
    let flags = [Flag::EntryNaming, Flag::ChunkNaming, Flag::AssetNaming];
    Naming::of_templates(flags.map(|flag| invocation.value(flag)))
}

/// Flags take precedence over bunfig.toml.
fn loaders(invocation: &Invocation, bunfig: &[(String, String)]) -> Result<Vec<(String, Loader)>> {
    let values = invocation.values(Flag::Loader).map(str::to_owned);
    let bunfig = bunfig.iter().map(|(extension, name)| format!("{extension}:{name}"));
    values
        .chain(bunfig)
        .map(|text| Loader::of_flag(&text).ok_or_else(|| problem::build_loader(&text, &Loader::list())))
        .collect()
}

/// The environment, and variables of `.env` files that it does not have.
fn with_env_files(
    invocation: &Invocation,
    environment: &BTreeMap<String, String>,
    directory: &Path,
) -> Result<BTreeMap<String, String>> {
    let mode = match invocation.is_on(Flag::Production) {
        true => Some("production"),
        false => environment.get("NODE_ENV").map(String::as_str),
    };
    let names = dotenv::names(mode);
    let texts = names
        .iter()
        .filter_map(|name| files::find_string(&directory.join(name), SETTINGS_BYTES_MAX).transpose());
    let texts: Vec<String> = texts.collect::<Result<_>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut all = dotenv::parse_files(&texts, environment);
    all.extend(environment.clone());
    Ok(all)
}

fn defines(
    invocation: &Invocation,
    environment: &BTreeMap<String, String>,
    current_dir: &Path,
    bunfig: Vec<(String, String)>,
) -> Result<Vec<(String, String)>> {
    let mut defines = Vec::new();
    let with_files = match invocation.is_given(Flag::Env) {
        true => Some(with_env_files(invocation, environment, current_dir)?),
        false => None,
    };
    let environment = with_files.as_ref().unwrap_or(environment);
    for mode in invocation.values(Flag::Env) {
        let prefix = match mode {
            "disable" => continue,
            "inline" => "",
            pattern => pattern.strip_suffix('*').ok_or_else(|| problem::build_env(pattern))?,
        };
        defines.extend(rusk_bundler::environment_defines(environment, prefix));
    }
    let node_env = match invocation.is_on(Flag::Production) {
        true => "production",
        false => environment.get("NODE_ENV").map_or("development", String::as_str),
    };
    let is_disabled = invocation.values(Flag::Env).any(|mode| mode == "disable");
    if !is_disabled || invocation.is_on(Flag::Production) {
        defines.push((NODE_ENV.to_owned(), rusk_bundler::string_constant(node_env)));
    }
    defines.extend(bunfig);
    for text in invocation.values(Flag::Define) {
        let at = text.find(['=', ':']).ok_or_else(|| problem::build_define(text))?;
        defines.push((text[..at].to_owned(), text[at + 1..].to_owned()));
    }
    Ok(defines)
}
