//! How the program is linked. The unwinder comes from gcc's archive: as a shared library it would be found, mapped and
//! initialized at every start, which takes longer than a short command's own work.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name: &str| env::var(name).unwrap_or_default();
    if (target("CARGO_CFG_TARGET_OS").as_str(), target("CARGO_CFG_TARGET_ENV").as_str()) == ("linux", "gnu") {
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
