//! Where the bytes of a packet lie. In: parts. Out: the same, in one piece.

use super::Bytes;

#[test]
fn parts_stand_behind_each_other_wherever_they_lie() {
    for count in [0, 1, Bytes::FEW_MAX - 1, Bytes::FEW_MAX, Bytes::FEW_MAX + 1, 1000] {
        let whole: Vec<u8> = (0..count).map(|index| index as u8).collect();
        for split in [0, count / 3, count] {
            let (first, second) = whole.split_at(split);
            let bytes = Bytes::of_parts(first, second);
            assert_eq!((&*bytes, &*bytes.clone()), (&*whole, &*whole), "{count} at {split}");
        }
    }
}
