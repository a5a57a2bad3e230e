//! The runner, run on a shell script in the place of the program.

use super::*;
use crate::project::Project;

/// Prints a file, or its arguments and where it is.
const PROGRAM: &str = "#!/bin/sh
case \"$1\" in
*.ts) cat \"$1\" ;;
fail) echo failed; exit 2 ;;
slow) printf 'a\\n\\nslowest files:\\n 600.00ms a.test.js\\n\\n 1 pass\\n' ;;
*) echo \"args: $*\"; pwd; echo 'took 12ms' ;;
esac
";

#[track_caller]
fn check(page: &str, wanted: &str) -> Report {
    let project = Project::with(&[("program", PROGRAM), ("page.md", page)]);
    project.make_executable("program");
    let program = project.path().join("program");
    let runner = Runner { program, registry_url: "http://127.0.0.1:9/".to_owned() };
    let run = |mode| runner.run(&project.path(), &["page.md".to_owned()], mode).unwrap().remove(0);
    let report = run(Mode::Compare);
    assert_eq!(report.failures.is_empty(), page == wanted, "{report:?}");
    run(Mode::Rewrite);
    assert_eq!(project.read("page.md"), wanted);
    report
}

#[test]
fn commands_and_their_output_are_compared() {
    let wanted = "# Page\n\n```console\n$ rusk one  # comment\nargs: one\n/home/me/app\ntook 12ms\n\
        $ rusk fail  # exit code 2\nfailed\n$ rusk two\nargs: two\n...\n```\n";
    let report = check(&wanted.replace("args: one", "something else"), wanted);
    assert!(report.failures[0].starts_with("page.md:4: `rusk one  # comment` prints something else"));
    let report = check(&wanted.replace("12ms", "9ms"), &wanted.replace("12ms", "9ms"));
    assert_eq!((report.examples, report.runnable_blocks, report.blocks_not_run), (3, 1, 0));
}

#[test]
fn what_a_busy_machine_prints_too_is_no_difference() {
    let page = "```console\n$ rusk slow\na\n\n 1 pass\n```\n";
    check(page, page);
}

#[test]
fn programs_and_files_of_one_section_share_a_project() {
    let wanted = "```ts\n// a.ts\n```\n\n```output\n// a.ts\n```\n\n```json b.json\n{}\n```\n\n\
        ```console\n$ cat b.json\n{}\n```\n\n# Other\n\n```console no-run\n$ cat b.json\n```\n";
    let report = check(&wanted.replace("```output\n// a.ts\n", "```output\n"), wanted);
    assert_eq!((report.examples, report.runnable_blocks, report.blocks_not_run), (2, 2, 1));
}

#[test]
fn a_program_without_an_output_block_gets_one() {
    check("```ts\n1\n```\n", "```ts\n1\n```\n\n```output\n1\n```\n");
}

#[test]
fn a_comment_continues_with_the_project_of_the_section_before() {
    let page =
        "# A\n\n```txt a.txt\na\n```\n\n## B\n\n<!-- same project -->\n\n```console\n$ cat a.txt\na\n```\n";
    check(page, page);
}
