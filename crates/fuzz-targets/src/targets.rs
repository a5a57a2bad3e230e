//! Fuzz targets: everything that parses untrusted bytes, as plain functions. A panic is a finding.
//! A target also checks properties that hold for any input.

mod brotli_zstd;
mod bundler;
mod caches;
mod git;
mod html_rewriter;
mod http;
mod http2;
mod input;
mod install;
mod lockfiles;
mod modules;
mod npm;
mod query;
mod runtime;
mod scripts;
mod signatures;
mod store;
mod sysroot;
mod test_runner;
mod tls;
mod transpile;
mod websocket;
mod zlib;

use std::path::{Path, PathBuf};

/// One fuzzed parser.
#[derive(Clone, Copy)]
pub struct FuzzTarget {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Initial inputs, in addition to those of `fixtures/fuzz/<name>/`.
    pub(super) seeds: &'static [&'static str],
    /// Seeds that are not strings.
    pub(super) binary_seeds: fn() -> Vec<Vec<u8>>,
    /// Directories of the repository whose files are seeds too.
    pub(super) directories: &'static [&'static str],
}

/// Every target; `fuzz/` has one program for each.
pub const TARGETS: &[FuzzTarget] = &[
    text("address", runtime::address, ADDRESSES, &[]),
    text("advisories", query::advisories, query::ADVISORIES, &[]),
    FuzzTarget {
        name: "bun-binary-lockfile",
        run: lockfiles::bun_binary,
        seeds: &[],
        binary_seeds: lockfiles::bun_binary_seeds,
        directories: &[],
    },
    text("bundler", bundler::bundle, bundler::SEEDS, &[]),
    text("closure-uses", caches::closure_uses, caches::USES, &[]),
    text("cjs", transpile::cjs, PROGRAMS, &["fixtures/programs"]),
    FuzzTarget {
        name: "der",
        run: runtime::der,
        seeds: &[],
        binary_seeds: runtime::signatures,
        directories: &[],
    },
    FuzzTarget {
        name: "dns",
        run: runtime::dns,
        seeds: &[],
        binary_seeds: runtime::answers,
        directories: &[],
    },
    text("dotenv", runtime::dotenv, VARIABLES, &[]),
    text("edit", npm::edit, MANIFESTS, &["fixtures/interop"]),
    FuzzTarget {
        name: "elf",
        run: runtime::elf,
        seeds: &[],
        binary_seeds: runtime::shared_objects,
        directories: &[],
    },
    text("exec-record", caches::exec_record, caches::RECORDS, &[]),
    text("exports", modules::exports, EXPORTS, &["fixtures/modules"]),
    FuzzTarget {
        name: "frames",
        run: runtime::frames,
        seeds: &[],
        binary_seeds: runtime::streams,
        directories: &[],
    },
    text("git-source", git::source, git::SOURCES, &[]),
    FuzzTarget {
        name: "gunzip",
        run: caches::gunzip,
        seeds: &[],
        binary_seeds: caches::bodies,
        directories: &[],
    },
    FuzzTarget {
        name: "hpack",
        run: http2::hpack,
        seeds: &[],
        binary_seeds: http2::blocks,
        directories: &[],
    },
    text("html-rewriter", html_rewriter::pages, html_rewriter::PAGES, &[]),
    text("http", http::messages, MESSAGES, &[]),
    text("http-server", http::requests, MESSAGES, &[]),
    FuzzTarget {
        name: "http2",
        run: http2::sessions,
        seeds: &[],
        binary_seeds: http2::streams,
        directories: &[],
    },
    text("ignore-file", input::ignore_file, input::IGNORED, &[]),
    text("json", npm::json, JSON, &["fixtures/registry"]),
    text("json5", runtime::json5, JSON, &[]),
    text("jsonc", runtime::jsonc, JSON, &[]),
    text("license", query::license, query::LICENSES, &[]),
    text("lockfile", install::lockfile, LOCKFILES, &["fixtures/lockfiles"]),
    text("manifest", npm::manifest, MANIFESTS, &["fixtures/interop"]),
    text("npm-lockfile", lockfiles::npm, lockfiles::NPM, &[]),
    text("npmrc", npm::npmrc, SETTINGS, &[]),
    text("registry-document", query::registry_document, query::DOCUMENTS, &["fixtures/registry"]),
    text("package-description", query::package_description, query::DESCRIPTIONS, &["fixtures/registry"]),
    text("packument", npm::packument, PACKUMENTS, &["fixtures/registry"]),
    text("patch", npm::patch, npm::PATCHES, &[]),
    text("picker-keys", input::picker_keys, input::KEYS, &[]),
    text("pnpm-lockfile", lockfiles::pnpm, lockfiles::PNPM, &[]),
    text("query-record", query::record, query::RECORDS, &[]),
    text("range", npm::range, RANGES, &[]),
    text("record", install::record, install::RECORDS, &[]),
    text("scanner-answer", caches::scanner_answer, caches::ANSWERS, &[]),
    text("script-output", scripts::output, scripts::OUTPUTS, &[]),
    text("script-record", scripts::record, scripts::RECORDS, &[]),
    text("settings", lockfiles::settings, lockfiles::SETTINGS, &[]),
    text("signatures", signatures::signatures, signatures::SEEDS, &[]),
    text("source-map", transpile::source_map, MAPS, &[]),
    text("specifier", npm::specifier, SPECIFIERS, &[]),
    FuzzTarget { name: "tls", run: tls::records, seeds: &[], binary_seeds: tls::flights, directories: &[] },
    FuzzTarget {
        name: "certificate",
        run: tls::certificates,
        seeds: &[],
        binary_seeds: tls::pem,
        directories: &[],
    },
    text("test-events", test_runner::events, test_runner::EVENTS, &[]),
    FuzzTarget {
        name: "test-frames",
        run: test_runner::frames,
        seeds: &[],
        binary_seeds: test_runner::streams,
        directories: &[],
    },
    text("tsconfig", modules::tsconfig, TSCONFIGS, &["fixtures/modules"]),
    text("toml", runtime::toml, SETTINGS, &[]),
    text("transpile", transpile::transpile, PROGRAMS, &["fixtures/programs"]),
    text("version", npm::version, VERSIONS, &[]),
    FuzzTarget {
        name: "websocket",
        run: websocket::messages,
        seeds: &[],
        binary_seeds: websocket::streams,
        directories: &[],
    },
    text("workspace-filter", input::workspace_filter, input::FILTERS, &[]),
    text("workspace-globs", input::workspace_globs, input::GLOBS, &[]),
    text("yarn-berry-lockfile", lockfiles::yarn, lockfiles::YARN_BERRY, &[]),
    text("yarn-lockfile", lockfiles::yarn, lockfiles::YARN, &[]),
    text("markdown", runtime::markdown, runtime::MARKDOWN, &[]),
    text("xml", runtime::xml, runtime::XML, &[]),
    text("yaml", runtime::yaml, DOCUMENTS, &[]),
    text("catalog-edit", lockfiles::catalog_edit, lockfiles::CATALOGS, &[]),
    text("image", sysroot::image, IMAGES, &[]),
    FuzzTarget {
        name: "index",
        run: store::index,
        seeds: &[],
        binary_seeds: store::indexes,
        directories: &[],
    },
    FuzzTarget {
        name: "brotli",
        run: brotli_zstd::brotli,
        seeds: &[],
        binary_seeds: brotli_zstd::brotli_streams,
        directories: &[],
    },
    FuzzTarget {
        name: "zstd",
        run: brotli_zstd::zstd,
        seeds: &[],
        binary_seeds: brotli_zstd::zstd_streams,
        directories: &[],
    },
    FuzzTarget {
        name: "inflate",
        run: zlib::inflate,
        seeds: &[],
        binary_seeds: zlib::streams,
        directories: &[],
    },
    FuzzTarget {
        name: "inventory",
        run: store::inventory,
        seeds: &[],
        binary_seeds: store::inventories,
        directories: &[],
    },
    FuzzTarget {
        name: "program",
        run: sysroot::program,
        seeds: SCRIPTS,
        binary_seeds: sysroot::programs,
        directories: &[],
    },
    FuzzTarget {
        name: "tarball",
        run: store::tarball,
        seeds: &[],
        binary_seeds: store::tarballs,
        directories: &[],
    },
];

const fn text(
    name: &'static str,
    run: fn(&[u8]),
    seeds: &'static [&'static str],
    directories: &'static [&'static str],
) -> FuzzTarget {
    FuzzTarget { name, run, seeds, binary_seeds: Vec::new, directories }
}

/// An index, a manifest, a configuration.
const IMAGES: &[&str] = &[
    r#"{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.index.v1+json","size":7,
      "digest":"sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","platform":{"os":"linux","architecture":"amd64"}}]}"#,
    r#"{"config":{"digest":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"layers":[{"digest":"sha256:0"}]}"#,
    r#"{"architecture":"amd64","config":{"Env":["A=1","B"],"User":"me:7","WorkingDir":"/srv/../x","Entrypoint":["a"],"Cmd":["b"]}}"#,
];
/// A base, then a URL.
const ADDRESSES: &[&str] = &[
    "https://me:secret@example.test:8080/a/../b%2e/./c?d=e#f\n//other.test:443/x y?z'#\"",
    "file:///C:/a/b\n../../..//D|/e",
    "data:text/plain,a b \nblob:https://[::ffff:1.2.3.4]:0/x",
    "ws://0x7f.1/\n\\\\xn--mnchen-3ya.test\\a\\%zz",
    "a:/.//b?c\nHTTP:/\t/ex%41mple.test.\r",
    "\nnon-special://[1:2::3]:99999/",
    "http://127.0.0.1:3000/a/..b/%20?c='d\n/e/f.g/?h=i&j#k",
    "file:///a/b.js\nhttps://www.example.test/a//b?c#d",
];
/// Messages of clients and of servers, concatenated.
const MESSAGES: &[&str] = &[
    "GET /a?b HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: y\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 5\r\nA:\tb \r\n\r\nhello\r\nGET * HTTP/1.0\r\nConnection: close\r\n\r\n",
    "PUT http://a/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3;a=\"b\";c\r\nabc\r\n0\r\nT: u\r\n\r\nCONNECT a:1 HTTP/1.1\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n c\r\n\r\nhiHTTP/1.0 404 \r\n\r\nto the end",
    "HTTP/1.1 304\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 101 x\r\nUpgrade: y\r\nConnection: upgrade\r\n\r\nz",
];
const VARIABLES: &[&str] = &[
    "A=1\nexport B = two # why\nC='three\n lines' D\nE=\"$A ${B:-x} \\n \\$C\"\nF=`g`\n=h\nI",
    "\u{feff}A=$B\nB=$C$C\nC=$A${D:-${E}}\r\nF.g-h=i#j\nK: l\nM=\"n",
];
const SCRIPTS: &[&str] = &["#!/bin/sh\n", "#! /usr/bin/env node\n", "#!/bin/sh -e x", "#!", "text"];
/// Programs of every kind; some that would close an enclosing function.
const PROGRAMS: &[&str] = &[
    "import a, {b as c, 'd e' as f} from 'x' with {type: 'json'}; import * as g from 'y'\nc()\nf`x`; ({c, g} = a); export {c}",
    "export default class {}\nexport let {h, i: [j]} = await k; export * as l from 'z'; export function m() { return import.meta }",
    "export default async () => { try { await n } catch { await using o = p } finally { for await (q of r); } }",
    "#!/bin/x\nimport('s', {}); exports.t = require('u'); module.exports = {v, w: x, ...require('y')}; a<!--b",
    "enum A { B = 1 } namespace C { export const d: E = 1 } @f class G<H> { constructor(private i?: J) {} } export = K; let l = <M,>(n) => n as O",
    "@a.b @c() export class D extends (@e class {}) { @f @(g) static async *[h]() {} @i #j = () => D; @k get #l() {} accessor m = @n class {}; static { D } @o static accessor #p }",
    "const a = <b c={d} {...e}>f{g}<h.i/></b>, j = <></>;",
    "})(); evil(function () {",
    "`${a}` /* */ /[/]/.b\n-->\u{2028}//# sourceMappingURL=data:,",
    "Object.keys(_a).forEach(function (k) { if (k === 'default' || k === '__esModule') return; exports[k] = _a[k]; });",
    "Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return b.c; } });",
];
/// Maps, and source texts that end in one.
const MAPS: &[&str] = &[
    r#"{"version":3,"sourceRoot":"r","sources":["a","b"],"names":["n"],"mappings":"AAAA,IAAMA;;ACCN"}"#,
    "a\n//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IkFBQUEifQ==",
    "a\n/*# sourceMappingURL=a.js.map */",
];
const VERSIONS: &[&str] =
    &["1.2.3", "v1.2.3-beta.4+linux.5", "=  0.0.1-0", "1.2.3-rc.01", "9007199254740991.0.0"];
const RANGES: &[&str] = &[
    "^1.2.3 || ~2.3 || >=3.0.0-rc.1 <4",
    "1.2 - 2.3.4",
    "*",
    "x.1",
    "^0.0",
    "~> 1.x",
    ">1 <=2.0.0-0",
    "",
    "=v1.0.0+b",
];
const SPECIFIERS: &[&str] = &[
    "^1.2.3",
    "latest",
    "npm:@scope/left@1 || 2",
    "workspace:^",
    "file:../folder",
    "link:./x",
    "./left-1.0.0.tgz",
    "https://registry.test/left.tgz",
    "git+ssh://git@example.test:22/a/b.git#semver:^1",
    "github:a/b#v1.0.0",
    "patch:left@npm%3A^1.0.0#~/left.patch",
    "a/b#main",
    "git@example.test:a/b.git",
    "catalog:react17",
    "gist:11081aaa281",
    "bitbucket:a/b",
    "~/folder",
    "left@npm:right@^2",
];
const SETTINGS: &[&str] = &[
    "registry=http://registry.test/\n@scope:registry = 'http://127.0.0.1:4873/'\n//registry.test/:_authToken=${TOKEN}\n\
     ; comment\nomit[]=dev\nca[]=\"a\\nb\"\nstrict-ssl=false\nfetch-retries = 3\n[section]\nkey\n",
    "[install]\nregistry = { url = \"http://registry.test/\", token = \"$TOKEN\" }\nexact = true\n\
     [install.scopes]\nscope = \"http://127.0.0.1:1/\"\n[install.cache]\ndir = \"~/.cache\"\n",
];
/// A specifier, then a package.json.
const EXPORTS: &[&str] = &[
    "./x/y.js\n{\"exports\":{\".\":\"./a.js\",\"./x/*\":{\"node\":[\"bad\",\"./b/*\"],\"default\":null},\"./x/*.js\":\"./c/*/*\"}}",
    ".\n{\"exports\":{\"import\":\"./a.mjs\",\"0\":\"./b\",\"node\":{\"require\":\"./%2e%2e/c\",\"default\":\".//d\"}}}",
    "#a/b\n{\"imports\":{\"#a/*\":\"left/*\",\"#a\":\"node:fs\",\"#*\":\"./n%6fde_modules/*\"}}",
];
const TSCONFIGS: &[&str] = &[r#"{ // comment
      "extends": ["./base", "@scope/config"], "files": ["a.ts"], "include": ["src", "**/x/*.?s"], "exclude": ["out"],
      "references": [{ "path": "./sub" }], "compilerOptions": { "baseUrl": "${configDir}/src", "paths": { "@/*": ["./*", "../*"] }, }, }"#];
const DOCUMENTS: &[&str] = &[
    "%YAML 1.2\n---\na: &x {b: [1, 0x2, .nan], ? [c, d] : e}\n<<: [*x, {f: !!str 1}]\ng: |-\n  h\n  i\nj: >\n  k\n...\n---\n- *l",
    "- 'a''b'\n- \"\\u00e9\\n\"\n- ~\n- &m [*m]\n-\tn: !o p # q",
];
const JSON: &[&str] = &[
    r#"{"a":[1,-2.5e3,"t\u00e9\n",null,true,false,{}],"b":{"c":""}}"#,
    "// comment\n{ /* more */ \"a\": [1, 2,], }",
];
const MANIFESTS: &[&str] = &[
    r#"{"name":"@scope/app","version":"1.0.0-rc.1+b","workspaces":{"packages":["packages/*","!x"],"catalog":{"a":"1"}},
      "dependencies":{"left":"^1.0.0","right":"npm:left@2","ui":"workspace:*","f":"file:../f","g":"github:a/b#c"},
      "overrides":{"left":"1.3.0","right":{".":"2",  "left@^1":"$left"}},"resolutions":{"a/**/b":"1"},
      "peerDependencies":{"p":"*"},"peerDependenciesMeta":{"p":{"optional":true}},"bundleDependencies":["left"],
      "os":["!win32"],"cpu":"x64","libc":["glibc"],"engines":{"node":">=20"},"trustedDependencies":["left"]}"#,
];
/// One entry of every kind, and every rule.
const LOCKFILES: &[&str] = &[r#"{
  "lockfileVersion": 3, "configVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "left": "^1.0.0", "own": "npm:left@2", "f": "file:../f", "l": "link:../l", "t": "./t.tgz",
          "r": "http://registry.test/r.tgz", "g": "github:a/b#c", "h": "git+ssh://git@example.test/a/b.git" },
          "peerDependencies": { "p": "*" }, "optionalPeers": [ "p" ] },
    "packages/ui": { "name": "ui", "version": "1.0.0", "bin": { "ui": "cli.js" }, "dependencies": { "left": "catalog:", "app": "*" } },
  },
  "trustedDependencies": [ "left" ],
  "patchedDependencies": { "left@1.3.0": "patches/left.patch" },
  "overrides": { "left": "1.3.0", "own": { ".": "2", "left@^1": "1.3.0" } },
  "catalog": { "left": "^1.3.0" },
  "catalogs": { "old": { "left": "^1.0.0" } },
  "packages": {
    "app": [ "app@root:", { "bin": "cli.js" } ],
    "f": [ "f@file:../f", { "dependencies": { "left": "1" } } ],
    "g": [ "g@github:a/b#0123456", { "binDir": "bin" }, "a-b-0123456", "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" ],
    "h": [ "h@git+ssh://git@example.test/a/b.git#0123456789abcdef0123456789abcdef01234567", {}, "0123456789abcdef" ],
    "l": [ "l@link:../l", {} ],
    "left": [ "left@1.3.0", "", { "dependencies": { "own": "2" }, "optionalPeers": [ "p" ], "peerDependencies": { "p": "*" }, "os": "!win32", "cpu": [ "x64", "arm64" ] }, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" ],
    "own": [ "left@2.0.0", "http://registry.test/left-2.0.0.tgz", { "bundled": true }, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" ],
    "r": [ "r@http://registry.test/r.tgz", {}, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" ],
    "t": [ "t@./t.tgz", {} ],
    "ui": [ "ui@workspace:packages/ui" ],
    "left/own": [ "left@2.1.0", "", {}, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" ],
  }
}"#];
const PACKUMENTS: &[&str] =
    &[r#"{"name":"left","modified":"2024-02-29T12:30:00.123Z","dist-tags":{"latest":"1.10.0"},"versions":{
      "1.10.0":{"dependencies":{"b":"^1","a":"~2"},"optionalDependencies":{"c":"3"},"bin":{"left":"cli.js"},
      "dist":{"tarball":"http://registry.test/left-1.10.0.tgz","shasum":"00ff","integrity":"sha512-AA=="},
      "os":["linux"],"hasInstallScript":true,"deprecated":"no"},"2.0.0-rc.1":{},"1.2.0":{}},
      "time":{"created":"2020-01-01T00:00:00.000Z","1.2.0":"1970-01-02T00:00:01.000Z"}}"#];

impl FuzzTarget {
    pub fn find(name: &str) -> Option<&'static FuzzTarget> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// All initial inputs, always in the same order.
    pub fn all_seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds: Vec<Vec<u8>> = self.seeds.iter().map(|text| text.as_bytes().to_vec()).collect();
        seeds.extend((self.binary_seeds)());
        let found = format!("fixtures/fuzz/{}", self.name);
        for directory in self.directories.iter().copied().chain([found.as_str()]) {
            let mut paths = Vec::new();
            files_below(&repository_root().join(directory), &mut paths);
            paths.sort();
            seeds.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
        }
        seeds
    }
}

/// The repository's root.
pub(crate) fn repository_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_below(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&entry.path(), paths),
            Ok(kind) if kind.is_file() => paths.push(entry.path()),
            _ => {}
        }
    }
}
