//! A TLS stream over TCP, by OpenSSL. In: a TCP stream, a connection of `rusk_openssl` without I/O.
//! Out: a stream of clear text; sessions that the server sends. Absent: verification of the server
//! (secure.rs).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use rusk_openssl::tls::{Answer, Connection, Event, Question, TlsFailure, TlsStep};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::error::ClientError;

/// Encrypted bytes that are read at once, and clear text that is kept.
const CHUNK_BYTES: usize = 64 * 1024;

type SessionListener = Box<dyn Fn(Vec<u8>) + Send>;

pub(crate) struct SecureStream {
    tcp: TcpStream,
    tls: Connection,
    /// Clear text, of which `clear_read` bytes were taken.
    clear: Vec<u8>,
    clear_read: usize,
    /// Bytes of the output that were sent.
    sent: usize,
    encrypted: Vec<u8>,
    is_ended: bool,
    /// Called with each session that the server sends.
    on_session: SessionListener,
    /// A write that waits for bytes of the server.
    writer: Option<Waker>,
}

impl SecureStream {
    pub fn new(tcp: TcpStream, tls: Connection, on_session: SessionListener) -> SecureStream {
        SecureStream {
            tcp,
            tls,
            clear: Vec::with_capacity(CHUNK_BYTES),
            clear_read: 0,
            sent: 0,
            encrypted: vec![0; CHUNK_BYTES],
            is_ended: false,
            on_session,
            writer: None,
        }
    }

    pub fn tls(&self) -> &Connection {
        &self.tls
    }

    pub fn poll_handshake(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ClientError>> {
        loop {
            let step = self.tls.handshake(&mut no_answer);
            if let Poll::Ready(Err(error)) = self.poll_send(context) {
                return Poll::Ready(Err(ClientError::of_io(&error, true)));
            }
            match step {
                TlsStep::Done(_) => return Poll::Ready(Ok(())),
                TlsStep::Failed(failure) => return Poll::Ready(Err(failure_error(failure))),
                TlsStep::Ended => return Poll::Ready(Err(ClientError::Closed)),
                TlsStep::Waiting => match ready!(self.poll_receive(context)) {
                    Ok(0) => return Poll::Ready(Err(ClientError::Closed)),
                    Ok(_) => {}
                    Err(error) => return Poll::Ready(Err(ClientError::of_io(&error, false))),
                },
            }
        }
    }

    /// Passes bytes of the server to the connection. 0: there are no more.
    fn poll_receive(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(&mut self.encrypted);
        ready!(Pin::new(&mut self.tcp).poll_read(context, &mut buffer))?;
        let bytes = buffer.filled();
        if !bytes.is_empty() {
            self.tls.receive(bytes.to_vec());
        }
        if let Some(writer) = self.writer.take() {
            writer.wake();
        }
        Poll::Ready(Ok(bytes.len()))
    }

    /// Sends the output of the connection.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.sent < self.tls.output().len() {
            let rest = &self.tls.output()[self.sent..];
            match ready!(Pin::new(&mut self.tcp).poll_write(context, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.sent += count,
            }
        }
        self.tls.output().clear();
        self.sent = 0;
        Poll::Ready(Ok(()))
    }

    /// Decrypts into the empty buffer of clear text.
    fn decrypt(&mut self) -> TlsStep {
        self.clear.clear();
        self.clear_read = 0;
        let step = self.tls.read(&mut self.clear, &mut no_answer);
        while let Some(event) = self.tls.next_event() {
            if let Event::NewSession { der, .. } = event {
                (self.on_session)(der);
            }
        }
        step
    }
}

fn no_answer(_: Question<'_>) -> Answer {
    Answer::None
}

fn failure_error(failure: TlsFailure) -> ClientError {
    let code = failure.entry.and_then(|entry| entry.code());
    let code = code.unwrap_or_else(|| "ERR_SSL_PROTOCOL_ERROR".to_owned());
    ClientError::Tls { code: code.into(), cause: failure.message.trim_end().to_owned() }
}

impl AsyncRead for SecureStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        target: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            let rest = &this.clear[this.clear_read..];
            if !rest.is_empty() {
                let count = rest.len().min(target.remaining());
                target.put_slice(&rest[..count]);
                this.clear_read += count;
                return Poll::Ready(Ok(()));
            }
            if this.is_ended {
                return Poll::Ready(Ok(()));
            }
            match this.decrypt() {
                TlsStep::Done(_) => continue,
                TlsStep::Ended => this.is_ended = true,
                TlsStep::Failed(failure) => return Poll::Ready(Err(failure_error(failure).into_io())),
                TlsStep::Waiting => {}
            }
            // Answers of the protocol: alerts, new keys.
            if let Poll::Ready(Err(error)) = this.poll_send(context) {
                return Poll::Ready(Err(error));
            }
            if !this.is_ended && ready!(this.poll_receive(context))? == 0 {
                // Without an alert, as many servers end; HTTP checks the length of the body.
                this.is_ended = true;
            }
        }
    }
}

impl AsyncWrite for SecureStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        ready!(this.poll_send(context))?;
        match this.tls.write(bytes) {
            TlsStep::Done(count) => {
                // What cannot be sent now is sent by the next write or by a flush.
                if let Poll::Ready(Err(error)) = this.poll_send(context) {
                    return Poll::Ready(Err(error));
                }
                Poll::Ready(Ok(count))
            }
            TlsStep::Waiting => {
                this.writer = Some(context.waker().clone());
                Poll::Pending
            }
            TlsStep::Ended => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            TlsStep::Failed(failure) => Poll::Ready(Err(failure_error(failure).into_io())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tls.shutdown();
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}
