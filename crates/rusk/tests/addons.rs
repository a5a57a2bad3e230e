//! Native addons: small ones, compiled by the machine's compiler with the headers of
//! `crates/node-api`. In: fixtures/addons. Out: what a program prints that loads them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusk_testkit::project::Project;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A project with the addon as `NAME.node`.
fn project(addon: &str) -> Project {
    let project = Project::new();
    compile(addon, &project.path().join(addon).with_extension("node"));
    project
}

fn compile(addon: &str, output: &Path) {
    let (source, headers) =
        (root().join("fixtures/addons").join(addon), root().join("crates/node-api/include"));
    let compiler = if addon.ends_with(".cc") { "c++" } else { "cc" };
    let compiled = Command::new(compiler)
        .args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"])
        .args([output, &source])
        .arg("-I")
        .arg(headers)
        .output()
        .expect("the machine has a compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

fn run(project: &Project, arguments: &[&str], program: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(arguments).args(["-e", program]).current_dir(project.path());
    command.env_clear().env("PATH", "/usr/bin:/bin").output().expect("rusk starts")
}

#[track_caller]
fn check(project: &Project, program: &str, wanted: &[&str]) {
    let output = run(project, &["--expose-gc"], program);
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((said.lines().collect::<Vec<_>>(), &*errors), (wanted.to_vec(), ""), "{program}");
}

#[test]
fn values_pass_in_both_directions() {
    let addon = project("values.c");
    check(
        &addon,
        "const a = require('./values.node');
         console.log(a.add(1, 2.5), a.reverse('rusk'), a.bytes().toString(), a.bytes() instanceof Buffer);
         console.log(a.many().length, a.many()[4999].name, a.callBack(() => 'called'));
         console.log(a.add.name, typeof a.Counter, Object.keys(a).length);",
        &["3.5 ksur rusk true", "5000 element called", "add function 7"],
    );
}

#[test]
fn exceptions_pass_in_both_directions() {
    let addon = project("values.c");
    check(
        &addon,
        "const a = require('./values.node');
         try { a.add(1, 'x') } catch (error) { console.log(error.name, error.code, error.message) }
         try { a.callBack(() => { throw new RangeError('mine') }) } catch (error) { console.log(`${error}`) }
         try { a.Counter.prototype.next.call({}) } catch (error) { console.log(error.message) }",
        &["TypeError ERR_ADD two numbers were expected", "RangeError: mine", "not a counter"],
    );
}

#[test]
fn wrapped_objects_are_counted_extended_and_finalized() {
    let addon = project("values.c");
    check(
        &addon,
        "const a = require('./values.node');
         class More extends a.Counter { twice() { this.next(); return this.next() } }
         const more = new More();
         console.log(more.twice(), more.twice(), more instanceof a.Counter);
         for (let i = 0; i < 1000; i++) new a.Counter().next();
         setImmediate(() => { gc(); setImmediate(() => setImmediate(() => {
           console.log(a.freed() > 900, more.next());
         })) });",
        &["2 4 true", "true 5"],
    );
}

#[test]
fn work_on_other_threads_comes_back_to_the_loop() {
    let addon = project("threads.c");
    check(
        &addon,
        "const a = require('./threads.node');
         a.square(12).then((number) => {
           console.log(number);
           a.count((number) => console.log('count', number));
         });",
        &["144", "count 1", "count 2", "count 3", "count 4", "count 5", "cleaned up"],
    );
}

#[test]
fn a_reference_is_given_up_on_another_thread() {
    let addon = project("threads.c");
    check(
        &addon,
        "const a = require('./threads.node');
         const weak = (() => {
           const all = Array.from({ length: 100 }, (_, number) => ({ number }));
           Promise.all(all.map(a.hold)).then((given) => {
             console.log(given.every(Boolean));
             setImmediate(() => setImmediate(() => {
               gc();
               setImmediate(() => console.log(weak.filter((ref) => ref.deref()).length < 20));
             }));
           });
           return all.map((object) => new WeakRef(object));
         })();",
        &["true", "true", "cleaned up"],
    );
}

#[test]
fn a_worker_has_an_environment_of_its_own() {
    let addon = project("threads.c");
    let output = run(
        &addon,
        &[],
        "const { Worker } = require('worker_threads');
         require('./threads.node').square(3).then(console.log).then(() => {
           const text = 'require(process.cwd() + `/threads.node`).square(4).then(console.log)';
           new Worker(text, { eval: true }).on('exit', (code) => console.log('exit', code));
         });",
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<&str> = text.lines().collect();
    // The worker's addon prints by itself; what its program prints comes by way of this thread.
    if let Some(middle) = lines.get_mut(1..3) {
        middle.sort_unstable();
    }
    assert_eq!(lines, ["9", "16", "cleaned up", "exit 0", "cleaned up"]);
}

#[test]
fn a_file_is_loaded_in_several_ways() {
    let addon = project("values.c");
    check(
        &addon,
        "const first = require('./values.node');
         const module_ = { exports: {} };
         process.dlopen(module_, process.cwd() + '/values.node');
         const again = require('module').createRequire(process.cwd() + '/x.js')('./values.node');
         console.log(module_.exports.add(2, 2), first === again, first === module_.exports);",
        &["4 true false"],
    );
}

#[test]
fn an_addon_of_the_cpp_api_is_refused_before_it_runs() {
    let addon = Project::new();
    let directory = addon.path().join("node_modules/older");
    std::fs::create_dir_all(&directory).expect("a new project");
    compile("v8.cc", &directory.join("older.node"));
    check(
        &addon,
        "process.removeAllListeners('warning');
         try { require('older/older.node') } catch (error) {
           console.log(error.code, error.message.slice(error.message.indexOf('the addon')));
         }",
        &[
            "ERR_DLOPEN_FAILED the addon of the package older cannot be loaded: it uses the C++ API of V8 and \
           Node (_ZN2v87Isolate10GetCurrentEv); use a release of it, or another package, that is built on \
           Node-API",
        ],
    );
}

#[test]
fn addons_can_be_disabled() {
    let addon = project("values.c");
    let output =
        run(&addon, &["--no-addons"], "try { require('./values.node') } catch (e) { console.log(e.code) }");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ERR_DLOPEN_DISABLED\n");
}

#[test]
fn wrong_calls_get_the_statuses_of_node() {
    let addon = project("misbehaves.c");
    check(
        &addon,
        "const a = require('./misbehaves.node');
         const statuses = a.statuses();
         console.log(statuses.slice(0, 14).join());
         console.log(statuses.slice(14, 30).join());
         console.log(statuses.slice(30, 42).join());
         console.log(statuses.slice(42).join());
         console.log(a.afterRelease().join());
         try { console.log(a.throwsAndReturns()) } catch (error) { console.log(error.name, error.code) }
         console.log(a.nothing(), new a.nothing() instanceof a.nothing, a.nothing.length);",
        &[
            // Of node 25.9.
            "1,1,1,1,1,1,1,1,1,1,1,1,1,1",
            "6,7,3,8,1,1,18,17,1,1,19,3,1,1,3,1",
            "0,12,0,1,1,0,1,0,1,0,9,0",
            "9,10,10,10,1,0,0",
            "1,1,0,0,15,0",
            "RangeError ERR_BOTH",
            "undefined true 0",
        ],
    );
}

#[test]
fn handles_live_as_long_as_their_call() {
    let addon = project("misbehaves.c");
    check(
        &addon,
        "const a = require('./misbehaves.node');
         const letter = (index) => String.fromCharCode(97 + index % 26) + 'x'.repeat(14);
         console.log(a.manyHandles().every((text, index) => text === letter(index)));
         for (let round = 0; round < 50; round++) a.leaveOpen();
         console.log(a.leaveOpen(), a.statuses().length);",
        &["true", "in an open scope 49"],
    );
}

#[test]
fn what_a_finalizer_throws_is_an_uncaught_exception() {
    let addon = project("misbehaves.c");
    check(
        &addon,
        "const a = require('./misbehaves.node');
         let caught = 0;
         process.on('uncaughtException', (error) => { caught += error.code === 'ERR_FINALIZER' });
         (() => { for (let i = 0; i < 100; i++) a.throwing(); })();
         setImmediate(() => { gc(); setTimeout(() => console.log(caught > 80), 50); });",
        &["true"],
    );
}

#[test]
fn a_fatal_error_ends_the_process_by_a_signal() {
    use std::os::unix::process::ExitStatusExt;
    let addon = project("misbehaves.c");
    let output = run(&addon, &[], "require('./misbehaves.node').fatal(); console.log('after')");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("FATAL ERROR: misbehaves.c on purpose\n"), "{errors}");
    assert_eq!((output.stdout.len(), output.status.signal()), (0, Some(6)));
}

#[test]
fn workers_with_addons_leave_no_descriptor() {
    let addon = project("values.c");
    check(
        &addon,
        "const { Worker } = require('worker_threads');
         const { readdirSync } = require('fs');
         const count = () => readdirSync('/proc/self/fd').length;
         const run = () => new Promise((resolve) =>
           new Worker('require(process.cwd() + `/values.node`).add(1, 2)', { eval: true }).on('exit', resolve));
         (async () => {
           for (let i = 0; i < 3; i++) await run();
           const before = count();
           for (let i = 0; i < 20; i++) await run();
           // Threads of the engine come and go with theirs.
           console.log(count() - before < 10);
         })();",
        &["true"],
    );
}

#[test]
fn work_and_wake_ups_of_libuv_come_back_to_the_loop() {
    let addon = project("uv.c");
    let output = run(&addon, &[], "require('./uv.node').wake()");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<&str> = text.lines().collect();
    // The work and the thread's wake-up come in any order.
    lines.sort_unstable();
    assert_eq!(lines, ["async 1", "async_init 0", "closed 1", "queue_work 0", "work 42"]);
}

#[test]
fn a_descriptor_of_an_addon_is_watched_as_long_as_it_is_ready() {
    let addon = project("uv.c");
    let wanted = [
        "regular file -1",
        "closed file -9",
        "init 0",
        "is non-blocking 1",
        "fileno 1",
        "other init 0",
        "start 0",
        "start again 0",
        "other start -17",
        "third init -17",
        "active 1",
        "written 1",
        "status 0",
        "events 1",
        "status 0",
        "events 1",
        "read 1",
        // Readable and disconnected.
        "status 0",
        "events 5",
        "stop 0",
        "active 0",
        "closing 1",
        "closed 1",
    ];
    check(&addon, "require('./uv.node').watch()", &wanted);
    let wanted = ["init 0", "start 0", "EBADF 0", "active 0", "closed 1"];
    check(&addon, "require('./uv.node').fail()", &wanted);
    let program = "const text = 'require(process.cwd() + `/uv.node`).watch()';
        new (require('worker_threads').Worker)(text, { eval: true }).on('exit', (code) => console.log(code))";
    let output = run(&addon, &[], program);
    assert!(
        output.stdout.ends_with(b"closing 1\nclosed 1\n0\n"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn timers_of_an_addon_are_called_in_order() {
    let addon = project("uv.c");
    let wanted = [
        "again -22",
        "no callback -22",
        "has ref 0",
        "due in 1",
        "repeat 15",
        "now 1",
        "timer 1",
        "timer 0",
        "timer 2",
        "timer 2",
        "timer 2",
    ];
    check(&addon, "require('./uv.node').timeOut()", &wanted);
}

#[test]
fn handles_and_locks_are_those_of_libuv() {
    let addon = project("uv.c");
    let wanted = [
        "default loop 1",
        "loop data 1",
        "loop size 848",
        "sizes 1",
        "poll 1",
        "fields 1",
        "file already exists 1",
        "EIN 0",
        "this thread 1",
        "init 0",
        "EAGAIN 0",
        "create 0",
        "shared 1",
        "EBUSY 0",
        "one of them 11",
        "own value 1",
    ];
    check(&addon, "const a = require('./uv.node'); a.fields(); a.locks()", &wanted);
}

#[test]
fn buffers_of_an_addon_are_freed_before_its_own_data() {
    let addon = project("ends.c");
    check(
        &addon,
        "const a = require('./ends.node'); globalThis.kept = a.external(); console.log(a.nowhere())",
        &["true", "hook", "buffer", "instance data"],
    );
}

#[test]
fn an_addon_of_absent_functions_of_libuv_is_refused() {
    let addon = Project::new();
    let directory = addon.path().join("node_modules/datagrams");
    std::fs::create_dir_all(&directory).expect("a new project");
    compile("udp.c", &directory.join("datagrams.node"));
    check(
        &addon,
        "process.removeAllListeners('warning');
         try { require('datagrams/datagrams.node') } catch (error) {
           console.log(error.code, error.message.slice(error.message.indexOf('it uses')));
         }",
        &[
            "ERR_DLOPEN_FAILED it uses functions of libuv that are not here (uv_udp_init); run the program with \
           Node, or use a package that does the same without an addon",
        ],
    );
}
