//! `rusk build --watch`: builds again when a file that was bundled changes. In: the options of a
//! build. Out: a signal that ended it. Only files that have changed are parsed again. A build that
//! fails leaves the outputs of the last one, and its files are watched too.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use rusk_base::Result;
use rusk_base::sys::stdio::stdout;
use rusk_bundler::{Builds, BundleBuilder};
use rusk_command_line::program_flags::has_program_extension;
use rusk_scripts::Exit;
use rusk_watch::{ChangeFilter, FileEvent, FileWatcher};

use super::{Outputs, show};
use rusk_screen::Screen;

pub fn run(outputs: &Outputs<'_>, keeps_screen: bool, screen: &mut Screen) -> Result<Exit> {
    let mut watcher = FileWatcher::new()?;
    let watched = rusk_bundler::with_builder(&outputs.options, Builds::Many, |builder| {
        loop {
            if let Some(exit) = build(outputs, builder, &mut watcher, screen)? {
                return Ok(exit);
            }
            if !keeps_screen && stdout().is_terminal() {
                // If stdout is closed, there is no screen to clear.
                let _ = stdout().write_all(b"\x1b[H\x1b[2J\x1b[3J");
            }
        }
    });
    watched.unwrap_or_else(|errors| {
        show(&errors, screen);
        Ok(Exit::Code(super::FAILED))
    })
}

/// Builds once and waits for a change; or the exit, after a signal.
fn build(
    outputs: &Outputs<'_>,
    builder: &mut BundleBuilder,
    watcher: &mut FileWatcher,
    screen: &mut Screen,
) -> Result<Option<Exit>> {
    let started = Instant::now();
    let built = builder.build();
    let filter =
        if built.is_ok() { ChangeFilter::KnownFiles } else { ChangeFilter::NewFiles(has_program_extension) };
    match built {
        Ok(bundle) => {
            let signals = || watcher.pending_signal();
            match outputs.write(&bundle, started, Some(&signals), screen) {
                Ok(Exit::Signal(signal)) => return Ok(Some(Exit::Signal(signal))),
                Ok(Exit::Code(_)) => {}
                Err(problem) => screen.problem(&problem),
            }
        }
        Err(errors) => show(&errors, screen),
    }
    let settings = ["package.json", "tsconfig.json"].map(|name| outputs.options.current_dir.join(name));
    let entries = outputs.options.entries.iter().map(|entry| outputs.options.current_dir.join(entry));
    let files: Vec<PathBuf> =
        builder.files().map(|file| file.to_owned()).chain(settings).chain(entries).collect();
    let new = watcher.add_files(files.iter().map(PathBuf::as_path))?;
    // What changed before it was watched. A later change has its event, which comes when the file
    // is written completely.
    let changed = builder.has_changed(&new).then(Instant::now);
    match watcher.wait(filter, changed)? {
        FileEvent::Change => Ok(None),
        FileEvent::Signal(signal) => Ok(Some(Exit::Signal(signal))),
    }
}
