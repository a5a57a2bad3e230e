//! Arguments after the name of a template that is copied. In: the words. Out: the new directory,
//! and how the project is set up. Absent: arguments of a package's program, which are its own.

use std::ffi::OsString;

use rusk_base::Result;

use crate::problem;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CreateArguments {
    pub directory: Option<String>,
    /// Files that exist are replaced.
    pub force: bool,
    /// Neither dependencies nor commands of the template.
    pub no_install: bool,
    pub ignore_scripts: bool,
    pub no_git: bool,
    /// The template's commands run without a question.
    pub yes: bool,
}

impl CreateArguments {
    pub fn parse(words: &[OsString]) -> Result<CreateArguments> {
        let mut arguments = CreateArguments::default();
        for word in words {
            let word = word.to_string_lossy();
            match word.as_ref() {
                "--force" => arguments.force = true,
                "--no-install" => arguments.no_install = true,
                "--ignore-scripts" => arguments.ignore_scripts = true,
                "--no-git" => arguments.no_git = true,
                "--yes" | "-y" => arguments.yes = true,
                flag if flag.starts_with('-') => return Err(problem::template_flag(flag)),
                directory if arguments.directory.is_none() => {
                    arguments.directory = Some(directory.to_owned());
                }
                other => return Err(problem::two_directories(other)),
            }
        }
        Ok(arguments)
    }
}
