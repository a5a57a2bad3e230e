//! The development server at the level of its protocol: HTML, scripts, and messages of the
//! WebSocket after edits; programs with `--hot`. A browser is `cargo xtask conformance browser`.

use std::process::Command;

use rusk_testkit::project::Project;

const FILES: [(&str, &str); 8] = [
    (
        "index.html",
        "<!doctype html>\n<html><head><link rel=stylesheet href=app.css></head><body>\n\
         <img src=logo.svg><script type=module src=app.tsx></script></body></html>\n",
    ),
    (
        "app.tsx",
        "import { word } from './word';\nimport styles from './app.module.css';\nimport data from './data.json';\n\
         console.log(word, styles.box, data.a);\nimport.meta.hot.accept();\n",
    ),
    ("word.ts", "export const word: string = 'one';\n"),
    ("data.json", "{ \"a\": 1 }\n"),
    ("app.css", "@import './base.css';\nbody { color: red }\n"),
    ("base.css", "p { top: 0 }\n"),
    ("app.module.css", ".box { left: 0 }\n"),
    ("logo.svg", "<svg/>\n"),
];

/// Starts a server, edits files, prints what a browser gets.
const DRIVER: &str = include_str!("dev_server/driver.txt");

/// Runs a server with `--hot`, edits its files, prints what it answers.
const HOT_DRIVER: &str = r#"
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const server = spawn(process.execPath, ['--hot', 'server.ts'], { stdio: ['ignore', 'pipe', 'pipe'] });
let output = '';
let wake = () => {};
for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => { output += chunk; wake(); });
const until = async (pattern) => {
  while (!pattern.test(output)) await new Promise((resolve) => { wake = resolve; });
};
await until(/run 1/);
const url = /http:\S+/.exec(output)[0];
const get = async () => console.log(await (await fetch(url)).text());
const edit = (name, from, to) => writeFileSync(name, readFileSync(name, 'utf8').replace(from, to));
await get();
edit('greeting.ts', 'hello', 'bye');
await until(/run 2/);
await get();
edit('old.cjs', '1', '2');
await until(/run 3/);
await get();
edit('greeting.ts', 'const', 'const const');
await until(/SyntaxError/);
await get();
edit('greeting.ts', 'const const', 'const');
await until(/run 4/);
await get();
console.log(output.match(/run \d.*/g).join('\n'));
server.kill();
"#;

const HOT_FILES: [(&str, &str); 4] = [
    (
        "server.ts",
        "import { greeting } from './greeting';\nimport old from './old.cjs';\nimport { now } from 'kept';\n\
         globalThis.runs = (globalThis.runs ?? 0) + 1;\n\
         const server = Bun.serve({ port: 0, fetch: () => new Response(`${greeting} ${old} ${globalThis.runs}`) });\n\
         globalThis.first ??= server;\n\
         console.log(`run ${globalThis.runs}`, server === globalThis.first, now, `${globalThis.runs === 1 ? server.url : ''}`);\n",
    ),
    ("greeting.ts", "export const greeting: string = 'hello';\n"),
    ("old.cjs", "module.exports = 1;\n"),
    ("node_modules/kept/index.js", "export const now = (globalThis.kept = (globalThis.kept ?? 0) + 1);\n"),
];

fn run(files: &[(&str, &str)], driver: &str, expected: &str) {
    let project = Project::new();
    for (path, text) in files {
        project.write(path, text);
    }
    project.write("driver.mjs", driver);
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .arg("driver.mjs")
        .current_dir(project.path())
        .env("HOME", project.home())
        .env("NO_COLOR", "1")
        .env_remove("NODE_ENV")
        .output()
        .expect("rusk starts");
    let streams = [("output", output.stdout), ("errors", output.stderr)];
    let found: String =
        streams.iter().map(|(name, text)| format!("== {name}\n{}", String::from_utf8_lossy(text))).collect();
    let found = found.replace(&*project.path().to_string_lossy(), "[dir]");
    let port = found.find("localhost:").map(|at| {
        let digits = found[at + 10..].chars().take_while(char::is_ascii_digit).collect::<String>();
        format!("localhost:{digits}")
    });
    let found = port.map_or(found.clone(), |port| found.replace(&port, "localhost:PORT"));
    let found: String = found.split_inclusive('\n').map(without_time).collect();
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dev-server").join(expected);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&path, &found).expect("the expected output is written");
    }
    assert_eq!(found, std::fs::read_to_string(path).expect("the expected output"));
}

/// `Reloaded in 3 ms: a.css`
fn without_time(line: &str) -> String {
    let parts = line.strip_prefix("Reloaded in ").and_then(|rest| rest.split_once(" ms"));
    parts.map_or_else(|| line.to_owned(), |(_, rest)| format!("Reloaded in N ms{rest}"))
}

/// Starts a server whose pages have workers and plugins, in development and in production.
const PLUGIN_DRIVER: &str = r#"
import { readFileSync, writeFileSync } from 'node:fs';
import page from './index.html';

for (const development of [true, false]) {
  const server = Bun.serve({ port: 0, development, routes: { '/': page } });
  const get = async (path) => (await fetch(new URL(path, server.url))).text();
  const html = await get('/');
  const script = await get(/src="(\/_rusk\/[^"]+js[^"]*)"/.exec(html)[1]);
  console.log(script.includes('LOUD'), script.includes('virtual value'));
  const worker = /new URL\(["`]([^"`]*worker[^"`]*)/.exec(script)[1];
  const code = await get(worker);
  console.log(code.includes('in the worker'), code.includes(': string'), (await fetch(new URL('/_rusk/worker/index.html', server.url))).status);
  if (development) {
    const updates = async (path, text, expected) => {
      writeFileSync(path, text);
      while (!(await get(/src="(\/_rusk\/[^"]+js[^"]*)"/.exec(await get('/'))[1])).includes(expected)) await Bun.sleep(10);
      console.log('updated', path);
    };
    await updates('note.upper', 'changed', 'CHANGED');
    await updates('value.txt', 'other value', 'other value');
    writeFileSync('note.upper', 'loud');
    writeFileSync('value.txt', 'virtual value');
  }
  server.stop(true);
}
"#;

const PLUGIN_FILES: [(&str, &str); 7] = [
    ("index.html", "<script type=module src=app.ts></script>\n"),
    (
        "app.ts",
        "import note from './note.upper';\nimport value from 'virtual:value';\n\
         new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });\nconsole.log(note, value);\n",
    ),
    ("worker.ts", "const where: string = 'in the worker';\npostMessage(where);\n"),
    ("note.upper", "loud"),
    ("value.txt", "virtual value"),
    ("bunfig.toml", "[serve.static]\nplugins = ['./plugin.ts']\n"),
    (
        "plugin.ts",
        "export default { name: 'upper', setup(build) {\n\
         build.onLoad({ filter: /\\.upper$/ }, async ({ path }) => ({ contents: (await Bun.file(path).text()).toUpperCase(), loader: 'text' }));\n\
         build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));\n\
         build.onLoad({ filter: /.*/, namespace: 'virtual' }, async () => ({\n\
         contents: `export default ${JSON.stringify(await Bun.file('value.txt').text())}`, loader: 'js', watchFiles: ['value.txt'],\n\
         }));\n\
         } };\n",
    ),
];

#[test]
fn pages_have_workers_and_plugins() {
    run(&PLUGIN_FILES, PLUGIN_DRIVER, "plugins.txt");
}

#[test]
fn browsers_get_pages_and_messages() {
    run(&FILES, DRIVER, "pages.txt");
}

#[test]
fn hot_programs_are_loaded_again_in_the_same_process() {
    run(&HOT_FILES, HOT_DRIVER, "hot.txt");
}
