//! Templates of `rusk init`: a React application with its server, a library. In: the kind. Out: the
//! files and fields of package.json, as text. Each result builds and tests itself.

/// What a new project is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    Blank,
    React,
    Library,
}

impl Template {
    /// Path of the entry point; `None`: as the project has it.
    pub fn entry(self) -> Option<&'static str> {
        match self {
            Template::Blank => None,
            Template::React | Template::Library => Some("src/index.ts"),
        }
    }

    /// Fields of package.json and their values as JSON.
    pub fn fields(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Template::Blank => &[],
            Template::React => &[
                ("scripts", REACT_SCRIPTS),
                ("dependencies", "{ \"react\": \"^19\", \"react-dom\": \"^19\" }"),
                (
                    "devDependencies",
                    "{ \"@types/bun\": \"^1\", \"@types/react\": \"^19\", \"@types/react-dom\": \"^19\", \
                     \"react-refresh\": \"^0.18\" }",
                ),
            ],
            Template::Library => &[
                ("exports", "{ \".\": \"./dist/index.js\" }"),
                ("files", "[\"dist\"]"),
                ("scripts", LIBRARY_SCRIPTS),
                ("devDependencies", "{ \"@types/bun\": \"^1\" }"),
            ],
        }
    }

    /// Paths and contents, besides those of every project.
    pub fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Template::Blank => &[],
            Template::React => &[
                ("src/index.ts", REACT_SERVER),
                ("src/index.html", REACT_PAGE),
                ("src/frontend.tsx", REACT_FRONTEND),
                ("src/App.tsx", REACT_APP),
                ("src/App.test.tsx", REACT_TEST),
                ("src/index.css", REACT_STYLES),
                ("src/logo.svg", REACT_LOGO),
            ],
            Template::Library => &[("src/index.ts", LIBRARY), ("src/index.test.ts", LIBRARY_TEST)],
        }
    }

    /// `compilerOptions` of tsconfig.json that the template adds.
    pub fn compiler_options(self) -> &'static str {
        match self {
            Template::React => {
                "    \"lib\": [\"ESNext\", \"DOM\", \"DOM.Iterable\"],\n    \"jsx\": \"react-jsx\",\n"
            }
            Template::Blank | Template::Library => "",
        }
    }
}

const REACT_SCRIPTS: &str = r#"{
    "dev": "rusk --hot src/index.ts",
    "build": "rusk build src/index.html --outdir=dist --production",
    "start": "NODE_ENV=production rusk src/index.ts",
    "test": "rusk test"
  }"#;

const REACT_SERVER: &str = r#"import page from './index.html';

const server = Bun.serve({
  development: process.env.NODE_ENV !== 'production',
  routes: {
    '/*': page,
    '/api/hello': {
      GET: () => Response.json({ message: 'Hello, world!' }),
    },
  },
});

console.log(`server: ${server.url}`);
"#;

const REACT_PAGE: &str = r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>rusk + React</title>
    <link rel="icon" href="./logo.svg">
    <link rel="stylesheet" href="./index.css">
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="./frontend.tsx"></script>
  </body>
</html>
"#;

const REACT_FRONTEND: &str = r#"import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './App';

const app = <StrictMode><App /></StrictMode>;
const element = document.getElementById('root')!;
// The root outlives new versions of this module.
const root: Root = (import.meta.hot.data.root ??= createRoot(element));
root.render(app);
"#;

const REACT_APP: &str = r#"import { useState } from 'react';
import logo from './logo.svg';

export function App() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <img src={logo} alt="" width={96} height={96} />
      <h1>Hello</h1>
      <button onClick={() => setCount(count + 1)}>count: {count}</button>
    </main>
  );
}
"#;

const REACT_TEST: &str = r#"import { expect, test } from 'bun:test';
import { renderToString } from 'react-dom/server';
import { App } from './App';

test('App greets', () => {
  expect(renderToString(<App />)).toContain('<h1>Hello</h1>');
});
"#;

const REACT_STYLES: &str = r#":root {
  color-scheme: light dark;
  font-family: system-ui, sans-serif;
}

main {
  display: grid;
  gap: 1rem;
  justify-items: center;
  margin-top: 20vh;

  & button {
    padding: 0.5rem 1rem;
    font: inherit;
  }
}
"#;

const REACT_LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="40" fill="#d9572b"/></svg>
"##;

const LIBRARY_SCRIPTS: &str = r#"{
    "build": "rusk build src/index.ts --outdir=dist --target=node --packages=external",
    "test": "rusk test",
    "prepublishOnly": "rusk run build"
  }"#;

const LIBRARY: &str = r"/** The sum of all numbers. */
export function sum(...numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
";

const LIBRARY_TEST: &str = r"import { expect, test } from 'bun:test';
import { sum } from '.';

test('sum adds all numbers', () => {
  expect(sum()).toBe(0);
  expect(sum(1, 2, 3)).toBe(6);
});
";
