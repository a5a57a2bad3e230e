//! What Node warns of where a file is found all the same: its package does not say what it should.
//! In: a package, what it says. Out: Node's code of the deprecation, and its words.

use std::path::{Path, PathBuf};

use crate::resolved::Format;

/// A package that is found by a way that is to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// package.json names a file that is not there; `require` takes the index.
    MainAbsent { folder: PathBuf, main: String },
    /// package.json names no file, or not all of its name; `import` takes this one, by its path in
    /// the folder.
    MainUnsaid { folder: PathBuf, main: Option<String>, taken: String },
}

impl Remark {
    pub fn code(&self) -> &'static str {
        match self {
            Remark::MainAbsent { .. } => "DEP0128",
            Remark::MainUnsaid { .. } => "DEP0151",
        }
    }

    /// Whether it counts for a file that is read that way.
    pub(crate) fn is_about(&self, format: Format) -> bool {
        matches!(self, Remark::MainAbsent { .. }) || format == Format::Module
    }

    /// As Node says it.
    pub fn node_message(&self, importer: &Path) -> String {
        let importer = importer.display();
        match self {
            Remark::MainAbsent { folder, main } => format!(
                "Invalid 'main' field in '{}' of '{main}'. Please either fix that or report it to the module author",
                folder.join("package.json").display()
            ),
            Remark::MainUnsaid { folder, main: None, taken } => format!(
                "No \"main\" or \"exports\" field defined in the package.json for {}/ resolving the main entry point \"{taken}\", imported from {importer}.\nDefault \"index\" lookups for the main are deprecated for ES modules.",
                folder.display()
            ),
            Remark::MainUnsaid { folder, main: Some(main), taken } => format!(
                "Package {}/ has a \"main\" field set to \"{main}\", excluding the full filename and extension to the resolved file at \"{taken}\", imported from {importer}.\n Automatic extension resolution of the \"main\" field is deprecated for ES modules.",
                folder.display()
            ),
        }
    }
}
