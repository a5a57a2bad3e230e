//! Resolution of single specifiers, for plugins that ask the build. In: the options of a build, a
//! specifier, the directory of its importer. Out: a file, or an external module. Absent: plugins.

use std::path::Path;

use crate::module::RecordKind;
use crate::options::BundleOptions;
use crate::resolve::{ModuleResolver, Resolution};

pub struct SpecifierResolver(ModuleResolver);

/// What a specifier stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedSpecifier {
    pub path: String,
    pub is_external: bool,
    pub side_effects: bool,
}

impl SpecifierResolver {
    pub fn new(options: &BundleOptions) -> SpecifierResolver {
        SpecifierResolver(ModuleResolver::new(options))
    }

    /// `None`: there is no such module.
    pub fn resolve(&self, directory: &Path, specifier: &str, is_required: bool) -> Option<ResolvedSpecifier> {
        let kind = if is_required { RecordKind::Require } else { RecordKind::Statement };
        // No file of this name has to exist.
        let importer = directory.join("importer.js");
        let of = |path: String, is_external, side_effects| {
            Some(ResolvedSpecifier { path, is_external, side_effects })
        };
        match self.0.resolve(&importer, specifier, kind).ok()? {
            Resolution::File(file) => of(file.display_path(), false, file.side_effects),
            Resolution::External(specifier) => of(specifier, true, true),
            Resolution::Disabled(path) => of(path.to_string_lossy().into_owned(), false, false),
            Resolution::Absent(_) => None,
        }
    }
}
