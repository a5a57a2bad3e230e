//! The `Bun` global: members that have no feature of their own.

mod bun;
mod transpiler;

rusk_runtime::extension!("bun", [("bun", bun::make), ("transpiler", transpiler::make)]);
