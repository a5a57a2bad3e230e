//! Free blocks of the kernel's lists. In: text as that of /proc/buddyinfo.

use super::{free_blocks, reserve, reserve_large, retain_freed};

#[test]
fn only_blocks_of_huge_pages_count() {
    let text = "Node 0, zone      DMA      1      0      0\nNode 0, zone   Normal    627    149      3\n";
    assert_eq!(free_blocks(text, 4096, 16384), 3 * 16384);
    assert_eq!(free_blocks(text, 4096, 8192), 149 * 8192 + 3 * 16384);
    assert_eq!(free_blocks(text, 4096, 1 << 20), 0);
    assert_eq!(free_blocks("", 4096, 4096), 0);
    assert_eq!(free_blocks("Node 0, zone DMA ? 18446744073709551615", 4096, 4096), u64::MAX);
}

#[test]
fn memory_is_usable_after_it_was_reserved() {
    retain_freed();
    reserve();
    reserve_large();
    let bytes = vec![1_u8; 24 << 20];
    assert_eq!(bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>(), 24 << 20);
}
