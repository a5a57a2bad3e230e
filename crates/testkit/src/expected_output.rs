//! Programs with their expected output: `NAME.js` and `NAME.out`. In: a program, how it is run.
//! Out: how its output differs.

use std::path::Path;
use std::process::Command;

/// How programs are run.
pub struct ProgramRunner<'r> {
    /// The program under test.
    pub program: &'r str,
    pub cache_dir: &'r str,
    pub variables: &'r [(&'r str, &'r str)],
}

impl ProgramRunner<'_> {
    /// `None`: the output is as expected, the exit code 0, and standard error empty.
    pub fn difference(&self, program: &Path) -> Option<String> {
        let expected = std::fs::read_to_string(program.with_extension("out")).expect("it is text");
        let folder = program.parent().expect("it is in an area");
        let output = Command::new(self.program)
            .arg(program.file_name().expect("it has a name"))
            .current_dir(folder)
            .env_remove("RUSK_BUILTINS")
            .env("RUSK_CACHE_DIR", self.cache_dir)
            .envs(self.variables.iter().copied())
            .output()
            .expect("rusk starts");
        let found = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() && said.is_empty() && found == expected {
            return None;
        }
        let first = found.lines().zip(expected.lines()).position(|(ours, theirs)| ours != theirs);
        let line = first.unwrap_or_else(|| found.lines().count().min(expected.lines().count()));
        let show = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
        Some(format!(
            "{}: {}, line {}\n  ours: {}\n  node: {}\n{said}",
            program.display(),
            output.status,
            line + 1,
            show(&found),
            show(&expected)
        ))
    }
}
