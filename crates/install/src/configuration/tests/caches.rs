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
