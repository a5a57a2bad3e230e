//! Name server of a jailed program, over TCP: RFC 7766. In: a socket that the program connects to
//! a name server. Out: addresses of granted names; any other name does not exist.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rusk_base::sys::{Errno, seccomp_listener};
use rusk_dns::{NAME_ERROR, decode_query, encode_answer};

use super::Supervisor;

/// Queries have one name; more bytes end the connection.
const QUERY_BYTES_MAX: usize = 1024;
/// A resolver asks at once.
const IDLE_MAX: Duration = Duration::from_secs(10);
const QUERIES_MAX: usize = 1000;
const TTL_S: u32 = 60;

/// Connects a program's socket to this server. `server`: where the program wanted to connect to.
pub fn connect(
    supervisor: &Arc<Supervisor>,
    socket: &OwnedFd,
    server: SocketAddr,
) -> std::result::Result<(), Errno> {
    let errno = |error: io::Error| Errno::from_io_error(&error).unwrap_or(Errno::CONNREFUSED);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(errno)?;
    let own = listener.local_addr().map_err(errno)?;
    let address = match server {
        SocketAddr::V4(_) => own,
        SocketAddr::V6(_) => SocketAddr::new(Ipv4Addr::LOCALHOST.to_ipv6_mapped().into(), own.port()),
    };
    let connected = seccomp_listener::connect(socket.as_fd(), address);
    if matches!(connected, Ok(()) | Err(Errno::INPROGRESS)) {
        let supervisor = Arc::clone(supervisor);
        let serve = move || {
            if let Ok((stream, _)) = listener.accept() {
                // An error ends the connection.
                let _ = serve(&supervisor, stream);
            }
        };
        thread::Builder::new().name("names".to_owned()).spawn(serve).map_err(errno)?;
    }
    connected
}

fn serve(supervisor: &Supervisor, mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE_MAX))?;
    stream.set_write_timeout(Some(IDLE_MAX))?;
    for _ in 0..QUERIES_MAX {
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        let length = usize::from(u16::from_be_bytes(length));
        if length > QUERY_BYTES_MAX {
            return Ok(());
        }
        let mut message = vec![0; length];
        stream.read_exact(&mut message)?;
        let Ok(query) = decode_query(&message) else { return Ok(()) };
        let answer = match supervisor.answer(&query.host) {
            Some(addresses) => encode_answer(&query, 0, &addresses, TTL_S),
            None => encode_answer(&query, NAME_ERROR, &[], TTL_S),
        };
        let length = u16::try_from(answer.len()).unwrap_or(0);
        stream.write_all(&[&length.to_be_bytes(), answer.as_slice()].concat())?;
    }
    Ok(())
}
