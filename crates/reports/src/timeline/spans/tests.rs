//! Spans as the page's script reads them.

use super::*;

fn span(label: &str) -> Span {
    let at = Duration::from_micros;
    Span {
        kind: SpanKind::Tarball,
        label: label.to_owned(),
        note: "200".to_owned(),
        start: at(50),
        end: at(90),
        queued_at: Some(at(20)),
        response_started: Some(at(75)),
        bytes: 812,
        files: 0,
    }
}

fn rendered(spans: Vec<Span>) -> String {
    let tracks = vec![
        Track { name: "network", number: 1, spans: Vec::new() },
        Track { name: "connection", number: 1, spans },
        Track { name: "main", number: 1, spans: vec![Span { kind: SpanKind::Phase, ..span("resolve") }] },
    ];
    render(&Timeline { tracks, total: Duration::from_micros(100), dropped: 0 })
}

/// From here to the end of the line of lanes.
fn lanes(json: &str) -> &str {
    let from = json.find("\"lanes\":").expect("it has lanes");
    &json[from..json.find(",\"phases\"").expect("it has phases")]
}

#[test]
fn lanes_with_nothing_on_them_are_left_out_and_the_main_one_comes_first() {
    let json = rendered(vec![span("left@1.0.0")]);
    let wanted =
        "\"lanes\":[[\"main\",[[0,1,50,40,2,25,30,812]]],[\"connection 1\",[[6,3,50,40,2,25,30,812]]]]";
    assert_eq!(lanes(&json), wanted);
    assert!(
        json.ends_with(r#""phases":{"resolve":"packument"},"strings":["","resolve","200","left@1.0.0"]}"#),
        "{json}"
    );
}

#[test]
fn zeros_at_the_end_are_left_out() {
    let bare =
        Span { note: String::new(), queued_at: None, response_started: None, bytes: 0, ..span("left") };
    assert!(lanes(&rendered(vec![bare])).contains("[6,3,50,40]"));
}

#[test]
fn no_text_ends_the_element_it_stands_in() {
    let json = rendered(vec![span("</script><!--<script>\"\\\u{202e}")]);
    assert!(!json.contains('<'), "{json}");
    let root = rusk_npm::json::parse(&json, rusk_npm::json::Dialect::Strict).expect("it is JSON");
    assert!(root.find("strings").is_some());
    assert!(json.contains(r#""\u003c/script>\u003c!--\u003cscript>\"\\\\u{202e}""#), "{json}");
}
