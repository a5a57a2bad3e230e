//! What two users do with the registry, in order. In: nothing. Out: commands, and what each prints.

pub const USERS: [&str; 2] = ["alice", "bob"];

/// Directories of packages and of a project.
pub const FILES: &[(&str, &str)] = &[
    ("shapes/package.json", r#"{ "name": "shapes", "version": "1.0.0", "main": "index.js" }"#),
    ("shapes/index.js", "module.exports = 'shapes 1.0.0'\n"),
    ("shapes-1.1/package.json", r#"{ "name": "shapes", "version": "1.1.0", "main": "index.js" }"#),
    ("shapes-1.1/index.js", "module.exports = 'shapes 1.1.0'\n"),
    ("shapes-next/package.json", r#"{ "name": "shapes", "version": "2.0.0-beta.1" }"#),
    ("closed/package.json", r#"{ "name": "@closed/box", "version": "1.0.0" }"#),
    ("closed-2/package.json", r#"{ "name": "@closed/box", "version": "2.0.0" }"#),
    ("alice-app/package.json", r#"{ "name": "app", "version": "1.0.0" }"#),
    ("bob-app/package.json", r#"{ "name": "app", "version": "1.0.0" }"#),
];

pub struct Case {
    pub name: &'static str,
    pub user: &'static str,
    pub directory: &'static str,
    pub arguments: &'static [&'static str],
    /// On a terminal: the text that is waited for, and what is typed.
    pub keys: &'static [(&'static str, &'static str)],
    pub exit_code: i32,
    /// Must be printed.
    pub output: &'static [&'static str],
}

/// A command that succeeds.
const fn done(
    name: &'static str,
    [user, directory]: [&'static str; 2],
    arguments: &'static [&'static str],
    output: &'static [&'static str],
) -> Case {
    Case { name, user, directory, arguments, keys: &[], exit_code: 0, output }
}

/// A command that ends with an error.
const fn refused(
    name: &'static str,
    [user, directory]: [&'static str; 2],
    arguments: &'static [&'static str],
    output: &'static [&'static str],
) -> Case {
    Case { name, user, directory, arguments, keys: &[], exit_code: 2, output }
}

/// `rusk login` with a name and a password.
const fn login(
    name: &'static str,
    user: &'static str,
    keys: &'static [(&'static str, &'static str)],
) -> Case {
    let arguments: &[&str] = &["login", "--auth-type", "legacy"];
    Case { name, user, directory: "alice-app", arguments, keys, exit_code: 0, output: &["logged in to"] }
}

const ALICE: &[(&str, &str)] = &[("Username for ", "alice\r"), ("Password for ", "alice-secret\r")];
const BOB: &[(&str, &str)] = &[("Username for ", "bob\r"), ("Password for ", "bob-secret\r")];
const WRONG: &[(&str, &str)] = &[("Username for ", "alice\r"), ("Password for ", "other-secret\r")];

/// What is published here is seconds old.
const OF_ANY_AGE: &str = "--minimum-release-age=0";

pub const CASES: &[Case] = &[
    refused("without a login", ["alice", "shapes"], &["whoami"], &["error[not-logged-in]"]),
    refused("publish without a login", ["alice", "shapes"], &["publish"], &["401", "rusk login"]),
    login("login, a new user", "alice", ALICE),
    done("who is logged in", ["alice", "shapes"], &["whoami"], &["alice"]),
    done("publish", ["alice", "shapes"], &["publish"], &["published shapes@1.0.0 with tag latest"]),
    refused("publish the same version", ["alice", "shapes"], &["publish"], &["409"]),
    done(
        "publish the same version, tolerated",
        ["alice", "shapes"],
        &["publish", "--tolerate-republish"],
        &["published already"],
    ),
    refused("a prerelease without a tag", ["alice", "shapes-next"], &["publish"], &["error[bad-dist-tag]"]),
    done(
        "a prerelease with a tag",
        ["alice", "shapes-next"],
        &["publish", "--tag", "next"],
        &["published shapes@2.0.0-beta.1 with tag next"],
    ),
    done("publish in a scope", ["alice", "closed"], &["publish"], &["published @closed/box@1.0.0"]),
    done(
        "list dist-tags",
        ["alice", "shapes"],
        &["dist-tag", "ls"],
        &["latest: 1.0.0", "next: 2.0.0-beta.1"],
    ),
    done(
        "set a dist-tag",
        ["alice", "shapes"],
        &["dist-tag", "add", "shapes@1.0.0", "stable"],
        &["+stable: shapes@1.0.0"],
    ),
    done(
        "dist-tags as JSON",
        ["bob", "bob-app"],
        &["dist-tag", "ls", "shapes", "--json"],
        &[r#""stable":"1.0.0""#],
    ),
    done(
        "remove a dist-tag",
        ["alice", "shapes"],
        &["dist-tag", "rm", "shapes", "stable"],
        &["-stable: shapes@1.0.0"],
    ),
    refused("install a version of today", ["bob", "bob-app"], &["add", "shapes"], &["error[release-age]"]),
    done("install the new package", ["bob", "bob-app"], &["add", "shapes", OF_ANY_AGE], &["+ shapes 1.0.0"]),
    done(
        "deprecate",
        ["alice", "shapes"],
        &["deprecate", "shapes@1.0.0", "use 1.1"],
        &["deprecated: shapes@1.0.0"],
    ),
    done(
        "info says that it is deprecated",
        ["bob", "bob-app"],
        &["info", "shapes"],
        &["deprecated: use 1.1"],
    ),
    done(
        "take the mark back",
        ["alice", "shapes"],
        &["deprecate", "shapes@1.0.0", ""],
        &["no longer deprecated: shapes@1.0.0"],
    ),
    done("a newer version", ["alice", "shapes-1.1"], &["publish"], &["published shapes@1.1.0"]),
    done("frozen install", ["bob", "bob-app"], &["ci"], &["1 package installed"]),
    login("login, another user", "bob", BOB),
    done("who is logged in, another user", ["bob", "bob-app"], &["whoami", "--json"], &["bob"]),
    refused("publish without permission", ["bob", "closed-2"], &["publish"], &["403"]),
    refused(
        "set a dist-tag without permission",
        ["bob", "bob-app"],
        &["dist-tag", "add", "@closed/box@1.0.0", "stable"],
        &["@closed/box"],
    ),
    refused(
        "install without permission",
        ["bob", "bob-app"],
        &["add", "@closed/box"],
        &["error[no-access]", "wanted by app > @closed/box"],
    ),
    done(
        "install with permission",
        ["alice", "alice-app"],
        &["add", "@closed/box", OF_ANY_AGE],
        &["+ @closed/box 1.0.0"],
    ),
    refused(
        "a package that does not exist",
        ["bob", "bob-app"],
        &["add", "nowhere-to-be-found"],
        &["error[no-package]"],
    ),
    Case { exit_code: 2, output: &["401"], ..login("login with a wrong password", "bob", WRONG) },
    done("logout", ["alice", "alice-app"], &["logout"], &["logged out of"]),
    refused("after logout", ["alice", "alice-app"], &["whoami"], &["error[not-logged-in]"]),
];
