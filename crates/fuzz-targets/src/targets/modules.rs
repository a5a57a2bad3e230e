//! Fuzz targets of `rusk-modules`: maps of `exports` and `imports`, specifiers, tsconfig files. All
//! come with packages.

use rusk_modules::tsconfig::raw;
use rusk_modules::{Importer, Kind, Options, PackageConfig, Resolver};
use std::path::Path;

/// Longer strings are not specifiers; mutations are better spent on the map.
const SPECIFIER_BYTES_MAX: usize = 200;

/// The first line is the specifier. A map never leads out of its package, and no specifier panics.
pub fn exports(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (asked, manifest) = text.split_once('\n').unwrap_or((&text, "{}"));
    let conditions = ["node", "import", "require"].map(str::to_owned);
    if let Some(lead) = PackageConfig::resolve_target(manifest, asked, &conditions)
        && let Some(path) = lead.strip_prefix("./")
    {
        let leaves = |part: &str| matches!(part, "." | "..") || part.eq_ignore_ascii_case("node_modules");
        // A star may join two parts, and the result is not checked: Node does the same.
        let is_complete = !manifest.contains('*');
        assert!(!is_complete || !path.split(['/', '\\']).any(leaves), "{asked} leads to {lead}");
    }
    if asked.len() <= SPECIFIER_BYTES_MAX {
        let resolver = Resolver::new(Options::node());
        for kind in [Kind::Require, Kind::Import] {
            // A missing directory: nothing is read but what the specifier itself names.
            if let Err(failure) = resolver.resolve(Importer::Directory(Path::new("/none/none")), asked, kind)
            {
                assert!(!failure.problem().message().is_empty());
            }
        }
    }
}

/// A file that parses stays within its limits.
pub fn tsconfig(input: &[u8]) {
    match raw::parse(&String::from_utf8_lossy(input)) {
        Err(reason) => assert!(!reason.is_empty()),
        Ok(parsed) => {
            assert!(parsed.extends.len() <= raw::ENTRIES_MAX && parsed.references.len() <= raw::ENTRIES_MAX);
            for (pattern, _) in parsed.paths.iter().flatten() {
                assert!(pattern.matches('*').count() <= 1, "{pattern}");
            }
        }
    }
}
