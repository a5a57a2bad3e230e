//! Templates of `rusk init`: React applications with their server, a library. In: the kind. Out:
//! the files and fields of package.json, as text. Each result builds and tests itself.

/// What a new project is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starter {
    Blank,
    React(ReactStyle),
    Library,
}

/// What the components of a React application look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactStyle {
    Plain,
    Tailwind,
    /// Components in the project, over Tailwind CSS.
    Shadcn,
}

/// Paths, or names of fields, and what they contain.
type Texts = &'static [(&'static str, &'static str)];

impl Starter {
    /// Path of the entry point; `None`: as the project has it.
    pub fn entry(self) -> Option<&'static str> {
        match self {
            Starter::Blank => None,
            Starter::React(_) | Starter::Library => Some("src/index.ts"),
        }
    }

    /// Fields of package.json and their values as JSON.
    pub fn fields(self) -> Texts {
        match self {
            Starter::Blank => &[],
            Starter::React(ReactStyle::Plain) => &[
                ("scripts", REACT_SCRIPTS),
                ("dependencies", "{ \"react\": \"^19\", \"react-dom\": \"^19\" }"),
                (
                    "devDependencies",
                    "{ \"@types/bun\": \"^1\", \"@types/react\": \"^19\", \"@types/react-dom\": \"^19\", \
                     \"react-refresh\": \"^0.18\" }",
                ),
            ],
            Starter::React(ReactStyle::Tailwind) => &[
                ("scripts", TAILWIND_SCRIPTS),
                ("dependencies", TAILWIND_DEPENDENCIES),
                ("devDependencies", TAILWIND_TOOLS),
            ],
            Starter::React(ReactStyle::Shadcn) => &[
                ("scripts", TAILWIND_SCRIPTS),
                ("dependencies", SHADCN_DEPENDENCIES),
                ("devDependencies", TAILWIND_TOOLS),
            ],
            Starter::Library => &[
                ("exports", "{ \".\": \"./dist/index.js\" }"),
                ("files", "[\"dist\"]"),
                ("scripts", LIBRARY_SCRIPTS),
                ("devDependencies", "{ \"@types/bun\": \"^1\" }"),
            ],
        }
    }

    /// Paths and contents, besides those of every project.
    pub fn files(self) -> Vec<(&'static str, &'static str)> {
        let parts: &[Texts] = match self {
            Starter::Blank => &[],
            Starter::React(ReactStyle::Plain) => &[REACT_FILES, PLAIN_FILES],
            Starter::React(ReactStyle::Tailwind) => &[REACT_FILES, TAILWIND_STYLE, TAILWIND_FILES],
            Starter::React(ReactStyle::Shadcn) => &[REACT_FILES, SHADCN_FILES, TAILWIND_FILES],
            Starter::Library => &[LIBRARY_FILES],
        };
        parts.iter().copied().flatten().copied().collect()
    }

    /// `compilerOptions` of tsconfig.json that the template adds.
    pub fn compiler_options(self) -> &'static str {
        match self {
            Starter::React(ReactStyle::Shadcn) => {
                "    \"lib\": [\"ESNext\", \"DOM\", \"DOM.Iterable\"],\n    \"jsx\": \"react-jsx\",\n    \
                 \"paths\": { \"@/*\": [\"./src/*\"] },\n"
            }
            Starter::React(_) => {
                "    \"lib\": [\"ESNext\", \"DOM\", \"DOM.Iterable\"],\n    \"jsx\": \"react-jsx\",\n"
            }
            Starter::Blank | Starter::Library => "    \"lib\": [\"ESNext\"],\n",
        }
    }
}

const REACT_SCRIPTS: &str = include_str!("starter/react/scripts.json").trim_ascii_end();
const TAILWIND_SCRIPTS: &str = include_str!("starter/tailwind/scripts.json").trim_ascii_end();
const TAILWIND_TOOLS: &str = include_str!("starter/tailwind/devDependencies.json").trim_ascii_end();
const TAILWIND_DEPENDENCIES: &str = include_str!("starter/tailwind/dependencies.json").trim_ascii_end();
const SHADCN_DEPENDENCIES: &str = include_str!("starter/shadcn/dependencies.json").trim_ascii_end();
const LIBRARY_SCRIPTS: &str = include_str!("starter/library/scripts.json").trim_ascii_end();

/// What all React applications have.
const REACT_FILES: Texts = &[
    ("src/index.ts", include_str!("starter/react/index.ts")),
    ("src/index.html", include_str!("starter/react/index.html")),
    ("src/frontend.tsx", include_str!("starter/react/frontend.tsx")),
];

const PLAIN_FILES: Texts = &[
    ("src/App.tsx", include_str!("starter/react/App.tsx")),
    ("src/App.test.tsx", include_str!("starter/react/App.test.tsx")),
    ("src/index.css", include_str!("starter/react/index.css")),
    ("src/logo.svg", include_str!("starter/react/logo.svg")),
];

const TAILWIND_STYLE: Texts = &[
    ("src/App.tsx", include_str!("starter/tailwind/App.tsx")),
    ("src/index.css", include_str!("starter/tailwind/index.css")),
];

const SHADCN_FILES: Texts = &[
    ("src/App.tsx", include_str!("starter/shadcn/App.tsx")),
    ("src/components/ui/button.tsx", include_str!("starter/shadcn/button.tsx")),
    ("src/components/ui/card.tsx", include_str!("starter/shadcn/card.tsx")),
    ("src/lib/utils.ts", include_str!("starter/shadcn/utils.ts")),
    ("src/index.css", include_str!("starter/shadcn/index.css")),
    ("components.json", include_str!("starter/shadcn/components.json")),
];

/// What applications with Tailwind CSS have: the plugin, and what runs it.
const TAILWIND_FILES: Texts = &[
    ("src/App.test.tsx", include_str!("starter/react/App.test.tsx")),
    ("src/logo.svg", include_str!("starter/react/logo.svg")),
    ("tailwind.ts", include_str!("starter/tailwind/tailwind.ts")),
    ("build.ts", include_str!("starter/tailwind/build.ts")),
    ("bunfig.toml", include_str!("starter/tailwind/bunfig.toml")),
];

const LIBRARY_FILES: Texts = &[
    ("src/index.ts", include_str!("starter/library/index.ts")),
    ("src/index.test.ts", include_str!("starter/library/index.test.ts")),
];
