//! A hundred programs at the same time: one thread collects their output as it arrives, and prints
//! it in order at the end.

use std::io::{self, Write};

use rusk_spawn::{Command, Event, Stdio, Streams};

const COUNT: usize = 100;

fn main() -> io::Result<()> {
    run(&mut io::stdout())
}

pub fn run(out: &mut impl Write) -> io::Result<()> {
    let mut streams = Streams::open()?;
    let mut jobs = Vec::new();
    for number in 0..COUNT {
        // Returns as soon as the child is cloned: the hundredth is started before the first one has
        // run.
        let mut command = Command::new("sh");
        command.args(["-c", "echo I am $0", &number.to_string()]).stdin(Stdio::Null).stdout(Stdio::Pipe);
        jobs.push((streams.add(command.spawn()?)?, Vec::new()));
    }
    while let Some(event) = streams.next(None)? {
        match event {
            Event::Chunk { key, bytes, .. } => {
                if let Some((_, text)) = jobs.iter_mut().find(|(known, _)| *known == key) {
                    text.extend_from_slice(bytes);
                }
            }
            Event::Ended { result, .. } => drop(result?),
            Event::Closed { result, .. } => result?,
            Event::Fed { .. } => {}
        }
    }
    for (number, (_, text)) in jobs.iter().enumerate() {
        write!(out, "{number}: {}", String::from_utf8_lossy(text))?;
    }
    Ok(())
}
