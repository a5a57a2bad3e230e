//! Options of a bundle from flags and the environment.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_bundler::{
    BuildMode, BuildTarget, BundleOptions, Destination, JsxOverrides, Loader, Minify, ModuleFormat, Naming,
    Packages, SourceMaps,
};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_npm::json;
use rusk_scripts::dotenv;

use crate::{host, problem};

const NODE_ENV: &str = "process.env.NODE_ENV";

/// As for programs.
const ENV_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The kernel's limit of a first line that names a program: BINPRM_BUF_SIZE.
const HASHBANG_BYTES_MAX: u64 = 256;

pub fn options(invocation: &Invocation, environment: &BTreeMap<String, String>) -> Result<BundleOptions> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let entries = rusk_bundler::expand_entries(&current_dir, invocation.operands.clone());
    let strings = |flag| invocation.values(flag).map(str::to_owned).collect::<Vec<String>>();
    let text = |flag| invocation.value(flag).unwrap_or_default().to_owned();
    let minify = minify(invocation);
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
        defines: defines(invocation, environment, &current_dir)?,
        source_maps: source_maps(invocation)?,
        minify,
        splitting: splitting(invocation)?,
        metafile: invocation.is_given(Flag::Metafile),
        mode: match invocation.is_on(Flag::NoBundle) {
            true => BuildMode::Transpile,
            false => BuildMode::Bundle,
        },
        naming: naming(invocation),
        public_path: text(Flag::PublicPath),
        drop: strings(Flag::Drop),
        features: strings(Flag::Feature),
        conditions: strings(Flag::Conditions),
        loaders: loaders(invocation)?,
        banner: text(Flag::Banner),
        footer: text(Flag::Footer),
        jsx: JsxOverrides {
            is_classic: invocation.value(Flag::JsxRuntime).map(|runtime| runtime == "classic"),
            factory: invocation.value(Flag::JsxFactory).map(str::to_owned),
            fragment: invocation.value(Flag::JsxFragment).map(str::to_owned),
            import_source: invocation.value(Flag::JsxImportSource).map(str::to_owned),
            is_development: None,
        },
        root: invocation.path(Flag::RootDir).map(|root| current_dir.join(root)),
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
    let is_program = |entry: &String| {
        let mut line = Vec::new();
        // A file that cannot be read is an error of the build.
        let read = std::fs::File::open(current_dir.join(entry))
            .and_then(|file| BufReader::new(file.take(HASHBANG_BYTES_MAX)).read_until(b'\n', &mut line));
        let line = String::from_utf8_lossy(&line);
        read.is_ok()
            && line.starts_with("#!")
            && ["bun", "rusk"].iter().any(|name| line.trim_end().ends_with(name))
    };
    match invocation.value(Flag::Target) {
        Some("bun") => BuildTarget::Bun,
        Some("node") => BuildTarget::Node,
        Some(_) => BuildTarget::Browser,
        None if invocation.operands.iter().any(is_program) => BuildTarget::Bun,
        None => BuildTarget::Browser,
    }
}

/// The file of --metafile.
pub fn metafile(invocation: &Invocation, current_dir: &Path) -> Option<PathBuf> {
    let name = match invocation.value(Flag::Metafile) {
        None | Some("") => "meta.json",
        Some(name) => name,
    };
    invocation.is_given(Flag::Metafile).then(|| current_dir.join(name))
}

fn destination(invocation: &Invocation, current_dir: &Path, count: usize) -> Result<Destination> {
    let is_executable = invocation.is_on(Flag::Compile) && invocation.value(Flag::Target) != Some("browser");
    match (invocation.path(Flag::Outdir), invocation.path(Flag::Outfile)) {
        (Some(directory), _) => Ok(Destination::Directory(current_dir.join(directory))),
        (None, Some(file)) if is_executable => Ok(Destination::File(current_dir.join(file))),
        (None, Some(_)) if count > 1 => Err(problem::build_outfile_for_many(count)),
        (None, Some(_)) if invocation.is_on(Flag::Splitting) => Err(problem::build_outfile_for_chunks()),
        (None, Some(file)) => Ok(Destination::File(current_dir.join(file))),
        // As in bun: several outputs cannot be printed.
        (None, None)
            if count > 1
                || invocation.is_on(Flag::Splitting)
                || matches!(source_maps(invocation)?, SourceMaps::Linked | SourceMaps::External) =>
        {
            Ok(Destination::Directory(current_dir.join("dist")))
        }
        (None, None) => Ok(Destination::Text),
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
    match invocation.value(Flag::Sourcemap) {
        None | Some("" | "linked") => Ok(SourceMaps::Linked),
        Some("inline") => Ok(SourceMaps::Inline),
        Some("external") => Ok(SourceMaps::External),
        Some("none") => Ok(SourceMaps::None),
        Some(other) => Err(problem::build_source_map_mode(other)),
    }
}

fn naming(invocation: &Invocation) -> Naming {
    let usual = Naming::default();
    let template = |flag, usual: String| invocation.value(flag).map_or(usual, str::to_owned);
    Naming {
        entry: template(Flag::EntryNaming, usual.entry),
        chunk: template(Flag::ChunkNaming, usual.chunk),
        asset: template(Flag::AssetNaming, usual.asset),
    }
}

fn loaders(invocation: &Invocation) -> Result<Vec<(String, Loader)>> {
    let parse = |text: &str| {
        let (extension, name) = text.split_once(':')?;
        let loader = Loader::of_name(name)?;
        extension.starts_with('.').then(|| (extension.to_owned(), loader))
    };
    invocation
        .values(Flag::Loader)
        .map(|text| parse(text).ok_or_else(|| problem::build_loader(text)))
        .collect()
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::quote_into(&mut out, text);
    out
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
        .filter_map(|name| files::find_string(&directory.join(name), ENV_FILE_BYTES_MAX).transpose());
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
        let inlined = environment.iter().filter(|(name, _)| name.starts_with(prefix) && *name != "NODE_ENV");
        let names = inlined.filter(|(name, _)| {
            name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
                && !name.starts_with(|first: char| first.is_ascii_digit())
        });
        defines.extend(names.map(|(name, value)| (format!("process.env.{name}"), quoted(value))));
    }
    let node_env = match invocation.is_on(Flag::Production) {
        true => "production",
        false => environment.get("NODE_ENV").map_or("development", String::as_str),
    };
    let is_disabled = invocation.values(Flag::Env).any(|mode| mode == "disable");
    if !is_disabled || invocation.is_on(Flag::Production) {
        defines.push((NODE_ENV.to_owned(), quoted(node_env)));
    }
    for text in invocation.values(Flag::Define) {
        let at = text.find(['=', ':']).ok_or_else(|| problem::build_define(text))?;
        defines.push((text[..at].to_owned(), text[at + 1..].to_owned()));
    }
    Ok(defines)
}
