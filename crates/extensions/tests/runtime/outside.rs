//! What comes from outside: descriptors, work on other threads, the engine's own threads; and what
//! keeps a loop going.

use rusk_base::sys::Errno;
use rusk_jsc::{ErrorKind, Exception, Root};
use rusk_runtime::{
    ChildHandle, Failure, FailureKind, IoHandle, Readiness, Runtime, Settings, SignalHandle, Stop,
};
use rusk_spawn::Exit;
use std::cell::{Cell, RefCell};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// It does nothing to who does not listen.
const SIGWINCH: i32 = 28;

fn runtime() -> Runtime {
    Runtime::new(rusk_extensions::settings()).expect("the engine is installed by .ci/set-up")
}

/// Runs a script that leaves its answer in the global `answer`.
fn answer(runtime: &Runtime, source: &str) -> String {
    runtime.run("test.js", source).unwrap_or_else(|stop| panic!("{stop:?}"));
    global(runtime, "answer")
}

fn global(runtime: &Runtime, name: &str) -> String {
    runtime.turn(|scope| {
        scope
            .global()
            .property(scope, name)
            .and_then(|value| value.to_rust_string(scope))
            .expect("it is there")
    })
}

fn failure(runtime: &Runtime, source: &str) -> Failure {
    match runtime.run("test.js", source) {
        Err(Stop::Failure(failure)) => *failure,
        other => panic!("{other:?}"),
    }
}

/// A global `read(callback)` that calls back with what arrives at `stream`, until its end.
fn add_reader(runtime: &Runtime, stream: UnixStream) -> Rc<RefCell<Option<IoHandle>>> {
    stream.set_nonblocking(true).expect("a socket can be");
    let (handle, watch) = (runtime.handle(), Rc::<RefCell<Option<IoHandle>>>::default());
    let (fd, kept) = (Rc::new(OwnedFd::from(stream.try_clone().expect("it is open"))), Rc::clone(&watch));
    runtime.turn(|scope| {
        let read = scope.function("read", move |scope, call| {
            let (callback, own) = (Root::new(scope, call.argument(scope, 0)), Rc::clone(&watch));
            let stream = stream.try_clone().expect("it is open");
            let watched = handle.add_io(Rc::clone(&fd), Readiness::READ, move |scope, _| {
                let mut bytes = [0; 100];
                let count = (&stream).read(&mut bytes).expect("it is ready");
                if count == 0 {
                    own.take();
                }
                let text = scope.string(std::str::from_utf8(&bytes[..count]).expect("ASCII was sent"));
                callback.value(scope).as_function(scope).expect("it is one").call(scope, &[text]).map(|_| ())
            });
            *watch.borrow_mut() =
                Some(watched.map_err(|error| Exception::new(scope, ErrorKind::Error, &error.to_string()))?);
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "read", read.value()).expect("it is set");
    });
    kept
}

#[test]
fn an_io_handle_is_called_when_it_is_ready() {
    let runtime = runtime();
    let (ours, mut theirs) = UnixStream::pair().expect("a pair");
    add_reader(&runtime, ours);
    let writer = std::thread::spawn(move || {
        theirs.write_all(b"one").expect("it is open");
        theirs.write_all(b"two").expect("it is open");
    });
    let source = "globalThis.answer = ''; read(text => { answer += `${text};`; Promise.resolve().then(() => { answer += 'micro;' }) })";
    let answer = answer(&runtime, source);
    writer.join().expect("it ends");
    // Both may come together; behind each there is its microtask, and an empty text at the end.
    let words = answer.replace("micro;", "").replace(';', "");
    assert!(words == "onetwo" && answer.ends_with(";micro;;micro;"), "{answer}");
}

#[test]
fn a_watch_keeps_the_loop_going_unless_it_is_let_go() {
    let runtime = runtime();
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    let watch = add_reader(&runtime, ours);
    runtime.turn(|scope| {
        let unref = scope.function("unref", move |scope, _| {
            watch.borrow().as_ref().expect("it was set").unref();
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "unref", unref.value()).expect("it is set");
    });
    assert_eq!(
        answer(&runtime, "globalThis.answer = 'ended'; read(() => { answer = 'never' }); unref()"),
        "ended"
    );
    drop(theirs);
}

#[test]
fn work_is_done_on_other_threads_and_taken_in_the_loop() {
    let runtime = runtime();
    let handle = runtime.handle();
    runtime.turn(|scope| {
        let work = scope.function("work", move |scope, call| {
            let number = call.argument(scope, 0).to_number(scope)?;
            let deferred = scope.promise()?;
            let pending = deferred.into_resolver(scope);
            handle.queue_work(
                move || (number * 2.0, std::thread::current().name().map(str::to_owned)),
                move |scope, (doubled, thread)| {
                    assert_eq!(thread.as_deref(), Some("rusk-work"));
                    pending.settle(scope, Ok(scope.number(doubled)))
                },
            );
            Ok(deferred.promise.value())
        });
        scope.global().set_property(scope, "work", work.value()).expect("it is set");
    });
    let source = "globalThis.answer = 0; (async () => { \
                  const all = await Promise.all(Array.from({ length: 200 }, (_, i) => work(i))); \
                  answer = all.reduce((sum, n) => sum + n, 0) + await work(0.5); })()";
    assert_eq!(answer(&runtime, source), "39801");
}

#[test]
fn a_panic_of_work_goes_on_in_the_loop() {
    let runtime = runtime();
    let handle = runtime.handle();
    runtime.turn(|_| handle.queue_work(|| panic!("on purpose"), |_, (): ()| Ok(())));
    let run = std::panic::AssertUnwindSafe(|| runtime.run("test.js", "0").map_err(|_| ()));
    let panic = std::panic::catch_unwind(run).expect_err("it passes");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
}

#[test]
fn webassembly_keeps_the_loop_going_until_it_is_compiled() {
    let module = "new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,7,7,1,3,116,119,111,0,0,10,6,1,4,0,65,2,11])";
    let runtime = runtime();
    let source = format!(
        "WebAssembly.instantiate({module}).then(m => {{ globalThis.answer = m.instance.exports.two() }})"
    );
    assert_eq!(answer(&runtime, &source), "2");
    let source = "WebAssembly.compile(new Uint8Array(3)).catch(e => { globalThis.answer = e.name })";
    assert_eq!(answer(&runtime, source), "CompileError");
    let source = "globalThis.answer = [WebAssembly.compile.name, WebAssembly.compile.length, WebAssembly.instantiate.length, \
                  'prototype' in WebAssembly.compile].join()";
    assert_eq!(answer(&runtime, source), "compile,1,1,false");
    let failure = failure(&runtime, "WebAssembly.compile(new Uint8Array(3))");
    assert_eq!(failure.kind, FailureKind::Rejection);
    assert!(failure.message.starts_with("CompileError"), "{failure:?}");
}

#[test]
fn finalizers_run_while_the_loop_waits() {
    let runtime = runtime();
    let source = "globalThis.answer = 0; const registry = new FinalizationRegistry(() => { answer++; if (answer > 50) clearInterval(t) }); \
                  for (let i = 0; i < 100; i++) registry.register({ i }); \
                  let garbage; const t = setInterval(() => { garbage = Array.from({ length: 20000 }, (_, i) => ({ i })) }, 1)";
    assert!(answer(&runtime, source).parse::<u32>().expect("a number") > 50);
}

#[test]
fn a_loop_that_waits_does_nothing() {
    let runtime = runtime();
    let before = processor_time();
    let begun = Instant::now();
    assert_eq!(answer(&runtime, "setTimeout(() => { globalThis.answer = 'done' }, 400)"), "done");
    assert!(begun.elapsed() >= Duration::from_millis(400));
    let used = processor_time() - before;
    assert!(used < Duration::from_millis(200), "{used:?} of the processor");
}

/// Of this thread alone; others compile and collect.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let nanoseconds =
        stat.split(' ').next().and_then(|word| word.parse().ok()).expect("it begins with a number");
    Duration::from_nanos(nanoseconds)
}

#[test]
fn a_failure_is_reported_at_once_and_once() {
    let told = Rc::new(Cell::new(0));
    let count = Rc::clone(&told);
    let on_failure = Box::new(move |failure: &Failure| {
        assert_eq!(failure.message, "Error: first");
        count.set(count.get() + 1);
    });
    let runtime = Runtime::new(Settings { on_failure, ..rusk_extensions::settings() })
        .expect("the engine is installed");
    let source = "queueMicrotask(() => { throw new Error('first') }); queueMicrotask(() => { throw new Error('second') })";
    assert_eq!(failure(&runtime, source).message, "Error: first");
    assert_eq!(told.get(), 1);
}

#[test]
fn children_are_waited_for() {
    let runtime = runtime();
    let handle = runtime.handle();
    runtime.turn(|scope| {
        let run = scope.function("run", move |scope, call| {
            let script = call.argument(scope, 0).to_rust_string(scope)?;
            let callback = Root::new(scope, call.argument(scope, 1));
            let child = rusk_spawn::Command::new("/bin/sh").args(["-c", &script]).spawn().expect("it starts");
            let waited = handle.wait_for_child(child, move |scope, end| {
                let text = match end {
                    Ok(Exit::Status(status)) => format!("status {status}"),
                    Ok(Exit::Signal { number, .. }) => format!("signal {number}"),
                    Err(error) => error.to_string(),
                };
                let callback = callback.value(scope).as_function(scope).expect("it is one");
                callback.call(scope, &[scope.string(&text)]).map(|_| ())
            });
            Ok(scope.native(waited.expect("the kernel has pidfds")).value())
        });
        let kill = scope.function("kill", |scope, call| {
            let waited = call
                .argument(scope, 0)
                .as_object(scope)
                .and_then(|object| object.as_native::<ChildHandle>(scope));
            waited.expect("it is one").signal(15).expect("it is ours");
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "run", run.value()).expect("it is set");
        scope.global().set_property(scope, "kill", kill.value()).expect("it is set");
    });
    let source = "globalThis.answer = []; globalThis.kept = [run('exit 7', end => answer.push(end)), run('kill -9 $$', end => answer.push(end)), \
                  run('exec sleep 100', end => { answer.push(end); answer = answer.sort().join() })]; \
                  const t = setInterval(() => { if (answer.length === 2) { clearInterval(t); kill(kept[2]) } }, 1)";
    assert_eq!(answer(&runtime, source), "signal 15,signal 9,status 7");
}

#[test]
fn signals_are_heard() {
    let runtime = runtime();
    let handle = runtime.handle();
    runtime.turn(|scope| {
        let listener: RefCell<Option<SignalHandle>> = RefCell::default();
        let listen = scope.function("listen", move |scope, call| {
            let callback = Root::new(scope, call.argument(scope, 0));
            let made = handle.on_signal(SIGWINCH, move |scope| {
                callback.value(scope).as_function(scope).expect("it is one").call(scope, &[]).map(|_| ())
            });
            assert_eq!(handle.on_signal(9, |_| Ok(())).err(), Some(Errno::INVAL));
            assert_eq!(handle.on_signal(SIGWINCH, |_| Ok(())).err(), Some(Errno::BUSY));
            listener.replace(Some(made.expect("the signals are free")));
            Ok(scope.undefined())
        });
        let raise = scope.function("raise", |scope, _| {
            let script = format!("kill -{SIGWINCH} {}", std::process::id());
            let sent = std::process::Command::new("/bin/sh").args(["-c", &script]).status().expect("it runs");
            assert!(sent.success());
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "listen", listen.value()).expect("it is set");
        scope.global().set_property(scope, "raise", raise.value()).expect("it is set");
    });
    let source = "globalThis.answer = 0; listen(() => { if (++answer === 2) clearInterval(t); else raise() }); raise(); \
                  const t = setInterval(() => 0, 1000)";
    assert_eq!(answer(&runtime, source), "2");
    // Listening alone keeps nothing going.
    assert_eq!(answer(&runtime, "globalThis.answer = 'ended'"), "ended");
}

#[test]
fn a_loop_that_goes_takes_what_is_left_in_it_along() {
    let gone = Rc::new(());
    for _ in 0..3 {
        let runtime = runtime();
        let (handle, held) = (runtime.handle(), Rc::clone(&gone));
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        let own = Rc::<RefCell<Option<IoHandle>>>::default();
        let kept = Rc::clone(&own);
        // A callback that holds its own watch and the loop, as those of JavaScript's objects do.
        let watch = handle.clone().add_io(Rc::new(ours.into()), Readiness::READ, move |_, _| {
            let _ = (&handle, &held, &kept);
            Ok(())
        });
        *own.borrow_mut() = Some(watch.expect("it is a socket"));
        own.borrow().as_ref().expect("it was set").unref();
        assert_eq!(answer(&runtime, "globalThis.answer = 1"), "1");
        drop((own, theirs));
    }
    assert_eq!(Rc::strong_count(&gone), 1);
}
