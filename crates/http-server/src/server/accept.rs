//! Accepting connections, several in one turn. Where the process has no more descriptors, a spare
//! one is closed so that the connection can be accepted and closed: otherwise the listening socket
//! would stay readable and the loop would spin (libuv's `emfile_fd`).

use std::os::fd::AsFd;

use rusk_base::sys::epoll::EventFlags;
use rusk_base::sys::socket;
use rusk_base::sys::{self, Errno, Mode, OFlags};

use super::Server;
use crate::connection::Connection;
use crate::limits::ACCEPTS_MAX;
use crate::transport::Transport;

impl Server {
    pub(super) fn accept(&mut self) {
        for _ in 0..ACCEPTS_MAX {
            let Some(listener) = &self.listener else { return };
            match socket::accept(listener.as_fd()) {
                Ok(socket) => self.add_connection(socket.into()),
                Err(Errno::MFILE | Errno::NFILE) => return self.drop_connection(),
                // The peer has reset it meanwhile.
                Err(Errno::CONNABORTED) => {}
                Err(_) => return,
            }
        }
    }

    fn add_connection(&mut self, socket: sys::OwnedFd) {
        let timeout_ms = self.limits.idle_timeout.as_millis() as u64;
        let transport = match &self.acceptor {
            Some(acceptor) => match Transport::accept_tls(socket, acceptor) {
                Some(transport) => transport,
                None => return,
            },
            None => Transport::plain(socket),
        };
        let mut connection = Connection::new(transport, timeout_ms);
        connection.touch(self.now_ms, &self.limits);
        let slot = self.slots.insert(connection);
        let added = match self.slots.connection(slot) {
            Some(connection) => self.epoll.add(connection.transport.as_fd(), slot.into(), EventFlags::IN),
            None => return,
        };
        match added {
            Ok(()) => self.set_timer_for(slot),
            Err(_) => self.close(slot),
        }
    }

    fn drop_connection(&mut self) {
        if self.spare.take().is_some()
            && let Some(listener) = &self.listener
        {
            drop(socket::accept(listener.as_fd()));
        }
        self.refill_spare();
    }

    pub(super) fn refill_spare(&mut self) {
        if self.spare.is_none() {
            let flags = OFlags::RDONLY | OFlags::CLOEXEC;
            self.spare = sys::openat(sys::CWD, "/dev/null", flags, Mode::empty()).ok();
        }
    }
}
