//! Spawner thread: starts children for other threads, and lives as long as the process. The kernel
//! ties a parent-death signal to the thread that cloned. In: a command. Out: its [`Child`], from
//! that thread.

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

/// A request to the thread, with the channel for its reply.
struct SpawnRequest {
    command: Command,
    reply: SyncSender<Result<Child>>,
}

/// Handle of the thread.
#[derive(Clone)]
pub struct SpawnerThread(Sender<SpawnRequest>);

/// Enough to start a child, which has its own stack.
const STACK_BYTES: usize = 128 * 1024;

pub(crate) fn start(command: &Command) -> Result<Child> {
    let (reply, reply_receiver) = sync_channel(1);
    let mut command = command.clone();
    command.setup.fix_mask(kernel::signal_mask());
    let request = SpawnRequest { command, reply };
    spawner()?.0.send(request).expect("the thread listens as long as the process lives");
    reply_receiver.recv().expect("the thread answers each request")
}

fn spawner() -> Result<SpawnerThread> {
    let mut known = Pool::of_process().thread.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(spawner) = &*known {
        return Ok(spawner.clone());
    }
    let thread = SpawnerThread::spawn()
        .map_err(|error| Error::new(Step::Clone, error.raw_os_error().unwrap_or(libc::EAGAIN)))?;
    Ok(known.insert(thread).clone())
}

impl SpawnerThread {
    fn spawn() -> io::Result<SpawnerThread> {
        let (sender, receiver) = channel::<SpawnRequest>();
        let builder = thread::Builder::new().name("rusk-spawn".to_owned()).stack_size(STACK_BYTES);
        // The thread inherits this mask: signals of this process must not be delivered to an
        // internal thread.
        let before = kernel::block_signals();
        let thread = builder.spawn(move || {
            for SpawnRequest { command, reply } in receiver {
                let child = launch::start(&command);
                // This may be the last owner of the caller's fds: they are closed before the caller
                // continues.
                drop(command);
                // The requesting thread may have exited; the child is then dropped.
                let _ = reply.send(child);
            }
        });
        kernel::set_signal_mask(before);
        thread.map(|_| SpawnerThread(sender))
    }
}
