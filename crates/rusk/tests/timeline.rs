//! `--timeline` on whole installs: what was fetched, unpacked and linked stands on the page; what
//! is secret does not.

use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};
use std::process::Command;

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0" } }"#;

/// Installs and answers with the page; the exit code is the other half of what is checked.
fn install(project: &Project, registry: &str, code: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["install", "--timeline", "page.html"])
        .current_dir(project.path())
        .env_clear()
        .env("HOME", project.home())
        .env("npm_config_registry", registry)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    project.read("page.html")
}

/// Every span: its lane, its kind, its label.
fn spans(page: &str) -> Vec<[String; 3]> {
    let from = page.find("id=\"recorded\">").expect("it has spans") + "id=\"recorded\">".len();
    let text = &page[from..from + page[from..].find("</script>").expect("they end")];
    let root = json::parse(text, Dialect::Strict).expect("they are JSON");
    let kinds: Vec<&str> =
        list(&root, "kinds").iter().map(|kind| elements(kind)[0].as_str().expect("a name")).collect();
    let labels: Vec<&str> =
        list(&root, "strings").iter().map(|text| text.as_str().expect("a text")).collect();
    let mut spans = Vec::new();
    for lane in list(&root, "lanes") {
        let [name, on_it] = elements(lane) else { panic!("a lane has a name and spans") };
        for span in elements(on_it) {
            let [kind, label, ..] = elements(span) else { panic!("a span has a kind and a label") };
            let (kind, label) = (kinds[number(kind)], labels[number(label)]);
            spans.push([name.as_str().expect("a name"), kind, label].map(str::to_owned));
        }
    }
    spans
}

fn list<'a, 'b>(root: &'b Node<'a>, key: &str) -> &'b [Node<'a>] {
    elements(root.find(key).unwrap_or_else(|| panic!("no `{key}`")))
}

fn elements<'a, 'b>(node: &'b Node<'a>) -> &'b [Node<'a>] {
    match &node.value {
        Value::Array(elements) => elements,
        other => panic!("expected an array, found {other:?}"),
    }
}

fn number(node: &Node<'_>) -> usize {
    match node.value {
        Value::Number(digits) => digits.parse().expect("a whole number"),
        ref other => panic!("expected a number, found {other:?}"),
    }
}

#[track_caller]
fn check_has(spans: &[[String; 3]], wanted: [&str; 3]) {
    assert!(spans.iter().any(|span| span == &wanted), "{wanted:?} is not among {spans:?}");
}

#[test]
fn each_step_of_a_package_has_a_span() {
    let server = Server::start([Package::new("left").version("1.0.0", "{}")]);
    let project = Project::with(&[("package.json", MANIFEST)]);
    let spans = spans(&install(&project, server.url(), 0));
    for phase in
        ["start-up", "read configuration", "read project", "resolve", "plan", "fetch", "link", "record"]
    {
        check_has(&spans, ["main", "phase", phase]);
    }
    check_has(&spans, ["connection 1", "connect", "127.0.0.1"]);
    check_has(&spans, ["connection 1", "packument", "left"]);
    check_has(&spans, ["connection 1", "tarball", "left@1.0.0"]);
    // By the early linker or by the plan, whichever is first.
    let is_link = |span: &&[String; 3]| span[1] == "link";
    let link = spans.iter().find(is_link).unwrap_or_else(|| panic!("nothing was linked: {spans:?}"));
    assert!(["node_modules/left", "left@1.0.0"].contains(&link[2].as_str()), "{link:?}");
    for kind in ["decode", "verify", "inflate", "unpack", "publish"] {
        assert!(spans.iter().any(|span| span[1] == kind && span[2].starts_with("left")), "{kind}: {spans:?}");
    }
}

#[test]
fn an_install_with_nothing_to_do_has_a_page_too() {
    let server = Server::start([Package::new("left").version("1.0.0", "{}")]);
    let project = Project::with(&[("package.json", MANIFEST)]);
    install(&project, server.url(), 0);
    let spans = spans(&install(&project, server.url(), 0));
    check_has(&spans, ["main", "phase", "up-to-date check"]);
    assert!(spans.iter().all(|span| span[0] == "main"), "{spans:?}");
}

#[test]
fn a_failed_install_says_where_it_failed() {
    let server = Server::start([Package::new("left").version("2.0.0", "{}")]);
    let project = Project::with(&[("package.json", MANIFEST)]);
    let page = install(&project, server.url(), 2);
    assert!(page.contains("Failed in phase: resolve"), "{page}");
    assert!(page.contains("error[no-version]"), "{page}");
}

#[test]
fn credentials_do_not_stand_on_the_page() {
    let server = Server::start([Package::new("left").version("1.0.0", "{}")]);
    let project = Project::with(&[("package.json", MANIFEST)]);
    let registry = server.url().replace("http://", "http://user:pa55word@");
    let page = install(&project, &registry, 0);
    assert!(!page.contains("pa55word"), "{page}");
}
