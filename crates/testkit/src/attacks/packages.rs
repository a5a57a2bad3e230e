//! Attacks by packages, without a script: hostile tarballs, packuments and registries. In: a
//! package manager. Out: whether each attack worked. The package `evil` is hostile, `victim` is
//! not.

use std::path::Path;
use std::time::Duration;

use super::{Approval, AttackedUser, approve_for_pnpm, manifest};
use crate::files;
use crate::registry::{Fault, Package, Server};

/// Longer than what the script of `outlive` leaves behind waits.
const AFTERWARDS: Duration = Duration::from_millis(1500);

pub struct PackageAttack {
    pub name: &'static str,
    /// Versions of `evil`, and their package.json.
    versions: &'static [(&'static str, &'static str)],
    /// The packument of `evil` that is sent in place of the right one; `@URL@` is the registry.
    packument: Option<&'static str>,
    /// Whether it works after the install.
    is_late: bool,
    /// Whether it worked, by the project.
    worked: fn(&Path) -> bool,
}

const VERSIONS: &[(&str, &str)] = &[("1.0.0", "{}")];

pub const ALL: &[PackageAttack] = &[
    PackageAttack {
        name: "a tarball with a file of another package",
        versions: &[("1.0.0", r#"{ "+files": { "index.js": "1", "../victim/index.js": "owned" } }"#)],
        packument: None,
        is_late: false,
        worked: |project| contains(&project.join("node_modules/victim/index.js"), "owned"),
    },
    PackageAttack {
        name: "a tarball with a file of the project",
        versions: &[("1.0.0", r#"{ "+files": { "index.js": "1", "../../owned.js": "owned" } }"#)],
        packument: None,
        is_late: false,
        worked: |project| project.join("owned.js").exists(),
    },
    PackageAttack {
        name: "a tarball of another package than its packument says",
        versions: VERSIONS,
        packument: Some(
            r#"{ "name": "evil", "dist-tags": { "latest": "1.0.0" }, "versions": { "1.0.0": { "name": "evil",
                "version": "1.0.0", "dist": { "tarball": "@URL@victim/-/victim-1.0.0.tgz" } } } }"#,
        ),
        is_late: false,
        worked: |project| contains(&project.join("node_modules/evil/package.json"), "victim"),
    },
    PackageAttack {
        name: "a program with the name of one of the system",
        versions: &[("1.0.0", r#"{ "bin": { "node": "index.js", "sh": "index.js" } }"#)],
        packument: None,
        is_late: false,
        worked: |project| ["node", "sh"].iter().any(|name| is_program(project, name)),
    },
    PackageAttack {
        name: "a program outside of its package",
        versions: &[("1.0.0", r#"{ "bin": { "leaves": "../victim/index.js" } }"#)],
        packument: None,
        is_late: false,
        worked: |project| {
            let found = std::fs::canonicalize(project.join("node_modules/.bin/leaves"));
            found.is_ok_and(|found| found.ends_with("victim/index.js"))
        },
    },
    PackageAttack {
        name: "a version that was published an hour ago",
        versions: &[("1.0.0", "{}"), ("1.0.1", r#"{ "+published": "1h" }"#)],
        packument: None,
        is_late: false,
        worked: |project| is_version(project, "evil", "1.0.1"),
    },
    PackageAttack {
        name: "a version without the provenance of those before it",
        versions: &[
            ("1.0.0", r#"{ "+trust": "provenance", "+published": "40d" }"#),
            ("1.0.1", r#"{ "+published": "3d" }"#),
        ],
        packument: None,
        is_late: false,
        worked: |project| is_version(project, "evil", "1.0.1"),
    },
    PackageAttack {
        name: "a dependency on a tarball off the registry",
        versions: &[("1.0.0", r#"{ "dependencies": { "foreign": "@URL@victim/-/victim-1.0.0.tgz" } }"#)],
        packument: None,
        is_late: false,
        worked: |project| {
            let inside = ["node_modules/foreign", "node_modules/.pnpm/node_modules/foreign"];
            inside.iter().any(|path| project.join(path).exists())
        },
    },
    PackageAttack {
        name: "a package with the name of a private one, in the public registry",
        versions: VERSIONS,
        packument: None,
        is_late: false,
        worked: |project| is_version(project, "@corp/internal", "9.0.0"),
    },
    PackageAttack {
        name: "outlive the install",
        versions: &[(
            "1.0.0",
            r#"{ "scripts": { "postinstall": "(sleep 1; echo x > outlived) > /dev/null 2>&1 &" } }"#,
        )],
        packument: None,
        is_late: true,
        worked: |project| project.join("node_modules/evil/outlived").exists(),
    },
];

/// A project in which an install is about to meet the attack, and what it needs meanwhile.
pub struct PreparedAttack {
    pub user: AttackedUser,
    _servers: [Server; 2],
}

impl PackageAttack {
    /// `evil` beside others, with its scripts approved.
    pub fn prepare(&self, work: &Path, tool: &str) -> Result<PreparedAttack, String> {
        let user = AttackedUser::new(work)?;
        let victim = || Package::new("victim").version("1.0.0", "{}");
        // What is elsewhere than the registry.
        let elsewhere = Server::start([victim(), Package::new("@corp/internal").version("1.0.0", "{}")]);
        let fill = |text: &str, url: &str| text.replace("@URL@", url);
        let versions = self.versions.iter();
        let evil = versions.fold(Package::new("evil"), |package, (version, manifest)| {
            package.version(version, &fill(manifest, elsewhere.url()))
        });
        let public = Package::new("@corp/internal").version("9.0.0", "{}");
        let server = Server::start([evil, victim(), public]);
        if let Some(packument) = self.packument {
            server.fail("/evil", Fault::Body(fill(packument, server.url()).into_bytes()), usize::MAX);
        }
        let manifest = manifest(Approval::Given, r#", "@corp/internal": "*""#);
        files::write(&user.project.join("package.json"), &manifest)?;
        let npmrc = format!("registry={}\n@corp:registry={}\n", server.url(), elsewhere.url());
        files::write(&user.project.join(".npmrc"), &npmrc)?;
        approve_for_pnpm(tool, &user.project, Approval::Given)?;
        Ok(PreparedAttack { user, _servers: [server, elsewhere] })
    }

    /// After the install.
    pub fn has_worked(&self, prepared: &PreparedAttack) -> bool {
        if self.is_late {
            std::thread::sleep(AFTERWARDS);
        }
        (self.worked)(&prepared.user.project)
    }
}

fn contains(file: &Path, text: &str) -> bool {
    files::find(file).is_some_and(|found| found.contains(text))
}

fn is_program(project: &Path, name: &str) -> bool {
    std::fs::symlink_metadata(project.join("node_modules/.bin").join(name)).is_ok()
}

fn is_version(project: &Path, package: &str, version: &str) -> bool {
    let file = project.join("node_modules").join(package).join("package.json");
    files::find(&file).is_some_and(|text| text.contains(&format!("\"{version}\"")))
}
