//! Formats of lockfiles, and which of them a project uses. In: the names of the files that are
//! there, and `packageManager` of package.json. Out: one format, or one error. Absent: the contents
//! of the files.

use rusk_base::Result;

use crate::problem;

/// A format that is read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    #[default]
    Bun,
    /// npm-shrinkwrap.json, which npm prefers to package-lock.json; the contents are the same.
    NpmShrinkwrap,
    NpmLock,
    Pnpm,
    /// yarn.lock of any version.
    Yarn,
}

/// The program that a format belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Bun,
    Npm,
    Pnpm,
    Yarn,
}

impl Format {
    /// Of two formats of one package manager, the one that comes first is used.
    pub const ALL: [Format; 5] =
        [Format::Bun, Format::NpmShrinkwrap, Format::NpmLock, Format::Pnpm, Format::Yarn];

    pub fn file_name(self) -> &'static str {
        match self {
            Format::Bun => "bun.lock",
            Format::NpmShrinkwrap => "npm-shrinkwrap.json",
            Format::NpmLock => "package-lock.json",
            Format::Pnpm => "pnpm-lock.yaml",
            Format::Yarn => "yarn.lock",
        }
    }

    pub fn tool(self) -> Tool {
        match self {
            Format::Bun => Tool::Bun,
            Format::NpmShrinkwrap | Format::NpmLock => Tool::Npm,
            Format::Pnpm => Tool::Pnpm,
            Format::Yarn => Tool::Yarn,
        }
    }

    /// The user agent that scripts of a project with this lockfile see. It begins with the program
    /// that the lockfile belongs to, because scripts such as `npx only-allow pnpm` refuse others.
    /// The version is that of `packageManager` in package.json; bun.lock is rusk's own format, too.
    pub fn script_user_agent(self, named_tool: Option<&str>, own: &str) -> String {
        let tool = self.tool();
        let named = named_tool.and_then(|text| text.strip_prefix(tool.name())?.strip_prefix('@'));
        // A hash may follow.
        let is_end = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-');
        let version = named.and_then(|version| version.split(is_end).next());
        match version.filter(|version| !version.is_empty()) {
            Some(version) => format!("{}/{version} {own}", tool.name()),
            None if tool == Tool::Bun => own.to_owned(),
            None => format!("{}/? {own}", tool.name()),
        }
    }

    /// Whether a project without dependencies has no lockfile.
    pub fn is_removed_when_empty(self) -> bool {
        self == Format::Bun
    }

    /// The format that a program begins: of `packageManager` in package.json, such as `npm@11.0.0`.
    pub fn of_named_tool(named_tool: &str) -> Option<Format> {
        let name = tool_name(named_tool);
        let formats = [Format::Bun, Format::NpmLock, Format::Pnpm, Format::Yarn];
        formats.into_iter().find(|format| format.tool().name() == name)
    }

    /// The format of a file of this name.
    pub fn of_file(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.file_name() == name)
    }
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Tool::Bun => "bun",
            Tool::Npm => "npm",
            Tool::Pnpm => "pnpm",
            Tool::Yarn => "yarn",
        }
    }
}

/// The format of a project with these lockfiles. `named_tool` is `packageManager` of
/// package.json, such as `npm@11.0.0`, which decides between those of several programs. `None`:
/// there is no lockfile.
pub fn choose(present: &[Format], named_tool: Option<&str>) -> Result<Option<Format>> {
    let mut candidates: Vec<Format> = Vec::new();
    for format in Format::ALL.into_iter().filter(|format| present.contains(format)) {
        if !candidates.iter().any(|other| other.tool() == format.tool()) {
            candidates.push(format);
        }
    }
    if candidates.len() < 2 {
        return Ok(candidates.first().copied());
    }
    let named = named_tool.map(tool_name);
    let format = candidates.iter().find(|format| named == Some(format.tool().name()));
    match format {
        Some(format) => Ok(Some(*format)),
        None => Err(problem::several_lockfiles(&candidates, named_tool)),
    }
}

/// `npm` of `npm@11.0.0`.
fn tool_name(named_tool: &str) -> &str {
    named_tool.split('@').next().unwrap_or(named_tool)
}

#[cfg(test)]
mod tests;
