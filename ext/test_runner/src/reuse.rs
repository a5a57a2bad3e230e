//! When it is worth while to look for changes of a global object: to look at all of it before a
//! file takes as long as to make a new one. In: whether files have left theirs unchanged. Out:
//! whether to look. After each one that was changed, twice as many files have new global objects
//! without a look.

/// Files without a look, at most.
const PAUSE_FILES_MAX: u32 = 64;

#[derive(Debug, Default)]
pub struct ReusePolicy {
    /// Files without a look after the last change.
    pause_files: u32,
    /// How many of them are left.
    left_files: u32,
}

impl ReusePolicy {
    /// Whether to look at the next new global object.
    pub fn looks(&mut self) -> bool {
        if self.left_files == 0 {
            return true;
        }
        self.left_files -= 1;
        false
    }

    /// A file has left its global object unchanged, or not.
    pub fn note(&mut self, is_unchanged: bool) {
        self.pause_files = match is_unchanged {
            true => 0,
            false => (2 * self.pause_files).clamp(1, PAUSE_FILES_MAX),
        };
        self.left_files = self.pause_files;
    }
}

#[cfg(test)]
mod tests;
