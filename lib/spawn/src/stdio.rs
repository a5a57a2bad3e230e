//! Standard streams of a child. In: the kind of each. Out: sources of a plan, and the parent's ends
//! of the pipes.

use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::Arc;

use crate::kernel::{self, Errno};
use crate::plan::NULL_DEVICE;
use crate::terminal::{self, Pty};

/// The kind of a standard stream.
#[derive(Clone, Debug, Default)]
pub enum Stdio {
    /// Inherited from this process, as it is at the spawn.
    #[default]
    Inherit,
    /// `/dev/null`.
    Null,
    /// A pipe; the parent's end is in the [`crate::Child`].
    Pipe,
    /// Any fd. The command holds it open.
    Fd(Arc<OwnedFd>),
    /// Closed in the child.
    Closed,
    /// A pseudo-terminal, which also becomes the controlling terminal of the child's session; see
    /// [`crate::Command::terminal`]. For stdout, the [`crate::Child`] can read the output.
    Terminal(Pty),
}

impl Stdio {
    /// A copy of an fd, which the caller may close afterwards.
    ///
    /// # Errors
    /// Those of `fcntl(F_DUPFD_CLOEXEC)`.
    pub fn copy_of(fd: impl AsFd) -> io::Result<Stdio> {
        Ok(Stdio::Fd(Arc::new(fd.as_fd().try_clone_to_owned()?)))
    }

    /// Constant input from a memfd, without a writer. The first child reads it; a second one would
    /// find it at its end.
    ///
    /// # Errors
    /// Those of `memfd_create`, or too little memory.
    pub fn bytes(bytes: &[u8]) -> io::Result<Stdio> {
        let mut file = File::from(kernel::memory_file(bytes).map_err(io::Error::from_raw_os_error)?);
        file.rewind()?;
        Ok(file.into())
    }
}

impl From<OwnedFd> for Stdio {
    fn from(fd: OwnedFd) -> Stdio {
        Stdio::Fd(Arc::new(fd))
    }
}

impl From<File> for Stdio {
    fn from(file: File) -> Stdio {
        OwnedFd::from(file).into()
    }
}

/// Both ends of the three streams.
#[derive(Default)]
pub(crate) struct StreamEnds {
    /// The parent's ends: of stdin for writing, of stdout and stderr for reading.
    pub parent: [Option<OwnedFd>; 3],
    /// The child's ends, closed here as soon as it has them.
    pub child: [Option<OwnedFd>; 3],
    /// Standard streams that are closed in this process, if checked.
    closed: [bool; 3],
}

impl StreamEnds {
    pub fn open(streams: &[Stdio; 3]) -> Result<StreamEnds, Errno> {
        let mut ends = StreamEnds::default();
        for (index, stream) in streams.iter().enumerate() {
            if let Stdio::Terminal(pty) = stream {
                ends.child[index] = Some(terminal::open_program_side(pty)?);
                if index == 1 {
                    ends.parent[index] = Some(kernel::dup(pty.as_fd())?);
                }
            } else if let Stdio::Pipe = stream {
                let (reader, writer) = kernel::pipe()?;
                let (parent, child) = if index == 0 { (writer, reader) } else { (reader, writer) };
                ends.parent[index] = Some(parent);
                ends.child[index] = Some(child);
            }
        }
        Ok(ends)
    }

    /// The highest fd of the parent's ends.
    pub fn highest_fd(&self) -> Option<RawFd> {
        self.parent.iter().flatten().map(AsRawFd::as_raw_fd).max()
    }

    /// Checks which standard streams are closed here. A child with a copy of the table sees that
    /// itself; the zygote cannot be sent closed fds.
    pub fn note_closed(&mut self) {
        self.closed = [0, 1, 2].map(|number| !kernel::is_open(number));
    }

    /// The source fd of the child's stream `index`, if it has one.
    pub fn source(&self, index: usize, stream: &Stdio) -> Option<RawFd> {
        match stream {
            Stdio::Inherit => (!self.closed[index]).then_some(index as RawFd),
            Stdio::Null => Some(NULL_DEVICE),
            Stdio::Pipe | Stdio::Terminal(_) => self.child[index].as_ref().map(AsRawFd::as_raw_fd),
            Stdio::Fd(fd) => Some(fd.as_raw_fd()),
            Stdio::Closed => None,
        }
    }
}

/// The parent's end of a child's stdout or stderr. Reading waits until the child has its own end: a
/// child that is killed before that leaves it open here, and the end of file would never come.
#[derive(Debug)]
pub struct Output {
    pub(crate) pipe: OwnedFd,
    pub(crate) start: crate::process::Start,
}

impl io::Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.start.wait_released();
        read(self.as_fd(), buffer).map_err(io::Error::from_raw_os_error)
    }
}

/// One `read(2)`; 0 at the end. A terminal reports its end as an error.
pub fn read(pipe: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize, Errno> {
    loop {
        // SAFETY: the kernel writes at most the buffer's bytes.
        let bytes = unsafe { libc::read(pipe.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
        match usize::try_from(bytes) {
            Ok(bytes) => return Ok(bytes),
            Err(_) => match kernel::errno() {
                libc::EINTR => {}
                libc::EIO => return Ok(0),
                errno => return Err(errno),
            },
        }
    }
}

impl AsFd for Output {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

impl From<Output> for OwnedFd {
    fn from(output: Output) -> OwnedFd {
        output.pipe
    }
}

/// The parent's end of a child's stdin. Dropping it closes the stdin.
#[derive(Debug)]
pub struct Input {
    pub(crate) pipe: OwnedFd,
}

impl io::Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write(self.as_fd(), bytes).map_err(io::Error::from_raw_os_error)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One `write(2)`, restarted on EINTR. Returns the bytes written.
pub(crate) fn write(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    loop {
        // SAFETY: the kernel only reads the buffer.
        let written = unsafe { libc::write(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) => return Ok(written),
            Err(_) if kernel::errno() == libc::EINTR => {}
            Err(_) => return Err(kernel::errno()),
        }
    }
}

impl AsFd for Input {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

impl From<Input> for OwnedFd {
    fn from(input: Input) -> OwnedFd {
        input.pipe
    }
}
