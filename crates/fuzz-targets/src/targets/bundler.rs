//! Fuzz target of `rusk-bundler`'s linker: graphs of modules that the input describes. Every bundle
//! of them must parse, and may use no name that it does not declare.

use std::fmt::Write as _;
use std::path::PathBuf;

use rusk_bundler::{BuildTarget, BundleOptions, MemoryFiles, Minify, ModuleFormat, OutputKind, SourceMaps};

/// More modules find nothing more.
const MODULES_MAX: usize = 6;
const STATEMENTS_MAX: usize = 48;

/// Names that modules of [`GeneratedModules`] use and do not declare.
const GLOBALS: [&str; 10] =
    ["Object", "Promise", "Symbol", "WeakMap", "JSON", "Error", "require", "module", "log", "undefined"];

/// Inputs that reach most combinations.
pub const SEEDS: &[&str] =
    &["", "abcdefgh", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", "zyxwvutsrqponmlkjihgfedcba"];

/// Bytes as numbers; none left means zero.
struct Numbers<'i> {
    bytes: std::slice::Iter<'i, u8>,
}

impl Numbers<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte) % limit)
    }

    fn is_empty(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }
}

/// Modules as strings.
struct GeneratedModules {
    modules: Vec<(bool, String)>,
}

impl GeneratedModules {
    /// Every module exports `a`, `b`, `c` and a default.
    fn new(numbers: &mut Numbers<'_>) -> GeneratedModules {
        let count = 2 + numbers.below(MODULES_MAX - 1);
        let mut program = GeneratedModules { modules: Vec::new() };
        for _ in 0..count {
            program.modules.push((numbers.below(3) == 0, String::new()));
        }
        for number in 0..STATEMENTS_MAX {
            if numbers.is_empty() {
                break;
            }
            let module = numbers.below(count);
            let target = numbers.below(count);
            let statement = program.statement(numbers, module, target, number);
            program.modules[module].1.push_str(&statement);
        }
        for (index, (is_commonjs, text)) in program.modules.iter_mut().enumerate() {
            text.push_str(match is_commonjs {
                true => "exports.a = 1; exports.b = () => exports.a; exports.c = {}; exports.default = 'd';\n",
                false => {
                    "export let a = 1; export function b() { return a; }\nexport const c = {}; export default class {}\n"
                }
            });
            let name = if *is_commonjs { "exports.a" } else { "a" };
            let _ = writeln!(text, "log({index}, typeof {name});");
        }
        program
    }

    fn path(&self, module: usize) -> String {
        let extension = if self.modules[module].0 { "cjs" } else { "mjs" };
        format!("./m{module}.{extension}")
    }

    fn statement(&self, numbers: &mut Numbers<'_>, module: usize, target: usize, number: usize) -> String {
        let path = self.path(target);
        let name = ["a", "b", "c", "default"][numbers.below(4)];
        match (self.modules[module].0, numbers.below(12)) {
            (_, 0) => format!("log(() => import('{path}'));\n"),
            (_, 1) => format!("log(() => require('{path}').{name});\n"),
            (_, 2) => format!(
                "{{ let a{number} = 1, exports_m{target} = 2; log(a{number}, exports_m{target}); }}\n"
            ),
            (true, 3..8) => format!("const r{number} = require('{path}'); log(r{number}.{name});\n"),
            (true, _) => format!("exports.r{number} = function () {{ return require('{path}'); }};\n"),
            (false, 3) => format!("import '{path}';\n"),
            (false, 4) => {
                format!("import * as n{number} from '{path}'; log(n{number}.{name}, n{number}.missing);\n")
            }
            (false, 5) => format!("import * as n{number} from '{path}'; log(n{number});\n"),
            (false, 6) => format!("export {{ {name} as r{number} }} from '{path}';\n"),
            (false, 7) => format!("export * from '{path}';\n"),
            (false, 8) => format!("export * as r{number} from '{path}';\n"),
            (false, 9) => format!(
                "import {{ {name} as i{number} }} from '{path}'; export {{ i{number} as r{number} }};\n"
            ),
            (false, 10) => {
                format!("import {{ {name} as i{number} }} from '{path}'; log(i{number}, new i{number}());\n")
            }
            (false, _) => format!(
                "import {{ {name} as i{number} }} from '{path}'; log(() => i{number}(), i{number});\n"
            ),
        }
    }
}

/// Bundles a graph in several ways.
pub fn bundle(input: &[u8]) {
    let mut numbers = Numbers { bytes: input.iter() };
    let options = options(&mut numbers);
    let program = GeneratedModules::new(&mut numbers);
    // In memory, so nothing of the machine is read.
    let directory = PathBuf::from("/rusk-fuzz-bundler");
    let modules = program.modules.iter().enumerate();
    let files = modules.map(|(index, (_, text))| (program.path(index), text.clone().into_bytes()));
    let files = MemoryFiles::new(&directory, files);
    let entries = (0..2).map(|index| program.path(index)).collect();
    let options = BundleOptions { entries, current_dir: directory, files, ..options };
    let bundle = match rusk_bundler::bundle(&options) {
        Ok(bundle) => bundle,
        Err(errors) => panic!("{:?}", errors.first().map(|error| error.to_problem().to_string())),
    };
    for file in bundle.files.iter().filter(|file| file.kind != OutputKind::SourceMap) {
        let code = file.bytes.clone().into_text();
        let code = evaluated(&code);
        let names = rusk_bundler::free_names(code, options.format == ModuleFormat::Esm);
        let names = names.unwrap_or_else(|error| panic!("{error}: {code}"));
        let unknown = names.iter().find(|name| !GLOBALS.contains(&name.as_str()));
        assert!(unknown.is_none(), "{unknown:?} is not declared: {code}");
    }
}

/// Without the list of names for Node at the end: it is never evaluated, so none is declared.
fn evaluated(code: &str) -> &str {
    let lists = ["\n0&&(module.exports={", "\n0 && (module.exports = {"];
    let list = lists.iter().filter_map(|begin| code.rfind(begin)).max();
    &code[..list.unwrap_or(code.len())]
}

fn options(numbers: &mut Numbers<'_>) -> BundleOptions {
    let format = [ModuleFormat::Esm, ModuleFormat::Esm, ModuleFormat::CommonJs, ModuleFormat::Iife];
    let format = format[numbers.below(4)];
    let maps = [SourceMaps::None, SourceMaps::Linked, SourceMaps::Inline, SourceMaps::External];
    BundleOptions {
        format,
        target: BuildTarget::Bun,
        splitting: format == ModuleFormat::Esm && numbers.below(4) > 0,
        minify: match numbers.below(4) {
            0 | 1 => Minify::ALL,
            2 => Minify { syntax: true, ..Minify::default() },
            _ => Minify::default(),
        },
        source_maps: maps[numbers.below(4)],
        metafile: numbers.below(2) == 0,
        ..BundleOptions::new(PathBuf::new(), Vec::new())
    }
}
