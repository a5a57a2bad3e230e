//! Pipes of a synchronous child other than stdin, stdout and stderr: one reader thread for each.
//! In: the parent's ends. Out: the output of each. Absent: input; the child reads the end of file.

use std::io::Read;
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::thread::{Builder, JoinHandle};

use rusk_base::sys::fd;

use super::super::spawn_options::ParentFd;

const STACK_BYTES: usize = 64 * 1024;

/// Few programs have any, so a thread for each is enough.
pub(super) struct ExtraPipes(Vec<ExtraPipe>);

struct ExtraPipe {
    pipe: Option<UnixStream>,
    reader: Option<JoinHandle<Vec<u8>>>,
}

impl ExtraPipes {
    /// Starts to read; after `bytes_max` bytes the pipe is closed.
    pub(super) fn start(parent_fds: Vec<Option<ParentFd>>, bytes_max: usize) -> ExtraPipes {
        let fds = parent_fds.into_iter().flatten();
        let fds = fds.map(|(ParentFd::Handle(fd) | ParentFd::Raw(fd))| fd);
        ExtraPipes(fds.map(|fd| ExtraPipe::start(UnixStream::from(fd), bytes_max)).collect())
    }

    /// The output up to the end of file; `is_aborted`: up to now.
    pub(super) fn finish(self, is_aborted: bool) -> Vec<Vec<u8>> {
        let finish = |extra: ExtraPipe| {
            if is_aborted && let Some(pipe) = &extra.pipe {
                // An error means that the socket is closed already.
                let _ = pipe.shutdown(Shutdown::Both);
            }
            extra.reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
        };
        self.0.into_iter().map(finish).collect()
    }
}

impl ExtraPipe {
    /// A pipe that cannot be read has no output.
    fn start(pipe: UnixStream, bytes_max: usize) -> ExtraPipe {
        // The reader thread blocks. A child that reads from the socket finds the end of file.
        let is_ready = fd::set_blocking(pipe.as_fd()).is_ok() && pipe.shutdown(Shutdown::Write).is_ok();
        let clone = pipe.try_clone().ok();
        let read = move || {
            let mut output = Vec::new();
            let limit = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
            // Output that was read before an error is returned.
            let _ = (&pipe).take(limit).read_to_end(&mut output);
            let _ = pipe.shutdown(Shutdown::Both);
            output
        };
        let reader = Builder::new().stack_size(STACK_BYTES);
        ExtraPipe { pipe: clone, reader: is_ready.then(|| reader.spawn(read).ok()).flatten() }
    }
}
