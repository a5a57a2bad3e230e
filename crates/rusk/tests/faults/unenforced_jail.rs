//! A kernel that cannot enforce the jail, as a seccomp filter makes it look: without Landlock, or
//! without seccomp filters. An approved script does not run, unless `--no-jail` says so.

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

use super::refused_calls::{install_with, refusing};
use super::sweep::ALONE;

const MANIFEST: &str =
    r#"{ "name": "app", "dependencies": { "scripted": "1" }, "trustedDependencies": ["scripted"] }"#;

#[test]
fn a_script_does_not_run_without_the_jail() {
    let _alone = ALONE.lock();
    let manifest = r#"{ "scripts": { "postinstall": "echo x > ran" } }"#;
    let server = Server::start([Package::new("scripted").version("1.0.0", manifest)]);
    let run = |filter: Option<Vec<[u8; 8]>>, flags: &[&str]| {
        let project = Project::in_memory();
        project.write("package.json", MANIFEST);
        project.write(".npmrc", format!("registry={}\n", server.url()));
        let code = install_with(&project, flags, |command| {
            if let Some(filter) = &filter {
                command.no_new_privileges().seccomp(filter);
            }
        });
        (code, project.path().join("node_modules/scripted/ran").exists())
    };
    assert_eq!(run(None, &[]), (0, true), "the kernel of this test has Landlock");
    for (call, errno, name) in [
        (libc::SYS_landlock_create_ruleset, libc::ENOSYS, "no Landlock"),
        (libc::SYS_landlock_create_ruleset, libc::EOPNOTSUPP, "Landlock is disabled"),
        (libc::SYS_landlock_restrict_self, libc::EPERM, "the ruleset is refused"),
        (libc::SYS_seccomp, libc::EINVAL, "no seccomp filters"),
    ] {
        let (code, ran) = run(Some(refusing(call, errno)), &[]);
        assert!(!ran && code != 0, "{name}: exit code {code}, the script ran: {ran}");
        assert_eq!(run(Some(refusing(call, errno)), &["--no-jail"]), (0, true), "{name}, --no-jail");
    }
}
