//! Images as roots.

use rusk_testkit::image::Image;
use rusk_testkit::tarball::Builder;

use crate::ground::{Ground, text};

/// A layer with links to the machine's programs, which are bound, and a script.
fn image(ground: &Ground, config: &str) -> Image {
    let mut layer =
        Builder::new().file("etc/passwd", "root:x:0:0::/home/root:/bin/sh\nme:x:7:8::/home/me:/bin/sh\n");
    for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
        if let Ok(target) = std::fs::read_link(ground.root().join(name)) {
            layer = layer.special(b'2', name, target.to_str().expect("UTF-8"));
        }
    }
    let script = "#!/bin/sh\npwd\nid -u\necho \"$A $# $1 $2\"\n";
    Image::new(config).layer(layer.directory("srv/app").executable("opt/start", script).tgz())
}

fn run(ground: &Ground, flags: &[&str], words: &[&str]) -> (String, Option<i32>) {
    let mut command = ground.command(flags, words);
    let output = command.env("HOME", ground.project.home()).output().expect("the program starts");
    assert!(!text(&output.stderr).contains("error["), "{}", text(&output.stderr));
    (text(&output.stdout).to_owned(), output.status.code())
}

#[test]
fn an_image_says_how_its_program_runs() {
    let Some(ground) = Ground::find() else { return };
    let config = r#""Env":["PATH=/opt:/bin:/usr/bin","A=image"],"WorkingDir":"/srv/app","User":"me",
        "Entrypoint":["start"],"Cmd":["one","two"]"#;
    ground.project.write("image.tar", image(&ground, config).tar());
    let sysroot = "--sysroot=image.tar";
    assert_eq!(run(&ground, &[sysroot], &[]), ("/srv/app\n7\nimage 2 one two\n".to_owned(), Some(0)));
    let flags = [sysroot, "--env=A=mine", "--user=0", "--workdir=/opt"];
    assert_eq!(run(&ground, &flags, &["start", "x"]), ("/opt\n0\nmine 1 x \n".to_owned(), Some(0)));
    // What is written to it is forgotten, and it is not unpacked again.
    assert_eq!(
        run(&ground, &[sysroot], &["sh", "-c", "echo x > /srv/app/new; rm /opt/start; exit 4"]).1,
        Some(4)
    );
    assert_eq!(run(&ground, &[sysroot], &["sh", "-c", "ls /srv/app; ls /opt"]).0, "start\n");
}

#[test]
fn an_image_is_not_written_to() {
    let Some(ground) = Ground::find() else { return };
    ground.project.write("image.tar", image(&ground, "").tar());
    let output =
        ground.command(&["--sysroot=image.tar", "--rw"], &["true"]).output().expect("the program starts");
    let said = text(&output.stderr);
    assert!(
        said.starts_with("error[flags-conflict]: `--rw` writes to a directory, found the image `"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_image_that_is_gone_goes_from_the_cache() {
    let Some(ground) = Ground::find() else { return };
    image(&ground, "").write(&ground.project.path().join("layout"));
    assert_eq!(run(&ground, &["--sysroot=layout"], &["sh", "-c", "exit 3"]).1, Some(3));
    let prune = || {
        let mut rusk = std::process::Command::new(env!("CARGO_BIN_EXE_rusk"));
        rusk.args(["cache", "prune"]).current_dir(ground.project.path()).env_clear();
        let output = rusk.env("HOME", ground.project.home()).output().expect("the program starts");
        text(&output.stdout).to_owned()
    };
    assert_eq!(prune(), "nothing to remove\n");
    std::fs::remove_dir_all(ground.project.path().join("layout")).expect("removed");
    assert_eq!(prune(), "removed 1 image\n");
}
