//! Settings of a program from `.env` files and bunfig.toml. In: flags, the directory, the
//! environment. Out: environment variables, preloads, defines, flags. The directory is listed
//! once, and only files that exist are opened. Absent: what the settings do.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use rusk_base::sys::directory::{self, Batch};
use rusk_base::sys::stdio::stderr;
use rusk_base::sys::{self, FileType};
use rusk_base::{Result, files};
use rusk_npm::bunfig;
use rusk_runtime::{CompilerOptions, Defines, Preload, PreloadKind};
use rusk_scripts::dotenv;

use crate::problem;
use rusk_command_line::program_flags::{NodeOptions, ProgramInvocation};

/// Limit of one of these files, which are written by hand.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Buffer for about 250 names. A larger directory is not listed to its end; each file is looked up
/// instead.
const LISTING_BYTES: usize = 8 * 1024;

/// The settings.
#[derive(Default)]
pub struct Settings {
    /// Environment variables that the environment does not have already.
    pub variables: BTreeMap<String, String>,
    pub preloads: Vec<Preload>,
    pub defines: Defines,
    /// Flags that bunfig.toml stands for.
    pub arguments: Vec<String>,
    pub jsx: CompilerOptions,
}

/// `report_file` is called with each file that is read.
pub fn read(
    invocation: &ProgramInvocation,
    node_options: &NodeOptions,
    dir: &Path,
    environment: &BTreeMap<String, String>,
    report_file: &dyn Fn(&str),
) -> Result<Settings> {
    let listing = Listing::read(dir);
    let bunfig = match listing.find(dir, "bunfig.toml", report_file)? {
        _ if !invocation.reads_bunfig => bunfig::Program::default(),
        Some(text) => bunfig::Program::parse(&text)?,
        None => bunfig::Program::default(),
    };
    for key in &bunfig.unknown {
        // If stderr is closed, there is nowhere to report it.
        let _ = writeln!(stderr(), "warn: bunfig.toml: `{key}` is not supported and ignored");
    }
    let reads_env = !invocation.env_files.is_off && bunfig.reads_env != Some(false);
    let env_files = match invocation.env_files.files.is_empty() {
        true if reads_env => default_env_files(&listing, dir, environment, report_file)?,
        true => Vec::new(),
        false => named_env_files(invocation, dir, report_file)?,
    };
    let env_files: Vec<&str> = env_files.iter().map(String::as_str).collect();
    Ok(Settings {
        variables: if env_files.is_empty() {
            BTreeMap::new()
        } else {
            dotenv::parse_files(&env_files, environment)
        },
        preloads: preloads(&bunfig, invocation, node_options),
        defines: defines(invocation, &bunfig)?,
        arguments: arguments(&bunfig),
        jsx: compiler_options(bunfig.jsx),
    })
}

/// The keys of bunfig.toml for JSX as those of tsconfig.json.
pub fn compiler_options(jsx: bunfig::JsxTable) -> CompilerOptions {
    CompilerOptions {
        jsx: jsx.runtime,
        jsx_factory: jsx.factory,
        jsx_fragment_factory: jsx.fragment,
        jsx_import_source: jsx.import_source,
        ..CompilerOptions::default()
    }
}

fn arguments(bunfig: &bunfig::Program) -> Vec<String> {
    let depth = bunfig.console_depth.map(|depth| format!("--console-depth={depth}"));
    depth.into_iter().chain(bunfig.port.map(|port| format!("--port={port}"))).collect()
}

/// In the order in which they are loaded: bunfig.toml, NODE_OPTIONS, the command line.
fn preloads(
    bunfig: &bunfig::Program,
    invocation: &ProgramInvocation,
    node_options: &NodeOptions,
) -> Vec<Preload> {
    let files = bunfig.preloads.iter().map(|name| Preload::new(PreloadKind::Either, name));
    files.chain(node_options.preloads.iter().chain(&invocation.preloads).cloned()).collect()
}

/// The contents of the default `.env` files; the first takes precedence.
fn default_env_files(
    listing: &Listing,
    dir: &Path,
    environment: &BTreeMap<String, String>,
    report_file: &dyn Fn(&str),
) -> Result<Vec<String>> {
    let names = dotenv::names(environment.get("NODE_ENV").map(String::as_str));
    names.iter().filter_map(|name| listing.find(dir, name, report_file).transpose()).collect()
}

/// The contents of the `.env` files named by flags, reversed: the last one takes precedence.
fn named_env_files(
    invocation: &ProgramInvocation,
    dir: &Path,
    report_file: &dyn Fn(&str),
) -> Result<Vec<String>> {
    let mut contents = Vec::new();
    for file in invocation.env_files.files.iter().rev() {
        let path = dir.join(&file.path);
        report_file(&path.to_string_lossy());
        match find_text(&path)? {
            Some(text) => contents.push(text),
            None if file.must_exist => return Err(problem::no_env_file(&file.path)),
            None => {}
        }
    }
    Ok(contents)
}

/// A file, or a pipe, as in `--env-file=<(command)`.
pub fn find_text(path: &Path) -> Result<Option<String>> {
    let kind = std::fs::metadata(path).map(|found| found.file_type());
    if !kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket() || kind.is_char_device()) {
        return files::find_string(path, FILE_BYTES_MAX);
    }
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(FILE_BYTES_MAX).read_to_string(&mut text));
    read.map(|_| Some(text)).map_err(|error| problem::env_file(path, error))
}

/// Flags take precedence over bunfig.toml.
fn defines(invocation: &ProgramInvocation, bunfig: &bunfig::Program) -> Result<Defines> {
    let mut defines = Defines::default();
    let flags = invocation.defines.iter().map(|define| {
        let separator = define.find(['=', ':']).ok_or_else(|| problem::define_without_value(define))?;
        Result::Ok((define[..separator].to_owned(), define[separator + 1..].to_owned()))
    });
    for pair in bunfig.defines.iter().cloned().map(Ok).chain(flags) {
        let (name, value) = pair?;
        defines.add(&name, &value).map_err(|flaw| problem::bad_define(&name, &value, flaw))?;
    }
    Ok(defines)
}

/// The files of a directory; `None`: not listed, any file may exist.
struct Listing(Option<BTreeSet<Vec<u8>>>);

impl Listing {
    fn read(dir: &Path) -> Listing {
        let Ok(open) = sys::open_directory(sys::CWD, dir) else { return Listing(None) };
        let mut names = BTreeSet::new();
        let mut buffer = vec![MaybeUninit::<u8>::uninit(); LISTING_BYTES];
        let visit = &mut |name: &std::ffi::CStr, kind: FileType| {
            // Reading a named pipe would block.
            if matches!(kind, FileType::RegularFile | FileType::Symlink | FileType::Unknown) {
                names.insert(name.to_bytes().to_vec());
            }
        };
        // Some file systems report the end of the directory only with the next call.
        for _ in 0..2 {
            match directory::read_batch(open.as_fd(), &mut buffer, visit) {
                Ok(Batch::Last) => return Listing(Some(names)),
                Ok(Batch::Some) => {}
                Err(_) => return Listing(None),
            }
        }
        Listing(None)
    }

    fn find(&self, dir: &Path, name: &str, report_file: &dyn Fn(&str)) -> Result<Option<String>> {
        if self.0.as_ref().is_some_and(|names| !names.contains(name.as_bytes())) {
            return Ok(None);
        }
        let path = dir.join(name);
        let text = files::find_string(&path, FILE_BYTES_MAX)?;
        if text.is_some() {
            report_file(&path.to_string_lossy());
        }
        Ok(text)
    }
}
