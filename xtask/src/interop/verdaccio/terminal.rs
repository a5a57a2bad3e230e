//! rusk on a pseudo-terminal. In: arguments, and what is typed after which text. Out: what it
//! printed, and how it ended.

use super::Ended;
use rusk_spawn::{Command, Event, Exit, Pty, Size, Streams};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than any command here takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn run(
    rusk: &Path,
    arguments: &[&str],
    directory: &Path,
    home: &Path,
    keys: &[(&str, &str)],
) -> Result<Ended, String> {
    let io = |error: rusk_spawn::Error| format!("a pseudo-terminal: {error}");
    let pty = Pty::open(Size { rows: 24, columns: 80 }).map_err(io)?;
    let mut command = Command::new(rusk);
    command.args(arguments).current_dir(directory).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", home).env("TERM", "xterm");
    let child = command.terminal(&pty).spawn().map_err(|error| error.to_string())?;
    let mut streams = Streams::open().map_err(io)?;
    let key = streams.add(child).map_err(io)?;
    let started = Instant::now();
    let (mut output, mut exit, mut seen) = (String::new(), None, 0);
    let mut keys = keys.iter();
    let mut next = keys.next();
    while streams.contains(key) || exit.is_none() {
        let remaining = PATIENCE.saturating_sub(started.elapsed());
        match streams.next(Some(remaining)).map_err(io)? {
            Some(Event::Chunk { bytes, .. }) => output.push_str(&String::from_utf8_lossy(bytes)),
            Some(Event::Ended { result, .. }) => exit = Some(result.map_err(|error| error.to_string())?),
            Some(_) => {}
            None => return Err(format!("the program takes too long; printed: {output}")),
        }
        while let Some((text, typed)) = next
            && let Some(at) = output[seen..].find(text)
        {
            seen += at + text.len();
            (&pty).write_all(typed.as_bytes()).map_err(|error| error.to_string())?;
            next = keys.next();
        }
    }
    Ok(Ended { code: exit.map(Exit::shell_status), output })
}
