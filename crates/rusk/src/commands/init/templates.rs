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
                ("src/index.ts", include_str!("templates/react/index.ts")),
                ("src/index.html", include_str!("templates/react/index.html")),
                ("src/frontend.tsx", include_str!("templates/react/frontend.tsx")),
                ("src/App.tsx", include_str!("templates/react/App.tsx")),
                ("src/App.test.tsx", include_str!("templates/react/App.test.tsx")),
                ("src/index.css", include_str!("templates/react/index.css")),
                ("src/logo.svg", include_str!("templates/react/logo.svg")),
            ],
            Template::Library => &[
                ("src/index.ts", include_str!("templates/library/index.ts")),
                ("src/index.test.ts", include_str!("templates/library/index.test.ts")),
            ],
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

const REACT_SCRIPTS: &str = include_str!("templates/react/scripts.json").trim_ascii_end();
const LIBRARY_SCRIPTS: &str = include_str!("templates/library/scripts.json").trim_ascii_end();
