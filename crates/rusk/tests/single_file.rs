//! Executables of `rusk build --compile` behave as their programs: arguments, exit code, embedded
//! files, settings where they are started; and the program they were copied from pays nothing.

use std::path::Path;
use std::process::{Command, Output};

use rusk_testkit::project::Project;

fn rusk(project: &Project, arguments: &[&str]) -> Output {
    run(Path::new(env!("CARGO_BIN_EXE_rusk")), project, arguments)
}

fn run(program: &Path, project: &Project, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(project.path())
        .env("HOME", project.home())
        .env("NO_COLOR", "1")
        .env_remove("NODE_ENV")
        .output()
        .expect("it starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// Compiles `app.ts`, deletes the sources, and runs the executable.
fn compiled(files: &[(&str, &str)], flags: &[&str], arguments: &[&str]) -> Output {
    let project = Project::new();
    for (path, content) in files {
        project.write(path, content);
    }
    let arguments_of_build = [&["build", "app.ts", "--compile", "--outfile=out/program"], flags].concat();
    let built = rusk(&project, &arguments_of_build);
    assert!(built.status.success(), "{}", text(&built));
    for (path, _) in files.iter().filter(|(path, _)| !path.starts_with('.')) {
        std::fs::remove_file(project.path().join(path)).expect("it was written");
    }
    run(&project.path().join("out/program"), &project, arguments)
}

#[test]
fn all_arguments_are_the_programs() {
    let source = "import { basename } from 'node:path';\n\
                  if (require.main === module) console.log('main');\n\
                  console.log(process.argv.slice(1), basename(process.execPath), process.execArgv, Bun.main);\n\
                  process.exitCode = 7;";
    let output = compiled(
        &[("app.ts", source)],
        &["--compile-exec-argv=--smol --own=1"],
        &["--version", "-e", "build"],
    );
    assert_eq!(output.status.code(), Some(7));
    let expected = "main\n[ '/$bunfs/root/program', '--version', '-e', 'build' ] program [ '--smol', '--own=1' ] /$bunfs/root/program\n";
    assert_eq!(text(&output), expected);
}

#[test]
fn files_are_embedded() {
    let source = "import note from './note.txt' with { type: 'file' };\n\
                  import { existsSync, readFileSync, statSync, openSync, fstatSync } from 'node:fs';\n\
                  import { readFile } from 'node:fs/promises';\n\
                  console.log(/^\\/\\$bunfs\\/root\\/note-\\w+\\.txt$/.test(note), existsSync(note), statSync(note).size);\n\
                  console.log(readFileSync(note, 'utf8'), await readFile(note, 'utf8'), await Bun.file(note).text());\n\
                  console.log(fstatSync(openSync(note)).isFile(), existsSync('/$bunfs/root/absent'));\n\
                  const [file] = Bun.embeddedFiles;\n\
                  console.log(Bun.embeddedFiles.length, note.endsWith(file.name), file.size, await file.text());";
    let output = compiled(&[("app.ts", source), ("note.txt", "note")], &[], &[]);
    assert_eq!(text(&output), "true true 4\nnote note note\ntrue false\n1 true 4 note\n");
}

#[test]
fn databases_are_embedded() {
    let project = Project::new();
    let make = "import { Database } from 'bun:sqlite';\n\
                const films = new Database('films.sqlite');\n\
                films.run('create table film (name)');\n\
                films.run(\"insert into film values ('Metropolis')\");";
    let app = "import films from './films.sqlite' with { type: 'sqlite', embed: 'true' };\n\
               films.run(\"insert into film values ('Sunrise')\");\n\
               console.log(films.query('select name from film').values().join());";
    project.write("make.ts", make);
    project.write("app.ts", app);
    assert_eq!(text(&rusk(&project, &["make.ts"])), "");
    let compiled = rusk(&project, &["build", "app.ts", "--compile", "--outfile=out/program"]);
    let bundled = rusk(&project, &["build", "app.ts", "--target=bun", "--outdir=dist"]);
    assert!(compiled.status.success() && bundled.status.success(), "{}{}", text(&compiled), text(&bundled));
    std::fs::remove_file(project.path().join("films.sqlite")).expect("it was written");
    for _ in 0..2 {
        let program = project.path().join("out/program");
        assert_eq!(text(&run(&program, &project, &[])), "Metropolis,Sunrise\n");
        assert_eq!(text(&rusk(&project, &["dist/app.js"])), "Metropolis,Sunrise\n");
    }
}

#[test]
fn modules_and_errors_are_those_of_the_sources() {
    let lib = "export class Failure extends Error {}\nexport function fail(): never {\n  throw new Failure('own');\n}";
    let source =
        "import { fail } from './lib';\nimport data from './data.json';\nconsole.log(data.name);\nfail();";
    let files = [("app.ts", source), ("lib.ts", lib), ("data.json", "{\"name\": \"data\"}")];
    let output = compiled(&files, &["--minify", "--sourcemap"], &[]);
    assert_eq!(output.status.code(), Some(1));
    for part in ["data\nlib.ts:3\n  throw new Failure('own');\n", " (lib.ts:3:9)\n", "    at app.ts:4:1\n"] {
        assert!(text(&output).contains(part), "{part} in {}", text(&output));
    }
    assert!(!text(&output).contains("node:internal"), "{}", text(&output));
}

#[test]
fn settings_are_read_unless_a_flag_says_no() {
    let source = "console.log(process.env.FROM_FILE ?? 'none');";
    let files = [("app.ts", source), (".env", "FROM_FILE=env\n")];
    assert_eq!(text(&compiled(&files, &[], &[])), "env\n");
    assert_eq!(text(&compiled(&files, &["--no-compile-autoload-dotenv"], &[])), "none\n");
}

#[test]
fn an_executable_compiles_others() {
    let project = Project::new();
    project.write("app.ts", "console.log('first');");
    assert!(rusk(&project, &["build", "app.ts", "--compile"]).status.success());
    project.write("app.ts", "console.log('second');");
    let program = project.path().join("app");
    let mut again = Command::new(&program);
    again.args(["build", "app.ts", "--compile", "--outfile=second"]).current_dir(project.path());
    let built = again.env("BUN_BE_BUN", "1").env("HOME", project.home()).output().expect("it starts");
    assert!(built.status.success(), "{}", text(&built));
    assert_eq!(text(&run(&program, &project, &[])), "first\n");
    assert_eq!(text(&run(&project.path().join("second"), &project, &[])), "second\n");
    let sizes = ["app", "second"]
        .map(|name| std::fs::metadata(project.path().join(name)).expect("it is there").len());
    assert!(sizes[0].abs_diff(sizes[1]) < 100, "the first program is not in the second: {sizes:?}");
}

#[test]
fn workers_chunks_and_directories_are_embedded() {
    let source = "import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';\n\
                  const { late } = await import('./late');\n\
                  console.log(late, Bun.isStandaloneExecutable);\n\
                  console.log(readFileSync(import.meta.dir + '/public/deep/a.txt', 'utf8'), Bun.embeddedFiles.map(({ name }) => name));\n\
                  const directory = import.meta.dir + '/public';\n\
                  console.log(readdirSync(directory), readdirSync(directory, { recursive: true }), statSync(directory).isDirectory());\n\
                  console.log(existsSync(directory + '/deep/'), existsSync(directory + '/none'));\n\
                  const worker = new Worker(import.meta.dir + '/worker.js');\n\
                  worker.onmessage = ({ data }) => { console.log(data); worker.terminate(); };";
    let files = [
        ("app.ts", source),
        ("late.ts", "export const late = 'late';"),
        ("worker.ts", "import { late } from './late';\npostMessage(`worker ${late}`);"),
        ("static/public/deep/a.txt", "a"),
        ("static/public/b.txt", "b"),
    ];
    let output = compiled(&files, &["worker.ts", "--splitting", "--asset=static/public"], &[]);
    let wanted = "late true\na [ 'public/b.txt', 'public/deep/a.txt' ]\n\
                  [ 'b.txt', 'deep' ] [ 'b.txt', 'deep', 'deep/a.txt' ] true\ntrue false\nworker late\n";
    assert_eq!(text(&output), wanted);
}

#[test]
fn addons_are_embedded() {
    let project = Project::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (addon, headers) = (project.path().join("values.node"), root.join("crates/node-api/include"));
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&addon).arg(root.join("fixtures/addons/values.c"));
    assert!(compiler.arg("-I").arg(headers).status().expect("the machine has a compiler").success());
    project.write(
        "app.ts",
        "import own from './values.node';\nconsole.log(own.add(1, 2.5), own.reverse('rusk'));",
    );
    assert!(rusk(&project, &["build", "app.ts", "--compile", "--outfile=program"]).status.success());
    std::fs::remove_file(addon).expect("it was written");
    assert_eq!(text(&run(&project.path().join("program"), &project, &[])), "3.5 ksur\n");
}

#[test]
fn programs_make_executables() {
    let project = Project::new();
    project.write("app.ts", "console.log(process.argv[2], process.execArgv);");
    let build = "const { outputs } = await Bun.build({ entrypoints: ['./app.ts'], \
                 compile: { outfile: 'out/program', execArgv: ['--smol'] } });\n\
                 console.log(outputs.length, outputs[0].path.slice(process.cwd().length));";
    project.write("build.mjs", build);
    assert_eq!(text(&rusk(&project, &["build.mjs"])), "1 /out/program\n");
    assert_eq!(text(&run(&project.path().join("out/program"), &project, &["a"])), "a [ '--smol' ]\n");
}

#[test]
fn wrong_flags_are_refused() {
    let project = Project::new();
    project.write("app.ts", "");
    let asset = rusk(&project, &["build", "app.ts", "--compile", "--asset=absent"]);
    assert!(text(&asset).contains("`absent` cannot be embedded"), "{}", text(&asset));
    let format = rusk(&project, &["build", "app.ts", "--compile", "--format=cjs"]);
    assert!(text(&format).contains("an executable has an ES module"), "{}", text(&format));
    assert!(!project.path().join("app").exists());
}

/// As bun's documentation has it: the file of the worker is an entry point, too.
#[test]
fn workers_may_be_named_as_entry_points() {
    let worker = "postMessage('worker');";
    for url in ["new URL('./worker.ts', import.meta.url)", "new URL('./worker.ts', import.meta.url).href"] {
        let source = format!(
            "const worker = new Worker({url});\n\
             worker.onmessage = ({{ data }}) => {{ console.log(data); worker.terminate(); }};"
        );
        for flags in [&["./worker.ts"][..], &[]] {
            let output = compiled(&[("app.ts", &source), ("worker.ts", worker)], flags, &[]);
            assert_eq!(text(&output), "worker\n", "{url} {flags:?}");
        }
    }
}
