//! A registry that never ends: every response adds dependencies.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use rusk_base::Result;
use rusk_npm::graph::{PackageId, Source};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{self, Packument, Release};
use rusk_resolver::members::{Members, ProjectMember};
use rusk_resolver::{MetadataSource, NonRegistryPackage, Update, resolve};

/// Versions of each package.
const WIDTH: usize = 200;

/// Every package `x0`, `x1` … has 200 versions, each of which depends on the same version of the
/// next package.
#[derive(Default)]
struct Endless {
    wanted: HashSet<PackageName>,
    ready: VecDeque<PackageName>,
}

impl MetadataSource for Endless {
    fn request(&mut self, name: &PackageName) -> bool {
        if self.wanted.insert(name.clone()) {
            self.ready.push_back(name.clone());
        }
        false
    }

    fn packument(&mut self, name: &PackageName) -> Result<Option<Arc<Packument>>> {
        let number: usize = name.as_str()[1..].parse().expect("a number");
        let version = |patch: usize| {
            format!("\"1.0.{patch}\":{{\"dependencies\":{{\"x{}\":\"1.0.{patch}\"}}}}", number + 1)
        };
        let versions: Vec<String> = (0..WIDTH).map(version).collect();
        let text = format!("{{\"versions\":{{{}}}}}", versions.join(","));
        let source = packument::Source { name: name.as_str(), etag: "", fetched_s: 0, fresh_until_s: 0 };
        let bytes = packument::encode(&text, &source).expect("a packument");
        Ok(Packument::open(Box::new(bytes)).map(Arc::new))
    }

    fn next(&mut self) -> Result<Option<PackageName>> {
        Ok(self.ready.pop_front())
    }

    fn on_version_chosen(&mut self, _: PackageId, _: &PackageName, _: &Release<'_>) -> Result<bool> {
        Ok(true)
    }

    fn fetch_manifest(&mut self, _: &Source) -> Result<NonRegistryPackage> {
        unreachable!("nothing is elsewhere")
    }
}

#[test]
fn an_endless_registry_is_limited() {
    let wanted: Vec<String> =
        (0..WIDTH).map(|patch| format!("\"a{patch}\":\"npm:x0@1.0.{patch}\"")).collect();
    let text = format!("{{\"name\":\"app\",\"dependencies\":{{{}}}}}", wanted.join(","));
    let project = ProjectMember::parse(String::new(), text).expect("a manifest");
    let members = Members::single(project);
    let outcome = resolve(&members, None, &Update::Nothing, &mut Endless::default());
    assert_eq!(outcome.err().expect("endless").code(), "graph-size");
}
