//! Phases of the event loop, in libuv's and Node's order: timers, then repeatedly poll (I/O, thread
//! pool, signals, orphans), messages, check (immediates), timers. After each callback all ticks
//! run, then all microtasks, until there are neither. In: what to begin with. Out: the end of the
//! program.

use std::time::Duration;

use rusk_base::sys::Errno;
use rusk_base::sys::epoll::ReadyEvent;
use rusk_base::sys::file_pages;
use rusk_event_loop::{CALLS_IN_A_ROW_MAX, LoopToken, ORPHAN_REAPER, SPIN_TIME};
use rusk_jsc::{Exception, Gc, PollSet, Scope};

use crate::failure::FailureKind;
use crate::problem;
use crate::runtime::{Runtime, Stop};

/// How a wait ended.
struct WaitOutcome {
    time: Duration,
    /// No event came, so a timer is due.
    is_timeout: bool,
    /// What is due is a garbage collection.
    is_idle: bool,
}

impl Runtime {
    /// Runs `body`, then the loop until nothing keeps it alive.
    pub(crate) fn run_loop(
        &self,
        body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>,
    ) -> Result<(), Stop> {
        self.state.times.ready();
        if self.state.worker.is_some() {
            self.state.times.begin_loop();
        }
        self.run_callback(body)?;
        self.state.times.begin_loop();
        let (mut wait, mut ready) = (PollSet::default(), Vec::new());
        loop {
            if self.is_alive() {
                self.run_timers()?;
            }
            while self.is_alive() {
                self.poll(&mut wait, &mut ready)?;
                self.run_immediates()?;
                self.run_check_hooks()?;
                self.run_timers()?;
            }
            if !self.state.lifecycle.is_set() {
                self.vm.turn(|scope| self.state.write_bytecode_cache(scope));
                return Ok(());
            }
            self.run_callback(|scope| self.state.lifecycle.before_exit(scope))?;
            if !self.is_alive() {
                return self.finish();
            }
        }
    }

    /// Runs the loop until nothing keeps it alive.
    pub(crate) fn run_until_idle(&self) -> Result<(), Stop> {
        self.run_until(|| false)
    }

    /// Runs the loop until `is_done`, or until nothing keeps it alive.
    pub(crate) fn run_until(&self, is_done: impl Fn() -> bool) -> Result<(), Stop> {
        let (mut wait, mut ready) = (PollSet::default(), Vec::new());
        while !is_done() && self.is_alive() {
            self.poll(&mut wait, &mut ready)?;
            self.run_immediates()?;
            self.run_timers()?;
        }
        Ok(())
    }

    /// Emits 'exit'. After its listeners only promises of the program run.
    fn finish(&self) -> Result<(), Stop> {
        self.state.times.end_loop();
        self.vm.turn(|scope| {
            let lifecycle = &self.state.lifecycle;
            let settled = lifecycle.exit(scope).and_then(|_| self.errors.settle_last(scope));
            match settled.and_then(|()| lifecycle.code(scope)) {
                Ok(_) if self.errors.has_failed() => {}
                Ok(code) => self.state.end(scope, code),
                Err(thrown) => self.errors.fail(scope, FailureKind::Exception, thrown),
            }
        });
        self.check_exit()
    }

    /// Whether anything keeps the loop alive (`uv_loop_alive`).
    pub(crate) fn is_alive(&self) -> bool {
        self.queues.is_alive() || self.handle.0.event_loop.is_alive()
    }

    /// Timers phase: every timer that is due as it begins. Timers that become due while they run
    /// wait for the next phase; otherwise intervals that take longer than their delay would block
    /// all else.
    fn run_timers(&self) -> Result<(), Stop> {
        let now_ms = self.clock.now_ms();
        let mut has_more = self.queues.next_timer_ms().is_some_and(|due_ms| due_ms <= now_ms);
        while has_more {
            self.run_callback(|scope| self.queues.run_timers(scope, now_ms).map(|more| has_more = more))?;
        }
        Ok(())
    }

    /// Poll phase: waits for events and runs their callbacks.
    fn poll(&self, wait: &mut PollSet, ready: &mut Vec<ReadyEvent>) -> Result<(), Stop> {
        self.vm.prepare(wait);
        wait.watch(|other| {
            let added = self.handle.reactor().add_own(other, LoopToken::ENGINE);
            matches!(added, Ok(()) | Err(Errno::EXIST))
        });
        let waited = self.wait(wait, ready)?;
        self.check_exit()?;
        if waited.is_idle {
            self.vm.turn(|scope| self.state.write_bytecode_cache(scope));
            self.vm.collect(Gc::Now);
            self.idle.collected();
        }
        if waited.is_idle || self.idle.is_release_due() {
            self.release_file_pages();
        }
        let is_woken = ready.iter().any(|ready| ready.token == LoopToken::ENGINE);
        // Engine timers that become due while other events are ready are found in the next poll.
        let is_due = is_woken || waited.is_timeout || wait.timeout() == Some(Duration::ZERO);
        let has_dispatched = is_due && self.vm.dispatch(wait, is_woken);
        self.idle.begin_work();
        if has_dispatched {
            self.run_callback(|_| Ok(()))?;
        }
        for ready in ready.iter() {
            match ready.token {
                LoopToken::THREAD_POOL => self.run_completions()?,
                LoopToken::SIGNALS => self.run_signals()?,
                LoopToken::ORPHANS => ORPHAN_REAPER.reap(),
                _ => self.dispatch(*ready)?,
            }
        }
        self.run_messages(waited.time)
    }

    /// Unmaps pages of files that were read and may not be needed any more.
    pub fn release_file_pages(&self) {
        let cache = self.state.bytecode_cache.as_ref();
        file_pages::release(&cache.map(|cache| cache.mapped()).unwrap_or_default());
    }

    /// Calls an I/O handle. One that has more to do is called again, but not so often that others
    /// would starve.
    fn dispatch(&self, ready: ReadyEvent) -> Result<(), Stop> {
        let reactor = self.handle.reactor();
        for _ in 0..CALLS_IN_A_ROW_MAX {
            let Some((callback, readiness)) = reactor.callback(ready) else { break };
            self.run_callback(|scope| callback(scope, readiness))?;
            if !reactor.take_call_again() {
                break;
            }
        }
        Ok(())
    }

    /// Waits until an event comes, a timer is due or another thread sends a message.
    fn wait(&self, wait: &PollSet, ready: &mut Vec<ReadyEvent>) -> Result<WaitOutcome, Stop> {
        let inbox = self.handle.inbox();
        self.state.times.begin_wait();
        if self.spin.is_worthwhile() && self.timeout(wait).is_none_or(|timeout| timeout > SPIN_TIME) {
            self.spin.spin(|| inbox.has_pending());
        }
        let may_wait = inbox.begin_wait();
        let timeout = if may_wait { self.timeout(wait) } else { Some(Duration::ZERO) };
        let patience =
            self.idle.begin_wait().filter(|patience| timeout.is_none_or(|timeout| timeout > *patience));
        let ended = self.handle.reactor().wait(ready, patience.or(timeout));
        ended.map_err(|error| Stop::Problem(problem::wait_refused(error)))?;
        inbox.end_wait();
        let time = self.state.times.end_wait(ready.len());
        let is_timeout = may_wait && ready.is_empty();
        Ok(WaitOutcome { time, is_timeout, is_idle: is_timeout && patience.is_some() })
    }

    /// Runs the message handlers of ports. Messages that they send to this thread wait for the next
    /// iteration.
    fn run_messages(&self, waited: Duration) -> Result<(), Stop> {
        let inbox = self.handle.inbox();
        if inbox.has_notified() {
            self.spin.record_wait(waited);
            // Nothing of the program runs before the first of its messages, so that one can be part
            // of the same callback.
            self.run_callback(|scope| {
                self.queues.receive_messages(scope)?;
                self.queues.begin_messages();
                if self.queues.has_message_round() { self.queues.run_messages(scope) } else { Ok(()) }
            })?;
        } else {
            if inbox.has_reclaimable() {
                self.vm.turn(|_| inbox.reclaim());
            }
            self.queues.begin_messages();
        }
        while self.queues.has_message_round() {
            self.run_callback(|scope| self.queues.run_messages(scope))?;
        }
        Ok(())
    }

    /// Until the next timer of the program or the engine, or for ever; zero if an immediate or a
    /// message waits.
    fn timeout(&self, wait: &PollSet) -> Option<Duration> {
        if self.queues.has_ref_immediates() || self.queues.messages() != 0 {
            return Some(Duration::ZERO);
        }
        let timer = self.queues.next_timer_ms().map(|due_ms| self.clock.until(due_ms));
        timer.into_iter().chain(wait.timeout()).min()
    }

    fn run_completions(&self) -> Result<(), Stop> {
        for (completion, result) in self.handle.thread_pool().take_completed() {
            self.run_callback(|scope| completion(scope, result))?;
        }
        Ok(())
    }

    fn run_signals(&self) -> Result<(), Stop> {
        let pending = self.handle.0.event_loop.signals.take_pending();
        for callback in pending.map_err(|error| Stop::Problem(problem::wait_refused(error)))? {
            self.run_callback(|scope| callback(scope))?;
        }
        Ok(())
    }

    /// Check phase.
    fn run_immediates(&self) -> Result<(), Stop> {
        if !self.queues.has_immediates() {
            return Ok(());
        }
        self.run_callback(|scope| self.queues.begin_immediates(scope))?;
        while self.queues.has_round() {
            self.run_callback(|scope| self.queues.run_immediates(scope))?;
        }
        Ok(())
    }

    fn run_check_hooks(&self) -> Result<(), Stop> {
        let hooks = &self.handle.0.check_hooks;
        if hooks.is_empty() {
            return Ok(());
        }
        for id in hooks.ids() {
            if let Some(callback) = hooks.find(id) {
                self.run_callback(|scope| callback(scope))?;
            }
        }
        Ok(())
    }

    /// Runs one callback, then ticks and microtasks until there are neither (Node's
    /// `MakeCallback`).
    pub(crate) fn run_callback(
        &self,
        body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>,
    ) -> Result<(), Stop> {
        let settled = self.step(body).and_then(|()| self.settle());
        self.state.after_callback();
        settled
    }

    /// Runs a callback and the ticks and microtasks after it; those that a throw has left run when
    /// the VM's turn ends.
    fn step(&self, body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>) -> Result<(), Stop> {
        self.vm.turn(|scope| {
            let outcome = body(scope).and_then(|()| self.queues.run_next_ticks(scope));
            if let Err(thrown) = outcome
                && self.state.ending().is_none()
            {
                self.errors.fail(scope, FailureKind::Exception, thrown);
            }
        });
        self.check_exit()
    }

    /// An error if the program was terminated or has failed.
    fn check_exit(&self) -> Result<(), Stop> {
        match self.state.ending() {
            Some(code) => Err(Stop::Exited(code)),
            None => self.errors.take_failure().map_or(Ok(()), |failure| Err(Stop::Failure(failure))),
        }
    }

    /// Ticks that microtasks left, and their microtasks; then unhandled rejections.
    fn settle(&self) -> Result<(), Stop> {
        loop {
            while self.queues.has_ticks() {
                self.step(|_| Ok(()))?;
            }
            if self.errors.has_reported() {
                self.step(|scope| self.errors.settle_reported(scope))?;
                if self.queues.has_ticks() {
                    continue;
                }
            }
            if !self.errors.has_rejections() {
                self.errors.finish_handling();
                return Ok(());
            }
            self.step(|scope| {
                // `process` decides how an unhandled rejection ends a program, where a flag sets
                // the mode.
                if !self.state.lifecycle.is_set() && self.state.program.sets_unhandled_rejections() {
                    let require = self.require.value(scope).as_function(scope).expect("it is one");
                    require.call(scope, &[scope.string("process")])?;
                }
                self.errors.settle_rejections(scope)
            })?;
        }
    }
}
