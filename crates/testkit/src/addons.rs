//! Native addons: small ones of `fixtures/addons`, compiled by the machine's compiler with the
//! headers of `crates/node-api`. In: the program, and an addon's source. Out: what a program of
//! JavaScript prints that loads it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::project::Project;

/// A project with addons.
pub struct AddonProject {
    rusk: &'static str,
    project: Project,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl AddonProject {
    /// With one addon: `values.c` as `values.node`.
    pub fn new(rusk: &'static str, addon: &str) -> AddonProject {
        let project = AddonProject { rusk, project: Project::new() };
        project.compile(addon, &Path::new(addon).with_extension("node"));
        project
    }

    /// With one addon in a package of its own, which has its name.
    pub fn with_package(rusk: &'static str, addon: &str) -> AddonProject {
        let project = AddonProject { rusk, project: Project::new() };
        let name = Path::new(addon).with_extension("");
        let package = Path::new("node_modules").join(&name);
        std::fs::create_dir_all(project.project.path().join(&package)).expect("a new project");
        project.compile(addon, &package.join("index.node"));
        project
    }

    fn compile(&self, addon: &str, output: &Path) {
        let compiler = if addon.ends_with(".cc") { "c++" } else { "cc" };
        let compiled = Command::new(compiler)
            .args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"])
            .args([self.project.path().join(output), root().join("fixtures/addons").join(addon)])
            .arg("-I")
            .arg(root().join("crates/node-api/include"))
            .output()
            .expect("the machine has a compiler");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    }

    pub fn run(&self, arguments: &[&str], program: &str) -> Output {
        let mut command = Command::new(self.rusk);
        command.args(arguments).args(["-e", program]).current_dir(self.project.path());
        command.env_clear().env("PATH", "/usr/bin:/bin").output().expect("rusk starts")
    }

    /// Runs a program, which prints these lines.
    #[track_caller]
    pub fn check(&self, program: &str, wanted: &[&str]) {
        let output = self.run(&["--expose-gc"], program);
        let (said, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!((said.lines().collect::<Vec<_>>(), &*errors), (wanted.to_vec(), ""), "{program}");
    }

    /// The same with programs of a file in `fixtures/addons`: after each `> ` a program, then the
    /// lines that it prints.
    #[track_caller]
    pub fn check_all(&self, file: &str) {
        let text = std::fs::read_to_string(root().join("fixtures/addons").join(file));
        let text = text.unwrap_or_else(|error| panic!("{file}: {error}"));
        for case in text.split("\n> ").skip(1) {
            let (program, wanted) = case.split_once('\n').expect("a program is a line");
            self.check(program, &wanted.lines().collect::<Vec<_>>());
        }
    }
}
