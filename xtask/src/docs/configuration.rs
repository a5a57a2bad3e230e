//! The page `reference/configuration.md`: keys of bunfig.toml, `.npmrc` and package.json. In: the
//! tables of [`keys`]. Out: Markdown. Tests compare the tables with the keys that the sources read.

mod keys;

use super::markdown::{code, head, paragraph, table};
use keys::{BUNFIG_INSTALL, BUNFIG_PROGRAM, BUNFIG_SECURITY, Key, MANIFEST, NPMRC, REGISTRY};

pub fn page() -> Result<String, String> {
    let mut out = head(
        "Configuration",
        "The files that configure rusk, and every key of theirs that it reads. Other keys are ignored.",
    );
    out.push_str("\n## Precedence\n\n");
    out.push_str(&paragraph(
        "The first that sets a value counts: the command line, environment variables, `bunfig.toml` of the project, \
         `.bunfig.toml` of the user (in `$XDG_CONFIG_HOME` or the home directory), `.npmrc` of the project, of the \
         user, and the global `npmrc` (`PREFIX/etc/npmrc`). Each key of `.npmrc` is also an environment variable, \
         `npm_config_save_exact` for `save-exact`. A negated flag turns off what the files turn on: `--no-offline`, \
         `--ignore-scripts=false`, `--no-frozen-lockfile`, `--no-exact`, `--include=dev`.",
    ));
    out.push_str("\n## bunfig.toml: installs\n\nKeys of the table `[install]`.\n\n");
    out.push_str(&rows(BUNFIG_INSTALL, true));
    out.push('\n');
    out.push_str(&paragraph(
        "`registry` and the entries of `scopes` are a URL or a table with these keys; `$NAME` as a token or password \
         is an environment variable:",
    ));
    out.push_str(&format!("\n{}", rows(REGISTRY, false)));
    out.push_str(
        "\n```toml\n[install]\nregistry = \"https://npm.example.com/\"\nlinker = \"isolated\"\nexact = true\n\n\
         [install.scopes]\nteam = { url = \"https://npm.team.example/\", token = \"$TEAM_TOKEN\" }\n\n\
         [install.cache]\ndir = \"~/.cache\"\n```\n",
    );
    out.push_str("\n## bunfig.toml: security\n\nKeys of the table `[install.security]`.\n\n");
    out.push_str(&rows(BUNFIG_SECURITY, false));
    out.push_str("\n## bunfig.toml: programs\n\nKeys at the top of the file, and tables.\n\n");
    out.push_str(&rows(BUNFIG_PROGRAM, false));
    out.push_str("\n## .npmrc\n\n");
    out.push_str(&paragraph(
        "Lines `key=value`; `;` and `#` begin comments, `key[]=value` adds to a list, and `${NAME}` is replaced by an \
         environment variable. As with npm, a boolean is true unless it is `false` or 0: `yes` and `no` are both \
         true; `null` and `undefined` count as absent. `allow-foreign-sources`, `allow-unverified-tarballs` and \
         `trust-project-network` allow something, so only `true` is true of them.",
    ));
    out.push_str(&format!("\n{}", rows(NPMRC, true)));
    out.push_str("\n## package.json\n\nComments and trailing commas are allowed.\n\n");
    out.push_str(&rows(MANIFEST, false));
    out.push_str("\ntsconfig.json: [TypeScript and JSX](../runtime/typescript-jsx.md#tsconfigjson).\n");
    Ok(out)
}

fn rows(keys: &[Key], with_flags: bool) -> String {
    let row = |key: &Key| {
        let mut cells = vec![code(key.name), key.kind.to_owned(), key.meaning.to_owned()];
        if with_flags {
            cells.push(key.flag.map(code).unwrap_or_default());
        }
        cells
    };
    let rows: Vec<Vec<String>> = keys.iter().map(row).collect();
    let head: &[&str] =
        if with_flags { &["key", "value", "meaning", "flag"] } else { &["key", "value", "meaning"] };
    table(head, &rows)
}

#[cfg(test)]
mod tests;
