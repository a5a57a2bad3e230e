//! Tests of bun's command lines of a run.

use std::ffi::OsString;

use super::expand;

fn check(from: &str, to: &str) {
    let arguments = from.split(' ').map(OsString::from).collect();
    let found = expand(arguments, &|name| matches!(name, "dev" | "build" | "test"));
    assert_eq!(found, to.split(' ').map(OsString::from).collect::<Vec<_>>(), "{from}");
}

#[test]
fn flags_before_run_belong_to_the_program() {
    check("--watch run app.ts --x", "--watch app.ts --x");
    check("--define X=1 run app.ts", "--define X=1 app.ts");
    check("--preload ./p.ts run --hot app.ts", "--preload ./p.ts --hot app.ts");
    check("run --watch app.ts", "--watch app.ts");
    check("--silent run --watch app.ts", "--watch app.ts");
    check("run -", "-");
    check("run - a", "- a");
}

#[test]
fn flags_before_a_script_are_those_of_run() {
    check("--watch run dev", "run dev");
    check("--env-file=.e run dev a", "run --env-file=.e dev a");
    check("run --env-file .e dev", "run --env-file .e dev");
    check("--env-file=.e dev", "run --env-file=.e dev");
    check("--silent run dev", "run --silent dev");
    check("run -r build", "run -r build");
    check("--elide-lines=0 --filter * dev", "run --filter * dev");
}

#[test]
fn a_script_needs_no_run() {
    check("dev", "run dev");
    check("dev --port 3", "run dev --port 3");
    check("--bun dev", "run --bun dev");
    check("build", "build");
    check("unknown", "unknown");
    check("dev.ts", "dev.ts");
    check("-e dev", "-e dev");
}

#[test]
fn a_filter_before_a_command_without_filters_is_for_a_script() {
    check("--filter * build", "run --filter * build");
    check("-F web test a", "run -F web test a");
    check("--filter w install", "--filter w install");
    check("--env-file=.e install", "install --env-file=.e");
    check("--filter web... dev", "run --filter web... dev");
}

#[test]
fn r_before_a_command_or_a_script_selects_members() {
    check("-r run build", "run -r build");
    check("-r build", "run -r build");
    check("-r test --x", "run -r test --x");
    check("-r lint", "run -r lint");
    check("-r dotenv -e 1", "-r dotenv -e 1");
    check("-r --parallel run dev", "run -r --parallel dev");
    check("--filter a -r run dev", "run --filter a -r dev");
    check("-r update left", "update -r left");
    check("-r exec tsc -p .", "exec -r tsc -p .");
    check("-r ./setup.js app.js", "-r ./setup.js app.js");
    check("-r dotenv/config app.js", "-r dotenv/config app.js");
    check("-r setup app.js", "-r setup app.js");
    check("--require ./setup.js build.js", "--require ./setup.js build.js");
}
