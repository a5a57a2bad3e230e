//! Types of C that an argument or a result can have. In: none. Out: what each is as a word of 64
//! bits: integers extended by their sign, a float in the low half.

/// A type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Void,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Pointer,
}

impl Type {
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// A word whose unused bits are anything, as C returns it, with those bits set.
    pub(crate) fn extend(self, word: u64) -> u64 {
        match self {
            Type::Void => 0,
            Type::I8 => word as i8 as u64,
            Type::U8 => word as u8 as u64,
            Type::I16 => word as i16 as u64,
            Type::U16 => word as u16 as u64,
            Type::I32 => word as i32 as u64,
            Type::U32 | Type::F32 => word as u32 as u64,
            Type::I64 | Type::U64 | Type::F64 | Type::Pointer => word,
        }
    }
}
