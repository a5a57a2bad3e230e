//! Source maps that files bring along, followed with `--enable-source-maps`. In: a file and a
//! position. Out: the file and the position it was generated from. A map is read when the first
//! stack goes through its file. Absent: the sources of sources.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use rusk_transpile::{SourceMap, SourceMapLink, SourcePosition, find_source_map};

use super::sources;
use crate::state::RuntimeState;

/// Larger ones are not read: the map of a bundle of 20 MB has some 40 MB.
const MAP_BYTES_MAX: u64 = 256 << 20;

/// A source map, and its directory.
struct Mapped {
    map: SourceMap,
    directory: PathBuf,
}

thread_local! {
    static MAPS: RefCell<HashMap<String, Option<Mapped>>> = RefCell::default();
    /// `None` until it is first read from the command line.
    static IS_ENABLED: Cell<Option<bool>> = const { Cell::new(None) };
}

pub fn enable(value: bool) {
    IS_ENABLED.set(Some(value));
}

pub fn are_enabled() -> bool {
    IS_ENABLED.get().unwrap_or_else(|| {
        let value = RuntimeState::current().program.has_flag("--enable-source-maps");
        IS_ENABLED.set(Some(value));
        value
    })
}

/// `None`: the file has no map, or the map does not have the position.
pub fn mapped(file: &str, position: SourcePosition) -> Option<(String, SourcePosition)> {
    MAPS.with_borrow_mut(|maps| {
        if !maps.contains_key(file) {
            maps.insert(file.to_owned(), read(file));
        }
        let Mapped { map, directory } = maps.get(file)?.as_ref()?;
        let found = map.find(position)?;
        let source = map.sources.get(usize::try_from(found.file).ok()?)?;
        Some((source_name(source, directory), found.position))
    })
}

fn read(file: &str) -> Option<Mapped> {
    let path = Path::new(file.strip_prefix("file://").unwrap_or(file));
    let directory = path.parent()?;
    sources::with(file, |text| match find_source_map(text)? {
        SourceMapLink::Inline(map) => Some(Mapped { map, directory: directory.to_owned() }),
        SourceMapLink::External(address) => {
            let path = directory.join(address.strip_prefix("file://").unwrap_or(address));
            let is_small = std::fs::metadata(&path).is_ok_and(|data| data.len() <= MAP_BYTES_MAX);
            let json = is_small.then(|| std::fs::read_to_string(&path).ok()).flatten()?;
            Some(Mapped { map: SourceMap::parse(&json)?, directory: path.parent()?.to_owned() })
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
