//! Packet format of the structured clone between threads: value tags and sizes that Rust and
//! JavaScript share. Both ends are in one process, so the format has no version. Absent: the format
//! of stored values (`js/internal/serdes`).

rusk_runtime::shared_constants! {
    /// Tags of values. JavaScript reads and writes all of them (`encoder.js`, `decoder.js`);
    /// `fast_object.rs` writes those of primitives and `FAST_OBJECT`.
    pub mod tag: i32 {
        UNDEFINED = 0,
        NULL = 1,
        TRUE = 2,
        FALSE = 3,
        INT = 4,
        DOUBLE = 5,
        STRING = 6,
        /// An attachment.
        LONG_STRING = 7,
        BIGINT = 8,
        /// An object that was read before, by its number.
        REFERENCE = 9,
        /// An item of the transfer list, by its index.
        TRANSFERRED = 10,
        OBJECT = 11,
        /// An object whose property names are known by their shape.
        SHAPED = 12,
        ARRAY = 13,
        INTS = 14,
        DOUBLES = 15,
        SPARSE = 16,
        HOLE = 17,
        DATE = 18,
        REGEXP = 19,
        MAP = 20,
        SET = 21,
        ERROR = 22,
        BUFFER = 23,
        SHARED_BUFFER = 24,
        VIEW = 25,
        /// A wrapper object of a primitive.
        BOXED = 26,
        /// A cloneable platform object: its type and its data.
        HOST = 27,
        WASM_MODULE = 28,
        FAST_OBJECT = 29,
        WASM_MEMORY = 30,
    }
}

rusk_runtime::shared_constants! {
    /// Sizes in 32-bit words.
    pub mod layout: usize {
        /// The header of a packet: the number of transferred objects, the index of their first
        /// attachment, and the offset of the absent properties.
        HEADER_WORDS = 3,
        /// A transferred object: its kind, and a maximum byte length in two words.
        TRANSFER_WORDS = 3,
        /// The header of a receive buffer: kind, word count, double count, padding.
        RECEIVE_HEADER_WORDS = 4,
        /// A member of a fast object: its tag, and an integer, the index of a double, or the offset
        /// and length of a string.
        MEMBER_WORDS = 2,
    }
}
