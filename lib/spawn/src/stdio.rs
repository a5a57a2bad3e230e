//! The three standard streams of a child. In: what each is to be. Out: sources of a plan, and our
//! ends of the pipes.

use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::Arc;

use crate::kernel::{self, Errno};
use crate::plan::NULL_DEVICE;
use crate::terminal::{self, Pty};

/// What a standard stream of the child is.
#[derive(Clone, Debug, Default)]
pub enum Stdio {
    /// This process's own, as it is at the spawn.
    #[default]
    Inherit,
    /// `/dev/null`.
    Null,
    /// A pipe; our end is in the [`crate::Child`].
    Pipe,
    /// Any descriptor. It stays open here as long as the command.
    Fd(Arc<OwnedFd>),
    /// Nothing: the number is closed in the child.
    Closed,
    /// A pseudo-terminal, which also becomes the controlling one of the child's session; see
    /// [`crate::Command::terminal`]. As output, what is written there can be read in the
    /// [`crate::Child`].
    Terminal(Pty),
}

impl Stdio {
    /// Another name for a descriptor, which the caller may close afterwards.
    ///
    /// # Errors
    /// What `fcntl(F_DUPFD_CLOEXEC)` says.
    pub fn copy_of(fd: impl AsFd) -> io::Result<Stdio> {
        Ok(Stdio::Fd(Arc::new(fd.as_fd().try_clone_to_owned()?)))
    }

    /// A file in memory alone, to be read from its beginning: input that nobody has to feed. It is
    /// one file, which the first child reads.
    ///
    /// # Errors
    /// What `memfd_create` says, or want of memory.
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

/// Both sides of the three streams.
#[derive(Default)]
pub(crate) struct StreamEnds {
    /// Where we write the child's input, and read its output and errors.
    pub parent: [Option<OwnedFd>; 3],
    /// The child's ends, closed here as soon as it has them.
    pub child: [Option<OwnedFd>; 3],
    /// Streams that are not open here, where somebody has looked.
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
                let (ours, theirs) = if index == 0 { (writer, reader) } else { (reader, writer) };
                ends.parent[index] = Some(ours);
                ends.child[index] = Some(theirs);
            }
        }
        Ok(ends)
    }

    /// The highest number that was given to an end of ours, if there is any.
    pub fn highest_fd(&self) -> Option<RawFd> {
        self.parent.iter().flatten().map(AsRawFd::as_raw_fd).max()
    }

    /// Looks which streams are closed here. A child born with a copy of our table sees for itself;
    /// one that is sent its descriptors cannot be sent these.
    pub fn note_closed(&mut self) {
        self.closed = [0, 1, 2].map(|number| !kernel::is_open(number));
    }

    /// The number from which the child's stream `index` comes, if it has one.
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

/// Our end of a child's output or errors. Reading begins once the child has its own end for sure: a
/// child that is killed before that leaves it with us, and nobody would ever see the end of the
/// stream.
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

/// What is there, up to the buffer's length; 0 at the end. The end of a terminal is an error of its
/// own, and means the same.
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

/// Our end of a child's input. To drop it is to end the input.
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

/// Writes once, again if a signal came first. Out: how many bytes the kernel took.
pub(crate) fn write(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    loop {
        // SAFETY: the kernel reads the buffer alone.
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
