//! Users by number and by name.

use super::*;

const USERS: &str = "root:x:0:0:root:/root:/bin/sh\nme:x:1000:100::/home/me:/bin/sh\nodd\nbad:x:y:z:::\n";
const GROUPS: &str = "root:x:0:\nusers:x:100:me\n";

fn check(wanted: &str, expected: Option<(u32, u32, &str)>) {
    let found = User::from_databases(wanted, USERS, &|| GROUPS.to_owned()).ok();
    let expected =
        expected.map(|(user, group, home)| User { ids: UserIds { user, group }, home: home.into() });
    assert_eq!(found, expected, "{wanted}");
}

#[test]
fn users_are_numbers_or_names() {
    check("0", Some((0, 0, "/root")));
    check("me", Some((1000, 100, "/home/me")));
    check("1000", Some((1000, 100, "/home/me")));
    check("1000:7", Some((1000, 7, "/home/me")));
    check("me:root", Some((1000, 0, "/home/me")));
    check("5:users", Some((5, 100, "/")));
}

#[test]
fn unknown_users_are_refused() {
    for wanted in ["", "you", "me:them", "-1", "4294967295", "1:", "odd", "bad", ":0"] {
        check(wanted, None);
    }
}
