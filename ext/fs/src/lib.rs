//! `internalBinding('fs')`: file system calls for `node:fs`, as Node's `src/node_file.cc`. In:
//! validated arguments, and a callback as the last one; without a callback the call is synchronous.
//! Out: numbers, strings, bytes; stat results are written to a shared array. A failure becomes
//! Node's error by the function that `setUVException` was given. Absent: validation of arguments
//! other than for safety.

mod arguments;
mod copy;
mod descriptor;
mod dir_entries;
mod directory;
mod dispatch;
mod file_content;
mod realpath;
mod remove;
mod result;
mod stat;
mod state;
mod unmanaged_fds;
mod watch;

use std::rc::Rc;

use rusk_jsc::{Exception, Object, Root, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::constants::add_constants;
use unmanaged_fds::UnmanagedFds;

rusk_runtime::extension!("fs", [("fs", make)], on_close: |state| UnmanagedFds::of(state).close_all());

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    binding.set_property(scope, "statValues", state::initialize(scope)?.value())?;
    add_constants(scope, binding, "copyfile", copy::flag::ALL)?;
    add_constants(scope, binding, "dirent", directory::dirent::ALL)?;
    add_constants(scope, binding, "inotify", watch::mask::ALL)?;
    macro_rules! add_all {
        ($add:ident, $($module:ident: $($name:literal $function:ident),+;)+) => {
            $($($add(scope, binding, $name, |scope, call| $module::$function(scope, call))?;)+)+
        };
    }
    // Fast calls: a few system calls each, none of which blocks on another process. Those that may
    // read or write a pipe are below.
    add_all! {
        add_fast,
        stat: "access" access, "exists" exists, "stat" stat, "fstat" fstat, "statfs" statfs, "chmod" chmod,
            "fchmod" fchmod, "chown" chown, "fchown" fchown, "utimes" utimes, "futimes" futimes;
        file_content: "readFile" read_file, "writeFile" write_file;
        descriptor: "open" open, "close" close, "ftruncate" ftruncate;
        directory: "readdir" readdir, "opendir" opendir, "readBatch" read_batch;
        dir_entries: "mkdir" mkdir, "mkdtemp" mkdtemp, "rmdir" rmdir, "unlink" unlink, "rename" rename, "link" link,
            "symlink" symlink, "readlink" readlink;
        realpath: "realpath" realpath, "realpathStepwise" realpath_stepwise;
    }
    add_all! {
        add,
        state: "setUVException" set_uv_exception;
        file_content: "readOpenFile" read_file, "writeOpenFile" write_file;
        copy: "copyFile" copy_file;
        descriptor: "read" read, "write" write, "readv" readv, "writev" writev, "sync" sync;
        directory: "readdirRecursive" readdir_recursive;
        remove: "remove" remove;
        watch: "inotifyInit" inotify_init, "inotifyAddWatch" inotify_add_watch, "inotifyRmWatch" inotify_rm_watch,
            "inotifyClose" inotify_close, "inotifySetRef" inotify_set_ref;
    }
    // True while the runtime of this binding runs: a closure that captures a value ends with it.
    let runs = Rc::new(());
    add(scope, binding, "runs", move |scope, _| Ok(scope.boolean(Rc::strong_count(&runs) > 0)))?;
    // A function that is called with a descriptor that was opened or closed twice, and which of it.
    add(scope, binding, "onUnmanagedFd", |scope, call| {
        UnmanagedFds::current().set_listener(Root::new(scope, call.argument(scope, 0)));
        Ok(scope.undefined())
    })?;
    Ok(binding)
}
