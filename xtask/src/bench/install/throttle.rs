//! Network throttling: a proxy between the tools and the registry that simulates a good home
//! connection: 50 ms round-trip time, 200 Mbit/s shared by all connections. In: connections on
//! loopback. Out: the same bytes, later, and their number. Absent: packet loss, and TCP slow start,
//! which costs a real connection a few more round trips.

use super::registry::{PORT, UPSTREAM_PORT};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// From one end to the other.
pub const ONE_WAY: Duration = Duration::from_millis(25);
pub const ROUND_TRIP: Duration = Duration::from_millis(50);
/// 200 Mbit/s.
pub const BYTES_PER_SECOND: f64 = 25e6;

/// What one connection sends at once: small enough that connections share the link fairly.
const CHUNK_BYTES: usize = 16 * 1024;
/// How much a connection may read ahead of the link. The timer has a resolution of a millisecond,
/// which is 25 kB.
const READ_AHEAD: Duration = Duration::from_millis(4);
/// Chunks of a connection in flight; more than the link carries in [`ONE_WAY`].
const IN_FLIGHT_MAX: usize = 256;

/// A running proxy, stopped when dropped. It forwards everything without delay until it is enabled.
pub struct Throttle {
    link: Arc<Link>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What was transferred since the last [`Throttle::enable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// To the tools.
    pub bytes: u64,
    pub connections: u64,
}

/// Shared by all connections.
struct Link {
    is_enabled: AtomicBool,
    bytes: AtomicU64,
    connections: AtomicU64,
    /// When the last queued chunk will have left.
    free_at: Mutex<Instant>,
}

impl Throttle {
    /// Listens on the port that tools connect to; nginx has the upstream port.
    pub fn start() -> Result<Throttle, String> {
        Throttle::listen(
            SocketAddr::from(([127, 0, 0, 1], PORT)),
            SocketAddr::from(([127, 0, 0, 1], UPSTREAM_PORT)),
        )
    }

    fn listen(front: SocketAddr, upstream: SocketAddr) -> Result<Throttle, String> {
        let message = |error: std::io::Error| format!("the throttling proxy: {error}");
        let listener = std::net::TcpListener::bind(front).map_err(message)?;
        listener.set_nonblocking(true).map_err(message)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(message)?;
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let link = Arc::new(Link {
            is_enabled: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            free_at: Mutex::new(Instant::now()),
        });
        let thread = std::thread::spawn({
            let link = Arc::clone(&link);
            move || {
                runtime.block_on(async {
                    tokio::spawn(accept(listener, upstream, link));
                    let _ = stopped.await;
                });
            }
        });
        Ok(Throttle { link, stop: Some(stop), thread: Some(thread) })
    }

    /// Starts delaying and counting.
    pub fn enable(&self) {
        self.link.bytes.store(0, Ordering::Relaxed);
        self.link.connections.store(0, Ordering::Relaxed);
        self.link.is_enabled.store(true, Ordering::Relaxed);
    }

    /// Stops delaying; returns the counts so far.
    pub fn disable(&self) -> Traffic {
        self.link.is_enabled.store(false, Ordering::Relaxed);
        Traffic {
            bytes: self.link.bytes.load(Ordering::Relaxed),
            connections: self.link.connections.load(Ordering::Relaxed),
        }
    }
}

impl Drop for Throttle {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Link {
    fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Relaxed)
    }

    /// When a chunk of so many bytes, queued now, will have left the registry's end of the link.
    fn departure(&self, bytes: usize) -> Instant {
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        *free_at = (*free_at).max(Instant::now()) + Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND);
        *free_at
    }
}

/// Arrival time, and bytes.
type Chunk = (Instant, Vec<u8>);

async fn accept(
    listener: std::net::TcpListener,
    upstream: SocketAddr,
    link: Arc<Link>,
) -> std::io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        let (client, _) = listener.accept().await?;
        tokio::spawn(proxy(client, upstream, Arc::clone(&link)));
    }
}

/// One connection, in both directions, until both ends have closed.
async fn proxy(client: TcpStream, upstream: SocketAddr, link: Arc<Link>) {
    let accepted = Instant::now();
    let Ok(server) = TcpStream::connect(upstream).await else { return };
    if client.set_nodelay(true).is_err() || server.set_nodelay(true).is_err() {
        return;
    }
    link.connections.fetch_add(1, Ordering::Relaxed);
    let ((client_read, client_write), (server_read, server_write)) =
        (client.into_split(), server.into_split());
    let (up, up_chunks) = mpsc::channel(IN_FLIGHT_MAX);
    let (down, down_chunks) = mpsc::channel(IN_FLIGHT_MAX);
    tokio::spawn(deliver(server_write, up_chunks));
    tokio::spawn(deliver(client_write, down_chunks));
    tokio::spawn(send_up(client_read, up, Arc::clone(&link), accepted));
    send_down(server_read, down, &link).await;
}

/// Requests are small: they are delayed, not limited in rate. The kernel accepted the client's
/// connect at once, so the first bytes also wait for the round trip of a connect.
async fn send_up(mut from: OwnedReadHalf, to: mpsc::Sender<Chunk>, link: Arc<Link>, accepted: Instant) {
    let mut buffer = vec![0; CHUNK_BYTES];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let now = Instant::now();
        let arrival = if link.is_enabled() { now.max(accepted + ROUND_TRIP) + ONE_WAY } else { now };
        if to.send((arrival, buffer[..count].to_vec())).await.is_err() {
            return;
        }
    }
}

async fn send_down(mut from: OwnedReadHalf, to: mpsc::Sender<Chunk>, link: &Link) {
    let mut buffer = vec![0; CHUNK_BYTES];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        link.bytes.fetch_add(count as u64, Ordering::Relaxed);
        let mut arrival = Instant::now();
        if link.is_enabled() {
            let departure = link.departure(count);
            tokio::time::sleep_until(departure - READ_AHEAD).await;
            arrival = departure + ONE_WAY;
        }
        if to.send((arrival, buffer[..count].to_vec())).await.is_err() {
            return;
        }
    }
}

/// Writes each chunk when it is due; chunks that are due together in one go.
async fn deliver(mut to: OwnedWriteHalf, mut chunks: mpsc::Receiver<Chunk>) {
    let mut waiting: VecDeque<Chunk> = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Some(chunk) = chunks.recv().await else { break };
            waiting.push_back(chunk);
        }
        let Some(&(due, _)) = waiting.front() else { continue };
        if due > Instant::now() {
            tokio::time::sleep_until(due).await;
        }
        while let Ok(chunk) = chunks.try_recv() {
            waiting.push_back(chunk);
        }
        while waiting.front().is_some_and(|(due, _)| *due <= Instant::now()) {
            let Some((_, bytes)) = waiting.pop_front() else { break };
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    }
    let _ = to.shutdown().await;
}

#[cfg(test)]
mod tests;
