//! Projects of `cargo xtask bench build`, below a directory where packages of the npm registry are
//! installed. In: nothing. Out: files; the output that a bundle of them prints.

use crate::files;
use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

pub const THREE: &str = "three.js x 10, minified";
pub const THREE_PLAIN: &str = "three.js x 10";
pub const REACT: &str = "React, minified";
pub const WORKSPACE: &str = "workspace, minified";
pub const EMPTY: &str = "empty file";

/// A project, and how it is bundled.
pub struct BuildProject {
    pub case: &'static str,
    pub directory: &'static str,
    pub entry: &'static str,
    pub is_minified: bool,
    /// What the bundle prints when it is run; `None`: it prints nothing of interest.
    pub output: Option<fn() -> String>,
}

pub const PROJECTS: &[BuildProject] = &[
    BuildProject { case: THREE, directory: "three", entry: "./entry.js", is_minified: true, output: None },
    BuildProject {
        case: THREE_PLAIN,
        directory: "three",
        entry: "./entry.js",
        is_minified: false,
        output: None,
    },
    BuildProject {
        case: REACT,
        directory: "react",
        entry: "./main.jsx",
        is_minified: true,
        output: Some(react_output),
    },
    BuildProject {
        case: WORKSPACE,
        directory: "workspace",
        entry: "./main.ts",
        is_minified: true,
        output: Some(workspace_output),
    },
    BuildProject { case: EMPTY, directory: "empty", entry: "./main.js", is_minified: false, output: None },
];

/// Projects of other versions are written again.
const VERSION: &str = "2";
const COPIES: usize = 10;
const COMPONENTS: usize = 500;
/// Components that a component renders.
const CHILDREN: usize = 3;
const WORKSPACE_PACKAGES: usize = 50;
const WORKSPACE_MODULES: usize = 100;

/// Writes all projects, unless they are there.
pub fn write(top: &Path) -> Result<(), String> {
    if files::find(&top.join("written")).is_some_and(|version| version == VERSION) {
        return Ok(());
    }
    three(top)?;
    react(&top.join("react"))?;
    workspace(&top.join("workspace"))?;
    files::write(&top.join("empty/main.js"), "")?;
    files::write(&top.join("written"), VERSION)
}

fn three(top: &Path) -> Result<(), String> {
    let mut entry = String::new();
    for copy in 1..=COPIES {
        files::copy(&top.join("node_modules/three/src"), &top.join(format!("three/copy{copy}")))?;
        let _ = writeln!(
            entry,
            "import * as copy{copy} from \"./copy{copy}/Three.js\"; export {{ copy{copy} }};"
        );
    }
    files::write(&top.join("three/entry.js"), &entry)
}

/// A tree of components that uses hooks, conditions and lists, rendered to text.
fn react(top: &Path) -> Result<(), String> {
    for index in 0..COMPONENTS {
        files::write(&top.join(format!("components/Part{index}.jsx")), &component(index))?;
    }
    files::write(
        &top.join("main.jsx"),
        "import { renderToStaticMarkup } from \"react-dom/server.browser\";\n\
         import { Part0 } from \"./components/Part0.jsx\";\n\
         const markup = renderToStaticMarkup(<Part0 depth={0} title=\"application\" />);\n\
         console.log(markup.split(\"<section\").length - 1);\n\
         // A channel of the scheduler would keep the program alive.\n\
         globalThis.process?.exit(0);\n",
    )
}

/// Components are the nodes of a tree in the order of their level.
fn children(index: usize) -> impl Iterator<Item = usize> {
    (1..=CHILDREN).map(move |child| index * CHILDREN + child).filter(|&child| child < COMPONENTS)
}

fn component(index: usize) -> String {
    let mut text = "import { memo, useCallback, useEffect, useMemo, useState } from \"react\";\n".to_owned();
    let mut rendered = String::new();
    for child in children(index) {
        let _ = writeln!(text, "import {{ Part{child} }} from \"./Part{child}.jsx\";");
        let _ = writeln!(
            rendered,
            "        <Part{child} depth={{depth + 1}} title={{`${{title}} ${{label}}`}} />"
        );
    }
    let _ = write!(
        text,
        "\nconst LIMIT_{index} = {index};\n\n\
         function Entry{index}({{ item, onSelect, isSelected }}) {{\n  \
           return (\n    \
             <li className={{isSelected ? \"entry selected\" : \"entry\"}} onClick={{() => onSelect(item.id)}}>\n      \
               <span>{{item.name}}</span>\n      \
               {{item.count > LIMIT_{index} ? <b>{{item.count}}</b> : null}}\n    \
             </li>\n  \
           );\n}}\n\n\
         export const Part{index} = memo(function Part{index}({{ depth, title }}) {{\n  \
           const [selected, setSelected] = useState(null);\n  \
           const label = `part {index}`;\n  \
           const items = useMemo(\n    \
             () => [1, 2, 3].map((number) => ({{ id: number, name: `${{label}}.${{number}}`, count: number * depth }})),\n    \
             [depth, label],\n  \
           );\n  \
           const select = useCallback((id) => setSelected((old) => (old === id ? null : id)), []);\n  \
           useEffect(() => {{\n    \
             document.title = selected === null ? title : `${{title}}: ${{selected}}`;\n  \
           }}, [selected, title]);\n  \
           if (depth > 50) {{\n    \
             return null;\n  \
           }}\n  \
           return (\n    \
             <section data-depth={{depth}}>\n      \
               <h2>{{title}}</h2>\n      \
               <ul>\n        \
                 {{items.map((item) => (\n          \
                   <Entry{index} key={{item.id}} item={{item}} onSelect={{select}} isSelected={{item.id === selected}} />\n        \
                 ))}}\n      \
               </ul>\n{rendered}    \
             </section>\n  \
           );\n}});\n"
    );
    text
}

fn react_output() -> String {
    COMPONENTS.to_string()
}

/// Packages that import each other by name, with the syntax that TypeScript adds.
fn workspace(top: &Path) -> Result<(), String> {
    let mut main = String::new();
    let mut sum = String::new();
    for package in 0..WORKSPACE_PACKAGES {
        let directory = top.join(format!("packages/part{package}"));
        let name = format!("@bench/part{package}");
        files::write(
            &directory.join("package.json"),
            &format!("{{ \"name\": \"{name}\", \"type\": \"module\", \"exports\": \"./src/index.ts\" }}\n"),
        )?;
        let mut index = String::new();
        for module in 0..WORKSPACE_MODULES {
            files::write(&directory.join(format!("src/module{module}.ts")), &typescript(package, module))?;
            let _ = writeln!(index, "export * from \"./module{module}.ts\";");
        }
        files::write(&directory.join("src/index.ts"), &index)?;
        let last = WORKSPACE_MODULES - 1;
        let _ = writeln!(main, "import {{ total{last} as total{package} }} from \"{name}\";");
        let _ = writeln!(sum, "sum += total{package}({package});");
    }
    links(top)?;
    files::write(&top.join("main.ts"), &format!("{main}let sum: number = 0;\n{sum}console.log(sum);\n"))
}

fn links(top: &Path) -> Result<(), String> {
    let scope = top.join("node_modules/@bench");
    files::empty(&scope)?;
    for package in 0..WORKSPACE_PACKAGES {
        let target = format!("../../packages/part{package}");
        symlink(target, scope.join(format!("part{package}"))).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A module that uses the one before it, and the first of the package before its own.
fn typescript(package: usize, module: usize) -> String {
    let mut text = String::new();
    let mut before = "0".to_owned();
    if module > 0 {
        let previous = module - 1;
        let _ = writeln!(
            text,
            "import {{ total{previous}, type Shape{previous} }} from \"./module{previous}.ts\";"
        );
        let _ =
            writeln!(text, "export type Before{module} = Shape{previous} & {{ readonly module: {module} }};");
        before = format!("total{previous}(value)");
    } else if package > 0 {
        let _ = writeln!(text, "import {{ Level0 as Other }} from \"@bench/part{}\";", package - 1);
        before = "Number(Other.High)".to_owned();
    }
    let _ = write!(
        text,
        "\nexport enum Level{module} {{\n  Low = 1,\n  High = Low + 2,\n}}\n\n\
         export interface Shape{module} {{\n  name: string;\n  level: Level{module};\n  area?: number;\n}}\n\n\
         abstract class Figure{module}<T extends Shape{module}> {{\n  \
           protected readonly shapes: T[] = [];\n  \
           constructor(private readonly factor: number, public label: string = \"figure {module}\") {{}}\n  \
           abstract measure(shape: T): number;\n  \
           add(shape: T): this {{\n    this.shapes.push(shape);\n    return this;\n  }}\n  \
           total(): number {{\n    \
             return this.shapes.reduce((sum, shape) => sum + this.measure(shape) * this.factor, 0);\n  }}\n}}\n\n\
         export class Square{module} extends Figure{module}<Shape{module}> {{\n  \
           override measure(shape: Shape{module}): number {{\n    \
             return (shape.area ?? 1) + (shape.level === Level{module}.High ? 1 : 0);\n  }}\n}}\n\n\
         export function total{module}(value: number): number {{\n  \
           const figure = new Square{module}(1).add({{ name: \"one\", level: Level{module}.High, area: value }});\n  \
           return figure.total() + {before};\n}}\n"
    );
    text
}

fn workspace_output() -> String {
    let total = |package: usize| {
        // `area + 1` in each module, and `Level0.High` of the package before.
        let first = if package > 0 { 3 } else { 0 };
        WORKSPACE_MODULES * (package + 1) + first
    };
    (0..WORKSPACE_PACKAGES).map(total).sum::<usize>().to_string()
}
