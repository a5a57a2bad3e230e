//! The question of `rusk create user/repo`: what it lists, and what follows a no and a yes.

use rusk_spawn::Exit;
use rusk_testkit::project::Project;
use rusk_testkit::repository_server::RepositoryServer;
use rusk_testkit::tarball::Builder;

use crate::pseudo_terminal::PseudoTerminal;

const MANIFEST: &str = r#"{ "workspaces": ["m"], "trustedDependencies": ["d"],
  "bun-create": { "postinstall": "build" },
  "scripts": { "build": "touch ran-build" }, "dependencies": { "d": "file:./d" } }"#;
const MEMBER: &str = r#"{ "name": "m", "scripts": { "postinstall": "touch ran" } }"#;
const DEPENDENCY: &str = r#"{ "name": "d", "version": "1.0.0" }"#;
const BUNFIG: &str = "[install.security]\nscanner = \"./s.ts\"\n";
const SCANNER: &str = "require('fs').writeFileSync('ran-scanner', '');
    export const scanner = { version: '1', scan: async () => [] };";

/// The project after this answer, and what was on the screen before it.
fn answered(answer: &str) -> (Project, String) {
    let files = [
        ("package.json", MANIFEST),
        ("m/package.json", MEMBER),
        ("d/package.json", DEPENDENCY),
        ("bunfig.toml", BUNFIG),
        ("s.ts", SCANNER),
    ];
    let add =
        |builder: Builder, (path, text): &(&str, &str)| builder.file(&format!("user-repo-1/{path}"), text);
    let server = RepositoryServer::start(files.iter().fold(Builder::new(), add).tgz());
    let project = Project::new();
    let arguments = ["create", "user/repo", "--no-git"];
    let mut terminal = PseudoTerminal::start(&project, &arguments, &[("GITHUB_API_DOMAIN", &server.url)]);
    let question = terminal.wait_for("run these commands? [y/N] ");
    terminal.press(&format!("{answer}\r"));
    let (exit, output) = terminal.finish();
    assert!(matches!(exit, Exit::Status(0)), "{output}");
    (project, question)
}

/// What ran, in this order: the scanner, the member's script, the template's command.
fn check(answer: &str, expected: [bool; 3]) {
    let (project, question) = answered(answer);
    for line in [
        "security scanner: ./s.ts",
        "install scripts of the dependency d",
        "postinstall of m: touch ran",
        "touch ran-build",
    ] {
        assert!(question.contains(&format!("  {line}\r\n")), "`{line}` in {question}");
    }
    let made = |path: &str| project.path().join("repo").join(path).exists();
    assert_eq!(["ran-scanner", "m/ran", "ran-build"].map(made), expected, "{question}");
    assert!(made("node_modules/d/package.json"), "{question}");
}

#[test]
fn nothing_of_a_downloaded_template_runs_after_a_no() {
    check("", [false; 3]);
    check("n", [false; 3]);
}

#[test]
fn all_that_a_downloaded_template_wants_runs_after_a_yes() {
    check("y", [true; 3]);
}
