//! The loop. In: a script. Out: the end of it, when nothing is left that keeps it going, or what
//! ended it before. The order is libuv's and Node's: timers, then again and again what came from
//! outside, immediates, timers; and behind each callback all ticks, then all microtasks, until
//! there are neither.

use std::cell::{Cell, OnceCell, RefCell};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusk_base::Problem;
use rusk_base::sys::{allocator, epoll::ReadyEvent};
use rusk_base::timeline::{phase, process_phases};
use rusk_jsc::{Engine, Exception, Function, Gc, PollSet, Root, Scope, TerminationHandle, Vm};
use rusk_transpile::Cache;

use crate::abandoned::ABANDONED;
use crate::bootstrap;
use crate::builtins::Builtins;
use crate::clock::Clock;
use crate::code::Codes;
use crate::descriptors::{Descriptors, OwnNumber, TURNS_MAX};
use crate::failure::{Failure, FailureKind};
use crate::hooks::Hooks;
use crate::idle::Idle;
use crate::lookout::{self, Lookout};
use crate::mail::Mail;
use crate::natives::{self, Host};
use crate::noted::Noted;
use crate::open_files::OpenFiles;
use crate::problem;
use crate::program::Main;
use crate::queues::Queues;
use crate::settings::Settings;
use crate::signals::Signals;
use crate::times::{LoopTimes, Times};
use crate::waiters::WAITERS;
use crate::work::Pool;
use crate::worker::{Seat, Workers};

/// What ended a program before its time.
#[derive(Debug)]
pub enum Stop {
    /// The program's own doing.
    Failure(Box<Failure>),
    /// Ours.
    Problem(Problem),
    /// It was ended, or has ended itself, with this code, and goes on no more.
    Exited(i32),
}

/// A VM with its loop, on the thread that made it.
pub struct Runtime {
    vm: Vm,
    inner: Rc<Inner>,
    queues: Queues,
    /// `require` of our own files.
    require: Root,
    noted: Rc<Noted>,
    clock: Clock,
    idle: Idle,
    lookout: Lookout,
    host: Rc<Host>,
}

/// The loop as callbacks see it.
#[derive(Clone)]
pub struct Handle(Rc<Inner>);

/// How a wait ended.
struct Waited {
    time: Duration,
    /// Nothing came, so something is due.
    is_in_vain: bool,
    /// What is due is a collection.
    is_idle: bool,
}

pub(crate) struct Inner {
    pub descriptors: Descriptors,
    pub pool: Pool,
    pub signals: Signals,
    pub mail: Mail,
    pub workers: Workers,
}

impl Runtime {
    /// A runtime for the calling thread, which has no other VM.
    pub fn new(settings: Settings) -> rusk_base::Result<Runtime> {
        allocator::limit_retained();
        Runtime::build(settings, None)
    }

    /// A runtime for the thread of a worker.
    pub(crate) fn of_worker(settings: Settings, seat: Seat) -> rusk_base::Result<Runtime> {
        Runtime::build(settings, Some(seat))
    }

    fn build(settings: Settings, seat: Option<Seat>) -> rusk_base::Result<Runtime> {
        let of_loop = match &seat {
            Some(seat) => Arc::clone(&seat.control.times),
            None => LoopTimes::new(Instant::now()),
        };
        let engine = phase("open the engine", || Engine::load(&settings.engine))
            .map_err(|unusable| problem::no_engine(&unusable))?;
        let descriptors = Descriptors::new().map_err(|error| problem::no_loop("epoll_create", error))?;
        let pool = Pool::new().map_err(|error| problem::no_loop("eventfd", error))?;
        let mail = Mail::new(pool.wake());
        let vm = phase("make a VM", || Vm::new(engine));
        let times = Times::new(of_loop);
        times.engine(Instant::now());
        let added = descriptors
            .add_own(vm.waker(), OwnNumber::ENGINE)
            .and_then(|()| descriptors.add_waker(pool.waker(), OwnNumber::WORK));
        added.map_err(|error| problem::no_loop("epoll_ctl", error))?;
        if let Some(seat) = &seat {
            let added = seat.control.with_waker(|waker| descriptors.add_own(waker.as_fd(), OwnNumber::END));
            added.map_err(|error| problem::no_loop("epoll_ctl", error))?;
        }
        let (clock, noted) = (Clock::start(), Rc::new(Noted::new(settings.on_failure)));
        let (signals, workers) = (Signals::default(), Workers::default());
        let inner = Rc::new(Inner { descriptors, pool, signals, workers, mail });
        let builtins = Builtins::new(settings.program.builtins.clone());
        let scripts = settings.program.scripts.clone().map(Cache::new);
        let codes = Codes::of(engine, &settings.program, seat.as_ref());
        let handle = Handle(Rc::clone(&inner));
        let current_dir = settings.program.current_dir.clone().into();
        let host = Host::enter(Host {
            handle,
            program: settings.program,
            builtins,
            scripts,
            codes,
            current_dir,
            hooks: Hooks::default(),
            on_exit: settings.on_exit,
            on_begin: Cell::new(Some(settings.on_begin)),
            loading: Cell::default(),
            on_read: settings.on_read,
            times,
            kept: OnceCell::new(),
            keeps_context: Cell::default(),
            environment: RefCell::new(seat.as_ref().and_then(|seat| seat.environment.clone())),
            files: OpenFiles::new(seat.as_ref().is_some_and(|seat| seat.closes_files)),
            seat,
        });
        let begun = phase("run our own scripts", || vm.turn(|scope| bootstrap::begin(scope, clock, &noted)));
        let (queues, require) =
            begun.unwrap_or_else(|thrown| panic!("our own scripts run in a new context: {thrown}"));
        let _ = host.kept.set(queues.kept());
        noted.set_kept(queues.kept());
        host.times.globals();
        let (idle, lookout) = (Idle::new(), Lookout::new());
        Ok(Runtime { vm, inner, queues, require, noted, clock, idle, lookout, host })
    }

    /// What ends all that it runs, from any thread.
    pub(crate) fn termination_handle(&self) -> TerminationHandle {
        self.vm.termination_handle()
    }

    pub fn handle(&self) -> Handle {
        Handle(Rc::clone(&self.inner))
    }

    /// A turn outside of the loop: to add globals before a script runs.
    pub fn turn<R>(&self, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        self.vm.turn(body)
    }

    /// What `process.nextTick` is to be.
    pub fn next_tick<'s>(&self, scope: &'s Scope) -> Function<'s> {
        self.queues.next_tick(scope)
    }

    /// Runs a script, and the loop until nothing keeps it going.
    pub fn run(&self, url: &str, source: &str) -> Result<(), Stop> {
        self.noted.set_source(url, source);
        self.run_from(|scope| scope.evaluate(source, url, 1).map(|_| ()))
    }

    /// Runs a program, and the loop until nothing keeps it going.
    pub fn run_main(&self, main: &Main) -> Result<(), Stop> {
        if let Main::Text { source, name, .. } = main {
            self.noted.set_source(name, source);
        }
        self.host.loading.set(Some(process_phases::begin("load the program")));
        if let (Main::File(name), Some(codes)) = (main, &self.host.codes) {
            codes.open_program(&self.host.current_dir.borrow().join(name));
        }
        self.run_from(|scope| {
            let require = self.require.value(scope).as_function(scope).expect("it is one");
            if self.host.seat.is_none() && self.host.program.environment.contains_key("NODE_CHANNEL_FD") {
                require.call(scope, &[scope.string("internal/process/channel")])?;
            }
            for file in self.host.program.files_of_flags() {
                require.call(scope, &[scope.string(file)])?;
            }
            let begin = require.call(scope, &[scope.string("internal/main")])?;
            let begin = begin.as_object(scope).expect("the file exports an object");
            let (name, arguments) = match main {
                Main::File(name) => (self.host.program.way_of_a_file(), vec![scope.string(name)]),
                Main::Text { source, name, is_printed, is_module } => (
                    "runText",
                    vec![
                        scope.string(source),
                        scope.string(name),
                        scope.boolean(*is_printed),
                        is_module.map_or(scope.undefined(), |is_module| scope.boolean(is_module)),
                    ],
                ),
                Main::Worker => ("runWorker", Vec::new()),
            };
            let function = begin.property(scope, name)?.as_function(scope).expect("the file exports it");
            function.call(scope, &arguments).map(|_| ())
        })
    }

    fn run_from(
        &self,
        body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>,
    ) -> Result<(), Stop> {
        let outcome = self.run_loop(body);
        self.inner.workers.stop();
        outcome
    }

    fn run_loop(
        &self,
        body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>,
    ) -> Result<(), Stop> {
        self.host.times.ready();
        if self.host.seat.is_some() {
            self.host.times.begin_loop();
        }
        self.job(body)?;
        self.host.times.begin_loop();
        let (mut wait, mut ready) = (PollSet::default(), Vec::new());
        loop {
            if self.is_kept() {
                self.run_timers()?;
            }
            while self.is_kept() {
                self.run_outside(&mut wait, &mut ready)?;
                self.run_immediates()?;
                self.run_timers()?;
            }
            if !self.host.hooks.is_set() {
                self.vm.turn(|scope| self.host.keep_code(scope));
                return Ok(());
            }
            self.job(|scope| self.host.hooks.before_exit(scope))?;
            if !self.is_kept() {
                return self.finish();
            }
        }
    }

    /// The program has ended by itself. Nothing of it runs behind the listeners of 'exit' but their
    /// promises.
    fn finish(&self) -> Result<(), Stop> {
        self.host.times.end_loop();
        self.vm.turn(|scope| {
            let hooks = &self.host.hooks;
            let settled = hooks.exit(scope).and_then(|_| self.noted.settle_last(scope));
            match settled.and_then(|()| hooks.code(scope)) {
                Ok(_) if self.noted.has_failed() => {}
                Ok(code) => self.host.end(scope, code),
                Err(thrown) => self.noted.fail(scope, FailureKind::Exception, thrown),
            }
        });
        self.go_on()
    }

    fn is_kept(&self) -> bool {
        self.queues.keeps_going() || self.inner.descriptors.keep_going() || self.inner.pool.keeps_going()
    }

    /// Every timer that is due as the phase begins. What becomes due while they run waits for the
    /// next phase: intervals that take longer than they wait would keep all else out.
    fn run_timers(&self) -> Result<(), Stop> {
        let now_ms = self.clock.now_ms();
        let mut has_more = self.queues.next_timer_ms().is_some_and(|due_ms| due_ms <= now_ms);
        while has_more {
            self.job(|scope| self.queues.run_timers(scope, now_ms).map(|more| has_more = more))?;
        }
        Ok(())
    }

    /// Waits for what comes from outside, and calls for it.
    fn run_outside(&self, wait: &mut PollSet, ready: &mut Vec<ReadyEvent>) -> Result<(), Stop> {
        self.vm.prepare(wait);
        wait.watch(|other| self.inner.descriptors.add_own(other, OwnNumber::ENGINE).is_ok());
        let waited = self.wait(wait, ready)?;
        self.go_on()?;
        if waited.is_idle {
            self.vm.turn(|scope| self.host.keep_code(scope));
            self.vm.collect(Gc::Now);
            self.idle.collected();
        }
        let is_woken = ready.iter().any(|ready| ready.token == OwnNumber::ENGINE);
        // What becomes due while others are ready is found so by the next look.
        let is_due = is_woken || waited.is_in_vain || wait.timeout() == Some(Duration::ZERO);
        let has_dispatched = is_due && self.vm.dispatch(wait, is_woken);
        self.idle.begin_work();
        if has_dispatched {
            self.job(|_| Ok(()))?;
        }
        for ready in ready.iter() {
            if ready.token == OwnNumber::WORK {
                self.take_work()?;
            } else if ready.token == OwnNumber::SIGNALS {
                self.take_signals()?;
            } else if ready.token == OwnNumber::ABANDONED {
                ABANDONED.reap();
            } else {
                self.call_for(*ready)?;
            }
        }
        self.run_messages(waited.time)
    }

    /// Whoever has more is called again, but not so often that others would wait for it.
    fn call_for(&self, ready: ReadyEvent) -> Result<(), Stop> {
        let descriptors = &self.inner.descriptors;
        for _ in 0..TURNS_MAX {
            let Some((callback, readiness)) = descriptors.callback(ready) else { break };
            self.job(|scope| callback(scope, readiness))?;
            if !descriptors.take_more() {
                break;
            }
        }
        Ok(())
    }

    /// Until something is ready, is due or was sent.
    fn wait(&self, wait: &PollSet, ready: &mut Vec<ReadyEvent>) -> Result<Waited, Stop> {
        let mail = &self.inner.mail;
        self.host.times.begin_wait();
        if self.lookout.is_worth_it() && self.timeout(wait).is_none_or(|timeout| timeout > lookout::MOMENT) {
            self.lookout.look(|| mail.has_mail());
        }
        let may_wait = mail.begin_wait();
        let timeout = if may_wait { self.timeout(wait) } else { Some(Duration::ZERO) };
        let patience =
            self.idle.begin_wait().filter(|patience| timeout.is_none_or(|timeout| timeout > *patience));
        let ended = self.inner.descriptors.wait(ready, patience.or(timeout));
        ended.map_err(|error| Stop::Problem(problem::wait_refused(error)))?;
        mail.end_wait();
        let time = self.host.times.end_wait(ready.len());
        let is_in_vain = may_wait && ready.is_empty();
        Ok(Waited { time, is_in_vain, is_idle: is_in_vain && patience.is_some() })
    }

    /// Those that are there now, from other threads too; what their listeners send is for the next
    /// round.
    fn run_messages(&self, waited: Duration) -> Result<(), Stop> {
        if self.inner.mail.has_told() {
            self.lookout.waited(waited);
            // Nothing of the program runs before the first of its messages, so that one can be of
            // the same job.
            self.job(|scope| {
                self.queues.run_mail(scope)?;
                self.queues.begin_messages();
                if self.queues.has_message_round() { self.queues.run_messages(scope) } else { Ok(()) }
            })?;
        } else {
            if self.inner.mail.has_returned() {
                self.vm.turn(|_| self.inner.mail.drop_returned());
            }
            self.queues.begin_messages();
        }
        while self.queues.has_message_round() {
            self.job(|scope| self.queues.run_messages(scope))?;
        }
        Ok(())
    }

    /// Until the next timer, the engine's next own, or for ever; not at all when an immediate
    /// waits.
    fn timeout(&self, wait: &PollSet) -> Option<Duration> {
        if self.queues.hurries() || self.queues.messages() != 0 {
            return Some(Duration::ZERO);
        }
        let timer = self.queues.next_timer_ms().map(|due_ms| self.clock.until(due_ms));
        timer.into_iter().chain(wait.timeout()).min()
    }

    fn take_work(&self) -> Result<(), Stop> {
        for (then, result) in self.inner.pool.take() {
            self.job(|scope| then(scope, result))?;
        }
        Ok(())
    }

    fn take_signals(&self) -> Result<(), Stop> {
        let due = self.inner.signals.take().map_err(|error| Stop::Problem(problem::wait_refused(error)))?;
        for callback in due {
            self.job(|scope| callback(scope))?;
        }
        Ok(())
    }

    fn run_immediates(&self) -> Result<(), Stop> {
        if !self.queues.has_immediates() {
            return Ok(());
        }
        self.job(|scope| self.queues.begin_immediates(scope))?;
        while self.queues.has_round() {
            self.job(|scope| self.queues.run_immediates(scope))?;
        }
        Ok(())
    }

    /// One callback, then ticks and microtasks until there are neither.
    fn job(&self, body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>) -> Result<(), Stop> {
        let settled = self.step(body).and_then(|()| self.settle());
        natives::send_due();
        settled
    }

    /// A callback, and the ticks and microtasks behind it; those that a throw has left run when the
    /// turn ends.
    fn step(&self, body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>) -> Result<(), Stop> {
        self.vm.turn(|scope| {
            let outcome = body(scope).and_then(|()| self.queues.settle(scope));
            if let Err(thrown) = outcome
                && self.host.ending().is_none()
            {
                self.noted.fail(scope, FailureKind::Exception, thrown);
            }
        });
        self.go_on()
    }

    /// Unless the program was ended, or has failed.
    fn go_on(&self) -> Result<(), Stop> {
        match self.host.ending() {
            Some(code) => Err(Stop::Exited(code)),
            None => self.noted.take_failure().map_or(Ok(()), |failure| Err(Stop::Failure(failure))),
        }
    }

    /// Ticks that microtasks left, and their microtasks; then rejections that nobody has handled by
    /// now.
    fn settle(&self) -> Result<(), Stop> {
        loop {
            while self.queues.has_ticks() {
                self.step(|_| Ok(()))?;
            }
            if self.noted.has_told() {
                self.step(|scope| self.noted.settle_told(scope))?;
                if self.queues.has_ticks() {
                    continue;
                }
            }
            if !self.noted.has_rejections() {
                self.noted.rest();
                return Ok(());
            }
            self.step(|scope| {
                // How a rejection ends a program is for `process` to say, where the command line
                // says anything.
                if !self.host.hooks.is_set() && self.host.program.says_of_rejections() {
                    let require = self.require.value(scope).as_function(scope).expect("it is one");
                    require.call(scope, &[scope.string("process")])?;
                }
                self.noted.settle_rejections(scope)
            })?;
        }
    }
}

impl Drop for Runtime {
    /// What is left in the loop may hold handles of the loop.
    fn drop(&mut self) {
        self.inner.workers.stop();
        self.host.files.close();
        self.inner.descriptors.clear();
        WAITERS.leave(&self.inner.pool);
        self.inner.pool.clear();
        self.inner.signals.clear();
        self.host.hooks.clear();
        Host::leave();
    }
}

impl Handle {
    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }
}
