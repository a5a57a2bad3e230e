//! Everything that can go wrong with a template.

use std::path::Path;

use rusk_base::Problem;

pub fn no_template_directory(word: &str) -> Problem {
    Problem::new("no-template", format!("`{word}` is no directory, expected one with a template"))
}

pub fn no_repository_there(owner: &str, repo: &str) -> Problem {
    Problem::new("no-template", format!("there is no repository `{owner}/{repo}`, or it is private"))
        .hint("GITHUB_TOKEN has the token for private repositories")
}

pub fn template_refused(owner: &str, repo: &str, status: u16) -> Problem {
    Problem::new("no-template", format!("the server answered {status} for the files of `{owner}/{repo}`"))
        .hint("GITHUB_TOKEN has the token for private repositories and more requests")
}

pub fn template_empty(word: &str) -> Problem {
    Problem::new("no-template", format!("the template `{word}` has no files"))
}

pub fn template_too_large(path: &Path) -> Problem {
    Problem::new("no-template", format!("the template `{}` is too large", path.display()))
        .note("expected at most 1 GiB, 100,000 files and 64 levels")
}

pub fn template_in_itself(directory: &Path) -> Problem {
    Problem::new(
        "no-template",
        format!("the template would be copied into itself: `{}`", directory.display()),
    )
    .hint("name another directory")
}

pub fn template_files(directory: &Path, existing: &[&Path]) -> Problem {
    const SHOWN: usize = 10;
    let problem =
        Problem::new("template-files", format!("files of the template exist in `{}`", directory.display()));
    let shown = existing.iter().take(SHOWN).map(|path| path.display().to_string());
    let rest = existing.len().saturating_sub(SHOWN);
    let more = (rest > 0).then(|| format!("and {rest} more"));
    let problem = shown.chain(more).fold(problem, |problem, note| problem.note(note));
    problem.hint("`--force` after the template's name replaces them")
}

pub fn template_flag(found: &str) -> Problem {
    Problem::new("template-flag", format!("`{found}` is no flag for a template that is copied"))
        .hint("expected --force, --no-install, --ignore-scripts, --no-git or --yes")
}

pub fn two_directories(found: &str) -> Problem {
    Problem::new("template-flag", format!("expected one directory, found `{found}`, too"))
}

pub fn template_manifest(error: &rusk_npm::json::SyntaxError) -> Problem {
    Problem::new("template-manifest", format!("package.json of the template: expected {}", error.expected))
}

pub fn template_unreadable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new("template-read", format!("`{}` cannot be read: {error}", path.display()))
}

pub fn template_unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new("template-write", format!("`{}` cannot be written: {error}", path.display()))
}
