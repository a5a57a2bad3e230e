//! One thread that starts others' children, and lives as long as the process: the kernel ties a
//! parent-death signal to the thread that cloned. In: a command. Out: its [`Child`], from that
//! thread.

use std::io;
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::thread;

use crate::command::Command;
use crate::error::{Error, Result};
use crate::kernel;
use crate::launch;
use crate::pool::Pool;
use crate::process::Child;
use crate::step::Step;

/// What the thread is asked for, and where its answer goes.
struct SpawnRequest {
    command: Command,
    reply: SyncSender<Result<Child>>,
}

/// The way to the thread.
#[derive(Clone)]
pub struct SpawnerThread(Sender<SpawnRequest>);

/// Enough to start a child; its own stack is elsewhere.
const STACK_BYTES: usize = 128 * 1024;

pub(crate) fn start(command: &Command) -> Result<Child> {
    let (reply, receiver_of_reply) = sync_channel(1);
    let mut command = command.clone();
    command.setup.fix_mask(kernel::signal_mask());
    let request = SpawnRequest { command, reply };
    spawner()?.0.send(request).expect("the thread listens as long as the process lives");
    receiver_of_reply.recv().expect("the thread answers each request")
}

fn spawner() -> Result<SpawnerThread> {
    let mut known = Pool::of_process().thread.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(spawner) = &*known {
        return Ok(spawner.clone());
    }
    let made = SpawnerThread::spawn()
        .map_err(|error| Error::new(Step::Clone, error.raw_os_error().unwrap_or(libc::EAGAIN)))?;
    Ok(known.insert(made).clone())
}

impl SpawnerThread {
    fn spawn() -> io::Result<SpawnerThread> {
        let (sender, receiver) = channel::<SpawnRequest>();
        let builder = thread::Builder::new().name("rusk-spawn".to_owned()).stack_size(STACK_BYTES);
        // It begins with this thread's mask: no signal of this process is to be taken by a thread
        // that nobody knows.
        let before = kernel::block_signals();
        let made = builder.spawn(move || {
            for SpawnRequest { command, reply } in receiver {
                let child = launch::start(&command);
                // It may be the last to hold the caller's descriptors: they close before the caller
                // goes on.
                drop(command);
                // Who asked may be gone with its own thread; the child is then given up, as any
                // dropped one.
                let _ = reply.send(child);
            }
        });
        kernel::set_signal_mask(before);
        made.map(|_| SpawnerThread(sender))
    }
}
