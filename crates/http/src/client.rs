//! The thread that does all of it. In: requests, from any thread. Out: their events, in the inbox.
//! It begins with the client and ends when that is dropped, whatever is under way.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusk_base::sys;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;

use crate::body::{Outgoing, Pieces, Upload};
use crate::exchange::{self, Network, Work};
use crate::inbox::{Event, Inbox};
use crate::trust::Trust;

/// What of a body may wait to be taken before no more is read of it: enough for a pause of the
/// taker, little beside a program.
pub(crate) const WAITING_BYTES_MAX: usize = 256 << 10;

/// One request, of names and values that a caller has checked.
#[derive(Debug)]
pub struct Request {
    pub method: String,
    pub is_secure: bool,
    /// A name or an address, IPv6 without its brackets.
    pub host: String,
    pub port: u16,
    /// The path with its question.
    pub target: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub upload: Upload,
    /// Whether a body that is packed arrives unpacked.
    pub unpacks: bool,
}

pub struct Client {
    commands: UnboundedSender<Command>,
    inbox: Arc<Inbox>,
    next: AtomicU64,
}

/// A request under way; dropped, it is given up.
pub struct Exchange {
    pub number: u64,
    commands: UnboundedSender<Command>,
    upload: Option<UnboundedSender<Vec<u8>>>,
    room: Arc<Semaphore>,
}

pub(crate) enum Command {
    Begin(Work),
    GiveUp(u64),
    Ended(u64),
}

impl Client {
    pub fn start(trust: Trust) -> io::Result<Client> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let inbox = Arc::new(Inbox::new()?);
        let (commands, received) = unbounded_channel();
        let network = Arc::new(Network::new(trust, Arc::clone(&inbox)));
        let own = commands.downgrade();
        std::thread::Builder::new().name("rusk-http".to_owned()).spawn(move || {
            let ended = move |number| {
                // Without a client nobody counts.
                if let Some(commands) = own.upgrade() {
                    let _ = commands.send(Command::Ended(number));
                }
            };
            runtime.block_on(serve(network, received, Arc::new(ended)));
            // Names still being looked up are not waited for.
            runtime.shutdown_background();
        })?;
        Ok(Client { commands, inbox, next: AtomicU64::new(0) })
    }

    /// A descriptor that is ready while there are events to be taken.
    pub fn waker(&self) -> sys::Result<Rc<OwnedFd>> {
        self.inbox.waker()
    }

    /// What has happened since the last time, each with the number of its exchange.
    pub fn take(&self) -> sys::Result<Vec<(u64, Event)>> {
        self.inbox.take()
    }

    pub fn begin(&self, request: Request) -> Exchange {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (mut upload, room) = (None, Arc::new(Semaphore::new(WAITING_BYTES_MAX)));
        let outgoing = match &request.upload {
            Upload::None => Outgoing::None,
            Upload::Whole(bytes) => Outgoing::Whole(bytes.clone().into()),
            Upload::Pieces(length) => {
                let (sender, received) = unbounded_channel();
                upload = Some(sender);
                let inbox = Arc::clone(&self.inbox);
                Outgoing::Pieces(Pieces { received, length: *length, inbox, exchange: number })
            }
        };
        let work = Work { number, request, outgoing, room: Arc::clone(&room) };
        // The thread lives as long as the client.
        let _ = self.commands.send(Command::Begin(work));
        Exchange { number, commands: self.commands.clone(), upload, room }
    }
}

impl Exchange {
    /// The next piece of the request's body; [`Event::Room`] says when it was taken.
    pub fn write(&self, piece: Vec<u8>) {
        if let Some(upload) = &self.upload {
            // Refused only where the exchange has ended, which its last event says.
            let _ = upload.send(piece);
        }
    }

    /// The request's body is whole.
    pub fn end(&mut self) {
        self.upload = None;
    }

    /// So many bytes of the answer were taken.
    pub fn taken(&self, bytes: usize) {
        self.room.add_permits(bytes.min(WAITING_BYTES_MAX));
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let _ = self.commands.send(Command::GiveUp(self.number));
    }
}

async fn serve(
    network: Arc<Network>,
    mut received: UnboundedReceiver<Command>,
    ended: Arc<dyn Fn(u64) + Send + Sync>,
) {
    let mut under_way: HashMap<u64, AbortHandle> = HashMap::new();
    while let Some(command) = received.recv().await {
        match command {
            Command::Begin(work) => {
                let (network, ended, number) = (Arc::clone(&network), Arc::clone(&ended), work.number);
                let task = tokio::spawn(async move {
                    exchange::run(&network, work).await;
                    ended(number);
                });
                under_way.insert(number, task.abort_handle());
            }
            Command::GiveUp(number) => {
                if let Some(task) = under_way.remove(&number) {
                    task.abort();
                }
            }
            Command::Ended(number) => drop(under_way.remove(&number)),
        }
    }
}
