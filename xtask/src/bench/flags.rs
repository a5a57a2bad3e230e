//! Command-line flags of benchmarks that measure one program over several rounds. In: arguments.
//! Out: flags, or an error. Absent: benchmarks that select scenarios or fixtures; they parse their
//! own.

use std::path::PathBuf;

pub struct BenchFlags {
    pub rounds: usize,
    pub rusk: Option<PathBuf>,
    pub store: bool,
}

impl BenchFlags {
    /// `self` holds the defaults. A benchmark that stores its results by default has `--no-keep`,
    /// one that does not has `--keep`.
    pub fn read(mut self, bench: &str, arguments: &[String]) -> Result<BenchFlags, String> {
        let keeps_anyway = self.store;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
            match argument.as_str() {
                "--rounds" => {
                    self.rounds = value()?.parse().map_err(|_| "expected a number after `--rounds`")?
                }
                "--rusk" => self.rusk = Some(value()?.into()),
                "--no-keep" if keeps_anyway => self.store = false,
                "--keep" if !keeps_anyway => self.store = true,
                flag => return Err(format!("expected a flag of `bench {bench}`, found `{flag}`")),
            }
        }
        Ok(self)
    }
}
