//! What is proposed for what was denied.

use std::net::SocketAddr;

use super::*;

#[test]
fn the_proposal_has_each_grant_once() {
    let address: SocketAddr = "127.0.0.1:443".parse().unwrap();
    let denied = BTreeSet::from([
        DeniedAccess::Network(None),
        DeniedAccess::Network(Some(address)),
        DeniedAccess::Read("/opt/tool".into()),
        DeniedAccess::Read("/srv/cache".into()),
        DeniedAccess::Write("/srv/cache".into()),
    ]);
    assert_eq!(flags(&denied), " --network --read=/opt/tool --write=/srv/cache");
    assert_eq!(
        text("left", false, &denied).lines().last(),
        Some("grant it by `rusk approve left --network --read=/opt/tool --write=/srv/cache`")
    );
    assert_eq!(text("left", true, &BTreeSet::new()), "left: works without grants, and was denied nothing\n");
}
