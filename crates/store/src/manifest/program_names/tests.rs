//! Which programs are the system's.

use super::*;

#[test]
fn a_bin_does_not_pose_as_a_program_of_the_system() {
    assert!(SYSTEM.is_sorted());
    let derived = [
        "gcc-12",
        "g++-13.2",
        "clang-18",
        "clang++-18",
        "python3.11",
        "python2.7",
        "perl5.36.0",
        "go1.22",
        "x86_64-linux-gnu-gcc",
        "x86_64-linux-gnu-gcc-12",
        "aarch64-alpine-linux-musl-ar",
        "ld.lld",
        "ld.bfd",
        "ld.lld-18",
        "llvm-ar",
        "llvm-strip-18",
        "gcc-ar-12",
        "nodejs",
    ];
    for name in SYSTEM.into_iter().chain(derived) {
        assert!(!may_offer(name, name), "{name}");
    }
    let wanted = [
        "cargo",
        "rustc",
        "go",
        "cmake",
        "ninja",
        "sha256sum",
        "timeout",
        "nohup",
        "gtar",
        "busybox",
        "[",
        "seq",
        "nice",
        "patch",
        "m4",
        "javac",
        "swiftc",
        "gfortran",
        "ksh",
        "fish",
        "pip",
        "cc1",
        "docker",
        "kubectl",
        "ruskx",
        "git-remote-https",
        "pinentry-curses",
    ];
    for name in wanted {
        assert!(!may_offer("evil", name), "{name}");
    }
}

#[test]
fn programs_of_packages_are_theirs() {
    for (name, owner) in [
        ("node-gyp", "node-gyp"),
        ("which", "which"),
        ("pnpm", "pnpm"),
        ("yarn", "@yarnpkg/cli-dist"),
        ("corepack", "corepack"),
        ("zig", "@ziglang/cli"),
        ("just", "rust-just"),
    ] {
        assert!(may_offer(owner, name) && !may_offer("evil", name), "{name}");
    }
    for name in [
        "tsc",
        "eslint",
        "esbuild",
        "cmake-js",
        "cargo-cp-artifact",
        "python-shell",
        "go-bin",
        "armadillo",
        "gcc-js",
        "vite5",
        "node-pre-gyp",
        "arm-strip-js",
        "prisma",
    ] {
        assert!(may_offer("any", name), "{name}");
    }
}
