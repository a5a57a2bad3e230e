//! Benchmarks: `cargo xtask bench NAME`. The method and its caveats are in
//! `docs/performance/methodology.md`.

mod build;
pub(crate) mod c;
mod commands;
mod flags;
mod http;
mod install;
mod load;
mod median;
mod messages;
mod native;
mod program;
mod readme;
mod resolve;
pub(crate) mod results_file;
mod run;
mod runtime;
mod soak;
mod spawn;
mod start;
mod sysroot;
mod test_runner;
mod tls;
mod trace;

/// Runs the named benchmark.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((name, rest)) if name == "build" => build::run(rest),
        Some((name, rest)) if name == "http" => http::BENCH.run(rest),
        Some((name, [])) if name == "serve-static" => http::core::serve(http::core::Responder::Route),
        Some((name, [])) if name == "serve-handler" => http::core::serve(http::core::Responder::Handler),
        Some((name, rest)) if name == "load-sockets" => rusk_testkit::load_sockets::run(rest),
        Some((name, rest)) if name == "install" => install::run(rest),
        Some((name, rest)) if name == "commands" => commands::run(rest),
        Some((name, rest)) if name == "floor" => install::floor::run(rest),
        Some((name, rest)) if name == "record" => install::recording::run(rest),
        Some((name, rest)) if name == "load" => load::run(rest),
        Some((name, rest)) if name == "load-registry" => rusk_testkit::load_registry::run(rest),
        Some((name, rest)) if name == "messages" => messages::BENCH.run(rest),
        Some((name, rest)) if name == "native" => native::run(rest),
        Some((name, rest)) if name == "resolve" => resolve::run(rest),
        Some((name, rest)) if name == "run" => run::run(rest),
        Some((name, rest)) if name == "runtime" => runtime::run(rest),
        Some((name, rest)) if name == "soak" => soak::run(rest),
        Some((name, rest)) if name == "spawn" => spawn::run(rest),
        Some((name, rest)) if name == "start" => start::run(rest),
        Some((name, rest)) if name == "sysroot" => sysroot::run(rest),
        Some((name, rest)) if name == "test" => test_runner::run(rest),
        Some((name, rest)) if name == "tls" => tls::BENCH.run(rest),
        Some((name, rest)) if name == "trace" => trace::run(rest),
        Some((name, [])) if name == "readme" => readme::write(),
        _ => Err("expected `bench build`, `bench commands`, `bench http`, `bench install`, `bench load`, `bench messages`, `bench native`, `bench record`, `bench resolve`, `bench run`, `bench runtime`, `bench soak`, `bench spawn`, \
                  `bench start`, `bench sysroot`, `bench test`, `bench tls`, `bench trace` or `bench readme`"
            .to_owned()),
    }
}
