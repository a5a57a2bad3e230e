//! Extension `bun`: the global `Bun`, and those of its members that no other extension implements.

mod bun;
mod color;
mod transpiler;

rusk_runtime::extension!("bun", [("bun", bun::make), ("transpiler", transpiler::make)]);
