//! Addons of the tests, compiled by the machine's compiler with line numbers. In: names of
//! `fixtures/addons`. Out: `NAME.node` in a directory.

use crate::{files, process};
use std::path::Path;
use std::process::Command;

pub fn compile(addons: &[&str], directory: &Path) -> Result<(), String> {
    files::empty(directory)?;
    for addon in addons {
        let source = files::root().join("fixtures/addons").join(addon).with_extension("c");
        let mut compiler = Command::new("cc");
        // One of them is wrong on purpose, which the compiler sees.
        compiler.args(["-g", "-w", "-shared", "-fPIC", "-pthread", "-o"]);
        compiler.arg(directory.join(addon).with_extension("node")).arg(source).arg("-I");
        process::succeed(compiler.arg(files::root().join("crates/node-api/include")))?;
    }
    Ok(())
}
