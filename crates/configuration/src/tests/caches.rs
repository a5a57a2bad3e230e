//! What a project's own files decide about caches.

use super::*;

fn partition(user: &str, files: &[(&str, &str)]) -> Option<String> {
    Machine::new(&[&[("home/.npmrc", user)], files].concat()).loaded().cache_partition
}

#[test]
fn the_network_of_a_project_has_a_partition() {
    let evil = "http://evil.test";
    let lines = |keys: &[(&str, &str)], separator: &str| -> Vec<String> {
        keys.iter().map(|(key, value)| format!("{key}{separator}{value}")).collect()
    };
    let proxies = [("proxy", evil), ("http-proxy", evil), ("https-proxy", evil)];
    let certificates = [("strict-ssl", "false"), ("cafile", "evil.pem"), ("ca", "EVIL")];
    let npmrc = lines(&[proxies, certificates].concat(), "=");
    let pnpm = [("httpsProxy", evil), ("httpProxy", evil), ("strictSsl", "false"), ("cafile", "evil.pem")];
    let yarn = [
        ("httpsProxy", evil),
        ("httpProxy", evil),
        ("enableStrictSsl", "false"),
        ("httpsCaFilePath", "e.pem"),
    ];
    let bunfig = ["[install]\nca = \"EVIL\"", "[install]\ncafile = \"evil.pem\""].map(str::to_owned);
    let kinds = [
        ("project/.npmrc", npmrc),
        ("project/pnpm-workspace.yaml", lines(&pnpm, ": ")),
        ("project/.yarnrc.yml", lines(&yarn, ": ")),
        ("project/bunfig.toml", bunfig.to_vec()),
    ];
    for (path, lines) in kinds {
        for line in lines {
            let files = [("project/yarn.lock", ""), (path, line.as_str())];
            assert!(partition("", &files).is_some(), "{path}: {line}");
            assert_eq!(partition("trust-project-network=true", &files), None, "{path}: {line}");
        }
    }
    assert_eq!(partition("", &[("project/.npmrc", "registry=http://its.test")]), None);
    assert!(partition("", &[("project/.npmrc", "strict-ssl=false\ntrust-project-network=true")]).is_some());
    assert_eq!(partition("proxy=http://mine.test\nstrict-ssl=false\ncafile=mine.pem", &[]), None);
    assert_eq!(partition("proxy=http://a.test", &[("project/.npmrc", "proxy=http://a.test")]), None);
}

#[test]
fn a_partition_is_of_all_that_decides_who_responds() {
    let of = |npmrc: &str| partition("", &[("project/.npmrc", npmrc), ("project/a.pem", "A")]);
    let different = [
        "strict-ssl=false",
        "https-proxy=http://one.test",
        "https-proxy=http://two.test",
        "https-proxy=http://one.test\nstrict-ssl=false",
        "cafile=a.pem",
        "ca=A",
        "ca[]=A\nca[]=B",
        "proxy=http://one.test",
        "proxy=http://one.test\nnoproxy=two.test",
    ];
    let found: std::collections::BTreeSet<_> = different.into_iter().map(of).collect();
    assert_eq!(found.len(), different.len());
    assert_eq!(of("https-proxy=http://one.test"), of("https-proxy=http://one.test"));
    let file = |text: &str| partition("", &[("project/.npmrc", "cafile=a.pem"), ("project/a.pem", text)]);
    assert_eq!(file("A"), file("A"), "wherever the project is");
    assert_ne!(file("A"), file("B"));
}

#[test]
fn a_project_does_not_name_the_directory_of_the_cache() {
    let load = |project: &str, user: &str| {
        Machine::new(&[("project/bunfig.toml", project), ("home/.bunfig.toml", user)])
    };
    let named = "[install.cache]\ndir = \"./vendor\"";
    let check = |machine: &Machine, expected: &str, notes: usize| {
        let found = machine.loaded();
        assert_eq!(found.cache_dir, machine.root.join(expected));
        assert_eq!(found.notes.len(), notes, "{:?}", found.notes);
    };
    check(&load(named, ""), "home/.cache/rusk", 1);
    check(&load("[install]\ncache = \"./vendor\"", ""), "home/.cache/rusk", 1);
    check(&load(named, "[install.cache]\ndir = \"~/c\""), "home/c/rusk", 1);
    check(&load("[install.cache]\ndir = \"~/.cache\"", ""), "home/.cache/rusk", 0);
    check(&load("[install]\ncache = false", "[install.cache]\ndir = \"~/c\""), "home/c/rusk", 0);
    check(&load(named, "").with("RUSK_CACHE_DIR", "here"), "project/here", 0);
    let off = "[install.cache]\ndisable = true";
    assert_eq!(load(&format!("{off}\ndir = \"./vendor\""), "").loaded().cache, CacheUse::Off);
    assert_eq!(load(named, off).loaded().cache, CacheUse::Off);
    let npmrc = Machine::new(&[("project/.npmrc", "cache=./vendor\nstore-dir=./vendor")]);
    check(&npmrc, "home/.cache/rusk", 0);
    let pnpm = [("project/pnpm-workspace.yaml", "storeDir: ./vendor\ncacheDir: ./vendor\n")];
    assert_eq!(Machine::new(&pnpm).loaded().cache_dir.file_name(), Some("rusk".as_ref()));
}
