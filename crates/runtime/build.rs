//! Embeds the JavaScript of the runtime's core.

fn main() -> std::io::Result<()> {
    rusk_extension_build::embed_builtins()
}
