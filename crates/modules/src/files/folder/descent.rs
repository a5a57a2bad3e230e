//! Several names down at once: one call opens the last folder if no link is on the way, and its
//! listing then answers what is asked of it. In: a folder and names. Out: the folder below. For
//! folders that hold what is looked for or who asks: each of them will be asked for more names than
//! a listing has calls.

use std::sync::Arc;

use rusk_base::sys;

use super::{Entry, Folder};
use crate::files::Files;
use crate::options::Lifetime;

impl Folder {
    /// The folder below by these names, listed.
    pub(crate) fn descend(self: &Arc<Folder>, files: &Files, names: &[&[u8]]) -> Option<Arc<Folder>> {
        if let Some(real) = &self.real {
            real.descend(files, names)?;
        }
        let mut at = self.clone();
        let mut may_jump = files.lifetime == Lifetime::Run;
        for (index, name) in names.iter().enumerate() {
            if may_jump && at.is_unknown(files, name) {
                if let Some(found) = at.jump(files, &names[index..]) {
                    return Some(found);
                }
                may_jump = false;
            }
            at = at.enter(files, name)?;
        }
        Some(at)
    }

    fn is_unknown(&self, files: &Files, name: &[u8]) -> bool {
        let is_ours = self.real.is_none() && !self.is_absent;
        is_ours && self.read(files, |facts| facts.may_be_folder(name)).unwrap_or(true)
    }

    /// `None`: there is a link on the way, or no such folder, or it cannot be read.
    fn jump(self: &Arc<Folder>, files: &Files, names: &[&[u8]]) -> Option<Arc<Folder>> {
        let (open, path) = self.below_open(&names.join(&b'/'));
        let opened = sys::open_folder_without_links(open, &*path).ok()?;
        let mut at = self.clone();
        for name in names {
            let entry = at.write(files).named(name, || Entry::Folder(at.child(files, name, None)));
            match entry {
                Entry::Folder(next) => at = next,
                _ => return None,
            }
        }
        at.write(files).list_opened(&at, files, opened);
        Some(at)
    }
}
