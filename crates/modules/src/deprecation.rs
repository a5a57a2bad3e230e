//! What Node warns of where a file is found all the same: its package does not say what it should.
//! In: a package, what it says. Out: Node's code of the deprecation, and its words.

use std::path::{Path, PathBuf};

use crate::resolved::Format;

/// A package that is found by a way that is to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deprecation {
    /// package.json names a file that is not there; `require` takes the index.
    InvalidMain { directory: PathBuf, main: String },
    /// package.json names no file, or not all of its name; `import` takes this one, by its path in
    /// the directory.
    ImplicitMain { directory: PathBuf, main: Option<String>, taken: String },
}

impl Deprecation {
    pub fn code(&self) -> &'static str {
        match self {
            Deprecation::InvalidMain { .. } => "DEP0128",
            Deprecation::ImplicitMain { .. } => "DEP0151",
        }
    }

    /// Whether it counts for a file that is read that way.
    pub(crate) fn applies_to(&self, format: Format) -> bool {
        matches!(self, Deprecation::InvalidMain { .. }) || format == Format::Module
    }

    /// As Node says it.
    pub fn node_message(&self, importer: &Path) -> String {
        let importer = importer.display();
        match self {
            Deprecation::InvalidMain { directory, main } => format!(
                "Invalid 'main' field in '{}' of '{main}'. Please either fix that or report it to the module author",
                directory.join("package.json").display()
            ),
            Deprecation::ImplicitMain { directory, main: None, taken } => format!(
                "No \"main\" or \"exports\" field defined in the package.json for {}/ resolving the main entry point \"{taken}\", imported from {importer}.\nDefault \"index\" lookups for the main are deprecated for ES modules.",
                directory.display()
            ),
            Deprecation::ImplicitMain { directory, main: Some(main), taken } => format!(
                "Package {}/ has a \"main\" field set to \"{main}\", excluding the full filename and extension to the resolved file at \"{taken}\", imported from {importer}.\n Automatic extension resolution of the \"main\" field is deprecated for ES modules.",
                directory.display()
            ),
        }
    }
}
