//! `internalBinding('ipc')`: one end of a channel between programs. In: a connection; messages as
//! bytes or texts, descriptors. Out: messages as they come, each told to a function with the
//! descriptor that came along. What is sent within a moment is joined and sent when the callback
//! has ended that sent it, so a hundred messages cost two calls. Absent: what a message says
//! (js/internal/ipc).

mod descriptors;
mod due;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rusk_base::sys::{self, Errno, fd, unix_socket};
use rusk_jsc::{Bytes, Call, CodeUnits, Exception, Object, Outcome, Root, Scope, Value};

pub(crate) use due::send_due;

use rusk_ext_io::stream_handle as pipe;
use rusk_ipc::{BUN_GREETING, Flaw, Form, Inbox, MESSAGE_BYTES_MAX, Message, Outbox};
use rusk_runtime::IoHandle;
use rusk_runtime::LoopHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{bytes, errno, int, negative};

/// As much as a connection gives at once.
const READ_BYTES: usize = 64 * 1024;

/// Messages behind each other in less than this are joined.
const JOINED_WITHIN: Duration = Duration::from_millis(1);

/// So much is sent before the callback has ended.
const DUE_BYTES_MAX: usize = 64 * 1024;

/// Who never reads gets no more than this; what is sent then fails with `ENOBUFS`.
const WAITING_BYTES_MAX: usize = 2 * MESSAGE_BYTES_MAX;

/// What the function is told, the same numbers in js/internal/ipc/connection.js.
mod told {
    pub const MESSAGE: f64 = 0.0;
    pub const END: f64 = 1.0;
    pub const FLAW: f64 = 2.0;
    pub const SENT: f64 = 3.0;
    pub const SEND_ERROR: f64 = 4.0;
    pub const BUN: f64 = 5.0;
}

struct Channel {
    handle: LoopHandle,
    fd: Rc<OwnedFd>,
    form: Cell<Form>,
    is_kept: Cell<bool>,
    is_open: Cell<bool>,
    listener: RefCell<Option<Root>>,
    reading: RefCell<Option<IoHandle>>,
    writing: RefCell<Option<IoHandle>>,
    inbox: RefCell<Inbox>,
    outbox: RefCell<Outbox>,
    /// Where those messages end whose sender wants to know that they are sent.
    asked: RefCell<VecDeque<u64>>,
    sent_at: Cell<Option<Instant>>,
    /// Came when nobody could be told.
    failed: Cell<Option<Errno>>,
    /// What waits is sent at the end of the callback.
    is_due: Cell<bool>,
}

/// What JavaScript holds; closed, it is empty.
struct Slot(RefCell<Option<Rc<Channel>>>);

thread_local! {
    /// What is read into; one read is over before the next one begins.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    // number, form. Out: a channel, or an errno less than 0.
    add(scope, natives, "open", |scope, call| {
        let form = form(scope, call)?;
        shown(scope, fd::take_ownership(int(scope, call, 0)?).and_then(|fd| Channel::new(fd, form)))
    })?;
    // a pipe, whose descriptor it takes, form.
    add(scope, natives, "adopt", |scope, call| {
        let form = form(scope, call)?;
        let fd = pipe::take(scope, call.argument(scope, 0)).ok_or(Errno::BADF);
        shown(scope, fd.and_then(|fd| Channel::new(fd, form)))
    })?;
    add(scope, natives, "listen", |scope, call| {
        if let Some(channel) = find(scope, call) {
            *channel.listener.borrow_mut() = Some(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "number", |scope, call| {
        Ok(scope.number(find(scope, call).map_or(-1.0, |channel| fd::raw(&*channel.fd).into())))
    })?;
    add(scope, natives, "readStart", |scope, call| {
        errno(scope, find(scope, call).ok_or(Errno::BADF).and_then(|channel| channel.read_start()))
    })?;
    add(scope, natives, "readStop", |scope, call| {
        drop(find(scope, call).map(|channel| channel.reading.take()));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "greet", |scope, call| {
        errno(scope, find(scope, call).ok_or(Errno::BADF).and_then(|channel| channel.greet()))
    })?;
    add(scope, natives, "send", send)?;
    add(scope, natives, "setRef", |scope, call| {
        if let Some(channel) = find(scope, call) {
            channel.set_kept(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "close", |scope, call| {
        let channel = slot(scope, call).and_then(|slot| slot.0.take());
        drop(channel.inspect(|channel| channel.close()));
        Ok(scope.undefined())
    })?;
    descriptors::add_to(scope, natives)?;
    Ok(natives)
}

fn form<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Form, Exception<'s>> {
    Ok(match int(scope, call, 1)? {
        0 => Form::Lines,
        1 => Form::Lengths,
        _ => Form::Kinds,
    })
}

fn shown(scope: &Scope, channel: sys::Result<Rc<Channel>>) -> Result<Value<'_>, Exception<'_>> {
    Ok(match channel {
        Ok(channel) => {
            let is_bun = scope.boolean(channel.form.get() == Form::Kinds);
            scope.array(&[scope.native(Slot(RefCell::new(Some(channel)))).value(), is_bun])?.value()
        }
        Err(error) => scope.number(negative(error)),
    })
}

fn slot<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Slot>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Channel>> {
    slot(scope, call)?.0.borrow().clone()
}

/// channel, a text or bytes, what goes along (a pipe, a number, undefined), whether its end is to
/// be told. Out: how many bytes wait, or an errno less than 0.
fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (message, is_asked) = (call.argument(scope, 1), call.argument(scope, 3).is_truthy(scope));
    let Some(channel) = find(scope, call) else { return Ok(scope.number(negative(Errno::BADF))) };
    let framed = framed(scope, message, channel.form.get())?;
    let sent = match (framed, descriptors::copied(scope, call.argument(scope, 2))?) {
        (None, _) => Err(Errno::MSGSIZE),
        (_, Err(error)) => Err(error),
        (Some(framed), Ok(with)) => channel.send(framed, with, is_asked),
    };
    Ok(scope.number(sent.map_or_else(negative, |waiting| waiting as f64)))
}

/// A text whose letters are its bytes, and a view's bytes, are copied once.
fn framed<'s>(scope: &'s Scope, message: Value<'s>, form: Form) -> Result<Option<Vec<u8>>, Exception<'s>> {
    let plain = message.with_code_units(scope, |letters| match letters {
        CodeUnits::Latin1(letters) if letters.is_ascii() => Some(form.framed(letters)),
        _ => None,
    });
    if let Some(Some(framed)) = plain {
        return Ok(framed);
    }
    match Bytes::of(scope, message) {
        Some(bytes) => Ok(bytes.with_bytes_mut(scope, |bytes| form.framed(bytes))),
        None => bytes(scope, message).map(|bytes| form.framed(&bytes)),
    }
}

impl Channel {
    /// Where the other end is bun's and V8's form was asked for, it says so at once, before
    /// anything else.
    fn new(fd: OwnedFd, wanted: Form) -> sys::Result<Rc<Channel>> {
        fd::set_nonblocking(fd.as_fd())?;
        let mut first = [0; BUN_GREETING.len()];
        let is_bun = wanted == Form::Lengths
            && unix_socket::peek(fd.as_fd(), &mut first).is_ok_and(|count| count == first.len())
            && first == BUN_GREETING;
        let form = if is_bun { Form::Kinds } else { wanted };
        Ok(Rc::new(Channel {
            handle: RuntimeState::current().handle.clone(),
            fd: Rc::new(fd),
            form: Cell::new(form),
            is_kept: Cell::new(true),
            is_open: Cell::new(true),
            listener: RefCell::default(),
            reading: RefCell::default(),
            writing: RefCell::default(),
            inbox: RefCell::new(Inbox::new(form)),
            outbox: RefCell::default(),
            asked: RefCell::default(),
            sent_at: Cell::default(),
            failed: Cell::default(),
            is_due: Cell::default(),
        }))
    }

    fn read_start(self: &Rc<Self>) -> sys::Result<()> {
        if self.reading.borrow().is_none() {
            let channel = Rc::clone(self);
            let fd = self.for_watch(&self.writing)?;
            let watch = self.handle.add_io(fd, Readiness::READ, move |scope, _| channel.read(scope))?;
            if !self.is_kept.get() {
                watch.unref();
            }
            *self.reading.borrow_mut() = Some(watch);
        }
        Ok(())
    }

    /// The kernel's set has a descriptor once: who reads and writes has a second number for it.
    fn for_watch(&self, other: &RefCell<Option<IoHandle>>) -> sys::Result<Rc<OwnedFd>> {
        match other.borrow().is_some() {
            true => fd::duplicate(fd::raw(&*self.fd)).map(Rc::new),
            false => Ok(Rc::clone(&self.fd)),
        }
    }

    fn read<'s>(self: &Rc<Self>, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let (mut buffer, mut descriptors) = (BUFFER.take(), Vec::new());
        buffer.resize(READ_BYTES, 0);
        let outcome = match receive(self.fd.as_fd(), &mut buffer, &mut descriptors) {
            Err(Errno::AGAIN) => Ok(()),
            // Who is gone without having read what we sent has ended, too.
            Ok(0) | Err(_) => {
                drop(self.reading.take());
                self.tell(scope, told::END, scope.undefined(), scope.undefined())
            }
            Ok(count) => self.deliver(scope, &buffer[..count], descriptors),
        };
        BUFFER.set(buffer);
        outcome
    }

    fn deliver<'s>(
        self: &Rc<Self>,
        scope: &'s Scope,
        bytes: &[u8],
        descriptors: Vec<OwnedFd>,
    ) -> Result<(), Exception<'s>> {
        let mut thrown = None;
        let taken = self.inbox.borrow_mut().take(bytes, descriptors, |message| {
            if self.is_open.get() && thrown.is_none() {
                thrown = scope.with_nested_scope(|scope| {
                    let outcome = self.tell_message(scope, message);
                    outcome.err().map(|thrown| Root::new(scope, thrown.value()))
                });
            }
        });
        if let Some(thrown) = thrown {
            return Err(Exception::from(thrown.value(scope)));
        }
        match taken {
            Ok(()) => Ok(()),
            Err(_) if !self.is_open.get() => Ok(()),
            Err(Flaw::Foreign) if bytes.starts_with(&BUN_GREETING) && self.has_said_nothing() => {
                self.become_bun(scope)?;
                self.deliver(scope, bytes, Vec::new())
            }
            Err(flaw) => {
                drop(self.reading.take());
                self.tell(scope, told::FLAW, scope.string(&flaw.to_string()), scope.undefined())
            }
        }
    }

    fn tell_message<'s>(&self, scope: &'s Scope, message: Message<'_>) -> Result<(), Exception<'s>> {
        let value = match self.form.get() {
            Form::Lines => scope.string(&String::from_utf8_lossy(message.bytes)),
            Form::Lengths | Form::Kinds => Bytes::from_vec(scope, message.bytes.to_vec())?.value(),
        };
        let with = message.descriptor.map_or(scope.undefined(), |with| descriptors::show(scope, with));
        self.tell(scope, told::MESSAGE, value, with)
    }

    fn has_said_nothing(&self) -> bool {
        let outbox = self.outbox.borrow();
        outbox.sent_bytes() == 0 && outbox.waiting_bytes() == 0
    }

    /// From here on bun's own form is spoken.
    fn become_bun<'s>(self: &Rc<Self>, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.form.set(Form::Kinds);
        self.inbox.replace(Inbox::new(Form::Kinds));
        self.tell(scope, told::BUN, scope.undefined(), scope.undefined())
    }

    /// What bun says first, and waits for.
    fn greet(self: &Rc<Self>) -> sys::Result<()> {
        self.send(BUN_GREETING.to_vec(), None, false).map(|_| ())
    }

    /// How many bytes wait now.
    fn send(self: &Rc<Self>, framed: Vec<u8>, with: Option<OwnedFd>, is_asked: bool) -> sys::Result<usize> {
        let has_descriptor = with.is_some();
        if self.outbox.borrow().waiting_bytes() + framed.len() > WAITING_BYTES_MAX {
            return Err(Errno::NOBUFS);
        }
        self.outbox.borrow_mut().push(framed, with);
        // While the other end takes nothing, the loop waits for it.
        if self.writing.borrow().is_none() {
            let is_much = self.outbox.borrow().waiting_bytes() >= DUE_BYTES_MAX;
            let is_fresh = self.sent_at.get().is_none_or(|sent| sent.elapsed() > JOINED_WITHIN);
            match is_asked || has_descriptor || is_much || is_fresh {
                true => self.send_now()?,
                false => due::add(self),
            }
        }
        let waiting = self.outbox.borrow().waiting_bytes();
        if is_asked && waiting > 0 {
            let end = self.outbox.borrow().sent_bytes() + waiting as u64;
            self.asked.borrow_mut().push_back(end);
        }
        Ok(waiting)
    }

    fn send_now(self: &Rc<Self>) -> sys::Result<()> {
        self.outbox.borrow_mut().send(self.fd.as_fd())?;
        self.sent_at.set(Some(Instant::now()));
        match self.outbox.borrow().waiting_bytes() {
            0 => Ok(()),
            _ => self.watch_writing(),
        }
    }

    /// What waits keeps the loop going, whatever the program said of the channel.
    fn watch_writing(self: &Rc<Self>) -> sys::Result<()> {
        if self.writing.borrow().is_none() {
            let channel = Rc::clone(self);
            let fd = self.for_watch(&self.reading)?;
            let watch = self.handle.add_io(fd, Readiness::WRITE, move |scope, _| channel.send_on(scope))?;
            *self.writing.borrow_mut() = Some(watch);
        }
        Ok(())
    }

    /// The kernel takes more, or there is something to tell.
    fn send_on<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let outcome = match self.failed.take() {
            Some(error) => Err(error),
            None => self.outbox.borrow_mut().send(self.fd.as_fd()),
        };
        if self.outbox.borrow().waiting_bytes() == 0 {
            drop(self.writing.take());
        }
        let sent = self.outbox.borrow().sent_bytes();
        let mut asked = self.asked.borrow_mut();
        if let Err(error) = outcome {
            asked.clear();
            drop(asked);
            return self.tell(scope, told::SEND_ERROR, scope.number(negative(error)), scope.undefined());
        }
        let before = asked.len();
        asked.retain(|end| *end > sent);
        let count = before - asked.len();
        drop(asked);
        match count {
            0 => Ok(()),
            _ => self.tell(scope, told::SENT, scope.number(count as f64), scope.undefined()),
        }
    }

    fn tell<'s>(
        &self,
        scope: &'s Scope,
        what: f64,
        value: Value<'_>,
        with: Value<'_>,
    ) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        match listener.and_then(|listener| listener.as_function(scope)) {
            Some(listener) => listener.call(scope, &[scope.number(what), value, with]).map(|_| ()),
            None => Ok(()),
        }
    }

    fn set_kept(&self, is_kept: bool) {
        self.is_kept.set(is_kept);
        if let Some(watch) = &*self.reading.borrow() {
            if is_kept { watch.r#ref() } else { watch.unref() }
        }
    }

    /// What waits is sent as far as it can be.
    fn close(self: &Rc<Self>) {
        let _ = self.outbox.borrow_mut().send(self.fd.as_fd());
        self.is_open.set(false);
        drop((self.reading.take(), self.writing.take(), self.listener.take()));
        self.outbox.borrow_mut().clear();
    }
}

/// A channel is a connection most often; whoever starts us may have made it a pipe.
fn receive(from: BorrowedFd<'_>, buffer: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> sys::Result<usize> {
    match unix_socket::receive(from, buffer, descriptors) {
        Err(Errno::NOTSOCK) => sys::read(from, buffer),
        answer => answer,
    }
}
