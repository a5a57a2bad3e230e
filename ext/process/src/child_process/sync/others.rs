//! Pipes of a program beyond its three streams, read while it runs. In: our ends of them. Out: what
//! was written to each. Absent: what the program reads from them: nothing.

use std::io::Read;
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::thread::{Builder, JoinHandle};

use rusk_base::sys::fd;

use super::super::request::End;

const STACK_BYTES: usize = 64 * 1024;

/// One reader to each pipe: few programs have any.
pub(super) struct Others(Vec<Other>);

struct Other {
    pipe: Option<UnixStream>,
    reader: Option<JoinHandle<Vec<u8>>>,
}

impl Others {
    /// Begins to read; of more than `bytes_max` the rest is refused.
    pub(super) fn read(ends: Vec<Option<End>>, bytes_max: usize) -> Others {
        let pipes = ends.into_iter().flatten().map(|(End::InLoop(end) | End::ByNumber(end))| end);
        Others(pipes.map(|end| Other::begin(UnixStream::from(end), bytes_max)).collect())
    }

    /// What was written, until the last writer has gone; `is_cut`: until now.
    pub(super) fn end(self, is_cut: bool) -> Vec<Vec<u8>> {
        let end = |other: Other| {
            if is_cut && let Some(pipe) = &other.pipe {
                // A pipe that is closed already needs no closing.
                let _ = pipe.shutdown(Shutdown::Both);
            }
            other.reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
        };
        self.0.into_iter().map(end).collect()
    }
}

impl Other {
    /// A pipe that cannot be read tells nothing.
    fn begin(pipe: UnixStream, bytes_max: usize) -> Other {
        // The reader waits, unlike the loop; whoever reads from the pipe has its end at once.
        let is_ready = fd::set_blocking(pipe.as_fd()).is_ok() && pipe.shutdown(Shutdown::Write).is_ok();
        let other = pipe.try_clone().ok();
        let read = move || {
            let mut output = Vec::new();
            let limit = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
            // What was read before an error is told.
            let _ = (&pipe).take(limit).read_to_end(&mut output);
            let _ = pipe.shutdown(Shutdown::Both);
            output
        };
        let reader = Builder::new().stack_size(STACK_BYTES);
        Other { pipe: other, reader: is_ready.then(|| reader.spawn(read).ok()).flatten() }
    }
}
