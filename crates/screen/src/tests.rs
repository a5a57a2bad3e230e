//! What reaches stdout and stderr, in order, with a clock and a width made up.

use super::*;
use crate::style::{Charset, ColorMode};
use rusk_install::event::Phase;
use rusk_install::summary::Times;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const STYLE: OutputStyle = OutputStyle {
    verbosity: Verbosity::Normal,
    format: Format::Text,
    progress: ProgressStyle::Redraw,
    charset: Charset::Unicode,
    stdout_color: ColorMode::Plain,
    stderr_color: ColorMode::Plain,
};

/// Both streams in one, as on a terminal; what went to stdout is in `<>`.
struct Stream {
    seen: Rc<RefCell<String>>,
    is_stdout: bool,
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        let text = if self.is_stdout { format!("<{text}>") } else { text.to_owned() };
        self.seen.borrow_mut().push_str(&text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Stage {
    screen: Screen,
    seen: Rc<RefCell<String>>,
    clock_ms: Rc<Cell<u64>>,
    width: Rc<Cell<usize>>,
}

impl Stage {
    fn new(style: OutputStyle) -> Stage {
        let seen = Rc::new(RefCell::new(String::new()));
        let clock_ms = Rc::new(Cell::new(0));
        let width = Rc::new(Cell::new(80));
        let stream = |is_stdout| Box::new(Stream { seen: seen.clone(), is_stdout });
        let (now, columns) = (clock_ms.clone(), width.clone());
        let device = Device {
            now: Box::new(move || Duration::from_millis(now.get())),
            width: Box::new(move || columns.get()),
            line_shown: |_| {},
        };
        let screen = Screen::new(style, stream(true), stream(false), device);
        Stage { screen, seen, clock_ms, width }
    }

    /// One event at its time, and what it wrote.
    fn at(&mut self, milliseconds: u64, event: InstallEvent<'_>) -> String {
        self.clock_ms.set(milliseconds);
        self.screen.on_event(event);
        self.seen.take()
    }

    fn end(&mut self, summary: &Summary) -> String {
        self.screen.summary(summary, Goal::Install, "rusk approve").expect("the stream takes everything");
        self.seen.take()
    }
}

fn resolving(done: usize) -> InstallEvent<'static> {
    InstallEvent::Resolving { done, total: 400 }
}

fn done() -> Summary {
    let times = Times { total: Duration::from_millis(12), ..Times::default() };
    Summary { installed: 2, times, ..Summary::default() }
}

#[test]
fn the_line_is_redrawn_in_place_at_most_20_times_a_second() {
    let mut stage = Stage::new(STYLE);
    assert_eq!(stage.at(0, InstallEvent::Phase(Phase::Resolve)), "");
    assert_eq!(stage.at(99, resolving(1)), "");
    assert_eq!(stage.at(100, resolving(2)), "\rresolving 2/400\x1b[K");
    assert_eq!(stage.at(149, resolving(3)), "");
    assert_eq!(stage.at(150, resolving(4)), "\rresolving 4/400\x1b[K");
}

#[test]
fn the_line_goes_before_anything_else_is_printed() {
    let mut stage = Stage::new(STYLE);
    stage.at(0, InstallEvent::Phase(Phase::Resolve));
    stage.at(200, resolving(1));
    assert_eq!(stage.at(210, InstallEvent::Warning("old\x1b")), "\r\x1b[Kwarn: old\\u{1b}\n");
    assert_eq!(stage.at(220, InstallEvent::Warning("older")), "warn: older\n");
    assert_eq!(stage.at(250, resolving(2)), "\rresolving 2/400\x1b[K");
    assert_eq!(stage.end(&done()), "\r\x1b[K<nothing to do: 2 packages [12ms]\n>");
}

#[test]
fn the_line_goes_with_the_screen_and_before_an_error() {
    let mut stage = Stage::new(STYLE);
    stage.at(0, InstallEvent::Phase(Phase::Resolve));
    stage.at(200, resolving(1));
    stage.screen.problem(&Problem::new("odd", "a: b"));
    assert_eq!(stage.seen.take(), "\r\x1b[Kerror[odd]: a: b\n");
    stage.at(300, resolving(2));
    drop(stage.screen);
    assert_eq!(stage.seen.take(), "\r\x1b[K");
}

#[test]
fn the_line_fits_the_terminal_of_the_moment() {
    let mut stage = Stage::new(STYLE);
    stage.at(0, InstallEvent::Phase(Phase::Resolve));
    for (step, (width, line)) in
        [(16, "resolving 1/400"), (15, "resolving 1/4…"), (2, "…"), (1, ""), (0, "")].into_iter().enumerate()
    {
        stage.width.set(width);
        assert_eq!(stage.at(100 + 50 * step as u64, resolving(1)), format!("\r{line}\x1b[K"));
    }
}

#[test]
fn a_pipe_holds_one_line_for_each_phase() {
    let mut stage = Stage::new(OutputStyle { progress: ProgressStyle::Lines, ..STYLE });
    assert_eq!(stage.at(0, InstallEvent::Phase(Phase::Resolve)), "");
    assert_eq!(stage.at(300, resolving(400)), "");
    assert_eq!(stage.at(310, InstallEvent::Phase(Phase::Fetch)), "resolved 400 manifests [310ms]\n");
    assert_eq!(stage.at(400, InstallEvent::Downloading { done: 3, total: 3, bytes: 4_200_000 }), "");
    let wait = InstallEvent::Waiting { subject: "registry.test", waited: Duration::from_secs(12) };
    assert_eq!(stage.at(410, wait), "waiting for registry.test (12 s)\n");
    assert_eq!(stage.at(500, InstallEvent::Phase(Phase::Link)), "downloaded 3 tarballs, 4.2 MB [190ms]\n");
    assert_eq!(stage.at(600, InstallEvent::Linking { done: 2, total: 2 }), "");
    assert_eq!(stage.end(&done()), "linked 2 packages [100ms]\n<nothing to do: 2 packages [12ms]\n>");
}

#[test]
fn a_pipe_is_not_filled_with_waits() {
    let mut stage = Stage::new(OutputStyle { progress: ProgressStyle::Lines, ..STYLE });
    let mut told = Vec::new();
    for seconds in 5..60 {
        let wait = InstallEvent::Waiting { subject: "registry.test", waited: Duration::from_secs(seconds) };
        told.extend((!stage.at(seconds * 1000, wait).is_empty()).then_some(seconds));
    }
    assert_eq!(told, [5, 10, 20, 40]);
    let other = InstallEvent::Waiting { subject: "another install", waited: Duration::from_secs(5) };
    assert_eq!(stage.at(61_000, other), "waiting for another install (5 s)\n");
    let mut printed = String::new();
    for ms in (0..2500).step_by(20) {
        let wait = InstallEvent::Waiting { subject: "a lock", waited: Duration::from_millis(ms) };
        printed += &stage.at(70_000 + ms, wait);
    }
    let expected = ["0", "1", "2"].map(|seconds| format!("waiting for a lock ({seconds} s)\n"));
    assert_eq!(printed, expected.concat());
}

#[test]
fn install_scripts_that_take_long_are_named() {
    let running = |ms| InstallEvent::Running {
        packages: &["iconv@3.0.1", "usb@2.15.0"],
        for_time: Duration::from_millis(ms),
    };
    let mut stage = Stage::new(STYLE);
    stage.at(0, InstallEvent::Phase(Phase::Scripts));
    assert_eq!(stage.at(900, running(900)), "");
    let line = stage.at(2000, running(2000));
    assert!(line.contains("waiting for the scripts of `iconv@3.0.1` and 1 more (2 s)"), "{line:?}");
    let mut stage = Stage::new(OutputStyle { progress: ProgressStyle::Lines, ..STYLE });
    assert_eq!(stage.at(2000, running(2000)), "");
    assert_eq!(
        stage.at(30_000, running(30_000)),
        "waiting for the scripts of `iconv@3.0.1` and 1 more (30 s)\n"
    );
}

#[test]
fn a_script_starts_below_its_command() {
    let mut stage = Stage::new(STYLE);
    stage.at(0, InstallEvent::Phase(Phase::Link));
    stage.at(200, InstallEvent::Linking { done: 1, total: 2 });
    assert_eq!(stage.at(300, InstallEvent::Phase(Phase::Scripts)), "\r\x1b[K");
    let script = InstallEvent::Script { name: "postinstall", command: "tsc -b" };
    assert_eq!(stage.at(310, script), "$ tsc -b (postinstall)\n");
    assert_eq!(stage.at(900, resolving(1)), "");
}

#[test]
fn silent_means_errors_only() {
    let mut stage =
        Stage::new(OutputStyle { verbosity: Verbosity::Silent, progress: ProgressStyle::None, ..STYLE });
    stage.at(0, InstallEvent::Phase(Phase::Resolve));
    assert_eq!(stage.at(200, resolving(1)), "");
    assert_eq!(stage.at(200, InstallEvent::Warning("old")), "");
    assert_eq!(stage.at(200, InstallEvent::Detail("a request")), "");
    assert_eq!(stage.end(&done()), "");
    stage.screen.problem(&Problem::new("odd", "b"));
    assert_eq!(stage.seen.take(), "error[odd]: b\n");
}

#[test]
fn verbose_tells_details_and_times() {
    let mut stage = Stage::new(OutputStyle { verbosity: Verbosity::Verbose, ..STYLE });
    assert_eq!(stage.at(1240, InstallEvent::Detail("304 left")), "[1.24s] 304 left\n");
    assert_eq!(
        stage.end(&done()),
        "fetched 0 tarballs, 0 B\nresolve 0ms, fetch 0ms, link 0ms, scripts 0ms, total 12ms\n\
         <nothing to do: 2 packages [12ms]\n>"
    );
    assert_eq!(Stage::new(STYLE).at(1240, InstallEvent::Detail("304 left")), "");
}

#[test]
fn json_is_alone_on_stdout() {
    let mut stage = Stage::new(OutputStyle { format: Format::Json, progress: ProgressStyle::None, ..STYLE });
    assert_eq!(stage.at(0, InstallEvent::Warning("old")), "warn: old\n");
    let text = stage.end(&done());
    assert!(text.starts_with("<{\"installed\":2,") && text.ends_with("\"warnings\":[\"old\"]}\n>"), "{text}");
    stage.screen.problem(&Problem::new("odd", "b"));
    assert!(stage.seen.take().starts_with("error[odd]: b\n<{\"error\":{\"code\":\"odd\","));
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    struct FailingWriter(ErrorKind);
    impl Write for FailingWriter {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let page = |kind| {
        let device = Device { now: Box::new(|| Duration::ZERO), width: Box::new(|| 80), line_shown: |_| {} };
        Screen::new(STYLE, Box::new(FailingWriter(kind)), Box::new(FailingWriter(kind)), device).page("text")
    };
    assert!(page(ErrorKind::BrokenPipe).is_ok());
    assert_eq!(page(ErrorKind::StorageFull).expect_err("a full disk").code(), "output");
}

#[test]
fn what_follows_a_script_begins_a_line() {
    let script = || InstallEvent::Script { name: "prepare", command: "printf x" };
    let mut stage = Stage::new(STYLE);
    stage.width.set(6);
    assert_eq!(stage.at(1, script()), "$ printf x (prepare)\n");
    assert_eq!(stage.at(2, script()), "      \r\u{1b}[K$ printf x (prepare)\n");
    assert_eq!(stage.at(3, InstallEvent::Warning("w")), "      \r\u{1b}[Kwarn: w\n");
    assert_eq!(stage.at(4, InstallEvent::Warning("w")), "warn: w\n");
    // Elsewhere, lines are as the script writes them.
    let mut stage = Stage::new(OutputStyle { progress: ProgressStyle::Lines, ..STYLE });
    stage.at(1, script());
    assert_eq!(stage.at(2, InstallEvent::Warning("w")), "warn: w\n");
}
