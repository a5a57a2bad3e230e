//! Node's deprecation warnings of module resolution: a file was found by a fallback. In: a package,
//! its main field. Out: the code and the message of the deprecation.

use std::path::{Path, PathBuf};

use crate::resolved::Format;

/// A deprecated fallback that was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deprecation {
    /// package.json names a main file that does not exist; `require` uses the index.
    InvalidMain { directory: PathBuf, main: String },
    /// package.json has no main file, or one without its extension; `import` uses this one, by its
    /// path in the directory.
    ImplicitMain { directory: PathBuf, main: Option<String>, taken: String },
}

impl Deprecation {
    pub fn code(&self) -> &'static str {
        match self {
            Deprecation::InvalidMain { .. } => "DEP0128",
            Deprecation::ImplicitMain { .. } => "DEP0151",
        }
    }

    /// Whether Node warns for a file of this format.
    pub(crate) fn applies_to(&self, format: Format) -> bool {
        matches!(self, Deprecation::InvalidMain { .. }) || format == Format::Module
    }

    /// Node's message.
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
