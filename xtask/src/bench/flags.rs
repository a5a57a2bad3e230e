//! The flags of a benchmark that measures one program over some rounds. In: words. Out: what they
//! say, or what was expected instead. Absent: benchmarks that choose among scenarios or fixtures;
//! they read their own.

use std::path::PathBuf;

pub struct BenchFlags {
    pub rounds: usize,
    pub rusk: Option<PathBuf>,
    pub keep: bool,
}

impl BenchFlags {
    /// `self` is what counts where nothing is said; what is kept by default has `--no-keep`, what
    /// is not has `--keep`.
    pub fn read(mut self, bench: &str, arguments: &[String]) -> Result<BenchFlags, String> {
        let keeps_anyway = self.keep;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
            match argument.as_str() {
                "--rounds" => {
                    self.rounds = value()?.parse().map_err(|_| "expected a number after `--rounds`")?
                }
                "--rusk" => self.rusk = Some(value()?.into()),
                "--no-keep" if keeps_anyway => self.keep = false,
                "--keep" if !keeps_anyway => self.keep = true,
                flag => return Err(format!("expected a flag of `bench {bench}`, found `{flag}`")),
            }
        }
        Ok(self)
    }
}
