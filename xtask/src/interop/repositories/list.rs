//! The list of repositories, `xtask/repositories.json`: a name, where the repository is, a commit,
//! and the tool that its lockfile is for. In: the file. Out: its entries.

use crate::bench::results_file;

pub struct Repository {
    pub name: String,
    /// `owner/name`.
    pub repository: String,
    /// 40 hex digits.
    pub commit: String,
    /// `name@version`: the version that the repository names, or else the newest.
    pub tool: String,
}

/// The entries of these names, all without any.
pub fn read(only: &[String]) -> Result<Vec<Repository>, String> {
    let root = results_file::parse("xtask/repositories.json", include_str!("../../../repositories.json"))?;
    let mut all: Vec<Repository> = root
        .elements()
        .iter()
        .map(|entry| Repository {
            name: results_file::text(entry, "name"),
            repository: results_file::text(entry, "repository"),
            commit: results_file::text(entry, "commit"),
            tool: results_file::text(entry, "tool"),
        })
        .collect();
    if let Some(unknown) = only.iter().find(|name| all.iter().all(|entry| entry.name != **name)) {
        let names: Vec<&str> = all.iter().map(|entry| entry.name.as_str()).collect();
        return Err(format!("expected one of {}, found `{unknown}`", names.join(", ")));
    }
    all.retain(|entry| only.is_empty() || only.contains(&entry.name));
    Ok(all)
}
