//! Source maps that files bring along, followed with `--enable-source-maps`. In: a file and a
//! place. Out: the file and the place it was generated from. A map is read when the first stack
//! goes through its file. Absent: the texts of sources.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use rusk_transpile::{SourceMap, SourceMapLink, SourcePosition, find_source_map};

use super::texts;
use crate::state::RuntimeState;

/// Larger ones are not read: the map of a bundle of 20 MB has some 40 MB.
const MAP_BYTES_MAX: u64 = 256 << 20;

/// A map, and the folder that it lies in.
struct Mapped {
    map: SourceMap,
    folder: PathBuf,
}

thread_local! {
    static MAPS: RefCell<HashMap<String, Option<Mapped>>> = RefCell::default();
    /// None: nobody has asked yet; the command line says it.
    static FOLLOWS: Cell<Option<bool>> = const { Cell::new(None) };
}

pub fn follow(value: bool) {
    FOLLOWS.set(Some(value));
}

pub fn are_followed() -> bool {
    FOLLOWS.get().unwrap_or_else(|| {
        let value = RuntimeState::current().program.has_flag("--enable-source-maps");
        FOLLOWS.set(Some(value));
        value
    })
}

/// None: the file brings no map, or the map says nothing of the place.
pub fn mapped(file: &str, place: SourcePosition) -> Option<(String, SourcePosition)> {
    MAPS.with_borrow_mut(|maps| {
        if !maps.contains_key(file) {
            maps.insert(file.to_owned(), read(file));
        }
        let Mapped { map, folder } = maps.get(file)?.as_ref()?;
        let found = map.find(place)?;
        let source = map.sources.get(usize::try_from(found.file).ok()?)?;
        Some((place_of(source, folder), found.position))
    })
}

fn read(file: &str) -> Option<Mapped> {
    let path = Path::new(file.strip_prefix("file://").unwrap_or(file));
    let folder = path.parent()?;
    texts::with(file, |text| match find_source_map(text)? {
        SourceMapLink::Inline(map) => Some(Mapped { map, folder: folder.to_owned() }),
        SourceMapLink::External(address) => {
            let path = folder.join(address.strip_prefix("file://").unwrap_or(address));
            let is_small = std::fs::metadata(&path).is_ok_and(|data| data.len() <= MAP_BYTES_MAX);
            let json = is_small.then(|| std::fs::read_to_string(&path).ok()).flatten()?;
            Some(Mapped { map: SourceMap::parse(&json)?, folder: path.parent()?.to_owned() })
        }
    })
}

/// Addresses stay as they are, paths are those of files.
fn place_of(source: &str, folder: &Path) -> String {
    if let Some(path) = source.strip_prefix("file://") {
        return path.to_owned();
    }
    if source.contains("://") {
        return source.to_owned();
    }
    let mut whole = PathBuf::new();
    for part in folder.join(source).components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole.to_string_lossy().into_owned()
}
