//! Load of WebSockets and of idle connections, for `bench/http`: `load-sockets echo PORT SECONDS
//! BYTES`, `load-sockets publish PORT SECONDS SUBSCRIBERS`, `load-sockets hold PORT 0 CONNECTIONS`.
//! In: a server on loopback that echoes, and publishes the message `publish` to all. Out: the time
//! per message in microseconds; `hold`: a line when all connections are open. One thread, so that
//! it has one core: it writes to all connections, then reads from all.

use std::io::{ErrorKind, Read, Write, stdin};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 32;
/// Time that does not count.
const WARM_UP: Duration = Duration::from_millis(300);
const MASK: [u8; 4] = [0x12, 0x34, 0x56, 0x78];

pub fn run(arguments: &[String]) -> Result<(), String> {
    let number = |index: usize| {
        let text = arguments.get(index).ok_or("expected echo|publish|hold PORT SECONDS NUMBER")?;
        text.parse::<u64>().map_err(|error| format!("{text}: {error}"))
    };
    let (port, seconds, count) = (number(1)? as u16, Duration::from_secs(number(2)?), number(3)? as usize);
    match arguments[0].as_str() {
        "echo" => echo(port, seconds, count),
        "publish" => publish(port, seconds, count),
        _ => hold(port, count),
    }
    .map_err(|error| error.to_string())
}

fn echo(port: u16, seconds: Duration, message_bytes: usize) -> std::io::Result<()> {
    let mut sockets =
        (0..CONNECTIONS).map(|_| LoadSocket::open(port)).collect::<std::io::Result<Vec<_>>>()?;
    let frame = client_frame(2, &vec![7; message_bytes]);
    measure(seconds, || {
        for socket in &mut sockets {
            socket.stream.write_all(&frame)?;
        }
        for socket in &mut sockets {
            socket.skip_frame()?;
        }
        Ok(CONNECTIONS)
    })
}

fn publish(port: u16, seconds: Duration, subscribers: usize) -> std::io::Result<()> {
    let mut sockets =
        (0..subscribers).map(|_| LoadSocket::open(port)).collect::<std::io::Result<Vec<_>>>()?;
    let frame = client_frame(1, b"publish");
    measure(seconds, || {
        sockets[0].stream.write_all(&frame)?;
        for socket in &mut sockets {
            socket.skip_frame()?;
        }
        Ok(subscribers)
    })
}

/// Prints the mean time of a message; `round` returns how many it has sent.
#[allow(clippy::print_stdout, reason = "the result")]
fn measure(seconds: Duration, mut round: impl FnMut() -> std::io::Result<usize>) -> std::io::Result<()> {
    let warm = Instant::now();
    while warm.elapsed() < WARM_UP {
        round()?;
    }
    let (begin, mut count) = (Instant::now(), 0);
    while begin.elapsed() < seconds {
        count += round()?;
    }
    println!("{}", begin.elapsed().as_secs_f64() * 1e6 / count as f64);
    Ok(())
}

#[allow(clippy::print_stdout, reason = "the caller waits for it")]
fn hold(port: u16, count: usize) -> std::io::Result<()> {
    let sockets =
        (0..count).map(|_| TcpStream::connect(("127.0.0.1", port))).collect::<std::io::Result<Vec<_>>>()?;
    println!("open");
    stdin().read_to_end(&mut Vec::new())?;
    drop(sockets);
    Ok(())
}

struct LoadSocket {
    stream: TcpStream,
    /// Received and not consumed.
    buffer: Vec<u8>,
}

impl LoadSocket {
    fn open(port: u16) -> std::io::Result<LoadSocket> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        let mut socket = LoadSocket { stream, buffer: Vec::new() };
        socket.stream.write_all(
            b"GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
              Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        )?;
        loop {
            if let Some(end) = socket.buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                socket.buffer.drain(..end + 4);
                return Ok(socket);
            }
            socket.receive()?;
        }
    }

    /// Waits for one frame of the server, whose frames are not masked.
    fn skip_frame(&mut self) -> std::io::Result<()> {
        loop {
            if let Some(bytes) = frame_bytes(&self.buffer).filter(|bytes| *bytes <= self.buffer.len()) {
                self.buffer.drain(..bytes);
                return Ok(());
            }
            self.receive()?;
        }
    }

    fn receive(&mut self) -> std::io::Result<()> {
        let mut chunk = [0; 64 << 10];
        match self.stream.read(&mut chunk)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            count => {
                self.buffer.extend_from_slice(&chunk[..count]);
                Ok(())
            }
        }
    }
}

/// The length of the frame at the begin, once its head is there.
fn frame_bytes(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? & 0x7f {
        126 => Some(4 + usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => Some(10 + u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?) as usize),
        short => Some(2 + usize::from(short)),
    }
}

fn client_frame(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | opcode];
    match payload.len() {
        length @ 0..126 => frame.push(0x80 | length as u8),
        length @ 126..0x1_0000 => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend(MASK);
    frame.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}
