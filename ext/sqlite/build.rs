//! Embeds the JavaScript of this extension.

fn main() -> std::io::Result<()> {
    rusk_extension_build::embed_builtins()
}
