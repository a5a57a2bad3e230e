//! Counters of coverage: adds them to the sources that a test file loads. In: paths and sources.
//! Out: changed sources, and for each an array on the global object. Absent: what is counted
//! (`rusk_transpile::instrument`), reports (`rusk_test_runner::coverage`).

use std::cell::RefCell;
use std::path::Path;

use rusk_jsc::Scope;
use rusk_runtime::RuntimeState;
use rusk_test_runner::discovery;
use rusk_transpile::{CoveragePoint, Language, instrument};

/// Begins the name of each array; a digest of the path follows.
const PREFIX: &str = "$ruskCoverage";

/// A source with counters.
#[derive(Clone, Debug)]
pub struct CountedFile {
    pub path: String,
    /// The global array.
    pub counters: String,
    pub length: usize,
}

#[derive(Default)]
struct Counted {
    root: String,
    files: Vec<CountedFile>,
}

thread_local! {
    static COUNTED: RefCell<Counted> = RefCell::default();
}

/// From now on, sources below a directory are counted: not packages, not test files.
pub fn start(root: String) {
    // Arrays of files that were counted before are gone with their global object.
    COUNTED.set(Counted { root, files: Vec::new() });
    RuntimeState::current().instrument.set(Some(add_counters));
}

/// The sources that were counted so far.
pub fn files() -> Vec<CountedFile> {
    COUNTED.with_borrow(|counted| counted.files.clone())
}

fn add_counters(scope: &Scope, path: &str, source: String) -> String {
    let Some(language) = language_of(path) else { return source };
    let counters = format!("{PREFIX}{:016x}", digest(path));
    // A source that does not parse is reported when it is evaluated.
    let Ok(counted) = instrument(&source, language, &counters) else { return source };
    if counted.points.is_empty() {
        return source;
    }
    let length = counted.points.len();
    let array = format!("globalThis.{counters}=new Float64Array({length})");
    if scope.evaluate(&array, "internal:coverage", 1).is_err() {
        return source;
    }
    COUNTED.with_borrow_mut(|all| {
        all.files.retain(|file| file.path != path);
        all.files.push(CountedFile { path: path.to_owned(), counters, length });
    });
    counted.source
}

/// What the counters of a file count; `None` where it cannot be read or parsed.
pub fn points(path: &str) -> Option<Vec<CoveragePoint>> {
    let language = Path::new(path).extension()?.to_str().and_then(Language::of_extension)?;
    let source = std::fs::read_to_string(path).ok()?;
    Some(instrument(&source, language, "").ok()?.points)
}

/// Kind, line, name.
pub fn describe(point: &CoveragePoint) -> (&'static str, u32, &str) {
    match point {
        CoveragePoint::Statement { line } => ("statement", *line, ""),
        CoveragePoint::Function { name, line } => ("function", *line, name),
        CoveragePoint::Branch { line, .. } => ("branch", *line, ""),
    }
}

fn language_of(path: &str) -> Option<Language> {
    let file = Path::new(path);
    let is_inside = COUNTED.with_borrow(|counted| file.starts_with(&counted.root));
    let is_own = is_inside && !path.contains("/node_modules/");
    let name = file.file_name()?.to_str()?;
    if !is_own || discovery::is_test_file(name) {
        return None;
    }
    file.extension().and_then(|extension| extension.to_str()).and_then(Language::of_extension)
}

/// FNV-1a.
fn digest(path: &str) -> u64 {
    path.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
