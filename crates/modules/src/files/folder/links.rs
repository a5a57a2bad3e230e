//! Links followed, name by name, as the kernel follows them, so that every step is remembered. In:
//! a folder and a name. Out: what stands at the end. A link to nothing, a circle, a chain longer
//! than the kernel's are nothing.

use std::sync::Arc;

use rusk_base::sys;

use super::facts::Seen;
use super::{Entry, Folder};
use crate::files::Files;

/// Links on the way to one name, as path_resolution(7) has it.
pub(super) const FOLLOWED_MAX: u32 = 40;

/// More links than [`FOLLOWED_MAX`]; true for where the way began, and not for what lies on it.
pub(super) struct TooMany;

pub(super) fn find(
    folder: &Arc<Folder>,
    files: &Files,
    name: &[u8],
    followed: u32,
) -> Result<Entry, TooMany> {
    match folder.look(files, name) {
        Seen::Entry(entry) => Ok(entry),
        Seen::Link => {
            let entry = follow(folder, files, name, followed.checked_sub(1).ok_or(TooMany)?)?;
            Ok(folder.write(files).named(name, || entry))
        }
    }
}

fn follow(folder: &Arc<Folder>, files: &Files, name: &[u8], followed: u32) -> Result<Entry, TooMany> {
    let (open, path) = folder.below_open(name);
    let Ok(text) = sys::readlinkat(open, &*path) else { return Ok(Entry::Absent) };
    let text = text.as_bytes();
    let mut at = if text.starts_with(b"/") { files.root().clone() } else { folder.clone() };
    let mut names = text.split(|&byte| byte == b'/').filter(|name| !matches!(*name, b"" | b".")).peekable();
    while let Some(step) = names.next() {
        if step == b".." {
            at = at.parent().unwrap_or(&at).clone();
            continue;
        }
        let is_last = names.peek().is_none() && !text.ends_with(b"/");
        match find(&at, files, step, followed)? {
            Entry::Folder(next) => at = next.real().clone(),
            Entry::File if is_last => return Ok(Entry::Linked(Arc::new((at, step.into())))),
            entry @ Entry::Linked(_) if is_last => return Ok(entry),
            _ => return Ok(Entry::Absent),
        }
    }
    Ok(Entry::Folder(folder.child(files, name, Some(at))))
}
