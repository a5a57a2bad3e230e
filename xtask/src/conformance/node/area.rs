//! Areas: which of Node's tests belong to which modules. In: the directory of the tests. Out: the
//! files of an area, in order.

use super::file::TestFile;
use std::path::Path;

pub struct NodeArea {
    pub name: &'static str,
    /// Path prefixes, relative to the directory of the tests; after `-`, those of another area.
    pub begins: &'static [&'static str],
    /// Target in percent.
    pub target: Option<u32>,
}

/// Files of these directories disturb each other.
const SERIAL: &[&str] = &["sequential"];

const fn area(name: &'static str, begins: &'static [&'static str], target: Option<u32>) -> NodeArea {
    NodeArea { name, begins, target }
}

pub const AREAS: &[NodeArea] = &[
    area("abortcontroller", &["parallel/test-abort"], None),
    area("assert", &["parallel/test-assert"], Some(85)),
    area(
        "async-hooks",
        &[
            "parallel/test-async-hooks",
            "parallel/test-asyncresource",
            "async-hooks/test-",
            "-async-hooks/test-async-local-storage",
        ],
        None,
    ),
    area(
        "async-local-storage",
        &["parallel/test-async-local-storage", "async-hooks/test-async-local-storage"],
        Some(85),
    ),
    area("blob", &["parallel/test-blob", "parallel/test-file."], None),
    area("blocklist", &["parallel/test-blocklist"], Some(90)),
    area("buffer", &["parallel/test-buffer", "sequential/test-buffer"], Some(85)),
    area("child_process", &["parallel/test-child-process", "sequential/test-child-process"], Some(80)),
    area("client-proxy", &["client-proxy/test-"], None),
    area("cluster", &["parallel/test-cluster"], None),
    area("console", &["parallel/test-console"], None),
    area("crypto", &["parallel/test-crypto", "sequential/test-crypto"], Some(88)),
    area(
        "dgram",
        &["parallel/test-dgram", "sequential/test-dgram", "async-hooks/test-async-local-storage-dgram"],
        None,
    ),
    area("diagnostics_channel", &["parallel/test-diagnostics-channel"], None),
    area("dns", &["parallel/test-dns"], None),
    area("domain", &["parallel/test-domain-"], None),
    area("dotenv", &["parallel/test-dotenv", "parallel/test-process-load-env"], None),
    area("encoding", &["parallel/test-whatwg-encoding", "parallel/test-atob", "parallel/test-btoa"], None),
    area("errors", &["parallel/test-error", "parallel/test-uncaught", "parallel/test-unhandled"], None),
    area("esm", &["es-module/test-", "module-hooks/test-"], None),
    area("events", &["parallel/test-event"], Some(85)),
    area(
        "fs",
        &["parallel/test-fs", "sequential/test-fs", "parallel/test-filehandle", "parallel/test-file-"],
        Some(85),
    ),
    area("globals", &["parallel/test-global"], None),
    area("http", &["parallel/test-http-", "sequential/test-http-"], None),
    area("http2", &["parallel/test-http2-", "sequential/test-http2-"], Some(88)),
    area("https", &["parallel/test-https-", "sequential/test-https-"], Some(90)),
    area(
        "messages",
        &[
            "parallel/test-structuredClone",
            "parallel/test-message",
            "parallel/test-broadcastchannel",
            "parallel/test-worker-message-",
        ],
        Some(90),
    ),
    area(
        "module",
        &[
            "parallel/test-module",
            "parallel/test-require",
            "sequential/test-module",
            "sequential/test-require",
        ],
        Some(60),
    ),
    area("net", &["parallel/test-net-", "sequential/test-net-"], None),
    area("os", &["parallel/test-os"], None),
    area("path", &["parallel/test-path"], Some(85)),
    area("perf_hooks", &["parallel/test-perf", "sequential/test-perf"], None),
    area("process", &["parallel/test-process", "sequential/test-process"], Some(85)),
    area("promises", &["parallel/test-promise", "parallel/test-microtask", "parallel/test-next-tick"], None),
    area("punycode", &["parallel/test-punycode"], None),
    area("querystring", &["parallel/test-querystring"], Some(85)),
    area("readline", &["parallel/test-readline"], Some(60)),
    area("report", &["report/test-"], None),
    area("socketaddress", &["parallel/test-socketaddress"], None),
    area("stdio", &["parallel/test-stdin", "parallel/test-stdout", "parallel/test-stdio"], None),
    area("stream", &["parallel/test-stream", "sequential/test-stream"], Some(85)),
    area("string_decoder", &["parallel/test-string-decoder"], Some(85)),
    area("test-runner", &["parallel/test-runner"], None),
    area("timers", &["parallel/test-timers", "sequential/test-timers"], Some(85)),
    area("tls", &["parallel/test-tls-", "sequential/test-tls-"], Some(85)),
    area("tty", &["parallel/test-tty"], None),
    area("url", &["parallel/test-url", "parallel/test-whatwg-url"], Some(85)),
    area("util", &["parallel/test-util", "sequential/test-util"], Some(85)),
    area("v8", &["parallel/test-v8"], None),
    area("vm", &["parallel/test-vm", "sequential/test-vm"], Some(60)),
    area(
        "web",
        &[
            "parallel/test-eventsource",
            "parallel/test-fetch",
            "parallel/test-urlpattern",
            "parallel/test-web-locks",
            "parallel/test-websocket",
            "parallel/test-webstorage",
        ],
        None,
    ),
    area("webcrypto", &["parallel/test-webcrypto"], Some(90)),
    area(
        "webstreams",
        &[
            "parallel/test-whatwg-readable",
            "parallel/test-whatwg-writable",
            "parallel/test-whatwg-transform",
            "parallel/test-whatwg-webstreams",
            "parallel/test-webstream",
        ],
        None,
    ),
    area(
        "worker",
        &["parallel/test-worker", "-parallel/test-worker-message-", "sequential/test-worker"],
        Some(75),
    ),
    area("zlib", &["parallel/test-zlib"], Some(95)),
];

/// The areas with these names; all if there are none.
pub fn chosen(names: &[String]) -> Result<Vec<&'static NodeArea>, String> {
    let known = |name: &String| AREAS.iter().any(|area| area.name == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let all: Vec<_> = AREAS.iter().map(|area| area.name).collect();
        return Err(format!("expected an area among {}, found `{name}`", all.join(", ")));
    }
    Ok(AREAS.iter().filter(|area| names.is_empty() || names.iter().any(|name| name == area.name)).collect())
}

impl NodeArea {
    /// Its files by name; those of `parallel` without the directory.
    pub fn files(&self, tests: &Path) -> Result<Vec<TestFile>, String> {
        let mut files = Vec::new();
        let (others, begins): (Vec<&str>, Vec<&str>) =
            self.begins.iter().partition(|begin| begin.starts_with('-'));
        let is_other = |path: &str| others.iter().any(|other| path.starts_with(&other[1..]));
        for begin in begins {
            let (directory, begin) = begin.split_once('/').expect("a prefix names a directory");
            let path = tests.join(directory);
            let entries = std::fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            for entry in entries.flatten() {
                let file = entry.file_name().to_string_lossy().into_owned();
                let is_test = file.starts_with(begin) && (file.ends_with(".js") || file.ends_with(".mjs"));
                if is_test && !is_other(&format!("{directory}/{file}")) {
                    let name = if directory == "parallel" { file } else { format!("{directory}/{file}") };
                    files.push(TestFile::read(name, entry.path(), SERIAL.contains(&directory), tests)?);
                }
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        match files.is_empty() {
            true => Err(format!("no tests of `{}` in {}", self.name, tests.display())),
            false => Ok(files),
        }
    }
}
