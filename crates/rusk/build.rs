//! What a start need not do again each time. The unwinder of gcc is linked into the program instead
//! of being loaded: ten system calls fewer. What users get is linked to fixed addresses, as node
//! and bun are: of 1.0 ms of processor time that a start took, 0.27 went to writing 17,800
//! addresses into pages of its own; libraries, the engine among them, stay where chance puts them.
//! Native addons are linked against the program at run time, so it exports Node-API.
//! Out: linker arguments, a linker script under the name that the standard library requests.
//! Absent: the unwinder where gcc has no such archive.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// The static unwinder.
const ARCHIVE: &str = "libgcc_eh.a";
/// The library that the standard library requests from the linker.
const ASKED_FOR: &str = "libgcc_s.so";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if is_linux && env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rustc-link-arg-bin=rusk=-no-pie");
    }
    if is_linux {
        // Native addons find the functions of Node-API in the program.
        for names in ["napi_*", "node_api_*", "uv_*"] {
            println!("cargo:rustc-link-arg-bin=rusk=-Wl,--export-dynamic-symbol={names}");
        }
    }
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    if !is_gnu || !compiler_has(ARCHIVE) {
        return;
    }
    let dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it for build scripts"));
    fs::write(dir.join(ASKED_FOR), "GROUP ( -lgcc_eh -lc )\n").expect("cargo has made the dir");
    println!("cargo:rustc-link-search=native={}", dir.display());
}

/// A compiler that does not have the file prints its bare name.
fn compiler_has(file: &str) -> bool {
    let asked = Command::new("cc").arg(format!("-print-file-name={file}")).output();
    asked.is_ok_and(|answer| String::from_utf8_lossy(&answer.stdout).trim() != file)
}
