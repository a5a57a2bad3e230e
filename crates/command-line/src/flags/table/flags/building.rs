//! Flags of `rusk build`. Names are bun's.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

const BUILD: &[Command] = &[Command::Build];

/// The defaults of a row.
const ROW: FlagSpec =
    FlagSpec { value: FlagValue::Switch, group: FlagGroup::Building, commands: BUILD, ..DEFAULT };

const TARGETS: &[Choice] =
    &[choice("browser"), Choice { name: "bun", aliases: &["rusk", PLATFORM] }, choice("node")];

/// Bun's name for executables of this platform.
const PLATFORM: &str = if cfg!(target_arch = "aarch64") { "bun-linux-arm64" } else { "bun-linux-x64" };

const FORMATS: &[Choice] = &[choice("esm"), choice("cjs"), choice("iife")];

const PACKAGES: &[Choice] = &[choice("bundle"), choice("external")];

const JSX_RUNTIMES: &[Choice] = &[choice("automatic"), choice("classic")];

pub const BUILDING: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Outdir,
        long: "outdir",
        value: FlagValue::Path("DIR"),
        help: "Directory of the output files",
        conflicts: &[Flag::Outfile],
        ..ROW
    },
    FlagSpec {
        flag: Flag::Outfile,
        long: "outfile",
        value: FlagValue::Path("FILE"),
        help: "Output file of a single entry point",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Compile,
        long: "compile",
        help: "Make an executable that has the bundle and rusk in it",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Asset,
        long: "asset",
        value: FlagValue::Path("PATH"),
        help: "File, or directory with all its files, that is embedded in the executable; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CompileExecArgv,
        long: "compile-exec-argv",
        value: FlagValue::String("FLAGS"),
        help: "Flags of rusk for the program of an executable, separated by blanks",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CompileAutoloadDotenv,
        long: "compile-autoload-dotenv",
        value: FlagValue::Negatable,
        help: "Executables read .env files where they are started (default)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CompileAutoloadBunfig,
        long: "compile-autoload-bunfig",
        value: FlagValue::Negatable,
        help: "Executables read bunfig.toml where they are started (default)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoAutoloadTsconfig,
        long: "no-compile-autoload-tsconfig",
        help: "Executables do not read tsconfig.json (always so)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoAutoloadPackageJson,
        long: "no-compile-autoload-package-json",
        help: "Executables do not read package.json (always so)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CompileExecutablePath,
        long: "compile-executable-path",
        value: FlagValue::Path("FILE"),
        help: "Program that becomes the executable (default: this rusk)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Target,
        long: "target",
        value: FlagValue::OneOf { name: "TARGET", choices: TARGETS },
        help: "Where the code will run (default: browser)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::BuildFormat,
        long: "format",
        value: FlagValue::OneOf { name: "FORMAT", choices: FORMATS },
        help: "Module format of the output (default: esm)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Splitting,
        long: "splitting",
        help: "Chunks for dynamic imports and for modules that entry points share (esm alone)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::MinChunkSize,
        long: "min-chunk-size",
        value: FlagValue::Number { name: "BYTES", max: u32::MAX },
        help: "Move chunks without side effects and with less source text into one that more entry points load",
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoSplitRequire,
        long: "no-split-require",
        help: "Keep modules that are required in the chunk of the call (always so)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoModulePreload,
        long: "no-module-preload",
        help: "Do not preload the chunks that a dynamic import loads (always so)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CssChunking,
        long: "css-chunking",
        help: "Share equal stylesheets of several entry points (always so)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoNamespaceSetters,
        long: "no-deprecated-namespace-object-setters",
        help: "Members of namespace objects cannot be set (always so)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::AllowUnresolved,
        long: "allow-unresolved",
        value: FlagValue::String("PATTERN"),
        help: "Pattern of `import()` and `require` calls that may stay because their path is not known; `<empty>` for a path of which nothing is known; repeatable (default: *)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::RejectUnresolved,
        long: "reject-unresolved",
        help: "Calls of `import()` and `require` whose path is not known are errors",
        conflicts: &[Flag::AllowUnresolved],
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoBundle,
        long: "no-bundle",
        help: "Turn each entry point into JavaScript; imports stay as they are",
        conflicts: &[Flag::Splitting],
        ..ROW
    },
    FlagSpec { flag: Flag::NoMacros, long: "no-macros", help: "Calls of macros are errors", ..ROW },
    FlagSpec {
        flag: Flag::NoClearScreen,
        long: "no-clear-screen",
        help: "Do not clear the terminal before --watch builds or tests again",
        commands: &[Command::Build, Command::Test],
        ..ROW
    },
    FlagSpec {
        flag: Flag::Metafile,
        long: "metafile",
        value: FlagValue::Optional("FILE"),
        help: "Write what is in the outputs, in esbuild's form, for its analyzers (default: meta.json)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::MetafileMd,
        long: "metafile-md",
        value: FlagValue::Optional("FILE"),
        help: "Write a report in Markdown about what is in the outputs, and why (default: meta.md)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::External,
        long: "external",
        short: &['e'],
        value: FlagValue::String("MODULE"),
        help: "Leave a module out of the bundle; `*` stands for any characters; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Packages,
        long: "packages",
        value: FlagValue::OneOf { name: "MODE", choices: PACKAGES },
        help: "Bundle packages, or leave all of them out (default: bundle)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Sourcemap,
        long: "sourcemap",
        value: FlagValue::Optional("MODE"),
        help: "Source maps: linked, inline, external or none (default: none; alone: linked)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Minify,
        long: "minify",
        help: "Make the output small: whitespace, syntax and identifiers",
        ..ROW
    },
    FlagSpec { flag: Flag::MinifySyntax, long: "minify-syntax", help: "Use shorter syntax", ..ROW },
    FlagSpec { flag: Flag::MinifyWhitespace, long: "minify-whitespace", help: "Remove whitespace", ..ROW },
    FlagSpec {
        flag: Flag::MinifyIdentifiers,
        long: "minify-identifiers",
        help: "Shorten names of variables",
        ..ROW
    },
    FlagSpec {
        flag: Flag::KeepNames,
        long: "keep-names",
        help: "Keep names of functions and classes when minifying",
        ..ROW
    },
    FlagSpec {
        flag: Flag::EntryNaming,
        long: "entry-naming",
        value: FlagValue::String("TEMPLATE"),
        help: "File names of entry points (default: [dir]/[name].[ext])",
        ..ROW
    },
    FlagSpec {
        flag: Flag::ChunkNaming,
        long: "chunk-naming",
        value: FlagValue::String("TEMPLATE"),
        help: "File names of chunks (default: [name]-[hash].[ext])",
        ..ROW
    },
    FlagSpec {
        flag: Flag::AssetNaming,
        long: "asset-naming",
        value: FlagValue::String("TEMPLATE"),
        help: "File names of copied files (default: [name]-[hash].[ext])",
        ..ROW
    },
    FlagSpec {
        flag: Flag::PublicPath,
        long: "public-path",
        value: FlagValue::String("PREFIX"),
        help: "Prefix of paths of other output files in the code",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Drop,
        long: "drop",
        value: FlagValue::String("NAME"),
        help: "Remove calls of a function or object, such as `console`, or `debugger`; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Feature,
        long: "feature",
        value: FlagValue::String("NAME"),
        help: "Name for which `feature()` of `bun:bundle` is true; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Loader,
        long: "loader",
        value: FlagValue::String(".EXT:LOADER"),
        help: "How files with an extension are loaded: js, jsx, ts, tsx, json, jsonc, json5, toml, yaml, xml, md, text, file, dataurl, base64, bytes, wasm, napi; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Banner,
        long: "banner",
        value: FlagValue::String("TEXT"),
        help: "Text at the start of the output, such as `\"use client\"`",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Footer,
        long: "footer",
        value: FlagValue::String("TEXT"),
        help: "Text at the end of the output",
        ..ROW
    },
    FlagSpec {
        flag: Flag::JsxRuntime,
        long: "jsx-runtime",
        value: FlagValue::OneOf { name: "RUNTIME", choices: JSX_RUNTIMES },
        help: "How JSX is converted",
        ..ROW
    },
    FlagSpec {
        flag: Flag::JsxFactory,
        long: "jsx-factory",
        value: FlagValue::String("NAME"),
        help: "Function that classic JSX calls (default: React.createElement)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::JsxFragment,
        long: "jsx-fragment",
        value: FlagValue::String("NAME"),
        help: "Fragments of classic JSX (default: React.Fragment)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::JsxImportSource,
        long: "jsx-import-source",
        value: FlagValue::String("NAME"),
        help: "Package whose `jsx-runtime` automatic JSX imports (default: react)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::ReactFastRefresh,
        long: "react-fast-refresh",
        help: "Register components for React Fast Refresh; the page brings its runtime",
        ..ROW
    },
    FlagSpec {
        flag: Flag::RootDir,
        long: "root",
        value: FlagValue::Path("DIR"),
        help: "Directory that output paths are relative to (default: nearest one above all entry points)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::EmitDceAnnotations,
        long: "emit-dce-annotations",
        value: FlagValue::Negatable,
        help: "Keep `@__PURE__` comments (default: unless whitespace is minified)",
        ..ROW
    },
];
