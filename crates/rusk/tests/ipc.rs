//! Channels between programs whose other end is not to be trusted: what it sends, how it ends, what
//! it never reads. In: a program that forks a shell, or a peer of ours that sends what it likes.
//! Out: what the program says; it goes on in every case, and no descriptor is left.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use rusk_base::sys::unix_socket;
use rusk_testkit::project::Project;

/// Forks a shell that runs `$PEER` and says what becomes of its channel.
const PARENT: &str = "
  const child = require('child_process').spawn('sh', ['-c', process.env.PEER],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: process.env.FORM });
  child.on('message', (message) => console.log('message', JSON.stringify(message)));
  child.on('disconnect', () => console.log('disconnect'));
  child.on('exit', (code, signal) => console.log('exit', code, signal));
  process.on('warning', (warning) => console.log(warning.code, warning.message.slice(0, 70)));
";

fn rusk(program: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(["--no-warnings", "-e", program]).env_clear().env("PATH", "/usr/bin:/bin");
    command
}

fn run(program: &str, form: &str, peer: &str) -> Vec<String> {
    let output = rusk(program).envs([("PEER", peer), ("FORM", form)]).output().expect("rusk starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{}: {said}", output.status);
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// What is said, in any order: an end and a channel's end race.
#[track_caller]
fn check(form: &str, peer: &str, wanted: &[&str]) {
    let (mut found, mut wanted) = (run(PARENT, form, peer), wanted.to_vec());
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted, "{form}: {peer}");
}

#[test]
fn bytes_that_are_no_messages_end_the_channel_and_nothing_else() {
    let closed = "ERR_IPC_CHANNEL_CLOSED Channel closed: the other end ";
    let said = |what: &str| format!("{closed}{what}").chars().take(70 + 23).collect::<String>();
    let no_message = said("sent an invalid message: Unexpected token 'o', \"nonsense\" is not valid JSON");
    check(
        "json",
        r#"printf '{"a":1}\nnonsense\n{"b":2}\n' >&3"#,
        &[r#"message {"a":1}"#, &no_message, "disconnect", "exit 0 null"],
    );
    let empty = said("sent an invalid message: Unexpected end of JSON input");
    check("json", r"printf '\n' >&3", &[&empty, "disconnect", "exit 0 null"]);
    let long = said("began a message of more than 536870912 bytes");
    check("advanced", r"printf '\377\377\377\377\377\017' >&3", &[&long, "disconnect", "exit 0 null"]);
    let unreadable = said("sent an invalid message: Unable to deserialize cloned data.");
    check("advanced", r"printf '\000\000\000\003\377\017!' >&3", &[&unreadable, "disconnect", "exit 0 null"]);
    let foreign = said("uses bun's format of `serialization: 'advanced'`, this process uses Node's");
    let speaks_first = PARENT.replace("child.on('disc", "child.send(1);\nchild.on('disc");
    let mut found =
        run(&speaks_first, "advanced", r"head -c 8 <&3 >/dev/null; printf '\001\002\000\000\000' >&3");
    found.sort();
    assert_eq!(found, [&foreign, "disconnect", "exit 0 null"]);
}

#[test]
fn messages_that_nest_deeper_than_a_stack_end_the_channel_at_most() {
    for (form, peer) in [
        ("json", "{ head -c 3000000 /dev/zero | tr '\\0' '['; echo; } >&3"),
        (
            "advanced",
            "{ printf '\\000\\055\\306\\302\\377\\017'; head -c 3000000 /dev/zero | tr '\\0' 'o'; } >&3",
        ),
    ] {
        let found = run(PARENT, form, peer);
        assert!(found.iter().any(|line| line.starts_with("ERR_IPC_CHANNEL_CLOSED")), "{form}: {found:?}");
        assert!(found.contains(&"exit 0 null".to_owned()), "{form}: {found:?}");
    }
}

#[test]
fn advanced_messages_are_of_the_form_that_the_other_program_speaks() {
    // V8's form begins with a length of four bytes, bun's with a greeting. Who has read that reads
    // no more.
    let says_first_byte = "#!/bin/sh\nhead -c 1 <&3 | od -An -tu1";
    let start = "
      const [name, how] = process.env.PEER.split(' ');
      const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
      const child = how === 'spawn'
        ? require('child_process').spawn(name, [], { stdio, serialization: 'advanced' })
        : Bun.spawn([name], { stdio: ['ignore', 'inherit', 'inherit'], ipc() {} });
      child.on?.('error', () => {});
      child.send(['a message']);
    ";
    let project =
        Project::with(&[("node", says_first_byte), ("bun", says_first_byte), ("bun-1.2", says_first_byte)]);
    let folder = project.path();
    project.write("by-node", format!("#!{}/node\n", folder.display()));
    project.write("by-bun", format!("#!/usr/bin/env -S {}/bun --smol\n", folder.display()));
    // What is read by another one stands behind it.
    for (file, first) in [("node", "0"), ("bun", "1"), ("bun-1.2", "1"), ("by-node", "0"), ("by-bun", "1")] {
        project.make_executable(file);
        let path = folder.join(file);
        for how in ["spawn", "Bun.spawn"] {
            let found = run(start, "advanced", &format!("{} {how}", path.display()));
            assert_eq!(found.iter().map(|line| line.trim()).collect::<Vec<_>>(), [first], "{file} {how}");
        }
    }
}

#[test]
fn a_peer_that_dies_in_a_message_leaves_those_before_it() {
    check(
        "json",
        r#"printf '[1]\n{"a":' >&3; kill -9 $$"#,
        &["message [1]", "disconnect", "exit null SIGKILL"],
    );
    check(
        "advanced",
        r"printf '\000\000\001\000\377\017' >&3; kill -9 $$",
        &["disconnect", "exit null SIGKILL"],
    );
}

#[test]
fn answers_to_what_was_not_asked_are_left_alone() {
    check(
        "json",
        r#"printf '{"cmd":"NODE_HANDLE_ACK"}\n{"cmd":"NODE_HANDLE_NACK"}\n{"cmd":"NODE_OTHER"}\n"on"\n' >&3"#,
        &[r#"message "on""#, "disconnect", "exit 0 null"],
    );
    // A handle that never came: it is said so, and no message is made of it.
    check(
        "json",
        r#"printf '{"cmd":"NODE_HANDLE","type":"net.Socket","msg":1}\n' >&3; head -n 1 <&3"#,
        &[r#"{"cmd":"NODE_HANDLE_NACK"}"#, "disconnect", "exit 0 null"],
    );
}

#[test]
fn a_peer_that_never_reads_is_reported_and_blocks_no_process() {
    let program = format!(
        "{PARENT}
        const text = 'x'.repeat(10000);
        let sent = 0;
        // How many depends on the kernel's buffers.
        while (sent < 1e5 && child.send(text)) sent++;
        console.log(sent > 5, sent < 1e5);
        child.send('last', (error) => console.log(error.code, error.syscall));
        child.kill('SIGKILL');"
    );
    let mut found = run(&program, "json", "exec sleep 100");
    found.sort();
    assert_eq!(found, ["EPIPE write", "disconnect", "exit null SIGKILL", "true true"]);
}

#[test]
fn messages_of_one_callback_are_joined_and_none_is_lost() {
    let program = "
      for (let i = 0; i < 1000; i++) process.send(i);
      process.on('exit', () => { process.send('exit 1'); process.send('exit 2'); });
      if (process.env.HOW === 'exit') process.exit(3);
      if (process.env.HOW === 'throw') throw new Error('thrown');
      if (process.env.HOW === 'kill') process.kill(process.pid, 'SIGKILL');
    ";
    for (how, last) in [("end", 1002), ("exit", 1002), ("throw", 1002), ("kill", 1000)] {
        let mut peer = Peer::start(program, &[("HOW", how)]);
        let mut text = String::new();
        peer.end.read_to_string(&mut text).expect("it is text");
        assert_eq!(text.lines().count(), last, "{how}");
        assert!(text.lines().take(1000).enumerate().all(|(index, line)| line == index.to_string()), "{how}");
        peer.child.wait().expect("it ends");
    }
}

#[test]
fn unexpected_descriptors_are_closed() {
    let program = "
      const count = () => require('fs').readdirSync('/proc/self/fd').length;
      process.on('message', (message) => {
        if (message === 'count') { gc(); setTimeout(() => process.send(count()), 20); }
        if (message === 'end') process.disconnect();
      });
      process.on('warning', () => {});
    ";
    let mut peer = Peer::start(program, &[]);
    let count = |peer: &mut Peer| {
        peer.say(b"\"count\"\n");
        peer.hear()
    };
    let before = count(&mut peer);
    for _ in 0..200 {
        peer.send(b"\"x\"\n");
        // A kind that there is not; each is taken and closed.
        peer.send(b"{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Server\",\"msg\":1}\n");
        assert_eq!(peer.hear(), "{\"cmd\":\"NODE_HANDLE_ACK\"}");
        // A file is no stream.
        peer.send_with(b"{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Socket\",\"msg\":1}\n", file().as_fd());
        assert_eq!(peer.hear(), "{\"cmd\":\"NODE_HANDLE_ACK\"}");
    }
    assert_eq!(count(&mut peer), before);
    peer.say(b"\"end\"\n");
    assert!(peer.child.wait().expect("it ends").success());
}

fn file() -> OwnedFd {
    OwnedFd::from(std::fs::File::open("/proc/self/status").expect("it is there"))
}

/// A program whose parent is this test.
struct Peer {
    child: std::process::Child,
    end: UnixStream,
    lines: std::io::Lines<BufReader<UnixStream>>,
}

impl Peer {
    /// The channel is the program's standard input.
    fn start(program: &str, variables: &[(&str, &str)]) -> Peer {
        let (end, theirs) = UnixStream::pair().expect("a pair");
        let child = Command::new(env!("CARGO_BIN_EXE_rusk"))
            .args(["--expose-gc", "--no-warnings", "-e", program])
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("NODE_CHANNEL_FD", "0")])
            .envs(variables.iter().copied())
            .stdin(OwnedFd::from(theirs))
            .stderr(Stdio::null())
            .spawn()
            .expect("rusk starts");
        let lines = BufReader::new(end.try_clone().expect("a copy")).lines();
        Peer { child, end, lines }
    }

    fn say(&mut self, bytes: &[u8]) {
        self.end.write_all(bytes).expect("somebody reads");
    }

    fn hear(&mut self) -> String {
        self.lines.next().expect("it says something").expect("it is text")
    }

    fn send(&mut self, bytes: &[u8]) {
        let (_reader, writer) = std::io::pipe().expect("a pipe");
        self.send_with(bytes, writer.as_fd());
    }

    fn send_with(&mut self, bytes: &[u8], with: std::os::fd::BorrowedFd<'_>) {
        assert_eq!(unix_socket::send(self.end.as_fd(), bytes, Some(with)), Ok(bytes.len()));
    }
}
