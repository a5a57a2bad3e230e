//! Responses: at once, in pieces, from files; bodies of requests; upgrades. In: the ID of a request
//! and what to answer. Out: bytes in the connection's output. A call for a request that is over has
//! no effect. Absent: when output is written ([`Server::flush`]).

use std::io::IoSlice;
use std::os::fd::AsFd;
use std::time::Duration;

use rusk_base::sys::{Errno, fd};

use crate::body::{BodyRead, BodyWait, RequestBody};
use crate::conditional::Conditions;
use crate::connection::{Connection, Ending, Phase, ResponsePhase, StreamFraming};
use crate::directory::{Directory, DirectoryEntry};
use crate::file::{EtagKind, FileFields, FilePlan, FileResponse, OpenFile, SliceMeaning, plan_file};
use crate::limits::{IDLE_BUFFER_BYTES_MAX, OUTPUT_JOIN_BYTES_MAX, PIECE_BYTES_KEPT};
use crate::output::FilePart;
use crate::response::{
    ConnectionField, ResponseFraming, ResponseHead, has_no_body, push_chunk, push_chunk_size, render_head,
};
use crate::server::{RequestId, Server};
use crate::slots::Slots;
use crate::static_response::StaticResponse;
use crate::transport::Transport;

/// A connection that speaks another protocol from now on. The 101 is sent.
pub struct Upgraded {
    pub transport: Transport,
    /// Bytes that the client has sent after its request.
    pub head: Vec<u8>,
}

impl Server {
    /// Answers with a body in memory. Returns whether the request was still there.
    pub fn respond(&mut self, id: RequestId, head: &ResponseHead<'_>, body: &[u8]) -> bool {
        self.respond_with(id, head, body.len() as u64, |output| output.extend_from_slice(body))
    }

    /// Answers with a body of `body_bytes` that `write` appends. It is not called where the
    /// response has no body.
    pub fn respond_with(
        &mut self,
        id: RequestId,
        head: &ResponseHead<'_>,
        body_bytes: u64,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> bool {
        let length = head.length_of_head.filter(|_| body_bytes == 0).unwrap_or(body_bytes);
        let is_stopping = self.is_stopping;
        let Some(connection) = not_begun(&mut self.slots, id) else { return false };
        close_unless_read(connection);
        let is_head = connection.view().is_head();
        let field = connection_field(connection, head, is_stopping);
        let framing = match has_no_body(head.status) {
            true => ResponseFraming::None,
            // Only HEAD has a length without a body.
            false if !is_head => ResponseFraming::Length(body_bytes),
            false => ResponseFraming::Length(length),
        };
        render_head(&mut connection.output.bytes, head, framing, field, &self.date);
        if !is_head && framing != ResponseFraming::None {
            write(&mut connection.output.bytes);
        }
        self.end_response(id.slot);
        true
    }

    /// Begins a response whose body follows in pieces.
    pub fn begin(&mut self, id: RequestId, head: &ResponseHead<'_>) -> bool {
        let is_stopping = self.is_stopping;
        let Some(connection) = not_begun(&mut self.slots, id) else { return false };
        let stream = match has_no_body(head.status) || connection.view().is_head() {
            true => StreamFraming::NoBody,
            false if let Some(bytes) = head.length_of_head.filter(|_| connection.link.is_none()) => {
                StreamFraming::Length(bytes)
            }
            false if connection.head.version < (1, 1) || connection.link.is_some() => {
                StreamFraming::UntilClose
            }
            false => StreamFraming::Chunked,
        };
        let framing = match stream {
            StreamFraming::UntilClose => {
                connection.ending = Ending::Close;
                ResponseFraming::UntilClose
            }
            StreamFraming::NoBody if has_no_body(head.status) => ResponseFraming::None,
            StreamFraming::NoBody => {
                head.length_of_head.map_or(ResponseFraming::Chunked, ResponseFraming::Length)
            }
            StreamFraming::Length(bytes) => ResponseFraming::Length(bytes),
            StreamFraming::Chunked => ResponseFraming::Chunked,
        };
        let field = connection_field(connection, head, is_stopping);
        render_head(&mut connection.output.bytes, head, framing, field, &self.date);
        connection.response = ResponsePhase::Streaming(stream);
        self.mark_dirty(id.slot);
        true
    }

    /// Appends to the body of a response that was begun. Returns the number of bytes that wait to
    /// be written; `None`: the request is over.
    pub fn write(&mut self, id: RequestId, bytes: &[u8]) -> Option<usize> {
        self.write_with(id, bytes.len(), |output| output.extend_from_slice(bytes))
    }

    /// The same; `push` appends that many bytes.
    pub fn write_with(
        &mut self,
        id: RequestId,
        count: usize,
        push: impl FnOnce(&mut Vec<u8>),
    ) -> Option<usize> {
        let ResponsePhase::Streaming(framing) = self.find(id)?.response else { return None };
        let mut piece = std::mem::take(&mut self.piece);
        piece.clear();
        match framing {
            StreamFraming::Chunked => push_chunk(&mut piece, count, push),
            StreamFraming::UntilClose => push(&mut piece),
            StreamFraming::Length(left) => {
                push(&mut piece);
                self.take_length(id, left, &mut piece);
            }
            StreamFraming::NoBody => {}
        }
        self.write_piece(id, &piece);
        if piece.capacity() <= PIECE_BYTES_KEPT {
            self.piece = piece;
        }
        self.find(id).map(|connection| connection.output.waiting() + self.queued_in_session(connection))
    }

    /// What is longer than the program has said is not sent: it would be the next response.
    fn take_length(&mut self, id: RequestId, left: u64, piece: &mut Vec<u8>) {
        piece.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        if let Some(connection) = self.find_mut(id) {
            connection.response = ResponsePhase::Streaming(StreamFraming::Length(left - piece.len() as u64));
        }
    }

    /// As [`Server::write`]. `lend` calls its argument once, with `count` bytes; what the socket
    /// takes of a large piece is not copied.
    pub fn write_borrowed(
        &mut self,
        id: RequestId,
        count: usize,
        lend: impl Fn(&mut (dyn FnMut(&[u8]) + Send)),
    ) -> Option<usize> {
        let connection = self.find_mut(id)?;
        let ResponsePhase::Streaming(framing) = connection.response else { return None };
        let is_direct = count >= OUTPUT_JOIN_BYTES_MAX
            && matches!(framing, StreamFraming::Chunked | StreamFraming::UntilClose)
            && connection.is_free()
            && !connection.transport.is_tls();
        if !is_direct {
            return self.write_with(id, count, |output| lend(&mut |bytes| output.extend_from_slice(bytes)));
        }
        let (mut before, mut after): (Vec<u8>, &[u8]) = (Vec::new(), b"");
        if framing == StreamFraming::Chunked {
            push_chunk_size(&mut before, count);
            after = b"\r\n";
        }
        let (fd, mut rest) = (connection.transport.as_fd(), Vec::new());
        lend(&mut |bytes| {
            let parts = [&before, bytes, after];
            // The socket reports an error again.
            let mut written = fd::try_write_parts(fd, &parts.map(IoSlice::new)).unwrap_or(0);
            for part in parts {
                let count = written.min(part.len());
                rest.extend_from_slice(&part[count..]);
                written -= count;
            }
        });
        self.write_rest(id, rest);
        self.find(id).map(|connection| connection.output.waiting())
    }

    /// Stores what the socket did not take.
    fn write_rest(&mut self, id: RequestId, rest: Vec<u8>) {
        let (now_ms, limits) = (self.now_ms, self.limits);
        let Some(connection) = self.find_mut(id) else { return };
        connection.touch(now_ms, &limits);
        if !rest.is_empty() {
            connection.output.append(rest);
            self.flush_connection(id.slot);
        }
    }

    /// Small pieces are joined; a large one that nothing waits before is not copied.
    fn write_piece(&mut self, id: RequestId, piece: &[u8]) {
        let (now_ms, limits) = (self.now_ms, self.limits);
        let Some(connection) = self.find_mut(id) else { return };
        let is_free = connection.is_free();
        let mut left = piece;
        if is_free
            && piece.len() >= OUTPUT_JOIN_BYTES_MAX
            && let Ok(count) = connection.transport.write(piece)
        {
            connection.touch(now_ms, &limits);
            left = &piece[count..];
            if left.is_empty() && !connection.transport.has_output() {
                return;
            }
        }
        connection.output.bytes.extend_from_slice(left);
        if connection.output.waiting() < OUTPUT_JOIN_BYTES_MAX && left.len() == piece.len() {
            self.mark_dirty(id.slot);
        } else if !connection.is_blocked {
            self.flush_connection(id.slot);
        }
    }

    /// Reports [`Event::Drain`](crate::Event::Drain) when all output is written.
    pub fn wait_for_drain(&mut self, id: RequestId) {
        if let Some(connection) = self.find_mut(id) {
            connection.wants_drain = true;
            self.mark_dirty(id.slot);
        }
    }

    /// Ends a response that was begun.
    pub fn end(&mut self, id: RequestId) -> bool {
        let Some(connection) = self.find_mut(id) else { return false };
        let ResponsePhase::Streaming(framing) = connection.response else { return false };
        match framing {
            StreamFraming::Chunked => connection.output.bytes.extend_from_slice(b"0\r\n\r\n"),
            // Only the end of the connection tells the client that bytes are missing.
            StreamFraming::Length(left) if left > 0 => connection.ending = Ending::Close,
            _ => {}
        }
        self.end_response(id.slot);
        true
    }

    /// Closes the connection without completing the response.
    pub fn abort(&mut self, id: RequestId) {
        if self.find(id).is_some() {
            self.close(id.slot);
        }
    }

    /// Answers with a file, or a part of it that the request asks for.
    pub fn respond_file(&mut self, id: RequestId, response: &FileResponse, file: OpenFile) -> bool {
        let Some(connection) = self.find(id) else { return false };
        let plan = plan_file(connection.view(), response, &file, EtagKind::None);
        self.respond_plan(id, response, plan, file)
    }

    pub(crate) fn respond_from_path(&mut self, id: RequestId, response: &FileResponse) {
        match OpenFile::open(&response.path) {
            Ok(file) => {
                self.respond_file(id, response, file);
            }
            Err(_) => {
                self.respond(id, &ResponseHead { status: 404, ..ResponseHead::default() }, b"");
            }
        }
    }

    pub(crate) fn respond_from_directory(&mut self, id: RequestId, directory: &Directory) {
        let Some(connection) = self.find(id) else { return };
        let view = connection.view();
        let absent = ResponseHead { status: 404, ..ResponseHead::default() };
        if !view.is_get_or_head() {
            let fields = b"Allow: GET, HEAD\r\n";
            let refused = ResponseHead { status: 405, fields, ..ResponseHead::default() };
            self.respond(id, &refused, b"");
            return;
        }
        match directory.find(view.path()) {
            DirectoryEntry::Absent => {
                self.respond(id, &absent, b"");
            }
            DirectoryEntry::Redirect => {
                // Two slashes would name a host.
                let path = view.path().trim_ascii();
                let query = view.query().trim_ascii();
                let fields = [b"Location: ", path, b"/", query, b"\r\n"].concat();
                let moved = ResponseHead { status: 301, fields: &fields, ..ResponseHead::default() };
                self.respond(id, &moved, b"");
            }
            DirectoryEntry::File { file, path } => {
                let kind = directory.type_of(&path);
                let response = FileResponse {
                    path: Default::default(),
                    status: 200,
                    reason: Vec::new(),
                    fields: format!("Content-Type: {kind}\r\n").into_bytes(),
                    sets: FileFields::default(),
                    start: 0,
                    end: None,
                    slice: SliceMeaning::Resource,
                };
                let plan = plan_file(view, &response, &file, EtagKind::Weak);
                self.respond_plan(id, &response, plan, file);
            }
        }
    }

    fn respond_plan(
        &mut self,
        id: RequestId,
        response: &FileResponse,
        plan: FilePlan,
        file: OpenFile,
    ) -> bool {
        let is_stopping = self.is_stopping;
        let Some(connection) = not_begun(&mut self.slots, id) else { return false };
        let reason = if plan.status == response.status { response.reason.as_slice() } else { b"" };
        let head = ResponseHead {
            status: plan.status,
            reason,
            fields: &plan.fields,
            has_date: response.sets.has_date,
            closes: response.sets.closes,
            length_of_head: None,
        };
        close_unless_read(connection);
        let field = connection_field(connection, &head, is_stopping);
        let framing = plan.length.map_or(ResponseFraming::None, ResponseFraming::Length);
        let framing = if has_no_body(plan.status) { ResponseFraming::None } else { framing };
        render_head(&mut connection.output.bytes, &head, framing, field, &self.date);
        if framing != ResponseFraming::None && !connection.view().is_head() {
            connection.output.set_file(FilePart { fd: file.fd, start: plan.start, end: plan.end });
        }
        self.end_response(id.slot);
        true
    }

    pub(crate) fn respond_static(&mut self, id: RequestId, response: &StaticResponse) {
        let is_stopping = self.is_stopping;
        let Some(connection) = self.slots.connection_mut(id.slot) else { return };
        close_unless_read(connection);
        let head = ResponseHead { closes: response.closes, ..ResponseHead::default() };
        let field: &[u8] = match connection_field(connection, &head, is_stopping) {
            ConnectionField::Absent => b"",
            ConnectionField::KeepAlive => b"Connection: keep-alive\r\n",
            ConnectionField::Close => b"Connection: close\r\n",
        };
        let mut output = std::mem::take(&mut connection.output.bytes);
        let view = connection.view();
        // Others are about what a request changes.
        let conditions = if view.is_get_or_head() { view.conditions() } else { Conditions::default() };
        response.render(&mut output, conditions, field, !view.is_head(), &self.date);
        connection.output.bytes = output;
        self.end_response(id.slot);
    }

    /// Answers what is no valid request, or comes too late, and closes the connection.
    pub(crate) fn refuse(&mut self, slot: u32, status: u16) {
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        if connection.phase == Phase::Request {
            self.in_flight -= 1;
        }
        let head = ResponseHead { status, ..ResponseHead::default() };
        let (framing, field) = (ResponseFraming::Length(0), ConnectionField::Close);
        render_head(&mut connection.output.bytes, &head, framing, field, &self.date);
        connection.phase = Phase::Flush;
        connection.ending = Ending::Linger;
        self.slots.next_generation(slot);
        self.mark_dirty(slot);
        if self.current != Some(slot) {
            self.flush_connection(slot);
        }
    }

    /// Reads what has come of the body. After `Pending` an event follows.
    pub fn read_body(&mut self, id: RequestId) -> BodyRead {
        self.read_body_with(id, BodyWait::Piece)
    }

    /// Reads the whole body, when all of it has come.
    pub fn read_whole_body(&mut self, id: RequestId) -> BodyRead {
        self.read_body_with(id, BodyWait::Whole)
    }

    fn read_body_with(&mut self, id: RequestId, wait: BodyWait) -> BodyRead {
        let Some(connection) = self.find_mut(id) else { return BodyRead::Gone };
        let read = connection.body.read(wait);
        let asks = std::mem::take(&mut connection.must_continue);
        if asks && read == BodyRead::Pending && !connection.body.has_begun() {
            match connection.link {
                Some(link) => self.inform_stream(link),
                None => connection.output.bytes.extend_from_slice(b"HTTP/1.1 100 Continue\r\n\r\n"),
            }
            self.mark_dirty(id.slot);
        }
        self.update_interest(id.slot);
        read
    }

    /// Sends a 101 with these field lines and gives up the connection. `None`: the request is over,
    /// has a body, or the response cannot be sent.
    pub fn upgrade(&mut self, id: RequestId, fields: &[u8]) -> Option<Upgraded> {
        let connection = self.find(id)?;
        let is_free = connection.response == ResponsePhase::NotBegun && connection.body.is_complete();
        if !is_free || connection.link.is_some() {
            return None;
        }
        let mut connection = self.take_connection(id.slot)?;
        let head = ResponseHead { status: 101, fields, ..ResponseHead::default() };
        let field = ConnectionField::Absent;
        render_head(&mut connection.output.bytes, &head, ResponseFraming::None, field, &self.date);
        // A few hundred bytes fit into the buffer of a socket whose output is written.
        while !connection.output.is_empty() {
            match connection.output.flush(&mut connection.transport) {
                Ok(_) if connection.output.is_empty() => {}
                Ok(_) | Err(Errno::AGAIN) | Err(_) => return None,
            }
        }
        let Connection { transport, input, head_bytes, .. } = *connection;
        Some(Upgraded { transport, head: input[head_bytes..].to_vec() })
    }

    /// The response is complete: the connection is ready for the next request, or ends when all is
    /// written.
    fn end_response(&mut self, slot: u32) {
        let timeout = self.limits.idle_timeout;
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        if !connection.body.is_complete() {
            connection.ending = Ending::Linger;
        }
        connection.body = RequestBody::empty();
        connection.must_continue = false;
        connection.wants_drain = false;
        let head_bytes = std::mem::take(&mut connection.head_bytes);
        if connection.input.len() == head_bytes {
            connection.input.clear();
            if connection.input.capacity() > IDLE_BUFFER_BYTES_MAX {
                connection.input = Vec::new();
            }
        } else {
            connection.input.drain(..head_bytes);
        }
        connection.timeout_ms = timeout.max(Duration::ZERO).as_millis() as u64;
        let output = &connection.output;
        let waits = output.has_file() || output.waiting() > OUTPUT_JOIN_BYTES_MAX;
        let is_done = connection.ending == Ending::KeepAlive && !waits && connection.link.is_none();
        connection.phase = match is_done {
            true => Phase::Head,
            false => Phase::Flush,
        };
        let has_input = !connection.input.is_empty() && connection.phase == Phase::Head;
        self.in_flight -= 1;
        self.slots.next_generation(slot);
        self.mark_dirty(slot);
        if has_input && self.current != Some(slot) {
            self.runnable_later(slot);
        }
    }
}

/// The connection of a request whose response was not begun.
fn not_begun(slots: &mut Slots, id: RequestId) -> Option<&mut Connection> {
    let connection = slots.is_current(id).then(|| slots.connection_mut(id.slot)).flatten();
    connection.filter(|connection| {
        connection.phase == Phase::Request && connection.response == ResponsePhase::NotBegun
    })
}

/// A response at once ends the connection if the body was not read: what is left of it could be as
/// long as the client likes.
fn close_unless_read(connection: &mut Connection) {
    if !connection.body.is_complete() && connection.ending == Ending::KeepAlive {
        connection.ending = Ending::Close;
    }
}

/// What the head says of the connection, which then ends so.
fn connection_field(
    connection: &mut Connection,
    head: &ResponseHead<'_>,
    is_stopping: bool,
) -> ConnectionField {
    if (head.closes || is_stopping) && connection.ending == Ending::KeepAlive {
        connection.ending = Ending::Close;
    }
    match connection.ending {
        Ending::KeepAlive if connection.head.version < (1, 1) => ConnectionField::KeepAlive,
        Ending::KeepAlive => ConnectionField::Absent,
        Ending::Close | Ending::Linger => ConnectionField::Close,
    }
}
