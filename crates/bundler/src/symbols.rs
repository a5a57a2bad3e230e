//! References to symbols of any module, and to the names that bundling adds.

use crate::module::ModuleIndex;

/// An index of the scopes of one module; large ones are names that bundling adds.
pub(crate) type SymbolIndex = u32;

/// `export default` of an expression, or of a function or class without a name.
pub(crate) const DEFAULT: SymbolIndex = u32::MAX;
/// The object of all exports.
pub(crate) const NAMESPACE: SymbolIndex = u32::MAX - 1;
/// `require_name` or `init_name`.
pub(crate) const WRAPPER: SymbolIndex = u32::MAX - 2;
/// The result of `require_name()` as ES modules see it.
pub(crate) const INTEROP: SymbolIndex = u32::MAX - 3;
/// The same, for modules that Node treats as ES modules.
pub(crate) const INTEROP_NODE: SymbolIndex = u32::MAX - 4;
/// A function that sets `INTEROP`, for chunks other than that of the module.
pub(crate) const LOADER: SymbolIndex = u32::MAX - 5;
/// The same for `INTEROP_NODE`.
pub(crate) const LOADER_NODE: SymbolIndex = u32::MAX - 6;

/// The first of the names of a CommonJS module that are variables of the chunk.
pub(crate) const FIRST_STATIC_MEMBER: SymbolIndex = 1 << 31;

/// The symbols of external module `n` belong to module `EXTERNAL + n`.
pub(crate) const EXTERNAL: ModuleIndex = 1 << 31;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SymbolRef {
    pub(crate) module: ModuleIndex,
    pub(crate) symbol: SymbolIndex,
}

impl SymbolRef {
    pub(crate) fn new(module: ModuleIndex, symbol: SymbolIndex) -> SymbolRef {
        SymbolRef { module, symbol }
    }

    /// Whether it is a name of a CommonJS module that is a variable of the chunk.
    pub(crate) fn is_static_member(self) -> bool {
        (FIRST_STATIC_MEMBER..LOADER_NODE).contains(&self.symbol) && self.external().is_none()
    }

    /// Whether it is the object of a bundled CommonJS module as ES modules see it.
    pub(crate) fn is_interop(self) -> bool {
        matches!(self.symbol, INTEROP | INTEROP_NODE) && self.external().is_none()
    }

    pub(crate) fn external(self) -> Option<usize> {
        self.module.checked_sub(EXTERNAL)
    }
}

/// What an imported name stands for in the code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Binding {
    Symbol(SymbolRef),
    /// A property of an object: of a CommonJS module or of a wrapped one.
    Member(SymbolRef, String),
    /// The text of a constant's value.
    Constant(String),
    /// A type, or nothing.
    Undefined,
}
