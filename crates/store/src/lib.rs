//! Placeholder head; replaced by the crate's first code.
