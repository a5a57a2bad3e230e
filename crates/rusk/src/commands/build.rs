//! `rusk build`. In: flags, the environment. Out: the output files, all or none, and a summary; or
//! all errors and exit code 1. The work is in `rusk-bundler`.

mod compile;
mod options;
mod watch;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use rusk_base::Result;
use rusk_base::sys::signal_handler::SignalHandler;
use rusk_bundler::{Bundle, BundleOptions, Destination, Diagnostic, FileToWrite, Signals, Written};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::bundle as report;
use rusk_scripts::Exit;
use rustix::process::Signal;

use rusk_screen::Screen;

/// Exit code of a build with errors.
const FAILED: u8 = 1;

/// Where the results of a build go.
struct Outputs<'i> {
    options: BundleOptions,
    metafile: Option<PathBuf>,
    metafile_markdown: Option<PathBuf>,
    /// The flags of an executable; `None`: the outputs are files.
    executable: Option<&'i Invocation>,
}

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let options = options::options(invocation, &environment)?;
    let is_browser = invocation.value(Flag::Target) == Some("browser");
    let is_compiled = invocation.is_on(Flag::Compile) && !is_browser;
    let options = match invocation.is_on(Flag::Compile) {
        true if is_browser => rusk_bundler::standalone_options(options)?,
        true => rusk_bundler::executable_options(options)?,
        false => options,
    };
    let file = |flag, usual| options::metafile(invocation, flag, usual, &options.current_dir);
    let outputs = Outputs {
        metafile: file(Flag::Metafile, "meta.json"),
        metafile_markdown: file(Flag::MetafileMd, "meta.md"),
        options,
        executable: is_compiled.then_some(invocation),
    };
    if invocation.is_on(Flag::Watch) {
        return watch::run(&outputs, invocation.is_on(Flag::NoClearScreen), screen);
    }
    match rusk_bundler::last_bundle(&outputs.options) {
        Ok(bundle) => {
            let exit = outputs.write(&bundle, started, None, screen);
            std::mem::forget(bundle);
            exit
        }
        Err(errors) => {
            show(&errors, screen);
            Ok(Exit::Code(FAILED))
        }
    }
}

fn show(errors: &[Diagnostic], screen: &mut Screen) {
    errors.iter().for_each(|error| screen.problem(&error.to_problem()));
}

impl Outputs<'_> {
    /// Writes what a build made: an executable, or files. `signals`: those that end it; `None`:
    /// they are caught while files are written.
    fn write(
        &self,
        bundle: &Bundle,
        started: Instant,
        signals: Option<Signals<'_>>,
        screen: &mut Screen,
    ) -> Result<Exit> {
        for warning in &bundle.warnings {
            screen.warn(warning.problem.message());
        }
        match self.executable {
            Some(invocation) => self.compile(bundle, invocation, started, signals, screen),
            None => self.write_all(bundle, started, signals, screen),
        }
    }

    /// Writes the executable of `--compile`.
    fn compile(
        &self,
        bundle: &Bundle,
        invocation: &Invocation,
        started: Instant,
        signals: Option<Signals<'_>>,
        screen: &mut Screen,
    ) -> Result<Exit> {
        let files = self.metafiles(bundle);
        if !files.is_empty()
            && let Written::Interrupted(signal) = write(bundle, &files, signals)?
        {
            return Ok(Exit::Signal(signal));
        }
        if let Destination::File(file) = &self.options.destination {
            screen.report(&compile::write(
                bundle,
                file,
                &self.options.current_dir,
                invocation,
                started.elapsed(),
            )?);
        }
        Ok(Exit::DONE)
    }

    fn metafiles<'b>(&self, bundle: &'b Bundle) -> Vec<FileToWrite<'b>> {
        let all = [(&self.metafile, &bundle.metafile), (&self.metafile_markdown, &bundle.metafile_markdown)];
        let file = |(path, text): (&Option<PathBuf>, &'b Option<String>)| {
            Some((path.clone()?, vec![text.as_ref()?.as_bytes()]))
        };
        all.into_iter().filter_map(file).collect()
    }

    /// Writes files, or prints the only one.
    fn write_all(
        &self,
        bundle: &Bundle,
        started: Instant,
        signals: Option<Signals<'_>>,
        screen: &mut Screen,
    ) -> Result<Exit> {
        let options = &self.options;
        let directory = match &options.destination {
            Destination::Text => None,
            Destination::File(file) => Some(file.parent().unwrap_or(&options.current_dir)),
            Destination::Directory(directory) => Some(directory.as_path()),
        };
        let mut files =
            directory.map_or_else(Vec::new, |directory| rusk_bundler::files_below(bundle, directory));
        files.extend(self.metafiles(bundle));
        let elapsed = started.elapsed();
        if directory.is_none() {
            return match write(bundle, &files, signals)? {
                Written::Interrupted(signal) => Ok(Exit::Signal(signal)),
                Written::All => print(bundle, screen).map(|()| Exit::DONE),
            };
        }
        // Compressing takes as long as writing does.
        let (written, gzip) = thread::scope(|scope| {
            let gzip = thread::Builder::new().spawn_scoped(scope, || report::gzip_sizes(bundle));
            let written = write(bundle, &files, signals);
            let gzip = match gzip {
                Ok(gzip) => gzip.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => report::gzip_sizes(bundle),
            };
            (written, gzip)
        });
        match written? {
            Written::Interrupted(signal) => Ok(Exit::Signal(signal)),
            Written::All => {
                screen.report(&report::summary(bundle, &gzip, elapsed));
                Ok(Exit::DONE)
            }
        }
    }
}

fn write(bundle: &Bundle, files: &[FileToWrite<'_>], signals: Option<Signals<'_>>) -> Result<Written> {
    if let Some(signals) = signals {
        return rusk_bundler::write_files(bundle, files, signals);
    }
    // Without a handler, which only few resources prevent, a signal leaves temporary files.
    let Ok(handler) = SignalHandler::install() else {
        return rusk_bundler::write_files(bundle, files, &|| None);
    };
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let _ = handler.add(signal.as_raw());
    }
    let pending = || handler.take_pending().ok().and_then(|signals| signals.first().copied());
    rusk_bundler::write_files(bundle, files, &pending)
}

/// Prints the only output.
fn print(bundle: &Bundle, screen: &mut Screen) -> Result<()> {
    if bundle.files.len() > 1 {
        return Err(crate::problem::build_needs_outdir(bundle.files.len()));
    }
    let code = bundle.files.first();
    let text =
        code.map(|file| String::from_utf8_lossy(&file.bytes.contiguous()).into_owned()).unwrap_or_default();
    screen.page(&text)
}
