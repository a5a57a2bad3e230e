//! Native addons: values, errors, threads and lifetimes. In: fixtures/addons. Out: what a program
//! prints that loads them.

use rusk_testkit::addons::AddonProject;

const RUSK: &str = env!("CARGO_BIN_EXE_rusk");

fn project(addon: &str) -> AddonProject {
    AddonProject::new(RUSK, addon)
}

#[test]
fn values_pass_in_both_directions() {
    let addon = project("values.c");
    addon.check(
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
    addon.check(
        "const a = require('./values.node');
         try { a.add(1, 'x') } catch (error) { console.log(error.name, error.code, error.message) }
         try { a.callBack(() => { throw new RangeError('mine') }) } catch (error) { console.log(`${error}`) }
         try { a.Counter.prototype.next.call({}) } catch (error) { console.log(error.message) }",
        &["TypeError ERR_ADD two numbers were expected", "RangeError: mine", "Illegal invocation"],
    );
}

#[test]
fn wrapped_objects_are_counted_extended_and_finalized() {
    let addon = project("values.c");
    addon.check(
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
    addon.check(
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
    addon.check(
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
    let output = addon.run(
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
    addon.check(
        "const first = require('./values.node');
         const module_ = { exports: {} };
         process.dlopen(module_, process.cwd() + '/values.node');
         const again = require('module').createRequire(process.cwd() + '/x.js')('./values.node');
         console.log(module_.exports.add(2, 2), first === again, first === module_.exports);",
        &["4 true false"],
    );
}

#[test]
fn an_addon_of_absent_functions_is_refused_before_it_runs() {
    let refused = |source: &str, package: &str, why: &str| {
        let program = format!(
            "process.removeAllListeners('warning');
             try {{ require('{package}/index.node') }} catch ({{ code, message }}) {{
               console.log(code, message.slice(message.indexOf('the addon')));
             }}"
        );
        let why =
            format!("ERR_DLOPEN_FAILED the addon of the package {package} cannot be loaded: it uses {why}");
        AddonProject::with_package(RUSK, source).check(&program, &[&why]);
    };
    refused(
        "v8.cc",
        "v8",
        "the C++ API of V8 and Node (_ZN2v87Isolate10GetCurrentEv); use a release of it, or another \
         package, that is built on Node-API",
    );
    refused(
        "udp.c",
        "udp",
        "functions of libuv that are not here (uv_udp_init); run the program with Node, or use a package \
         that does the same without an addon",
    );
}

#[test]
fn a_refusal_is_reported_once_in_a_process() {
    let addon = AddonProject::with_package(RUSK, "v8.cc");
    let output = addon.run(
        &[],
        "const { Worker } = require('worker_threads');
         const load = () => { try { require(process.cwd() + '/node_modules/v8/index.node') } catch ({ code }) { console.log(code) } };
         load();
         load();
         new Worker(`(${load})()`, { eval: true });",
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ERR_DLOPEN_FAILED\n".repeat(3));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors.matches("AddonWarning").count(), 1, "{errors}");
}

#[test]
fn addons_can_be_disabled() {
    let addon = project("values.c");
    let output =
        addon.run(&["--no-addons"], "try { require('./values.node') } catch (e) { console.log(e.code) }");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ERR_DLOPEN_DISABLED\n");
}

#[test]
fn wrong_calls_get_the_statuses_of_node() {
    let addon = project("misbehaves.c");
    addon.check(
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
    addon.check(
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
    addon.check(
        "const a = require('./misbehaves.node');
         let caught = 0;
         process.on('uncaughtException', (error) => { caught += error.code === 'ERR_FINALIZER' });
         (() => { for (let i = 0; i < 100; i++) a.throwing(); })();
         const look = (left) => {
           if (caught > 80 || left === 0) console.log(caught > 80);
           else setTimeout(look, 50, left - 1);
         };
         setImmediate(() => { gc(); look(200); });",
        &["true"],
    );
}

#[test]
fn a_fatal_error_ends_the_process_by_a_signal() {
    use std::os::unix::process::ExitStatusExt;
    let addon = project("misbehaves.c");
    let output = addon.run(&[], "require('./misbehaves.node').fatal(); console.log('after')");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("FATAL ERROR: misbehaves.c on purpose\n"), "{errors}");
    assert_eq!((output.stdout.len(), output.status.signal()), (0, Some(6)));
}

#[test]
fn workers_with_addons_leave_no_descriptor() {
    let addon = project("values.c");
    addon.check("const { Worker } = require('worker_threads');
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
fn functions_classes_and_refusals_are_those_of_node() {
    for name in ["uv", "classes", "refusals", "arguments"] {
        project(&format!("{name}.c")).check_all(&format!("{name}.txt"));
    }
}

#[test]
fn buffers_of_an_addon_are_freed_before_its_own_data() {
    let program =
        "const a = require('./ends.node'); globalThis.kept = a.external(); console.log(a.nowhere())";
    project("ends.c").check(program, &["true", "hook", "buffer", "instance data"]);
}
