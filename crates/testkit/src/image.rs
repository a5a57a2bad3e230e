//! OCI images made by hand, good ones and bad ones. In: layers, a configuration. Out: a layout, as
//! a directory or as a tar. Absent: any check of what is written.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::tarball::Builder;

/// In the specification's words.
const ARCHITECTURE: &str = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };

/// An image under construction.
#[derive(Clone)]
pub struct Image {
    layers: Vec<Vec<u8>>,
    config: String,
    architecture: &'static str,
    nested: u32,
}

impl Image {
    /// `config`: the members of the configuration's `config`.
    pub fn new(config: &str) -> Image {
        Image { layers: Vec::new(), config: config.to_owned(), architecture: ARCHITECTURE, nested: 0 }
    }

    /// A tar, packed or not.
    pub fn layer(mut self, tar: Vec<u8>) -> Image {
        self.layers.push(tar);
        self
    }

    pub fn for_machine(mut self, architecture: &'static str) -> Image {
        self.architecture = architecture;
        self
    }

    /// An index that leads to an index, so often.
    pub fn nested(mut self, times: u32) -> Image {
        self.nested = times;
        self
    }

    /// Paths in the layout, and their contents.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![("oci-layout".to_owned(), br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec())];
        let mut put = |bytes: &[u8]| {
            let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            files.push((format!("blobs/sha256/{hex}"), bytes.to_vec()));
            format!(r#""digest":"sha256:{hex}","size":{}"#, bytes.len())
        };
        let layers: Vec<String> = self.layers.iter().map(|tar| format!("{{{}}}", put(tar))).collect();
        let config = format!(
            r#"{{"architecture":"{}","os":"linux","config":{{{}}}}}"#,
            self.architecture, self.config
        );
        let config = put(config.as_bytes());
        let manifest =
            format!(r#"{{"schemaVersion":2,"config":{{{config}}},"layers":[{}]}}"#, layers.join(","));
        let platform = format!(r#""platform":{{"os":"linux","architecture":"{}"}}"#, self.architecture);
        let mut entry = format!("{},{platform}", put(manifest.as_bytes()));
        for _ in 0..self.nested {
            let index = format!(r#"{{"schemaVersion":2,"manifests":[{{{entry}}}]}}"#);
            let kind = "application/vnd.oci.image.index.v1+json";
            entry = format!(r#""mediaType":"{kind}",{}"#, put(index.as_bytes()));
        }
        let other = r#"{"digest":"sha256:00","platform":{"os":"linux","architecture":"pdp11"}}"#;
        let index = format!(r#"{{"schemaVersion":2,"manifests":[{other},{{{entry}}}]}}"#);
        files.push(("index.json".to_owned(), index.into_bytes()));
        files
    }

    pub fn write(&self, folder: &Path) {
        for (path, bytes) in self.files() {
            let file = folder.join(path);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, bytes).expect("a file");
        }
    }

    pub fn tar(&self) -> Vec<u8> {
        let files = self.files();
        files.iter().fold(Builder::new(), |tar, (path, bytes)| tar.file(path, bytes)).tar()
    }
}
