//! Frames: events between the output of tests, on one pipe, so that their order is that of the
//! file. In: lines, or bytes of the pipe. Out: blocks to write, or pieces of output and lines.
//! A frame is written by one call of at most `PIPE_BUF` bytes, so no other writer can split it:
//! pipe(7). It begins with a mark that is random in each run. Absent: what the lines mean.

/// `PIPE_BUF` of Linux.
const BLOCK_BYTES_MAX: usize = 4096;

/// Begins a frame, before the token: the record separator, which text does not have.
const SEPARATOR: u8 = 0x1e;

/// After the token: whether the line ends with this frame.
const LAST: u8 = b'.';
const CONTINUED: u8 = b'+';

/// A longer line is dropped: no event is that long, but output may look like one.
const LINE_BYTES_MAX: usize = 64 << 20;

/// Writes frames.
#[derive(Clone, Debug)]
pub struct FrameWriter {
    mark: Vec<u8>,
}

/// A part of what a pipe has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Output(Vec<u8>),
    Line(String),
}

/// Reads frames.
#[derive(Debug)]
pub struct FrameReader {
    mark: Vec<u8>,
    /// Bytes that may be the beginning of a frame.
    partial: Vec<u8>,
    /// The line whose end was not read.
    line: Vec<u8>,
}

impl FrameWriter {
    pub fn new(token: &str) -> FrameWriter {
        FrameWriter { mark: mark(token) }
    }

    /// Blocks, each for one write, of lines with their ends.
    pub fn blocks(&self, lines: &str) -> Vec<Vec<u8>> {
        let payload_max = BLOCK_BYTES_MAX - self.mark.len() - 2;
        let mut blocks: Vec<Vec<u8>> = Vec::new();
        for line in lines.lines() {
            let mut parts = line.as_bytes().chunks(payload_max).peekable();
            while let Some(part) = parts.next() {
                let frame_bytes = part.len() + self.mark.len() + 2;
                let fits = blocks.last().is_some_and(|block| block.len() + frame_bytes <= BLOCK_BYTES_MAX);
                if !fits {
                    blocks.push(Vec::with_capacity(BLOCK_BYTES_MAX));
                }
                let block = blocks.last_mut().expect("there is one");
                block.extend_from_slice(&self.mark);
                block.push(if parts.peek().is_some() { CONTINUED } else { LAST });
                block.extend_from_slice(part);
                block.push(b'\n');
            }
        }
        blocks
    }
}

impl FrameReader {
    pub fn new(token: &str) -> FrameReader {
        FrameReader { mark: mark(token), partial: Vec::new(), line: Vec::new() }
    }

    /// The pieces of these bytes, and of bytes before them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        self.partial.extend_from_slice(bytes);
        let buffer = std::mem::take(&mut self.partial);
        let (mut pieces, mut rest) = (Vec::new(), buffer.as_slice());
        while !rest.is_empty() {
            let Some(start) = rest.iter().position(|byte| *byte == SEPARATOR) else {
                output(&mut pieces, rest);
                break;
            };
            output(&mut pieces, &rest[..start]);
            rest = &rest[start..];
            if rest.len() <= self.mark.len() && self.mark.starts_with(rest) {
                self.partial = rest.to_vec();
                break;
            }
            if !rest.starts_with(&self.mark) {
                output(&mut pieces, &rest[..1]);
                rest = &rest[1..];
                continue;
            }
            match self.frame(rest) {
                Some(end) => {
                    self.add(&rest[self.mark.len()..end], &mut pieces);
                    rest = &rest[end + 1..];
                }
                None if rest.len() > BLOCK_BYTES_MAX => {
                    output(&mut pieces, &rest[..1]);
                    rest = &rest[1..];
                }
                None => {
                    self.partial = rest.to_vec();
                    break;
                }
            }
        }
        pieces
    }

    /// What is left at the end of a process.
    pub fn finish(&mut self) -> Vec<Piece> {
        self.line.clear();
        let mut pieces = Vec::new();
        output(&mut pieces, &std::mem::take(&mut self.partial));
        pieces
    }

    /// The index of the newline that ends a frame; `None`: it was not read.
    fn frame(&self, bytes: &[u8]) -> Option<usize> {
        let limit = bytes.len().min(BLOCK_BYTES_MAX);
        bytes[self.mark.len()..limit].iter().position(|byte| *byte == b'\n').map(|at| at + self.mark.len())
    }

    fn add(&mut self, frame: &[u8], pieces: &mut Vec<Piece>) {
        let Some((kind, payload)) = frame.split_first() else { return };
        if self.line.len() + payload.len() <= LINE_BYTES_MAX {
            self.line.extend_from_slice(payload);
        }
        if *kind != CONTINUED {
            let line = std::mem::take(&mut self.line);
            pieces.push(Piece::Line(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

fn mark(token: &str) -> Vec<u8> {
    std::iter::once(SEPARATOR).chain(token.bytes()).collect()
}

fn output(pieces: &mut Vec<Piece>, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(Piece::Output(before)) => before.extend_from_slice(bytes),
        _ => pieces.push(Piece::Output(bytes.to_vec())),
    }
}

#[cfg(test)]
mod tests;
