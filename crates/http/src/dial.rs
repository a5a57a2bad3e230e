//! Connects to the first address that accepts ("Happy Eyeballs", RFC 8305). In: the addresses of a
//! host. Out: a TCP connection, or the error of each address. Absent: name lookup.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Time until the next address is tried in parallel: the cost of a dead IPv6 route. RFC 8305,
/// section 5 recommends 250 ms.
const NEXT_ADDRESS_AFTER: Duration = Duration::from_millis(250);

/// The error of each address, in the order in which they failed.
#[derive(Debug)]
pub struct ConnectError(pub Vec<(SocketAddr, io::Error)>);

/// Has no time limit of its own; the caller sets one.
pub async fn dial(addresses: Vec<SocketAddr>) -> Result<TcpStream, ConnectError> {
    let mut left = addresses.into_iter().peekable();
    let (mut tries, mut refusals) = (JoinSet::new(), Vec::new());
    loop {
        if let Some(address) = left.next() {
            tries.spawn(async move { TcpStream::connect(address).await.map_err(|error| (address, error)) });
        }
        let answer = match left.peek() {
            Some(_) => tokio::time::timeout(NEXT_ADDRESS_AFTER, tries.join_next()).await,
            None => Ok(tries.join_next().await),
        };
        match answer {
            Ok(Some(Ok(Ok(stream)))) => {
                // Fails only on sockets that are closed already; the first request will report
                // that.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Some(Ok(Err(refusal)))) => refusals.push(refusal),
            Ok(None) if left.peek().is_none() => return Err(ConnectError(refusals)),
            // Connection attempts are aborted only by this function.
            Ok(Some(Err(_)) | None) | Err(_) => {}
        }
    }
}
