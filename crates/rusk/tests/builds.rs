//! `rusk build` as users have it: hashes that depend on content alone, all errors, outputs that are
//! written whole or not at all, watch mode.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use rusk_testkit::project::Project;
use rustix::process::{Pid, Signal, kill_process};

fn command(project: &Project, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(words).current_dir(project.path()).env("HOME", project.home()).env("NO_COLOR", "1");
    command.env_remove("NODE_ENV");
    command
}

fn run(project: &Project, words: &[&str]) -> Output {
    command(project, words).output().expect("rusk starts")
}

fn build(project: &Project, words: &[&str]) {
    let output = run(project, words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn pages() -> Project {
    Project::with(&[
        ("a.js", "import { s } from './s.js';\nconsole.log(s, import('./lazy.js'));\n"),
        ("b.js", "import { s } from './s.js';\nconsole.log(s, import('./lazy.js'));\n"),
        (
            "lazy.js",
            "import { s } from './s.js';\nexport const lazy = s, back = () => import('./other.js');\n",
        ),
        ("other.js", "export const other = 1;\nexport const lazy = () => import('./lazy.js');\n"),
        ("s.js", "export const s = Math.random();\n"),
    ])
}

const SPLIT: [&str; 5] = ["build", "a.js", "b.js", "--splitting", "--outdir=out"];

#[test]
fn equal_sources_make_equal_files() {
    let (one, two) = (pages(), pages());
    build(&one, &SPLIT);
    build(&two, &SPLIT);
    let files = one.tree("out");
    assert_eq!(files, two.tree("out"));
    assert_eq!(files.len(), 5, "{files:?}");
    for file in &files {
        assert_eq!(one.read(&format!("out/{file}")), two.read(&format!("out/{file}")));
    }
}

#[test]
fn a_hash_changes_with_the_content_of_the_chunks_that_it_imports() {
    let project = pages();
    build(&project, &SPLIT);
    let before = project.tree("out");
    project.write("s.js", "export const s = Math.random() + 1;\n");
    project.remove("out");
    build(&project, &SPLIT);
    let after = project.tree("out");
    // Entry points have no hash; all others import the common chunk, or one that does.
    let same: Vec<&String> = before.iter().filter(|file| after.contains(file)).collect();
    assert_eq!(same, ["a.js", "b.js"]);
}

#[test]
fn names_of_chunks_follow_their_template() {
    let project = pages();
    let mut words = SPLIT.to_vec();
    words.extend(["--chunk-naming=parts/[name].[ext]", "--entry-naming=[name]/main.[ext]"]);
    build(&project, &words);
    let files = project.tree("out");
    assert_eq!(files, ["a/main.js", "b/main.js", "parts/chunk.js", "parts/lazy.js", "parts/other.js"]);
    let entry = project.read("out/a/main.js");
    assert!(
        entry.contains("from \"../parts/chunk.js\"") && entry.contains("import(\"../parts/lazy.js\")"),
        "{entry}"
    );
    assert!(project.read("out/parts/lazy.js").contains("import(\"./other.js\")"));
}

#[test]
fn all_errors_of_all_entry_points_are_reported_once() {
    let project = Project::with(&[
        ("a.js", "import './shared.js';\nimport { no } from './fine.js';\nlet x = ;\n"),
        ("b.js", "import './shared.js';\nimport 'missing-package';\n"),
        ("shared.js", "import './nowhere.js';\n"),
        ("fine.js", "export const yes = 1;\n"),
    ]);
    let output = run(&project, &["build", "a.js", "b.js", "--outdir=out"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    for line in ["a.js:3:9", "shared.js:1:8", "b.js:2:8"] {
        assert_eq!(text.matches(line).count(), 1, "{line} in {text}");
    }
    assert!(project.find("out").is_none());
}

#[test]
fn link_errors_of_all_entry_points_are_reported_once() {
    let project = Project::with(&[
        (
            "a.js",
            "import { shared } from './shared.js';\nimport { no } from './fine.js';\nconsole.log(no, shared);\n",
        ),
        (
            "b.js",
            "import { shared } from './shared.js';\nimport { nothing } from './fine.js';\nconsole.log(nothing, shared);\n",
        ),
        ("shared.js", "import { never } from './fine.js';\nexport const shared = never;\n"),
        ("fine.js", "export const yes = 1;\n"),
    ]);
    for more in ["--splitting", "--minify"] {
        let output = run(&project, &["build", "a.js", "b.js", "--outdir=out", more]);
        let text = String::from_utf8_lossy(&output.stderr);
        for line in ["a.js:2:10", "shared.js:1:10", "b.js:2:10"] {
            assert_eq!(text.matches(line).count(), 1, "{line} in {text}");
        }
    }
}

/// As `bun build --target=bun`: the pages of a server are built with it, and it needs no sources.
#[test]
fn pages_of_a_server_are_built_with_it() {
    let project = Project::with(&[
        (
            "src/server.ts",
            "import page from './index.html';
            import { name } from './name';
            const server = Bun.serve({ port: 0, development: false, routes: { '/some/page': page } });
            const get = async (path) => await (await fetch(new URL(path, server.url))).text();
            const html = await get('/some/page');
            const script = await fetch(new URL(html.match(/src=\"([^\"]*js)\"/)[1], server.url));
            console.log(name, script.headers.get('content-type'), (await script.text()).includes('from the page'));
            console.log((await get(html.match(/href=\"([^\"]*css)\"/)[1])).includes('red'), await get(html.match(/img src=\"([^\"]*)\"/)[1]));
            server.stop(true);",
        ),
        (
            "src/index.html",
            "<!doctype html><html><head><link rel=stylesheet href=./page.css></head><body><img src=./logo.svg><script type=module src=./page.tsx></script></body></html>",
        ),
        ("src/page.tsx", "import { name } from './name';\nconsole.log('from the page', name as string);\n"),
        ("src/page.css", "body { color: red }\n"),
        ("src/logo.svg", "<svg/>"),
        ("src/name.ts", "export const name: string = 'shared';\n"),
    ]);
    let expected = "shared text/javascript;charset=utf-8 true\ntrue <svg/>\n";
    for more in ["--minify", "--splitting", "--sourcemap"] {
        build(&project, &["build", "src/server.ts", "--target=bun", "--outdir=out", more]);
        project.remove("moved");
        std::fs::rename(project.path().join("out"), project.path().join("moved")).expect("a directory moves");
        let output = run(&project, &["moved/server.js"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{more}: {output:?}");
    }
    build(&project, &["build", "src/server.ts", "--compile", "--outfile=program"]);
    project.remove("src");
    let program = Command::new(project.path().join("program")).current_dir("/").output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&program.stdout), expected, "{program:?}");
}

#[test]
fn errors_of_a_servers_pages_are_those_of_the_build() {
    let project = Project::with(&[
        ("server.ts", "import page from './index.html';\nconsole.log(page);\n"),
        ("index.html", "<script src=./page.ts></script>"),
        ("page.ts", "let x = ;\n"),
    ]);
    let output = run(&project, &["build", "server.ts", "--target=bun", "--outdir=out"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("page.ts:1:9"), "{output:?}");
    assert!(project.find("out").is_none());
}

/// As `bun build --compile --target=browser`.
#[test]
fn a_page_can_have_all_that_it_loads_within() {
    let project = Project::with(&[
        (
            "index.html",
            "<!doctype html><html><head><link rel=stylesheet href=a.css><link rel=icon href=icon.png></head><body><img src=logo.svg><script type=module src=app.ts></script></body></html>",
        ),
        ("app.ts", "import font from './font.woff2';\nconsole.log('</script>', font as string);\n"),
        ("a.css", "body { background: url(./logo.svg) }\n"),
        ("logo.svg", "<svg/>"),
        ("icon.png", "png"),
        ("font.woff2", "font"),
    ]);
    build(&project, &["build", "index.html", "--compile", "--target=browser", "--outdir=out", "--minify"]);
    assert_eq!(project.tree("out"), ["index.html"]);
    let page = project.read("out/index.html");
    for part in [
        "<style>body{background:url(data:image/svg+xml;base64,",
        "<script type=\"module\">",
        "console.log(`<\\/script>`,",
        "`data:font/woff2;base64,Zm9udA==`",
        "<img src=\"data:image/svg+xml;base64,PHN2Zy8+\">",
        "href=\"data:image/png;base64,",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let refused = run(&project, &["build", "app.ts", "--compile", "--target=browser"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("[build-executable]"), "{refused:?}");
}

#[test]
fn patterns_are_the_files_that_they_match() {
    let project = Project::with(&[
        ("src/a.ts", "console.log('a');\n"),
        ("src/deep/b.ts", "console.log('b');\n"),
        ("src/c.js", "console.log('c');\n"),
        ("src/node_modules/d.ts", "console.log('d');\n"),
        ("[x].ts", "console.log('x');\n"),
    ]);
    build(&project, &["build", "src/**/*.ts", "--outdir=out"]);
    assert_eq!(project.tree("out"), ["a.js", "deep/b.js"]);
    build(&project, &["build", "[x].ts", "--outdir=single"]);
    assert_eq!(project.tree("single"), ["[x].js"]);
    let output = run(&project, &["build", "src/*.tsx", "--outdir=none"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("[build-entry]"), "{output:?}");
}

#[test]
fn an_output_never_replaces_an_input() {
    let project = Project::with(&[("a.js", "import './b.js';\n"), ("b.js", "console.log(1);\n")]);
    for words in [&["build", "a.js", "--outdir=."][..], &["build", "a.js", "--outfile=b.js"]] {
        let output = run(&project, words);
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("[build-write]"), "{output:?}");
    }
    assert_eq!(project.read("a.js"), "import './b.js';\n");
    assert_eq!(project.read("b.js"), "console.log(1);\n");
}

/// As on a full disk, a write ends in the middle of a file.
#[test]
fn an_output_is_written_through_a_link() {
    let project = Project::with(&[("a.js", "console.log(1);\n"), ("real/old.js", "old")]);
    std::os::unix::fs::symlink("real/old.js", project.path().join("link.js")).expect("it is new");
    build(&project, &["build", "a.js", "--outfile=link.js"]);
    assert!(project.path().join("link.js").is_symlink());
    assert_eq!(project.read("real/old.js"), "// a.js\nconsole.log(1);\n");
}

#[test]
fn an_output_is_written_into_a_pipe() {
    let project = Project::with(&[("a.js", "console.log(1);\n")]);
    let output = run(&project, &["build", "a.js", "--outfile=/dev/stdout"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "// a.js\nconsole.log(1);\n");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("bundled 1 module"));

    let pipe = project.path().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .expect("a pipe");
    let builder = command(&project, &["build", "a.js", "--outfile=pipe"]).spawn().expect("rusk starts");
    let text = std::fs::read_to_string(&pipe).expect("it is written");
    assert!(builder.wait_with_output().expect("it ends").status.success());
    assert_eq!(text, "// a.js\nconsole.log(1);\n");
    let output = run(&project, &["build", "a.js", "--compile", "--outfile=pipe"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected a regular file"));
}

#[test]
fn a_write_that_fails_leaves_the_outputs_as_they_were() {
    let project = Project::with(&[
        ("a.js", "console.log('small');\n"),
        ("b.js", &format!("console.log('{}');\n", "large".repeat(100_000))),
        ("out/a.js", "before"),
    ]);
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" build a.js b.js --outdir=out";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_rusk")])
        .current_dir(project.path())
        .env("HOME", project.home())
        .output()
        .expect("sh starts");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("b.js"), "{output:?}");
    assert_eq!(project.tree("out"), ["a.js"]);
    assert_eq!(project.read("out/a.js"), "before");
}

#[test]
fn nothing_is_written_if_a_directory_has_the_name_of_an_output() {
    let project = Project::with(&[
        ("a.js", "console.log('a');\n"),
        ("b.js", "console.log('b');\n"),
        ("out/b.js/file", ""),
    ]);
    let output = run(&project, &["build", "a.js", "b.js", "--outdir=out"]);
    assert!(!output.status.success());
    assert_eq!(project.tree("out"), ["b.js/file"]);
}

#[test]
fn a_metafile_accounts_for_the_bytes_of_outputs() {
    let project = pages();
    for minify in [&[][..], &["--minify"]] {
        let words: Vec<&str> =
            SPLIT.iter().copied().chain(["--metafile=meta.json"]).chain(minify.iter().copied()).collect();
        build(&project, &words);
        let script = "const { inputs, outputs } = require('./meta.json');
            const { readFileSync } = require('node:fs');
            for (const [path, output] of Object.entries(outputs)) {
              const sum = Object.values(output.inputs).reduce((all, one) => all + one.bytesInOutput, 0);
              if (sum > output.bytes) throw new Error(path);
              if (readFileSync(path).length !== output.bytes) throw new Error(path);
              for (const { path } of output.imports) if (!outputs[path]) throw new Error(path);
              for (const path of Object.keys(output.inputs)) if (!inputs[path]) throw new Error(path);
            }
            console.log(Object.keys(inputs).join(), Object.keys(outputs).length, outputs['out/a.js'].entryPoint);";
        project.write("check.cjs", script);
        let output = run(&project, &["check.cjs"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text, "a.js,b.js,lazy.js,other.js,s.js 5 a.js\n", "{output:?}");
    }
}

/// A build that is watched.
struct Watched {
    child: Child,
    notices: BufReader<ChildStderr>,
}

impl Watched {
    fn new(project: &Project, words: &[&str]) -> Watched {
        let mut child = command(project, words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rusk starts");
        let notices = BufReader::new(child.stderr.take().expect("it is piped"));
        Watched { child, notices }
    }

    /// The first notice from now on that contains a text.
    fn wait_for(&mut self, text: &str) -> String {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let count = self.notices.read_line(&mut line).expect("it is text");
            assert_ne!(count, 0, "there is a notice with {text}");
        }
        line
    }
}

#[test]
fn watch_mode_makes_executables() {
    let project = Project::with(&[("app.js", "import { n } from './n.js';\nconsole.log(n);\n")]);
    project.write("n.js", "export const n = 'before';\n");
    let mut watched = Watched::new(&project, &["build", "app.js", "--compile", "--outfile=app", "--watch"]);
    watched.wait_for("compiled 2 modules in ");
    let output = || {
        let output = Command::new(project.path().join("app")).output().expect("it is a program");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(output(), "before\n");
    project.write("n.js", "export const n = 'after';\n");
    watched.wait_for("compiled 2 modules in ");
    assert_eq!(output(), "after\n");
    let process = Pid::from_raw(watched.child.id() as i32).expect("it is a number");
    kill_process(process, Signal::TERM).expect("it runs");
    assert_eq!(watched.child.wait().expect("it is ours").signal(), Some(Signal::TERM.as_raw()));
}

#[test]
fn source_maps_of_minified_code_lead_to_the_sources() {
    let project = Project::with(&[
        (
            "app.js",
            "import { first } from './first.js';\nimport second from './second.cjs';\nfirst(second);\n",
        ),
        (
            "first.js",
            "// A comment.\nexport function first(other) {\n  const unused = 1;\n  other(new Error('here'));\n}\n",
        ),
        ("second.cjs", "module.exports = function named(error) {\n\n  throw error;\n};\n"),
    ]);
    build(&project, &["build", "app.js", "--minify", "--sourcemap", "--target=bun", "--outdir=out"]);
    project.write("positions.mjs", POSITIONS);
    let ended = run(&project, &["positions.mjs", "Error(", "throw e}", "second", "named"]);
    let output = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(output, "first.js 4 13\nsecond.cjs 3 3\nnull\nnull\n");
}

/// Prints where the text of each argument in `out/app.js` comes from.
const POSITIONS: &str = "\
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
const lines = readFileSync('out/app.js', 'utf8').split('\\n');
const map = new SourceMap(JSON.parse(readFileSync('out/app.js.map', 'utf8')));
for (const text of process.argv.slice(2)) {
  const line = lines.findIndex((one) => one.includes(text));
  if (line < 0) console.log(null);
  else {
    const found = map.findEntry(line, lines[line].indexOf(text));
    console.log(found.originalSource.replace('../', ''), found.originalLine + 1, found.originalColumn + 1);
  }
}
";

#[test]
fn watch_mode_parses_what_has_changed_and_survives_errors() {
    let project = pages();
    let words: Vec<&str> = SPLIT.iter().copied().chain(["--watch", "--chunk-naming=[name].[ext]"]).collect();
    let mut watched = Watched::new(&project, &words);
    watched.wait_for("bundled 5 modules in ");
    watched.wait_for("chunk.js");
    project.write("s.js", "export const s = 'changed';\n");
    watched.wait_for("bundled 5 modules (1 parsed) in ");
    watched.wait_for("chunk.js");
    assert!(project.read("out/chunk.js").contains("changed"));
    // A file that is being written is not built before it is closed.
    let mut file = File::create(project.path().join("s.js")).expect("it is a file");
    thread::sleep(Duration::from_millis(300));
    file.write_all(b"export const s = ;\n").expect("it is written");
    drop(file);
    watched.wait_for("s.js:1:18");
    assert!(project.read("out/chunk.js").contains("changed"));
    project.write("s.js", "import { n } from './new.js';\nexport const s = n;\n");
    watched.wait_for("s.js:1:19");
    project.write("new.js", "export const n = 'new';\n");
    watched.wait_for("bundled 6 modules (1 parsed) in ");
    watched.wait_for("chunk.js");
    assert!(project.read("out/chunk.js").contains("new"));
    let process = Pid::from_raw(watched.child.id() as i32).expect("it is a number");
    kill_process(process, Signal::INT).expect("it runs");
    let status = watched.child.wait().expect("it is ours");
    assert_eq!(status.signal(), Some(Signal::INT.as_raw()));
    assert_eq!(project.tree("out"), ["a.js", "b.js", "chunk.js", "lazy.js", "other.js"]);
}
