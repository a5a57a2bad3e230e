//! Generated suites of tests, for `cargo xtask bench test`. In: how many files, tests and modules.
//! Out: files, in the words of a test runner. All tests pass and do as good as nothing, so that
//! what is measured is the runner.

use crate::files;
use std::fmt::Write;
use std::path::Path;

pub const ONE: &str = "1 file x 10,000 tests";
pub const FILES: &str = "1,000 files x 10 tests";
pub const MODULES: &str = "200 files x 50 modules";

pub const SUITES: [Suite; 3] = [
    Suite { name: ONE, files: 1, tests: 10_000, modules: 0 },
    Suite { name: FILES, files: 1000, tests: 10, modules: 0 },
    Suite { name: MODULES, files: 200, tests: 10, modules: 50 },
];

pub struct Suite {
    pub name: &'static str,
    files: usize,
    /// Of each file.
    tests: usize,
    /// Modules that each file imports, the same ones.
    modules: usize,
}

/// Whose words test files are written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Bun,
    Node,
    Vitest,
    Jest,
}

impl Dialect {
    pub const ALL: [Dialect; 4] = [Dialect::Bun, Dialect::Node, Dialect::Vitest, Dialect::Jest];

    pub fn name(self) -> &'static str {
        match self {
            Dialect::Bun => "bun",
            Dialect::Node => "node",
            Dialect::Vitest => "vitest",
            Dialect::Jest => "jest",
        }
    }

    /// node runs TypeScript from 22.18 on, jest with a compiler; both get JavaScript.
    fn extension(self) -> &'static str {
        match self {
            Dialect::Bun | Dialect::Vitest => "ts",
            Dialect::Node => "mjs",
            Dialect::Jest => "js",
        }
    }

    fn head(self) -> &'static str {
        match self {
            Dialect::Bun => "import { describe, expect, test } from 'bun:test';\n",
            Dialect::Vitest => "import { describe, expect, test } from 'vitest';\n",
            Dialect::Node => {
                "import assert from 'node:assert';\nimport { describe, test } from 'node:test';\n"
            }
            Dialect::Jest => "",
        }
    }

    fn import(self, module: usize) -> String {
        match self {
            Dialect::Jest => format!("const {{ value: m{module} }} = require('./modules/m{module}.js');\n"),
            _ => {
                let extension = self.extension();
                format!("import {{ value as m{module} }} from './modules/m{module}.{extension}';\n")
            }
        }
    }

    fn module(self, module: usize) -> String {
        match self {
            Dialect::Jest => format!("exports.value = {module};\nexports.double = (n) => n * 2;\n"),
            Dialect::Node => format!("export const value = {module};\nexport const double = (n) => n * 2;\n"),
            Dialect::Bun | Dialect::Vitest => {
                format!(
                    "export const value: number = {module};\nexport const double = (n: number) => n * 2;\n"
                )
            }
        }
    }

    fn test(self, number: usize) -> String {
        let sum = number + 1;
        let body = match self {
            Dialect::Node => format!("assert.strictEqual({number} + 1, {sum});"),
            _ => format!("expect({number} + 1).toBe({sum});"),
        };
        format!("  test('case {number}', () => {{ {body} }});\n")
    }
}

impl Suite {
    pub fn generate(&self, directory: &Path, dialect: Dialect) -> Result<(), String> {
        files::empty(directory)?;
        files::write(&directory.join("package.json"), "{ \"name\": \"suite\", \"private\": true }\n")?;
        let extension = dialect.extension();
        for module in 0..self.modules {
            let path = directory.join(format!("modules/m{module}.{extension}"));
            files::write(&path, &dialect.module(module))?;
        }
        for file in 0..self.files {
            let path = directory.join(format!("f{file}.test.{extension}"));
            files::write(&path, &self.file(file, dialect))?;
        }
        Ok(())
    }

    fn file(&self, file: usize, dialect: Dialect) -> String {
        let mut text = dialect.head().to_owned();
        (0..self.modules).for_each(|module| text += &dialect.import(module));
        let _ = writeln!(text, "describe('group {file}', () => {{");
        (0..self.tests).for_each(|test| text += &dialect.test(test));
        // Each module is used.
        let names: Vec<String> = (0..self.modules).map(|module| format!("m{module}")).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "  test('modules', () => {{ [{}].forEach(String); }});", names.join(", "));
        }
        text + "});\n"
    }
}
