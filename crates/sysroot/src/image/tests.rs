//! Images from a layout to a root: content, errors, caching.

use rusk_testkit::image::Image as Made;
use rusk_testkit::project::Project;
use rusk_testkit::tarball::Builder;

use super::*;

fn provide(project: &Project, source: &str) -> Result<Image> {
    super::provide(&project.path().join(source), &project.path().join("cache"), &mut |_| {})
}

fn small() -> Made {
    let config = r#""Env":["PATH=/opt/bin","A=1=2","bad"],"WorkingDir":"/srv","User":"7:8",
        "Entrypoint":["run","-x"],"Cmd":["word"]"#;
    Made::new(config).layer(Builder::new().file("./etc/own", "low").directory("srv/").tgz())
}

#[test]
fn layouts_and_tars_of_them_become_roots() {
    for nested in [0, 1] {
        let project = Project::new();
        let made = small().nested(nested).layer(Builder::new().file("etc/own", "high").tar());
        made.write(&project.path().join("layout"));
        project.write("image.tar", made.tar());
        for source in ["layout", "image.tar"] {
            assert!(is_image(&project.path().join(source)), "{source}");
            let image = provide(&project, source).expect("an image");
            assert_eq!(std::fs::read_to_string(image.root.join("etc/own")).expect("a file"), "high");
            assert_eq!(layer::tests::listed(&image.root), ["etc/own high", "srv/"]);
            let Defaults { variables, workdir, user, arguments } = image.defaults;
            let variables: Vec<_> =
                variables.iter().map(|(name, value)| (name.to_str(), value.to_str())).collect();
            assert_eq!(variables, [(Some("PATH"), Some("/opt/bin")), (Some("A"), Some("1=2"))]);
            assert_eq!((workdir, user.as_deref()), (Some("/srv".into()), Some("7:8")));
            assert_eq!(arguments, ["run", "-x", "word"]);
        }
    }
}

#[test]
fn an_image_is_unpacked_once() {
    let project = Project::new();
    project.write("image.tar", small().tar());
    let first = provide(&project, "image.tar").expect("an image");
    std::fs::write(first.root.join("mark"), "").expect("a file");
    let second = provide(&project, "image.tar").expect("an image");
    assert!(second.root.join("mark").exists() && first.root == second.root);
}

#[test]
fn a_blob_with_a_wrong_digest_is_refused() {
    for index in 0..4 {
        let project = Project::new();
        let mut files = small().files();
        let (path, bytes) = &mut files[1 + index];
        if path == "index.json" {
            continue;
        }
        *bytes.last_mut().expect("a byte") ^= 1;
        for (path, bytes) in &files {
            project.write(&format!("layout/{path}"), bytes);
        }
        let refused = provide(&project, "layout").expect_err("a damaged blob");
        assert_eq!(refused.code(), "digest-differs", "{refused}");
        // Nothing of it is in the cache.
        let left = std::fs::read_dir(project.path().join("cache/roots")).expect("the cache");
        let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
        assert!(left.iter().all(|name| name.as_encoded_bytes().starts_with(b".")), "{left:?}");
    }
}

#[test]
fn invalid_images_are_errors() {
    let check = |name: &str, bytes: Vec<u8>, said: &str| {
        let project = Project::new();
        project.write(name, bytes);
        let problem = provide(&project, name).expect_err(said).to_string();
        assert!(problem.contains(said), "{said}: {problem}");
    };
    check("a", b"text".to_vec(), "is neither a directory nor a tar of an OCI image layout");
    check("a", Builder::new().file("etc/x", "").tar(), "has an `index.json`");
    check("a", small().for_machine("pdp10").tar(), "none of its 2 images is for linux on");
    check("a", small().nested(9).tar(), "leads through more than");
    let zstd = Made::new("").layer([layer::tests::ZSTD_FRAME, &[0; 600]].concat());
    check("a", zstd.tar(), "compressed with zstd");
    let cut = small().tar();
    check("a", cut[..cut.len() - 2000].to_vec(), "");
}

#[test]
fn pruning_removes_images_without_a_layout() {
    let project = Project::new();
    let cache = project.path().join("cache");
    assert_eq!(prune(&cache, &mut |_| {}).expect("nothing to do"), 0);
    project.write("one.tar", small().tar());
    project.write("two.tar", small().layer(Builder::new().file("b", "").tar()).tar());
    let (one, two) = (provide(&project, "one.tar").expect("one"), provide(&project, "two.tar").expect("two"));
    assert_eq!(prune(&cache, &mut |_| {}).expect("pruned"), 0);
    project.remove("one.tar");
    assert_eq!(prune(&cache, &mut |_| {}).expect("pruned"), 1);
    assert!(!one.root.exists() && two.root.exists());
    project.write("two.tar", small().tar());
    provide(&project, "two.tar").expect("another one");
    assert_eq!(prune(&cache, &mut |_| {}).expect("pruned"), 1);
    assert!(one.root.exists() && !two.root.exists());
}
