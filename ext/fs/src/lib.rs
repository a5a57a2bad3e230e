//! Files for JavaScript: system calls, one crossing each. In: arguments that js/node/fs.js has
//! checked, and as the last one a function that is told how it ended; without it the call is made
//! at once, on the loop's thread. Out: numbers, strings, bytes; and of `stat(2)` words that both
//! sides see. What fails becomes Node's error by the function that `begin` was given. Absent:
//! checks of arguments other than for safety.

mod answer;
mod arguments;
mod attributes;
mod content;
mod copy;
mod descriptor;
mod folder;
mod names;
mod open_files;
mod perform;
mod realpath;
mod remove;
mod state;
mod watch;

use rusk_base::sys::signal_handler;
use rusk_jsc::{Exception, Object, Root, Scope};

use open_files::OpenFiles;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};

rusk_runtime::extension!("fs", [("fs", make)], on_close: |state| OpenFiles::of(state).close());

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    signal_handler::catch_file_size_limit();
    let natives = object(scope)?;
    natives.set_property(scope, "words", state::begin(scope)?.value())?;
    macro_rules! add_all {
        ($add:ident, $($module:ident: $($name:literal $function:ident),+;)+) => {
            $($($add(scope, natives, $name, |scope, call| $module::$function(scope, call))?;)+)+
        };
    }
    // A few calls of the kernel's each, none of which waits for other programs, as those do that
    // read and write what may be a pipe.
    add_all! {
        add_fast,
        attributes: "access" access, "exists" exists, "stat" stat, "fstat" fstat, "statfs" statfs, "chmod" chmod,
            "fchmod" fchmod, "chown" chown, "fchown" fchown, "utimes" utimes, "futimes" futimes;
        content: "readFile" read_file, "writeFile" write_file;
        descriptor: "open" open, "close" close, "ftruncate" ftruncate;
        folder: "readdir" readdir, "opendir" opendir, "readBatch" read_batch;
        names: "mkdir" mkdir, "mkdtemp" mkdtemp, "rmdir" rmdir, "unlink" unlink, "rename" rename, "link" link,
            "symlink" symlink, "readlink" readlink;
        realpath: "realpath" realpath, "realpathStepwise" realpath_stepwise;
    }
    add_all! {
        add,
        state: "begin" keep_fail;
        content: "readOpenFile" read_file, "writeOpenFile" write_file;
        copy: "copyFile" copy_file;
        descriptor: "read" read, "write" write, "readv" readv, "writev" writev, "sync" sync;
        folder: "readdirRecursive" readdir_recursive;
        remove: "remove" remove;
        watch: "watchOpen" watch_open, "watchAdd" watch_add, "watchRemove" watch_remove, "watchClose" watch_close,
            "watchKeep" watch_keep;
    }
    // A function that is called with a descriptor that is opened or closed twice, and which it was.
    add(scope, natives, "onUnmanagedFd", |scope, call| {
        OpenFiles::current().listen(Root::new(scope, call.argument(scope, 0)));
        Ok(scope.undefined())
    })?;
    Ok(natives)
}
