//! Three programs, one after the other: each is started when the previous one has exited. All three
//! use the same stack. Out: their output.

use std::io::{self, Read, Write};

use rusk_spawn::{Command, Exit, Stdio};

fn main() -> io::Result<()> {
    run(&mut io::stdout())
}

pub fn run(out: &mut impl Write) -> io::Result<()> {
    for word in ["one", "two", "three"] {
        let mut child = Command::new("echo").arg(word).stdout(Stdio::Pipe).spawn()?;
        let mut text = String::new();
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_string(&mut text)?;
        }
        match child.wait()? {
            Exit::Status(0) => out.write_all(text.as_bytes())?,
            exit => return Err(io::Error::other(format!("`echo {word}` exited with {exit:?}"))),
        }
    }
    Ok(())
}
