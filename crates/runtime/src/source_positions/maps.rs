//! Source maps that files bring along, followed with `--enable-source-maps`; those of bundles for
//! bun, of which executables consist, always. In: a file and a position. Out: the file and the
//! position it was generated from. A map is read when the first stack goes through its file.
//! Absent: the sources of sources.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use rusk_transpile::{SourceMap, SourceMapLink, SourcePosition, find_source_map, source_contents};

use super::sources;
use crate::state::RuntimeState;

/// Larger ones are not read: the map of a bundle of 20 MB has some 40 MB.
const MAP_BYTES_MAX: u64 = 256 << 20;

/// The comment in the first lines of a bundle for bun, and how many lines may stand before it.
const BUNDLE_MARK: &str = "// @bun";
const LINES_BEFORE_MARK: usize = 8;

/// A source map, and its directory; `None`: sources have names of their own.
struct Mapped {
    map: SourceMap,
    directory: Option<PathBuf>,
}

thread_local! {
    static MAPS: RefCell<HashMap<String, Option<Mapped>>> = RefCell::default();
    /// `None` until it is first read from the command line.
    static IS_ENABLED: Cell<Option<bool>> = const { Cell::new(None) };
    /// The program wants no maps, not even those of bundles.
    static IS_REFUSED: Cell<bool> = const { Cell::new(false) };
}

pub fn enable(value: bool) {
    IS_ENABLED.set(Some(value));
    IS_REFUSED.set(!value);
    MAPS.take();
}

pub fn are_enabled() -> bool {
    IS_ENABLED.get().unwrap_or_else(|| {
        let value = RuntimeState::current().program.has_flag("--enable-source-maps");
        IS_ENABLED.set(Some(value));
        value
    })
}

/// `None`: the file has no map that is followed, or the map does not have the position.
pub fn mapped(file: &str, position: SourcePosition) -> Option<(String, SourcePosition)> {
    if IS_REFUSED.get() {
        return None;
    }
    MAPS.with_borrow_mut(|maps| {
        if !maps.contains_key(file) {
            maps.insert(file.to_owned(), read(file));
        }
        let Mapped { map, directory } = maps.get(file)?.as_ref()?;
        let found = map.find(position)?;
        let source = map.sources.get(usize::try_from(found.file).ok()?)?;
        let name =
            directory.as_ref().map_or_else(|| source.clone(), |directory| source_name(source, directory));
        Some((name, found.position))
    })
}

/// Whether a file is a bundle for bun.
fn is_bundle(text: &str) -> bool {
    text.lines().take(LINES_BEFORE_MARK).any(|line| line.starts_with(BUNDLE_MARK))
}

fn read(file: &str) -> Option<Mapped> {
    let path = Path::new(file.strip_prefix("file://").unwrap_or(file));
    let directory = path.parent()?;
    let is_embedded =
        rusk_embedded::files().is_some_and(|files| files.find(&path.to_string_lossy()).is_some());
    if is_embedded {
        // The sources are not there: the map has them.
        let contents = sources::with(file, |text| Some(source_contents(text))).unwrap_or_default();
        contents.iter().for_each(|(name, text)| sources::add(name, text));
    }
    sources::with(file, |text| {
        if !are_enabled() && !is_bundle(text) {
            return None;
        }
        match find_source_map(text)? {
            SourceMapLink::Inline(map) => {
                Some(Mapped { map, directory: (!is_embedded).then(|| directory.to_owned()) })
            }
            SourceMapLink::External(address) => {
                let path = directory.join(address.strip_prefix("file://").unwrap_or(address));
                let is_small = std::fs::metadata(&path).is_ok_and(|data| data.len() <= MAP_BYTES_MAX);
                let json = is_small.then(|| std::fs::read_to_string(&path).ok()).flatten()?;
                Some(Mapped { map: SourceMap::parse(&json)?, directory: Some(path.parent()?.to_owned()) })
            }
        }
    })
}

/// The name of a source: URLs are unchanged, paths are resolved.
fn source_name(source: &str, directory: &Path) -> String {
    if let Some(path) = source.strip_prefix("file://") {
        return path.to_owned();
    }
    if source.contains("://") {
        return source.to_owned();
    }
    let mut whole = PathBuf::new();
    for part in directory.join(source).components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole.to_string_lossy().into_owned()
}
