//! A root for tests, of the machine's own programs, and a project to call from. In: nothing. Out:
//! what programs inside say. Machines that merge `/bin` into `/usr` and those that do not are both
//! served: what is a directory there is shown in the root, what is a link is one in the root.

use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use rusk_testkit::project::{Project, tree};

pub struct Ground {
    pub project: Project,
    root: Project,
    /// Where the machine's programs are.
    binds: Vec<String>,
}

impl Ground {
    /// `None` where the system does not allow a root; that this is said is checked.
    pub fn find() -> Option<Ground> {
        let (project, root) = (Project::with(&[]), Project::with(&[]));
        let mut binds = vec!["--bind=/usr:/usr:ro".to_owned()];
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            match std::fs::read_link(format!("/{name}")) {
                Ok(target) => symlink(target, root.path().join(name)).expect("a link"),
                Err(_) if std::path::Path::new("/").join(name).is_dir() => {
                    binds.push(format!("--bind=/{name}:/{name}:ro"));
                }
                Err(_) => {}
            }
        }
        let ground = Ground { project, root, binds };
        ground.write("etc/passwd", "root:x:0:0::/root:/bin/sh\n");
        let tried = ground.shell(&[], "exit 0");
        if tried.status.code() == Some(0) {
            return Some(ground);
        }
        let said = text(&tried.stderr);
        let reasons = [
            "error[no-namespaces]: user namespaces are forbidden here",
            "error[old-kernel]: the kernel lacks a call that a root needs",
            "error[no-overlay]: the kernel does not let a root be written to in memory",
        ];
        assert!(reasons.iter().any(|reason| said.starts_with(reason)), "{said}");
        if said.starts_with(reasons[2]) {
            return None;
        }
        assert!(said.contains("\n  without them: root can run `chroot DIR PROGRAM`"), "{said}");
        assert_eq!(tried.status.code(), Some(2), "{said}");
        None
    }

    pub fn root(&self) -> std::path::PathBuf {
        self.root.path()
    }

    pub fn write(&self, path: &str, text: &str) {
        self.root.write(path, text);
    }

    pub fn read(&self, path: &str) -> String {
        self.root.read(path)
    }

    pub fn link(&self, path: &str, target: &str) {
        symlink(target, self.root.path().join(path)).expect("a link");
    }

    pub fn make_executable(&self, path: &str) {
        self.root.make_executable(path);
    }

    pub fn tree(&self) -> Vec<String> {
        tree(&self.root.path())
    }

    /// `rusk exec` with the root, flags, and what stands behind them.
    pub fn command(&self, flags: &[&str], words: &[&str]) -> Command {
        self.command_of("exec", flags, words)
    }

    pub fn command_of(&self, command: &str, flags: &[&str], words: &[&str]) -> Command {
        let mut rusk = Command::new(env!("CARGO_BIN_EXE_rusk"));
        rusk.args([OsStr::new(command), OsStr::new("--sysroot"), self.root.path().as_os_str()]);
        rusk.args(&self.binds).args(flags).arg("--").args(words);
        rusk.current_dir(self.project.path()).env_clear().env("PATH", "/nowhere").env("HANDED", "on");
        rusk
    }

    pub fn shell(&self, flags: &[&str], script: &str) -> Output {
        self.command(flags, &["sh", "-c", script]).output().expect("the program starts")
    }

    /// What a script prints.
    pub fn says(&self, flags: &[&str], script: &str) -> String {
        let output = self.shell(flags, script);
        let said = text(&output.stdout).to_owned();
        assert!(!text(&output.stderr).starts_with("error["), "{script}: {}", text(&output.stderr));
        said
    }
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}
