//! What a program is given beside its command line: `.env` files and bunfig.toml. In: flags, the
//! folder, the environment. Out: variables, files to load first, constants. The folder is listed
//! once; only what is there is opened. Absent: what they mean.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::path::Path;

use rusk_base::sys::directory::{self, Batch};
use rusk_base::sys::streams::errors;
use rusk_base::sys::{self, FileType};
use rusk_base::{Result, files};
use rusk_npm::bunfig;
use rusk_runtime::{Defines, Preload, PreloadWay};
use rusk_scripts::dotenv;

use super::flags::{Options, Wanted};
use crate::problem;

/// Bytes of one of these files; people write them.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Room for some 250 names. A folder of more is not listed to its end: its names are asked for one
/// by one.
const LISTING_BYTES: usize = 8 * 1024;

/// What the program is given.
#[derive(Default)]
pub struct Settings {
    /// Those that the environment does not have.
    pub variables: BTreeMap<String, String>,
    pub preloads: Vec<Preload>,
    pub defines: Defines,
}

/// `tell` hears of each file that is read.
pub fn read(
    wanted: &Wanted,
    options: &Options,
    folder: &Path,
    environment: &BTreeMap<String, String>,
    tell: &dyn Fn(&str),
) -> Result<Settings> {
    let names = Names::list(folder);
    let bunfig = match names.find(folder, "bunfig.toml", tell)? {
        Some(text) => bunfig::Program::parse(&text)?,
        None => bunfig::Program::default(),
    };
    for key in &bunfig.unknown {
        // There is no other place to say that standard error is gone.
        let _ = writeln!(errors(), "warn: bunfig.toml: `{key}` means nothing here");
    }
    let reads_env = !wanted.env.is_off && bunfig.reads_env != Some(false);
    let texts = match wanted.env.files.is_empty() {
        true if reads_env => default_texts(&names, folder, environment, tell)?,
        true => Vec::new(),
        false => named_texts(wanted, folder, tell)?,
    };
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(Settings {
        variables: if texts.is_empty() {
            BTreeMap::new()
        } else {
            dotenv::read_together(&texts, environment)
        },
        preloads: preloads(&bunfig, wanted, options),
        defines: defines(wanted, &bunfig)?,
    })
}

/// What is said last is loaded last.
fn preloads(bunfig: &bunfig::Program, wanted: &Wanted, options: &Options) -> Vec<Preload> {
    let files = bunfig.preloads.iter().map(|name| Preload::new(PreloadWay::Either, name));
    files.chain(options.preloads.iter().chain(&wanted.preloads).cloned()).collect()
}

/// The first counts most.
fn default_texts(
    names: &Names,
    folder: &Path,
    environment: &BTreeMap<String, String>,
    tell: &dyn Fn(&str),
) -> Result<Vec<String>> {
    let wanted = dotenv::names(environment.get("NODE_ENV").map(String::as_str));
    wanted.iter().filter_map(|name| names.find(folder, name, tell).transpose()).collect()
}

/// The last one counts most, so it is the first.
fn named_texts(wanted: &Wanted, folder: &Path, tell: &dyn Fn(&str)) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for file in wanted.env.files.iter().rev() {
        let path = folder.join(&file.path);
        tell(&path.to_string_lossy());
        match files::find_string(&path, FILE_BYTES_MAX)? {
            Some(text) => texts.push(text),
            None if file.must_exist => return Err(problem::no_env_file(&file.path)),
            None => {}
        }
    }
    Ok(texts)
}

/// A flag counts more than the file.
fn defines(wanted: &Wanted, bunfig: &bunfig::Program) -> Result<Defines> {
    let mut defines = Defines::default();
    let flags = wanted.defines.iter().map(|word| {
        let place = word.find(['=', ':']).ok_or_else(|| problem::define_without_value(word))?;
        Result::Ok((word[..place].to_owned(), word[place + 1..].to_owned()))
    });
    for pair in bunfig.defines.iter().cloned().map(Ok).chain(flags) {
        let (name, value) = pair?;
        defines.add(&name, &value).map_err(|flaw| problem::bad_define(&name, &value, flaw))?;
    }
    Ok(defines)
}

/// The files of a folder; `None`: there may be any.
struct Names(Option<BTreeSet<Vec<u8>>>);

impl Names {
    fn list(folder: &Path) -> Names {
        let Ok(open) = sys::open_folder(sys::CURRENT, folder) else { return Names(None) };
        let mut names = BTreeSet::new();
        let mut buffer = vec![MaybeUninit::<u8>::uninit(); LISTING_BYTES];
        let visit = &mut |name: &std::ffi::CStr, kind: FileType| {
            // A pipe would be waited for.
            if matches!(kind, FileType::RegularFile | FileType::Symlink | FileType::Unknown) {
                names.insert(name.to_bytes().to_vec());
            }
        };
        // File systems that do not mark their last entry say it with the next call.
        for _ in 0..2 {
            match directory::batch(open.as_fd(), &mut buffer, visit) {
                Ok(Batch::Last) => return Names(Some(names)),
                Ok(Batch::Some) => {}
                Err(_) => return Names(None),
            }
        }
        Names(None)
    }

    fn find(&self, folder: &Path, name: &str, tell: &dyn Fn(&str)) -> Result<Option<String>> {
        if self.0.as_ref().is_some_and(|names| !names.contains(name.as_bytes())) {
            return Ok(None);
        }
        let path = folder.join(name);
        let text = files::find_string(&path, FILE_BYTES_MAX)?;
        if text.is_some() {
            tell(&path.to_string_lossy());
        }
        Ok(text)
    }
}
