//! How the bytes of a connection travel: as they are, or over TLS. In: a non-blocking socket. Out:
//! clear bytes in both directions. Absent: certificates; the closures of [`TlsAcceptor`] have them.

use std::cell::Cell;
use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd};
use std::rc::Rc;

use rusk_base::sys::{self, Errno, fd, socket};
use rusk_openssl::tls::{Answer, Connection as TlsConnection, Event as TlsEvent, TlsStep};

/// Clear text that is encrypted at once; a record has 16 KiB at most.
const CLEAR_BYTES: usize = 64 * 1024;
/// Room for one record of clear text.
const RECORD_BYTES: usize = 16 * 1024;

/// Gets a connection and the name that its client asks for.
pub type SelectCertificate = dyn Fn(&mut TlsConnection, &str);

/// The server side of TLS for new connections.
pub struct TlsAcceptor {
    /// Makes a connection that pauses for its certificate; `None`: the library refuses.
    pub accept: Box<dyn Fn() -> Option<TlsConnection>>,
    /// Uses the certificate for the name that the client asks for.
    pub select: Box<SelectCertificate>,
    /// Whether the client may go on after the handshake.
    pub admit: Box<dyn Fn(&TlsConnection) -> bool>,
}

pub struct Transport {
    fd: Rc<sys::OwnedFd>,
    tls: Option<Box<TlsLayer>>,
}

struct TlsLayer {
    connection: TlsConnection,
    acceptor: Rc<TlsAcceptor>,
    is_admitted: bool,
    has_ended: bool,
    clear: Vec<u8>,
}

impl Transport {
    pub fn plain(fd: sys::OwnedFd) -> Transport {
        Transport { fd: Rc::new(fd), tls: None }
    }

    /// `None`: the library refuses.
    pub fn accept_tls(fd: sys::OwnedFd, acceptor: &Rc<TlsAcceptor>) -> Option<Transport> {
        let connection = (acceptor.accept)()?;
        let acceptor = Rc::clone(acceptor);
        let layer =
            TlsLayer { connection, acceptor, is_admitted: false, has_ended: false, clear: Vec::new() };
        Some(Transport { fd: Rc::new(fd), tls: Some(Box::new(layer)) })
    }

    pub fn is_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Whether HTTP/2 was chosen in the handshake (RFC 9113, section 3.2).
    pub(crate) fn is_http2(&self) -> bool {
        let chosen = self.tls.as_ref().and_then(|layer| layer.connection.selected_protocol());
        chosen.as_deref() == Some(b"h2")
    }

    /// The socket, for a stream of HTTP/2 that shares it. Bytes do not travel by this one.
    pub(crate) fn of_stream(&self) -> Transport {
        Transport { fd: Rc::clone(&self.fd), tls: None }
    }

    /// Reads clear bytes; 0: the peer has ended, `EAGAIN`: there are none yet. The buffer grows if
    /// more was decrypted than it has room for.
    pub fn read(&mut self, buffer: &mut Vec<u8>) -> sys::Result<usize> {
        let count = socket::receive(self.fd.as_fd(), buffer)?;
        let Some(layer) = &mut self.tls else { return Ok(count) };
        if count == 0 {
            return Ok(0);
        }
        layer.connection.receive(buffer[..count].to_vec());
        let outcome = layer.decrypt();
        let written = self.write_encrypted();
        outcome?;
        written?;
        let layer = self.tls.as_mut().expect("it was there");
        let clear_bytes = layer.clear.len();
        if clear_bytes == 0 {
            return if layer.has_ended { Ok(0) } else { Err(Errno::AGAIN) };
        }
        if clear_bytes > buffer.len() {
            buffer.resize(clear_bytes, 0);
        }
        buffer[..clear_bytes].copy_from_slice(&layer.clear);
        layer.clear.clear();
        Ok(clear_bytes)
    }

    /// Writes what can be written without waiting; 0 if nothing can. Bytes that were encrypted and
    /// not yet written count as written: see [`Transport::has_output`].
    pub fn write(&mut self, bytes: &[u8]) -> sys::Result<usize> {
        if self.tls.is_none() {
            return socket::try_send(self.fd.as_fd(), bytes);
        }
        self.write_encrypted()?;
        let layer = self.tls.as_mut().expect("it was there");
        if !layer.connection.output().is_empty() {
            return Ok(0);
        }
        let clear = &bytes[..bytes.len().min(CLEAR_BYTES)];
        match layer.connection.write(clear) {
            TlsStep::Done(count) => {
                self.write_encrypted()?;
                Ok(count)
            }
            TlsStep::Waiting => Ok(0),
            TlsStep::Ended | TlsStep::Failed(_) => Err(Errno::PIPE),
        }
    }

    /// Writes two pieces in one call, without TLS. 0: nothing could be written; an error is left to
    /// the next write.
    pub fn try_write_parts(&mut self, parts: [&[u8]; 2]) -> usize {
        match self.tls {
            None => fd::try_write_parts(self.fd.as_fd(), &parts.map(IoSlice::new)).unwrap_or(0),
            Some(_) => 0,
        }
    }

    /// Whether encrypted bytes wait to be written.
    pub fn has_output(&mut self) -> bool {
        self.tls.as_mut().is_some_and(|layer| !layer.connection.output().is_empty())
    }

    pub fn write_encrypted(&mut self) -> sys::Result<()> {
        let Some(layer) = &mut self.tls else { return Ok(()) };
        let output = layer.connection.output();
        let mut written = 0;
        while written < output.len() {
            match socket::try_send(self.fd.as_fd(), &output[written..])? {
                0 => break,
                count => written += count,
            }
        }
        output.drain(..written);
        Ok(())
    }

    /// The peer reads the end of the stream.
    pub fn shutdown(&mut self) -> sys::Result<()> {
        if let Some(layer) = &mut self.tls {
            layer.connection.shutdown();
            self.write_encrypted()?;
        }
        fd::shutdown_write(self.fd.as_fd())
    }
}

/// A connection on its way from one owner to another.
pub struct TransportSlot(Cell<Option<Transport>>);

impl TransportSlot {
    pub fn new(transport: Transport) -> TransportSlot {
        TransportSlot(Cell::new(Some(transport)))
    }

    /// `None`: it was taken before.
    pub fn take(&self) -> Option<Transport> {
        self.0.take()
    }
}

impl AsFd for Transport {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl TlsLayer {
    /// Decrypts what has come, after the handshake.
    fn decrypt(&mut self) -> sys::Result<()> {
        loop {
            self.clear.reserve(RECORD_BYTES);
            let step = self.connection.read(&mut self.clear, &mut |_| Answer::None);
            let is_paused = self.take_events();
            match step {
                TlsStep::Failed(_) => return Err(Errno::PROTO),
                TlsStep::Ended => {
                    self.has_ended = true;
                    return Ok(());
                }
                _ if !self.check_admission() => return Err(Errno::ACCESS),
                TlsStep::Done(_) => {}
                TlsStep::Waiting if is_paused => {}
                TlsStep::Waiting => return Ok(()),
            }
        }
    }

    /// Returns whether the handshake has waited for a certificate.
    fn take_events(&mut self) -> bool {
        let mut is_paused = false;
        while let Some(event) = self.connection.next_event() {
            if let TlsEvent::CertificateNeeded { server_name, .. } = event {
                if let Some(name) = server_name {
                    (self.acceptor.select)(&mut self.connection, &name);
                }
                self.connection.continue_certificate();
                is_paused = true;
            }
        }
        is_paused
    }

    /// False: the client's certificate is refused.
    fn check_admission(&mut self) -> bool {
        if !self.is_admitted && self.connection.is_established() {
            self.is_admitted = (self.acceptor.admit)(&self.connection);
            return self.is_admitted;
        }
        true
    }
}

#[cfg(test)]
mod tests;
