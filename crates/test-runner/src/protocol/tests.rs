//! Tests of `protocol`.

use super::*;

#[test]
fn commands_are_read_as_written() {
    let files = vec![(0, "/a b.test.ts".to_owned()), (12, "/line\nbreak".to_owned())];
    for command in [
        WorkerCommand::Settings { token: "0123", settings: "{\"a\":1}" },
        WorkerCommand::Run { is_isolated: true, files: files.clone() },
        WorkerCommand::Run { is_isolated: false, files },
        WorkerCommand::Bytecode { number: 2, root: "/a b" },
        WorkerCommand::Finish,
    ] {
        let line = command.line();
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        assert_eq!(WorkerCommand::parse(line.trim_end()), Some(command));
    }
}

#[test]
fn lines_of_another_form_are_refused() {
    for line in [
        "",
        "share",
        "share {",
        "isolate [[1]]",
        "isolate [[\"a\",1]]",
        "run 1 {}",
        "bytecode /a",
        "bytecode 1",
    ] {
        assert_eq!(WorkerCommand::parse(line), None, "{line}");
    }
}
