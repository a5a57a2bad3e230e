//! The programs that are compared: tools and libraries of the npm registry. In: nothing. Out: a
//! table; the arguments are relative to the project. Absent: the projects
//! (`fixtures/real-programs`).

/// A program of a project.
pub struct ProgramRun {
    pub name: &'static str,
    /// Of `fixtures/real-programs`.
    pub project: &'static str,
    /// The package whose version is reported.
    pub package: &'static str,
    /// The file that is run, and its arguments.
    pub arguments: &'static [&'static str],
}

const TSC: &str = "node_modules/typescript/bin/tsc";
const ESLINT: &str = "node_modules/eslint/bin/eslint.js";

const fn run_of(
    name: &'static str,
    project: &'static str,
    package: &'static str,
    arguments: &'static [&'static str],
) -> ProgramRun {
    ProgramRun { name, project, package, arguments }
}

/// Type checks the source of a library.
pub const TYPES: ProgramRun = run_of(
    "tsc --noEmit, a library",
    "tsc",
    "typescript",
    &[TSC, "--pretty", "false", "-p", "tsconfig.zod.json"],
);
/// Lints the source of a linter.
pub const LINT: ProgramRun = run_of("eslint, a program", "eslint", "eslint", &[ESLINT, "lib"]);

pub const RUNS: &[ProgramRun] = &[
    run_of("tsc --noEmit, with errors", "tsc", "typescript", &[TSC, "--noEmit", "--pretty", "false"]),
    TYPES,
    run_of("eslint, with errors", "eslint", "eslint", &[ESLINT, "src"]),
    LINT,
    run_of(
        "prettier --check",
        "prettier",
        "prettier",
        &["node_modules/prettier/bin/prettier.cjs", "--check", "."],
    ),
    run_of("webpack", "webpack", "webpack", &["build.cjs"]),
    run_of(
        "rollup",
        "rollup",
        "@rollup/wasm-node",
        &["node_modules/@rollup/wasm-node/dist/bin/rollup", "-c", "--silent"],
    ),
    run_of("mocha", "mocha", "mocha", &["node_modules/mocha/bin/mocha.js", "--reporter", "tap", "test/*"]),
    run_of(
        "terser",
        "terser",
        "terser",
        &["node_modules/terser/bin/terser", "input.js", "--module", "-c", "-m"],
    ),
    run_of("svgo", "svgo", "svgo", &["node_modules/svgo/bin/svgo.js", "-i", "in.svg", "-o", "-"]),
    run_of("sass", "sass", "sass", &["node_modules/sass/sass.js", "--no-source-map", "in.scss"]),
    run_of(
        "markdown-it",
        "markdown-it",
        "markdown-it",
        &["node_modules/markdown-it/bin/markdown-it.mjs", "page.md"],
    ),
    run_of("npm ls", "npm", "npm", &["node_modules/npm/bin/npm-cli.js", "ls", "--all"]),
    run_of("React to a string", "react", "react-dom", &["render.cjs"]),
    // Network and cryptography.
    run_of("undici: TLS, HTTP/2", "network", "undici", &["undici.mjs"]),
    run_of("axios: TLS, HTTP/2", "network", "axios", &["axios.mjs"]),
    run_of("got: TLS, HTTP/2", "network", "got", &["got.mjs"]),
    run_of("nodemailer: STARTTLS", "network", "nodemailer", &["nodemailer.mjs"]),
    run_of("pg: PostgreSQL with TLS", "network", "pg", &["pg.mjs"]),
    run_of("jose", "network", "jose", &["jose.mjs"]),
    run_of("jsonwebtoken", "network", "jsonwebtoken", &["jsonwebtoken.cjs"]),
    run_of("gRPC: unary and streams", "network", "@grpc/grpc-js", &["grpc.mjs"]),
    run_of("openssl, curl, nghttp, h2load as clients", "network", "undici", &["tools.mjs"]),
    // Native addons.
    run_of("vite 7 build, React", "vite7", "vite", &["run.mjs", "react.config.js"]),
    run_of("vite 7 build, Vue", "vite7", "vite", &["run.mjs", "vue.config.js"]),
    run_of("vite 8 build, React", "vite8", "vite", &["run.mjs", "react.config.js"]),
    run_of("vite 8 build, Vue", "vite8", "vite", &["run.mjs", "vue.config.js"]),
    run_of("lightningcss and tailwindcss", "addons", "tailwindcss", &["css.mjs"]),
    run_of(
        "tailwindcss as a command",
        "addons",
        "@tailwindcss/cli",
        &[
            "node_modules/@tailwindcss/cli/dist/index.mjs",
            "-i",
            "input.css",
            "-o",
            "out/output.css",
            "--minify",
        ],
    ),
    run_of("@swc/core", "addons", "@swc/core", &["swc.mjs"]),
    run_of("esbuild's API", "addons", "esbuild", &["esbuild.mjs"]),
    run_of("sharp", "addons", "sharp", &["sharp.mjs"]),
    run_of("bcrypt and argon2", "addons", "argon2", &["passwords.mjs"]),
    run_of("sqlite3, lmdb, msgpackr-extract, duckdb", "addons", "sqlite3", &["databases.mjs"]),
    run_of("better-sqlite3", "addons", "better-sqlite3", &["better-sqlite3.cjs"]),
    run_of("node-pty, @parcel/watcher, @napi-rs/canvas", "addons", "node-pty", &["system.mjs"]),
    run_of("serialport, zeromq, koffi, sodium-native", "libuv", "serialport", &["devices.mjs"]),
    run_of("prisma's client engine", "prisma", "@prisma/client", &["prisma.mjs"]),
    run_of("next build and start", "next", "next", &["next.mjs", "--turbopack"]),
    run_of("next build and start, webpack", "next", "next", &["next.mjs", "--webpack"]),
    run_of("nuxt build, and its server", "nuxt", "nuxt", &["nuxt.mjs"]),
    run_of("astro build", "astro", "astro", &["run.mjs"]),
    run_of("ng build", "angular", "@angular/build", &["run.mjs"]),
    run_of("vitest", "vitest", "vitest", &["run.mjs"]),
    run_of("jest", "jest", "jest", &["run.mjs"]),
    run_of("storybook build", "storybook", "storybook", &["storybook.mjs"]),
    run_of("parcel build", "parcel", "parcel", &["run.mjs"]),
    run_of("rspack build", "rspack", "@rspack/core", &["node_modules/@rspack/cli/bin/rspack.js", "build"]),
    run_of("nx", "nx", "nx", &["nx.mjs"]),
    run_of("msw: http, https, fetch", "msw", "msw", &["requests.mjs"]),
    run_of("typedoc", "typedoc", "typedoc", &["run.mjs"]),
    run_of(
        "playwright --version",
        "playwright",
        "playwright",
        &["node_modules/playwright/cli.js", "--version"],
    ),
];
