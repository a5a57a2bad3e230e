//! Tests of the directories of global packages, and of paths on the command line.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_install::HostEnvironment;
use rusk_testkit::project::Project;

use super::{GlobalDirectories, absolute_specifier};

pub fn host(home: &Path, variables: &[(&str, &str)]) -> HostEnvironment {
    HostEnvironment {
        current_dir: home.to_owned(),
        home_dir: Some(home.to_owned()),
        environment: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect::<BTreeMap<_, _>>(),
        processors: || 1,
        now_s: 0,
        user_agent: String::new(),
        script_output: rustix::stdio::stderr(),
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    }
}

#[test]
fn directories_are_those_of_bun() {
    let check = |bunfig: &str, variables: &[(&str, &str)], packages: &str, programs: &str| {
        let project = Project::with(&[(".bunfig.toml", bunfig)]);
        let found = GlobalDirectories::find(&host(&project.path(), variables)).expect("directories");
        let shown =
            |path: &Path| path.display().to_string().replace(&project.path().display().to_string(), "~");
        assert_eq!((shown(&found.packages).as_str(), shown(&found.programs).as_str()), (packages, programs));
    };
    let bunfig = "[install]\nglobalDir = \"~/packages\"\nglobalBinDir = \"/opt/bin\"\n";
    check("", &[], "~/.bun/install/global", "~/.bun/bin");
    check("", &[("BUN_INSTALL", "/bun")], "/bun/install/global", "/bun/bin");
    check("", &[("BUN_INSTALL", "bun")], "~/.bun/install/global", "~/.bun/bin");
    check(bunfig, &[("BUN_INSTALL", "/bun")], "~/packages", "/opt/bin");
    check(bunfig, &[("BUN_INSTALL_GLOBAL_DIR", "/a"), ("BUN_INSTALL_BIN", "/b")], "/a", "/b");
}

#[test]
fn paths_are_absolute_in_the_global_project() {
    let check = |text, expected| assert_eq!(absolute_specifier(text, Path::new("/home/me")), expected);
    check("./tool", "/home/me/tool");
    check("../tool-1.0.0.tgz", "/home/tool-1.0.0.tgz");
    check(".", "/home/me");
    check("file:tool", "file:/home/me/tool");
    check("tool@./a@b", "tool@/home/me/a@b");
    check("tool@link:../tool", "tool@link:/home/tool");
    check("@scope/tool@file:./x", "@scope/tool@file:/home/me/x");
    for same in ["tool", "tool@1", "@scope/tool@^2", "/opt/tool", "user/repo", "npm:tool@1", "file:/opt/x"] {
        check(same, same);
    }
}

#[test]
fn a_directory_on_path_needs_no_hint() {
    let project = Project::new();
    let check = |path: &str, expected| {
        let host = host(&project.path(), &[("BUN_INSTALL", "/bun"), ("PATH", path)]);
        assert_eq!(
            GlobalDirectories::find(&host).expect("directories").is_on_path(&host),
            expected,
            "{path}"
        );
    };
    check("/usr/bin:/bun/bin/", true);
    check("/bun/x/../bin", true);
    check("/usr/bin:/bun", false);
    check("", false);
}
