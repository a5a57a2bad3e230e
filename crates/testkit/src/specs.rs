//! Cases at the command line, one text file each. In: a directory of `*.txt`, the program, a
//! registry's URL. Out: nothing, or every difference between a file and the run; with
//! `UPDATE=1` the files are rewritten.
//!
//! ```text
//! # what this case shows
//! -- package.json --
//! { "name": "app" }
//! $ rusk add left@1
//! > + left 1.3.0
//! ? 2
//! == package.json ==
//! { "name": "app", "dependencies": { "left": "^1.3.0" } }
//! == node_modules/ ==
//! left/index.js
//! left/package.json
//! ```
//! `--` files are given before the commands of their step; `>` is output, both streams; `?` is the
//! exit code when it is not 0; `==` is a file afterwards, a listing when the name ends in `/`,
//! `(absent)` when nothing is there. A `$` after a file begins the next step, and so does a `--`
//! after a `$`. Absent: a shell. `NAME=value` in front of a command sets a variable, `$ rm path`
//! removes.

mod normal;
mod parse;
mod step;

pub(crate) use normal::Normal;
use parse::Spec;
use std::path::{Path, PathBuf};
pub(crate) use step::output_of;

/// The program under test and the registry it is pointed at.
pub struct Runner {
    /// The program that `rusk` stands for in commands.
    pub program: PathBuf,
    /// Appears as `http://registry.test/` in files and output.
    pub registry_url: String,
}

/// What to do with a file that does not say what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Compare,
    Rewrite,
}

impl Mode {
    /// `Rewrite` when `UPDATE=1` is in the environment.
    pub fn from_environment() -> Mode {
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            Mode::Rewrite
        } else {
            Mode::Compare
        }
    }
}

impl Runner {
    /// Runs every `*.txt` of a directory, as many at once as there are processors. Panics with all
    /// differences.
    #[track_caller]
    pub fn run_directory(&self, folder: &Path, mode: Mode) {
        let entries =
            std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
        let next = std::sync::atomic::AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut wrong: Vec<String> = std::thread::scope(|scope| {
            let work = || {
                let take = || paths.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
                std::iter::from_fn(take)
                    .filter_map(|path| self.run_file(path, mode).err())
                    .collect::<Vec<_>>()
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker only collects")).collect()
        });
        wrong.sort();
        assert!(wrong.is_empty(), "{}\nUPDATE=1 rewrites them; read the change.\n", wrong.join("\n"));
    }

    /// Runs one file; the error is the difference, line by line.
    pub fn run_file(&self, path: &Path, mode: Mode) -> Result<(), String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let spec = Spec::parse(&text).map_err(|error| format!("{}:{error}", path.display()))?;
        let wanted = spec.render();
        let found = self.run(&spec).map_err(|error| format!("{}: {error}", path.display()))?.render();
        if found == wanted {
            return Ok(());
        }
        match mode {
            Mode::Rewrite => {
                std::fs::write(path, found).map_err(|error| format!("{}: {error}", path.display()))
            }
            Mode::Compare => Err(format!("{}\n{}", path.display(), difference(&wanted, &found))),
        }
    }

    /// The spec as it would have to read for this program.
    fn run(&self, spec: &Spec) -> Result<Spec, String> {
        let project = crate::project::Project::new();
        let normal = Normal::new(&project, &self.registry_url);
        let mut found = spec.clone();
        for step in &mut found.steps {
            step::run(self, step, &project, &normal)?;
        }
        Ok(found)
    }
}

/// The lines around which two strings differ, `-` wanted and `+` found.
fn difference(wanted: &str, found: &str) -> String {
    const SHOWN_LINES_MAX: usize = 40;
    let (wanted, found): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), found.lines().collect());
    let same = wanted.iter().zip(&found).take_while(|(wanted, found)| wanted == found).count();
    let (wanted_rest, found_rest) = (&wanted[same..], &found[same..]);
    let same_end = wanted_rest
        .iter()
        .rev()
        .zip(found_rest.iter().rev())
        .take_while(|(wanted, found)| wanted == found)
        .count();
    let before = wanted[same.saturating_sub(2)..same].iter().map(|line| format!("    {line}"));
    let minus = wanted_rest[..wanted_rest.len() - same_end].iter().map(|line| format!("  - {line}"));
    let plus = found_rest[..found_rest.len() - same_end].iter().map(|line| format!("  + {line}"));
    let lines: Vec<String> =
        before.chain(minus.take(SHOWN_LINES_MAX)).chain(plus.take(SHOWN_LINES_MAX)).collect();
    format!("  line {}:\n{}", same + 1, lines.join("\n"))
}

#[cfg(test)]
mod tests;
