//! Ids of builtins: each is found by its hash.

use std::collections::BTreeMap;

use rusk_extensions::EXTENSIONS;

#[test]
fn every_builtin_has_an_id_and_a_hash_of_its_own() {
    let mut by_hash: BTreeMap<u64, &str> = BTreeMap::new();
    for builtin in EXTENSIONS.iter().flat_map(|extension| extension.builtins) {
        assert_eq!(by_hash.insert(builtin.id_hash, builtin.id), None, "{}", builtin.id);
    }
    assert!(by_hash.len() > 400, "{}", by_hash.len());
    assert!(by_hash.values().any(|id| *id == "node/fs"));
}
