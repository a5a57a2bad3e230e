//! Links the unwinder of gcc into the program instead of loading it: ten system calls fewer at each start. Out: a
//! linker script under the name that the standard library asks for. Absent: anything where gcc has no such archive.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// The static unwinder.
const ARCHIVE: &str = "libgcc_eh.a";
/// What the standard library's own part asks the linker for.
const ASKED_FOR: &str = "libgcc_s.so";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    if !is_gnu || !compiler_has(ARCHIVE) {
        return;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it for build scripts"));
    fs::write(folder.join(ASKED_FOR), "GROUP ( -lgcc_eh -lc )\n").expect("cargo has made the folder");
    println!("cargo:rustc-link-search=native={}", folder.display());
}

/// A compiler that does not have the file prints its bare name.
fn compiler_has(file: &str) -> bool {
    let asked = Command::new("cc").arg(format!("-print-file-name={file}")).output();
    asked.is_ok_and(|answer| String::from_utf8_lossy(&answer.stdout).trim() != file)
}
