//! What an install takes at most while a registry is generous: the kernel refuses more.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};

/// A packument in the form that registries give to installers, of about 500 bytes a version.
const VERSIONS: usize = 100_000;

/// kB of memory that is the process's own (`RLIMIT_DATA`: heap, stacks, buffers). The text alone
/// takes 50,000.
const OWN_KB_MAX: usize = 200_000;

fn packument() -> Vec<u8> {
    let proof = "A".repeat(86);
    let mut text = String::from("{\"name\":\"big\",\"dist-tags\":{\"latest\":\"1.0.0\"},\"versions\":{");
    for number in 0..VERSIONS {
        let comma = if number == 0 { "" } else { "," };
        let (major, minor, patch) = (number / 10_000, number / 100 % 100, number % 100);
        let version = format!("{major}.{minor}.{patch}");
        write!(
            text,
            "{comma}\"{version}\":{{\"name\":\"big\",\"version\":\"{version}\",\"dependencies\":{{\"first-dependency\":\"^{version}\",\
             \"second-dependency\":\"~{version}\"}},\"devDependencies\":{{\"another-one\":\"^{version}\"}},\"bin\":{{\"big\":\"bin/big.js\"}},\
             \"dist\":{{\"shasum\":\"{number:040x}\",\"tarball\":\"http://registry.test/big/-/big-{version}.tgz\",\"fileCount\":12,\
             \"integrity\":\"sha512-{proof}==\",\"unpackedSize\":{number}}},\"engines\":{{\"node\":\">=14.0.0\"}}}}"
        )
        .expect("text grows");
    }
    text.push_str("}}");
    text.into_bytes()
}

/// Decides versions with no more memory than that.
fn decide(project: &Project, server: &Server, own_kb_max: usize) -> Output {
    run(project, server, own_kb_max, &["install", "--lockfile-only"])
}

fn run(project: &Project, server: &Server, own_kb_max: usize, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -d \"$1\" && shift && exec \"$0\" \"$@\""]);
    command.arg(Path::new(env!("CARGO_BIN_EXE_rusk"))).arg(own_kb_max.to_string()).args(arguments);
    command.current_dir(project.path()).env_clear().env("HOME", project.home());
    command.env("npm_config_registry", server.url()).output().expect("there is a shell")
}

#[test]
fn a_packument_of_100_000_versions_takes_a_few_times_its_text() {
    let dependencies = |text: &str| format!("{{ \"dependencies\": {text} }}");
    let server = Server::start(
        ["first-dependency", "second-dependency"]
            .map(|name| Package::new(name).version("1.0.0", "{}").version("9.99.99", "{}")),
    );
    let text = packument();
    assert!(text.len() > 45_000_000, "{} bytes", text.len());
    server.fail("/big", Fault::Body(text), 2);
    let project = Project::with(&[("package.json", &dependencies("{ \"big\": \"<=9.99.99\" }"))]);
    let output = decide(&project, &server, OWN_KB_MAX);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(project.read("bun.lock").contains("\"big@1.0.0\""), "the dist-tag is in range");
    // From the cache it takes next to nothing.
    project.remove("bun.lock");
    let output = decide(&project, &server, OWN_KB_MAX);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// kB of text in a package, and less memory than that.
const TEXT_KB: usize = 100_000;
const TEXT_OWN_KB_MAX: usize = 60_000;

#[test]
fn a_large_tarball_is_never_in_memory_as_a_whole() {
    let line = format!("{:1023}\\n", "text");
    let files = format!("{{ \"+files\": {{ \"large.txt\": \"{}\" }} }}", line.repeat(TEXT_KB));
    let server = Server::start([Package::new("left").version("1.0.0", &files)]);
    let project = Project::with(&[("package.json", r#"{ "dependencies": { "left": "1.0.0" } }"#)]);
    let tarball = "/left/-/left-1.0.0.tgz";
    // Other bytes than the packument says: nothing of them is to be seen.
    server.fail(tarball, Fault::WrongBytes, 1);
    let output = run(&project, &server, TEXT_OWN_KB_MAX, &["install"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("error[integrity-differs]"), "{said}");
    assert!(!project.path().join("node_modules").exists());
    // A connection that breaks off costs time, nothing else.
    server.fail(tarball, Fault::HalfBody, 1);
    let output = run(&project, &server, TEXT_OWN_KB_MAX, &["install"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read(project.path().join("node_modules/left/large.txt")).expect("installed");
    assert_eq!(text.len(), TEXT_KB * 1024);
    assert_eq!(server.count(tarball), 3);
}
