//! Fuzz targets of `rusk-sysroot`: files of a root, and metadata of an image, which are untrusted.

use rusk_sysroot::executable_format::ExecutableFormat;
use rusk_sysroot::image::manifest::{self, Config, Manifest};

/// An ELF header, a segment after it that names an interpreter, and that name.
pub fn programs() -> Vec<Vec<u8>> {
    let mut large = vec![0; 64 + 56];
    large[..6].copy_from_slice(b"\x7fELF\x02\x01");
    (large[18], large[32], large[54], large[56]) = (62, 64, 56, 1);
    (large[64], large[72], large[96]) = (3, 120, 11);
    let mut small = vec![0; 52 + 32];
    small[..6].copy_from_slice(b"\x7fELF\x01\x01");
    (small[18], small[28], small[42], small[44]) = (40, 52, 32, 1);
    (small[52], small[56], small[68]) = (3, 84, 11);
    [large, small].map(|head| [&head[..], b"/lib/ld.so\0"].concat()).into()
}

/// The interpreter's name is in the file.
pub fn program(input: &[u8]) {
    let named = match ExecutableFormat::parse(input) {
        ExecutableFormat::Elf { interpreter: Some(path), .. }
        | ExecutableFormat::Script { interpreter: path } => path.into_os_string(),
        _ => return,
    };
    let named = named.as_encoded_bytes();
    assert!(!named.is_empty() && !named.contains(&0), "{named:?}");
    assert!(input.windows(named.len()).any(|window| window == named), "{named:?}");
}

/// Whatever format is detected, the result can be passed to a program.
pub fn image(input: &[u8]) {
    let _ = manifest::select(input);
    let _ = Manifest::parse(input);
    let Ok(Config(defaults)) = Config::parse(input) else { return };
    let variables = defaults.variables.iter().flat_map(|(name, value)| [name, value]);
    assert!(variables.clone().all(|text| !text.as_encoded_bytes().contains(&0)));
    assert!(defaults.arguments.iter().chain(&defaults.user).all(|word| !word.contains('\0')));
    assert!(defaults.workdir.is_none_or(|folder| folder.has_root()));
}
