//! The `pnpm-workspace.yaml` of a project that had none. In: its package.json. Out: what pnpm does
//! not read there. Absent: settings of `.npmrc`.

use rusk_npm::manifest::{Manifest, Pairs};

use crate::yaml::print::{Yaml, members_into};

/// `None` if pnpm needs no such file.
pub fn begin(manifest: &Manifest) -> Option<String> {
    let mut members: Vec<(String, Yaml)> = Vec::new();
    let mut add = |key: &str, value: Yaml| match &value {
        Yaml::Map(entries) if entries.is_empty() => {}
        _ => members.push((key.to_owned(), value)),
    };
    let pairs = |pairs: &Pairs| Yaml::pairs(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    if !manifest.workspaces.is_empty() {
        add("packages", Yaml::strings(manifest.workspaces.iter().map(String::as_str)));
        // A member satisfies a range that it fits, as in the lockfile that there was.
        add("linkWorkspacePackages", Yaml::Plain("true".to_owned()));
    }
    add("catalog", pairs(&manifest.catalog));
    let catalogs = manifest.catalogs.iter().map(|(name, entries)| (name.clone(), pairs(entries)));
    add("catalogs", Yaml::Map(catalogs.collect()));
    let overrides = manifest.overrides.rules.iter().map(|rule| {
        let parent = rule.parent.as_ref().map_or_else(String::new, |parent| format!("{parent}>"));
        (format!("{parent}{}", rule.target), rule.literal.clone())
    });
    add("overrides", Yaml::pairs(overrides));
    add("patchedDependencies", pairs(&manifest.patched_dependencies));
    let mut out = String::new();
    members_into(&mut out, &members, 0);
    (!out.is_empty()).then_some(out)
}
