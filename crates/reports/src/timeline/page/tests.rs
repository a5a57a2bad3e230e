//! What the page says, and that it says it safely.

use super::*;

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";

fn span(kind: SpanKind, label: &str, from_ms: u64, to_ms: u64) -> Span {
    Span {
        kind,
        label: label.to_owned(),
        note: label.to_owned(),
        start: Duration::from_millis(from_ms),
        end: Duration::from_millis(to_ms),
        queued_at: None,
        response_started: None,
        bytes: 812,
        files: 0,
    }
}

fn timeline(spans: Vec<Span>) -> Timeline {
    let tracks = vec![Track { name: "main", number: 1, spans }];
    Timeline { tracks, total: Duration::from_millis(100), dropped: 0 }
}

fn page(outcome: Result<&Summary, &Problem>, timeline: &Timeline) -> String {
    render(&PageContent {
        command: "install",
        project: HOSTILE,
        goal: Goal::Install,
        began_s: 0,
        program: "rusk/0.1.0 linux x64",
        processors: 2,
        outcome,
        timeline,
    })
}

/// The page without what it is drawn by.
fn shown(page: &str) -> &str {
    let from = page.find("<body>").expect("it has a body");
    &page[from..page.find("<script type").expect("it has spans")]
}

#[test]
fn hostile_names_stay_text() {
    let problem = Problem::new("no-version", HOSTILE).note(HOSTILE);
    let timeline =
        timeline(vec![span(SpanKind::Phase, "resolve", 0, 90), span(SpanKind::Tarball, HOSTILE, 1, 80)]);
    let page = page(Err(&problem), &timeline);
    assert!(!page.contains("<img"), "a tag of a name");
    assert_eq!(page.matches("<script").count(), 2, "the spans and the page's own script");
    assert_eq!(page.matches("</script").count(), 2);
}

#[test]
fn nothing_is_asked_for_from_elsewhere() {
    let page = page(Ok(&Summary::default()), &timeline(vec![span(SpanKind::Link, "left", 0, 1)]));
    assert!(page.contains("default-src 'none'"));
    let page = page.replace(&escaped(HOSTILE), "");
    for loader in ["http:", "https:", "<link", "src=", "href=", "@import", "url(", "fetch(", "import("] {
        assert!(!page.contains(loader), "`{loader}` stands in the page");
    }
}

#[test]
fn what_took_time_stands_there_without_a_script() {
    let timeline = timeline(vec![
        span(SpanKind::Phase, "resolve", 0, 40),
        span(SpanKind::Phase, "link", 40, 90),
        span(SpanKind::Tarball, "left@1.0.0", 10, 30),
    ]);
    let summary = Summary { installed: 1, added: 1, ..Summary::default() };
    let page = page(Ok(&summary), &timeline);
    let shown = shown(&page);
    for part in [
        "1 package installed",
        "resolve <b>40.00 ms</b> <small>40.0 %</small>",
        "link <b>50.00 ms</b> <small>50.0 %</small>",
        "<td class=\"n\">20.00 ms</td><td><i class=\"tarball\"></i> tarball</td><td><b>left@1.0.0</b></td><td>main</td>",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
}

#[test]
fn a_failure_says_in_which_phase() {
    let timeline =
        timeline(vec![span(SpanKind::Phase, "read project", 0, 1), span(SpanKind::Phase, "resolve", 1, 90)]);
    let page = page(Err(&Problem::new("no-version", "no version of `left`")), &timeline);
    assert!(shown(&page).contains("Failed in phase: resolve"));
    assert!(shown(&page).contains("error[no-version]: no version of `left`"));
}

#[test]
fn an_idle_install_says_how_it_knew() {
    let timeline = timeline(vec![span(SpanKind::Phase, "up-to-date check", 0, 1)]);
    assert!(shown(&page(Ok(&Summary::default()), &timeline)).contains("inodes and times was enough"));
}

#[test]
fn what_was_left_out_is_said() {
    let timeline = Timeline { dropped: 1234, ..timeline(Vec::new()) };
    assert!(shown(&page(Ok(&Summary::default()), &timeline)).contains("1,234 further spans"));
}
