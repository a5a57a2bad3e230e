//! Fuzz targets of `rusk-install`: lockfiles, which come with every cloned project, and the state
//! of the last install, which may.

use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::time::{SystemTime, UNIX_EPOCH};

use rusk_base::sys;
use rusk_install::foreign_node_modules;
use rusk_npm::bun_lock::{self, Lockfile};
use rusk_npm::credential;
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_testkit::project::Project;

/// A lockfile that parses can be laid out and written, and parses again as itself.
pub fn lockfile(input: &[u8]) {
    let Ok(parsed) = bun_lock::parse(&String::from_utf8_lossy(input)) else { return };
    let Some(written) = rendered(parsed) else { return };
    let again = bun_lock::parse(&written).expect("what was written can be read");
    assert_eq!(rendered(again).as_ref(), Some(&written), "written otherwise the second time");
}

/// `None` if the tree is refused: too deep, or too large.
fn rendered(mut lockfile: Lockfile) -> Option<String> {
    let tree = hoist(&mut lockfile.graph, &AllDependencies).ok()?;
    Some(bun_lock::render(&lockfile, &tree, credential::default_registry()))
}

/// Both state files of one project; placeholders are replaced by fingerprints.
pub const RECORDS: &[&str] = &[
    "rusk installed 4\nlayout\thoisted\nnode_modules/@s/ui\tstamp\t1 2\nnode_modules/left\tstamp\t%left%\n\
     node_modules/out/left\tstamp\t%left%\nnode_modules/link\tplace:node_modules/left\t=\n\
     node_modules\t!!%changed%\nnode_modules/@s\t1 2\nnode_modules/.bin\t!%changed%\nend\n",
    "rusk installed 4\nlayout\tglobal\nnode_modules/.bun/a/node_modules/a\tb\t-1 2\nnode_modules/out\t!!1 2\nnode_modules\t%changed%\nend\n",
    "rusk installed 4\nlayout\tisolated\nnode_modules/out/left\tstamp\t%left%\nnode_modules/left\tstamp\t%left%\n\
     node_modules/out/link\tplace:node_modules/left\t=\nnode_modules/out\t1 2\nnode_modules\t!!1 2\nend\n",
    "rusk still 5\n-\nfeed\n2\n!%whole%\tnode_modules\n!-\tpackage.json\n?-\t../.npmrc\nend",
];

/// A project from somewhere else, with a symbolic link out of it, and the fingerprints of its
/// directories.
struct ClonedProject {
    project: Project,
    left: String,
    changed: String,
    whole: String,
}

impl ClonedProject {
    fn new() -> ClonedProject {
        let project = Project::in_memory();
        project.write("node_modules/left/package.json", "{}").write("node_modules/@s/ui/package.json", "{}");
        project.write("node_modules/.rusk/installed", "").write("outside/left/package.json", "{}");
        let at = |path: &str| project.path().join(path);
        symlink("../outside", at("node_modules/out")).expect("the name is free");
        let stat = |path: &str| std::fs::metadata(at(path)).expect("it was made");
        let (left, modules) = (stat("node_modules/left"), stat("node_modules"));
        let nanoseconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).expect("it is now").as_nanos();
        let binary_seeds = left.created().expect("the file system tells");
        let changed = i128::from(modules.ctime()) * 1_000_000_000 + i128::from(modules.ctime_nsec());
        let modified = i128::from(modules.mtime()) * 1_000_000_000 + i128::from(modules.mtime_nsec());
        ClonedProject {
            left: format!("{} {}", left.ino(), nanoseconds(binary_seeds)),
            changed: format!("{} {changed}", modules.ino()),
            whole: format!("{} {} {modified} {changed}", modules.ino(), modules.size()),
            project,
        }
    }
}

/// Whatever an install may remove is in the project's own package directories; a state file with
/// wrong fingerprints is not trusted.
pub fn record(input: &[u8]) {
    thread_local!(static CLONE: ClonedProject = ClonedProject::new());
    CLONE.with(|clone| {
        let text = String::from_utf8_lossy(input);
        let text = text.replace("%left%", &clone.left).replace("%changed%", &clone.changed);
        let text = text.replace("%whole%", &clone.whole);
        for name in ["installed", "still"] {
            clone.project.write(&format!("node_modules/.rusk/{name}"), &text);
        }
        let folder = clone.project.path();
        let opened = sys::open_directory(sys::CWD, &folder).expect("it is there");
        for path in foreign_node_modules::recorded_paths(opened.as_fd()) {
            let mut parts = path.split('/');
            assert!(parts.all(|part| !matches!(part, "" | "." | "..")), "{path:?}");
            assert!(path.split('/').any(|part| part == "node_modules"), "{path:?}");
            // The target of a symbolic link is not ours, unless the state proves that nothing was
            // added since.
            assert!(!path.starts_with("node_modules/out/") || text.contains(&clone.changed), "{path:?}");
        }
        let mut marks = clone.whole.split(' ');
        assert!(!foreign_node_modules::is_up_to_date(&folder) || marks.all(|number| text.contains(number)));
    });
}
