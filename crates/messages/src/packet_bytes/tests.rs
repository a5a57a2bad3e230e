//! Inline and heap storage return the same bytes.

use super::PacketBytes;

#[test]
fn parts_are_concatenated_inline_and_on_the_heap() {
    for count in
        [0, 1, PacketBytes::INLINE_MAX - 1, PacketBytes::INLINE_MAX, PacketBytes::INLINE_MAX + 1, 1000]
    {
        let whole: Vec<u8> = (0..count).map(|index| index as u8).collect();
        for split in [0, count / 3, count] {
            let (first, second) = whole.split_at(split);
            let bytes = PacketBytes::from_parts(first, second);
            assert_eq!((&*bytes, &*bytes.clone()), (&*whole, &*whole), "{count} at {split}");
        }
    }
}
