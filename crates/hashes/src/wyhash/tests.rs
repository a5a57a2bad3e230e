//! Compared with values from bun.

use super::*;

#[test]
fn both_versions_match_bun() {
    let check = |text: &str, of_old: u64, of_new: u64| {
        assert_eq!((v2(text.as_bytes()), v4(text.as_bytes())), (of_old, of_new), "{text}");
    };
    check("", 0x0000_0000_0000_0000, 0x0409_638e_e2bd_e459);
    check("0", 0xb8f8_325b_21a8_a1e5, 0xc085_8151_3804_b5e4);
    check("01", 0xaae7_fefc_7b77_7530, 0xf5eb_b4e1_9d3b_6100);
    check("012", 0x41fd_6271_f55c_784f, 0xc7ee_a752_c75d_6017);
    check("0123", 0x1b3c_3b43_574b_2583, 0x08a5_921f_8149_9232);
    check("01234", 0x0e66_9bd7_6d27_f2f1, 0x9bd2_64b7_3b99_ddc8);
    check("0123456", 0x1832_1d5a_f97f_6baa, 0xb4d1_5186_e225_a25b);
    check("01234567", 0x7cac_2ca2_3da6_00d4, 0x168b_b113_7954_ab51);
    check("012345678", 0xedc5_3f57_3a45_1126, 0xec2c_4b69_20a9_792a);
    check("0123456789abcde", 0xfcba_e15b_728c_6384, 0x63dd_8b1e_7d28_0b3b);
    check("0123456789abcdef", 0xf598_7594_a764_6145, 0xc304_e72c_387c_d229);
    check("0123456789abcdefg", 0x9b3e_ff4c_ebbe_723c, 0xb496_f8f3_0660_0195);
    check("0123456789abcdefghijklm", 0xce2e_71be_c7be_cb33, 0x27aa_c3d3_dc71_6b88);
    check("0123456789abcdefghijklmn", 0x2a07_3a33_798b_27ad, 0x0c13_c8e9_68ff_0bb6);
    check("0123456789abcdefghijklmno", 0x3419_ce15_fe44_c220, 0x4542_236a_3b29_3157);
    check("0123456789abcdefghijklmnopqrstu", 0xc355_09b1_c942_1acb, 0xf4ff_78b5_693a_8385);
    check("0123456789abcdefghijklmnopqrstuv", 0x756b_8990_06be_3e48, 0x98f6_22c7_c169_da49);
    check("0123456789abcdefghijklmnopqrstuvw", 0x1de0_2f76_655d_f57c, 0x2fa3_8cc1_7ae7_92b0);
    check("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK", 0xa8ce_8789_948d_7b66, 0x3785_ca53_b90e_a76e);
    check("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL", 0xd409_b845_ce12_7795, 0x64b2_1249_9080_b877);
    check("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM", 0x231d_ac4c_ba24_a34e, 0xb7ff_074d_b2b8_a3fe);
    check(
        &"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.".repeat(2),
        0x4679_000b_f9d1_0ae9,
        0x4f5b_ffe3_ac6d_4d16,
    );
    check("react18.2.0", 0x5e44_3928_92a7_cd3e, 0x91df_9dd6_dd6c_ccc8);
}
