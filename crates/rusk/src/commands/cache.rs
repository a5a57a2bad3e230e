//! `rusk cache`: prints the cache directory, or prunes unused entries.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_install::configuration::{Configuration, Flags};
use rusk_install::prune::{PruneSummary, prune};
use rusk_install::{InstallEvent, Reporter};
use rusk_scripts::Exit;
use rusk_sysroot::image;

use crate::flags::{Flag, Invocation};
use crate::host;
use crate::screen::Screen;
use crate::screen::summary::bytes_text;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let host = host::host(host::current_dir(None)?, environment);
    let dir = host::find_project(&host.current_dir).unwrap_or(&host.current_dir);
    let cache_dir = invocation.path(Flag::CacheDir).map(|path| host.current_dir.join(path));
    let flags = Flags { registry: None, cache_dir };
    let cache_dir = Configuration::load(dir, &host, &flags)?.cache_dir;
    let text = match invocation.operands[0].as_str() {
        "prune" => {
            let pruned = prune(&cache_dir, screen)?;
            let images = image::prune(&cache_dir, &mut |waited| {
                screen.on_event(InstallEvent::Waiting { subject: "an image to be unpacked", waited });
            })?;
            pruned_text(&pruned, images)
        }
        _ => cache_dir.display().to_string(),
    };
    screen.page(&format!("{text}\n")).map(|()| Exit::DONE)
}

/// `removed 3 packages and 12 shared ones, 4.2 MB`, and of images how many.
fn pruned_text(pruned: &PruneSummary, images: usize) -> String {
    let count =
        |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let images = (images > 0).then(|| count(images, "image", "images"));
    let PruneSummary { packages, shared_packages, bytes, .. } = *pruned;
    let packages = (packages > 0 || shared_packages > 0).then(|| {
        let packages = count(packages, "package", "packages");
        format!(
            "{packages} and {}, {}",
            count(shared_packages, "shared package", "shared packages"),
            bytes_text(bytes)
        )
    });
    match (packages, images) {
        (None, None) => "nothing to remove".to_owned(),
        (Some(packages), None) => format!("removed {packages}"),
        (None, Some(images)) => format!("removed {images}"),
        (Some(packages), Some(images)) => format!("removed {packages}, and {images}"),
    }
}
