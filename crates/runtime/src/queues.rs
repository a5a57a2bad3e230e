//! Queues of ticks, timers, immediates and messages, the Rust half: js/queues.js and js/timers.js
//! hold them. In: a scope. Out: counters, which are read without a call, and functions that run the
//! queues. Absent: when each runs; the event loop decides that.

use std::cell::Cell;

use rusk_jsc::{Exception, Function, Root, Scope, SharedU32Array, Value};

use crate::constants::constants;
use crate::failure::FailureKind;
use crate::state::RuntimeState;
use rusk_event_loop::Clock;

const SOURCE: &str = include_str!("../js/queues.js");
const TIMERS: &str = include_str!("../js/timers.js");

/// The counters that JavaScript and the loop share.
pub struct LoopCounters(SharedU32Array<{ COUNTERS }>);

impl LoopCounters {
    pub fn counts(&self) -> (u32, u32) {
        (self.0.load(counter::REF_TIMERS), self.0.load(counter::REF_IMMEDIATES))
    }

    /// Sets whether the loop has to handle errors: then JavaScript returns to it.
    pub fn set_has_errors(&self, has_errors: bool) {
        self.0.store(counter::HAS_ERRORS, u32::from(has_errors));
    }
}

crate::shared_constants! {
    /// Indexes of the counters that JavaScript and the loop share.
    mod counter: usize {
        /// Not 0: there are ticks.
        TICKS = 0,
        /// Timers that are ref'd.
        REF_TIMERS = 1,
        /// Immediates, and those of them that are ref'd.
        IMMEDIATES = 2,
        REF_IMMEDIATES = 3,
        /// Not 0: there is a timer, due at the time in the two counters after it.
        HAS_TIMER = 4,
        NEXT_TIMER_LOW = 5,
        NEXT_TIMER_HIGH = 6,
        /// Promises of the engine that its threads settle.
        ENGINE_PROMISES = 7,
        /// Immediates that are left of this check phase.
        IMMEDIATE_ROUND = 8,
        /// Not 0: the loop has to handle rejections or a failure before the next callback.
        HAS_ERRORS = 9,
        /// Messages between ports of this thread that were not delivered yet.
        MESSAGES = 10,
        /// Those of them that are left of this iteration.
        MESSAGE_ROUND = 11,
    }
}

/// Number of counters.
const COUNTERS: usize = counter::ALL.len();

pub struct Queues {
    counters: SharedU32Array<{ COUNTERS }>,
    functions: Root,
    next_tick: Root,
    run_next_ticks: Root,
    run_timers: Root,
    begin_immediates: Root,
    run_immediates: Root,
    run_messages: Root,
    receive_messages: Root,
}

thread_local! {
    /// The clock of the loop. A fast function captures nothing.
    static CLOCK: Cell<Option<Clock>> = const { Cell::new(None) };
}

impl Queues {
    /// Creates the queues. `fatal` is called with what a callback of `queueMicrotask` or the entry
    /// module throws.
    pub fn new<'s>(
        scope: &'s Scope,
        clock: Clock,
        fatal: impl for<'b> Fn(&'b Scope, Value<'b>, FailureKind) + 'static,
    ) -> Result<Queues, Exception<'s>> {
        let (counters, array) = SharedU32Array::new(scope)?;
        // Whole milliseconds are exact up to 2^53.
        CLOCK.set(Some(clock));
        let now = scope.fast_function("now", |scope, _| {
            let clock = CLOCK.get().expect("its queues are the thread's");
            Ok(scope.number(clock.now_ms() as f64))
        });
        let fatal = scope.function("fatal", move |scope, call| {
            let is_module = call.argument(scope, 1).is_truthy(scope);
            let kind = if is_module { FailureKind::Module } else { FailureKind::Exception };
            fatal(scope, call.argument(scope, 0), kind);
            Ok(scope.undefined())
        });
        // Under this name it is found in stacks, which end there.
        let run_microtasks =
            scope.fast_function("runMicrotasks", |scope, _| Ok(scope.boolean(scope.run_microtasks())));
        // A function of JavaScript, what it is to be called with; false: this engine has no way to.
        let enqueue = scope.fast_function("enqueue", |scope, call| {
            let is_queued = scope.queue_microtask(call.argument(scope, 0), call.argument(scope, 1));
            Ok(scope.boolean(is_queued))
        });
        let script = |source, url| {
            let script = RuntimeState::current().builtins.core_script(scope, source, url)?;
            Ok::<_, Exception<'s>>(script.as_function(scope).expect("the script is a function"))
        };
        let create_timers = script(TIMERS, "node:internal/timer_lists")?;
        let indexes = constants(scope, counter::ALL)?.value();
        let arguments = [
            now.value(),
            fatal.value(),
            array.value(),
            create_timers.value(),
            run_microtasks.value(),
            enqueue.value(),
            indexes,
            scope.global().value(),
        ];
        let queues = script(SOURCE, "node:internal/queues")?.call(scope, &arguments)?;
        let queues = queues.as_object(scope).expect("the function returns an object");
        let root = |name| queues.property(scope, name).map(|function| Root::new(scope, function));
        Ok(Queues {
            counters,
            functions: Root::new(scope, queues.value()),
            next_tick: root("nextTick")?,
            run_next_ticks: root("runNextTicks")?,
            run_timers: root("runTimers")?,
            begin_immediates: root("beginImmediates")?,
            run_immediates: root("runImmediates")?,
            run_messages: root("runMessages")?,
            receive_messages: root("receiveMessages")?,
        })
    }

    /// The object that js/queues.js returns: `nextTick`, timers, and what connects them with other
    /// builtins.
    pub fn functions<'s>(&self, scope: &'s Scope) -> Value<'s> {
        self.functions.value(scope)
    }

    pub fn counters(&self) -> LoopCounters {
        LoopCounters(self.counters.clone())
    }

    /// The function that becomes `process.nextTick`.
    pub fn next_tick<'s>(&self, scope: &'s Scope) -> Function<'s> {
        function(scope, &self.next_tick)
    }

    pub fn has_ticks(&self) -> bool {
        self.counters.load(counter::TICKS) != 0
    }

    /// Runs ticks and microtasks until there are neither, or there is an error. An engine that runs
    /// microtasks at the end of a turn only runs ticks here.
    pub fn run_next_ticks<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        function(scope, &self.run_next_ticks).call(scope, &[]).map(|_| ())
    }

    /// Time of the next timer, in milliseconds of the clock.
    pub fn next_timer_ms(&self) -> Option<u64> {
        let word = |index| u64::from(self.counters.load(index));
        (word(counter::HAS_TIMER) != 0)
            .then(|| word(counter::NEXT_TIMER_LOW) | word(counter::NEXT_TIMER_HIGH) << 32)
    }

    /// Runs timers that are due at `now_ms`, each followed by its ticks and microtasks; whether
    /// there may be more.
    pub fn run_timers<'s>(&self, scope: &'s Scope, now_ms: u64) -> Result<bool, Exception<'s>> {
        let has_more = function(scope, &self.run_timers).call(scope, &[scope.number(now_ms as f64)])?;
        Ok(has_more.is_truthy(scope))
    }

    pub fn has_immediates(&self) -> bool {
        self.counters.load(counter::IMMEDIATES) != 0
    }

    /// Begins a check phase with the immediates that exist now; later ones wait for the next.
    pub fn begin_immediates<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        function(scope, &self.begin_immediates).call(scope, &[]).map(|_| ())
    }

    /// Whether immediates of this check phase are left.
    pub fn has_round(&self) -> bool {
        self.counters.load(counter::IMMEDIATE_ROUND) != 0
    }

    /// Runs at least one immediate of this phase, each followed by its ticks and microtasks.
    pub fn run_immediates<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        function(scope, &self.run_immediates).call(scope, &[]).map(|_| ())
    }

    /// Number of messages that wait for delivery.
    pub fn messages(&self) -> u32 {
        self.counters.load(counter::MESSAGES)
    }

    /// Begins to deliver the messages that exist now; later ones wait for the next iteration.
    pub fn begin_messages(&self) {
        self.counters.store(counter::MESSAGE_ROUND, self.messages());
    }

    /// Whether messages of this iteration are left.
    pub fn has_message_round(&self) -> bool {
        self.counters.load(counter::MESSAGE_ROUND) != 0
    }

    /// Delivers at least one message of this iteration, each followed by its ticks and microtasks.
    pub fn run_messages<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        function(scope, &self.run_messages).call(scope, &[]).map(|_| ())
    }

    /// Receives messages of other threads.
    pub fn receive_messages<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        function(scope, &self.receive_messages).call(scope, &[]).map(|_| ())
    }

    /// Whether there are ref'd immediates: then the loop does not wait.
    pub fn has_ref_immediates(&self) -> bool {
        self.counters.load(counter::REF_IMMEDIATES) != 0
    }

    /// Whether anything here keeps the loop alive.
    pub fn is_alive(&self) -> bool {
        self.has_ref_immediates()
            || self.counters.load(counter::REF_TIMERS) != 0
            || self.counters.load(counter::ENGINE_PROMISES) != 0
    }
}

fn function<'s>(scope: &'s Scope, root: &Root) -> Function<'s> {
    root.value(scope).as_function(scope).expect("the script returns functions")
}
