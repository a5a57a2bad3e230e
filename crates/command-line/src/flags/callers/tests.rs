//! Tests of the arguments of other managers.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::expand;

fn check(line: &str, expected: &str) {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap();
    let expanded = expand(name, words.map(Into::into).collect());
    assert_eq!(expanded.join(" ".as_ref()), expected, "{line}");
}

#[test]
fn arguments_that_are_no_text_stay_as_they_are() {
    let name = OsString::from_vec(b"a\xff\xfeb".to_vec());
    let mark = OsString::from("\u{10FFFF}1\u{10FFFF}");
    let flag = OsString::from_vec(b"--prefix=\xff".to_vec());
    let words = vec!["run".into(), flag, "build".into(), "--".into(), name.clone(), mark.clone()];
    let own = OsString::from_vec(b"--cwd=\xff".to_vec());
    let expected = vec!["run".into(), own, "build".into(), "--".into(), name, mark];
    assert_eq!(expand("npm", words), expected);
}

#[test]
fn scripts_run_as_the_managers_run_them() {
    check("npm run build", "run build");
    check("npm test", "run test");
    check("npm t -- --bail", "run test -- --bail");
    check("npm run lint --silent a -- --fix -- b", "run --silent lint -- a --fix -- b");
    check("npm --prefix ui run build --foo", "run --cwd=ui build");
    check("npm run build -w a --workspaces --if-present", "run --filter=a --workspaces --if-present build");
    check("npm run --if-present build", "run --if-present build");
    check("npm run", "run");
    check("pnpm build", "run build");
    check("pnpm -r --filter ./a... run build --watch", "run --workspaces --filter=./a... build --watch");
    check("pnpm --reporter append-only test", "run test");
    check("pnpm test -- -x", "run test -- -- -x");
    check("pnpm run /^test:/", "run /^test:/");
    check("yarn build --watch", "run build --watch");
    check("yarn -s run test a", "run --silent test a");
    check("yarn workspace a build", "run --filter=a build");
    check("yarn --cwd ui start", "run --cwd=ui start");
}

#[test]
fn yarn_runs_in_members() {
    check("yarn workspaces run build a", "run --workspaces --concurrency=1 build a");
    check("yarn workspaces foreach -A run build", "run --workspaces --workspace-root --concurrency=1 build");
    check("yarn workspaces foreach -Apt run build --x", "run --workspaces --workspace-root build --x");
    check("yarn workspaces foreach -pv run dev -w", "run --workspaces --parallel dev -- -w");
    check(
        "yarn workspaces foreach -Ap -j 2 exec tsc -b",
        "exec --concurrency=2 --workspaces --workspace-root tsc -b",
    );
    check("yarn workspaces foreach -ptj4 run x", "run --concurrency=4 --workspaces x");
    check("yarn workspaces foreach -Rpt --from ui run build", "run --filter=ui... build");
    check("yarn workspaces foreach --since=v1 run test", "run --filter=[v1] --concurrency=1 test");
    check(
        "yarn workspaces foreach -A --include=a --exclude b run x",
        "run --filter=a --filter=!b --concurrency=1 x",
    );
    check(
        "yarn workspaces foreach --all --no-private run x",
        "run --workspaces --workspace-root --concurrency=1 x",
    );
    check("yarn workspaces list", "list --workspaces");
    check("yarn workspaces focus a", "workspaces focus a");
}

#[test]
fn commands_are_ours() {
    check("npm ci --omit=dev", "ci --omit=dev");
    check("npm i -D left", "i -D left");
    check("npm pack --pack-destination x", "pack --pack-destination x");
    check("npm --version", "--version");
    check("npm build", "build");
    check("pnpm add -w left", "add -w left");
    check("pnpm -C ui install", "install --cwd=ui");
    check("pnpm exec tsc -p .", "exec tsc -p .");
    check("yarn", "install");
    check("yarn --frozen-lockfile", "install --frozen-lockfile");
    check("yarn --version", "--version");
    check("yarn add left", "add left");
    check("yarn exec tsc", "exec tsc");
    check("bun run x --y", "run x --y");
    check("rusk npm", "npm");
}

#[test]
fn programs_run_as_npx_runs_them() {
    check("npx tsc -p .", "x tsc -p .");
    check("npx -y -p a -p b c --d", "x --package=a --package=b c --d");
    check("npx --no-install tsc -v", "exec tsc -v");
    check("npx --no -- commitlint --edit x", "exec commitlint --edit x");
    check("npm exec eslint -- --fix", "x eslint --fix");
    check("npm exec -- eslint --fix", "x eslint --fix");
    check("pnpm dlx a b", "x a b");
    check("pnpx a", "x a");
    check("yarn dlx -p a b", "x --package=a b");
    check("bunx a -p b", "x a -p b");
}

#[test]
fn nothing_panics_without_values() {
    for name in ["bun", "bunx", "npm", "npx", "pnpm", "pnpx", "yarn"] {
        for line in [
            "",
            "-w",
            "run",
            "run -w",
            "exec",
            "-p",
            "workspace",
            "workspace a",
            "--filter",
            "dlx",
            "--",
            "workspaces",
            "workspaces foreach",
            "workspaces foreach -j",
        ] {
            check_any(name, line);
        }
    }
}

fn check_any(name: &str, line: &str) {
    let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
    let found = expand(name, words.clone());
    assert!(found.len() <= words.len() + 3, "{name} {line}: {found:?}");
}
