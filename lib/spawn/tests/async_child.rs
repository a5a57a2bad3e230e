//! Async children on tokio.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::future::Future;
use std::time::Duration;

use rusk_spawn::{AsyncChild, Command, Exit, Pty, Size, Stdio, Step};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const SHORT: Duration = Duration::from_millis(50);

fn on_tokio<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn shell(program: &str) -> AsyncChild {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", program]).stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
    command.spawn().unwrap().into_async().unwrap()
}

#[test]
fn the_exit_and_the_streams_are_awaited() {
    on_tokio(async {
        let mut child = shell("cat; echo errors >&2; exit 3");
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let input = vec![b'x'; 1_000_000];
        let wanted = input.clone();
        let fed = tokio::spawn(async move { stdin.write_all(&input).await });
        let said = tokio::spawn(async move {
            let mut errors = String::new();
            stderr.read_to_string(&mut errors).await.map(|_| errors)
        });
        let mut output = Vec::new();
        stdout.read_to_end(&mut output).await.unwrap();
        fed.await.unwrap().unwrap();
        let errors = said.await.unwrap().unwrap();
        assert_eq!(child.wait().await.unwrap(), Exit::Status(3));
        assert!(output == wanted && errors == "errors\n");
    });
}

#[test]
fn many_children_are_awaited_immediate() {
    on_tokio(async {
        let mut children: Vec<_> = (0..50).map(|status| (status, shell(&format!("exit {status}")))).collect();
        for (status, child) in &mut children {
            assert_eq!(child.wait().await.unwrap(), Exit::Status(*status));
        }
    });
}

#[test]
fn a_wait_that_is_dropped_loses_nothing() {
    on_tokio(async {
        let mut child = shell("exec sleep 1000");
        assert!(tokio::time::timeout(SHORT, child.wait()).await.is_err());
        child.child().kill().unwrap();
        let killed = Exit::Signal { number: libc::SIGKILL, dumped_core: false };
        assert_eq!((child.wait().await.unwrap(), child.wait().await.unwrap()), (killed, killed));
    });
}

#[test]
fn errors_are_returned() {
    on_tokio(async {
        let mut child = Command::new("/no/such/program").spawn().unwrap().into_async().unwrap();
        assert_eq!(child.wait().await.unwrap_err().step(), Step::Exec);
        let child = Command::new("true").without_pidfd().spawn().unwrap();
        assert_eq!(child.into_async().unwrap_err().errno(), libc::ENOTSUP);
        let mut child = shell("exec <&-; echo closed");
        let mut line = String::new();
        child.stdout.as_mut().unwrap().read_to_string(&mut line).await.unwrap();
        let error = child.stdin.as_mut().unwrap().write_all(b"late").await.unwrap_err();
        assert_eq!((line.as_str(), error.raw_os_error()), ("closed\n", Some(libc::EPIPE)));
    });
}

#[test]
fn a_terminal_is_read_to_its_end() {
    on_tokio(async {
        let pty = Pty::open(Size { rows: 24, columns: 80 }).unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "test -t 1 && echo said"]).terminal(&pty);
        let mut child = command.spawn().unwrap().into_async().unwrap();
        let mut output = String::new();
        child.stdout.take().unwrap().read_to_string(&mut output).await.unwrap();
        assert_eq!((output.as_str(), child.wait().await.unwrap()), ("said\r\n", Exit::Status(0)));
    });
}
