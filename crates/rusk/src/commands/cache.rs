//! `rusk cache`: prints the cache directory, lists, checks and removes packages of the store, or
//! prunes unused entries, or clears it.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_configuration::{Configuration, Flags};
use rusk_install::prune::{PruneSummary, clear, prune};
use rusk_install::stored::{self, Damage, DamageKind, StoreCheck, StoredPackage};
use rusk_install::{InstallEvent, Reporter};
use rusk_scripts::Exit;
use rusk_sysroot::image;

use crate::{host, problem};
use rusk_command_line::flags::table::{self, Command};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_command_line::problem::{operand_not_taken, operands_missing, unknown_operand};
use rusk_reports::text::bytes_text;
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, string};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment);
    let dir = host::find_project(&host.current_dir).unwrap_or(&host.current_dir);
    let cache_dir = invocation.path(Flag::CacheDir).map(|path| host.current_dir.join(path));
    let flags = Flags { cache_dir, ..Flags::default() };
    let cache_dir = Configuration::load(dir, &host, &flags)?.cache_dir;
    let (action, names) = invocation.operands.split_first().expect("the table wants an operand");
    if matches!(action.as_str(), "clear" | "clean" | "dir" | "prune" | "verify")
        && let Some(found) = names.first()
    {
        return Err(operand_not_taken(table::command(Command::Cache), found));
    }
    let is_json = invocation.is_on(Flag::Json);
    let text = match action.as_str() {
        "clear" | "clean" => match clear(&cache_dir, screen)? {
            removed if is_json => return screen.page(&listed(&removed, true)).map(|()| Exit::DONE),
            removed => format!("removed {}, packuments and caches of programs", sum(&removed)),
        },
        "dir" => {
            let dir = cache_dir.display().to_string();
            return screen.answer(&format!("{dir}\n"), &[("directory", string(&dir))]);
        }
        "ls" | "list" => {
            let mut packages = stored::list(&cache_dir)?;
            packages.retain(|package| names.is_empty() || is_named(package, names));
            return screen.page(&listed(&packages, is_json)).map(|()| Exit::DONE);
        }
        "rm" | "remove" => {
            let unknown = || operands_missing(table::command(Command::Cache));
            names.first().ok_or_else(unknown)?;
            let removed = stored::remove(&cache_dir, screen, &|package| is_named(package, names))?;
            match removed.as_slice() {
                [] => return Err(problem::not_in_cache(names)),
                removed if is_json => return screen.page(&listed(removed, true)).map(|()| Exit::DONE),
                removed => format!("removed {}", sum(removed)),
            }
        }
        "verify" => checked(&stored::verify(&cache_dir, screen)?, is_json),
        "prune" => {
            let pruned = prune(&cache_dir, screen)?;
            let images = image::prune(&cache_dir, &mut |waited| {
                screen.on_event(InstallEvent::Waiting { subject: "an image to be unpacked", waited });
            })?;
            let members = [
                ("packages", pruned.packages.to_string()),
                ("sharedPackages", pruned.shared_packages.to_string()),
                ("images", images.to_string()),
                ("bytes", pruned.bytes.to_string()),
            ];
            return screen.outcome(&format!("{}\n", pruned_text(&pruned, images)), &members);
        }
        found => {
            let known = ["clear", "dir", "ls", "prune", "rm", "verify"];
            return Err(unknown_operand(table::command(Command::Cache), &known, found));
        }
    };
    match invocation.is_on(Flag::Silent) && !is_json {
        true => Ok(Exit::DONE),
        false => screen.page(&format!("{text}\n")).map(|()| Exit::DONE),
    }
}

/// Whether a package is one of `name` and `name@version`.
fn is_named(package: &StoredPackage, names: &[String]) -> bool {
    names.iter().any(|name| match name.strip_prefix(package.name.as_str()) {
        Some("") => true,
        rest => rest.and_then(|rest| rest.strip_prefix('@')) == Some(&package.version),
    })
}

fn listed(packages: &[StoredPackage], is_json: bool) -> String {
    if is_json {
        let packages = packages.iter().map(|package| {
            object(&[
                ("name", string(&package.name)),
                ("version", string(&package.version)),
                ("files", package.files.to_string()),
                ("bytes", package.bytes.to_string()),
            ])
        });
        return line(&[("packages", array(packages))]);
    }
    let row = |package: &StoredPackage| {
        let label = printable(&format!("{}@{}", package.name, package.version)).into_owned();
        format!("{:>9}  {label}\n", bytes_text(package.bytes))
    };
    packages.iter().map(row).collect()
}

fn checked(check: &StoreCheck, is_json: bool) -> String {
    if is_json {
        return object(&[
            ("packages", check.packages.to_string()),
            ("files", check.files.to_string()),
            ("removed", array(check.damaged.iter().map(|damaged| string(&damaged.dir)))),
            ("packuments", check.packuments.to_string()),
            ("removedPackuments", array(check.damaged_packuments.iter().map(|name| string(name)))),
        ]);
    }
    let (packages, files) =
        (count(check.packages, "package", "packages"), count(check.files, "file", "files"));
    let damaged = check.damaged.iter().map(|damaged| {
        let reason = match &damaged.damage {
            None => "its index is damaged".to_owned(),
            Some(Damage { path, kind: DamageKind::Missing }) => format!("`{path}` is missing"),
            Some(Damage { path, kind: DamageKind::Changed }) => format!("`{path}` was changed"),
        };
        format!("\nremoved {}: {}", damaged.dir, printable(&reason))
    });
    let packuments = check.damaged_packuments.iter();
    let packuments = packuments.map(|name| format!("\nremoved {}: it is damaged", printable(name)));
    format!("{packages} with {files} verified{}", damaged.chain(packuments).collect::<String>())
}

/// `3 packages, 4.2 MB`
fn sum(packages: &[StoredPackage]) -> String {
    let bytes = packages.iter().map(|package| package.bytes).sum();
    format!("{}, {}", count(packages.len(), "package", "packages"), bytes_text(bytes))
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `removed 3 packages and 12 shared ones, 4.2 MB`, and of images how many.
fn pruned_text(pruned: &PruneSummary, images: usize) -> String {
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
