//! Modules that a later build can use again, with syntax trees that their threads still have. In:
//! modules of a build. Out: those whose files are as they were.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::loader::Loader;
use crate::module::Module;

/// What changes when a file is written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    device: u64,
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds of the last change of the content, and of the file.
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    pub(crate) fn find(path: &Path) -> Option<FileStamp> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(FileStamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}

/// Modules by file and loader.
#[derive(Debug, Default)]
pub(crate) struct ModuleCache {
    modules: Mutex<FxHashMap<(PathBuf, Loader), Module>>,
}

impl ModuleCache {
    /// A module whose file is as it was. It is taken out.
    pub(crate) fn take(&self, path: &Path, loader: Loader) -> Option<Module> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let module = modules.remove(&(path.to_owned(), loader))?;
        drop(modules);
        (module.stamp.is_some() && module.stamp == FileStamp::find(path)).then_some(module)
    }

    pub(crate) fn put(&self, modules: impl Iterator<Item = Module>) {
        let mut known = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        for module in modules.filter(|module| module.tree.is_some() && module.stamp.is_some()) {
            if let Some(loader) = module.loader {
                known.insert((module.path.clone(), loader), module);
            }
        }
    }

    pub(crate) fn clear(&self) -> usize {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let count = modules.len();
        modules.clear();
        count
    }

    pub(crate) fn count(&self) -> usize {
        self.modules.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
