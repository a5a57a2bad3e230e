//! Which address of a host answers. In: its addresses. Out: a connection to the first that takes
//! one, or why none did. Absent: names.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// How long an address may be silent before the next one of its host is tried beside it: what a
/// dead IPv6 route costs.
const NEXT_ADDRESS_AFTER: Duration = Duration::from_millis(250);

/// What each address said, in the order of the answers.
#[derive(Debug)]
pub struct NoAnswer(pub Vec<(SocketAddr, io::Error)>);

/// Nobody but the caller limits how long all of it takes.
pub async fn dial(addresses: Vec<SocketAddr>) -> Result<TcpStream, NoAnswer> {
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
                // Refused only on sockets that are gone already; the first request will tell.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Some(Ok(Err(refusal)))) => refusals.push(refusal),
            Ok(None) if left.peek().is_none() => return Err(NoAnswer(refusals)),
            // A try is ended by nobody but us.
            Ok(Some(Err(_)) | None) | Err(_) => {}
        }
    }
}
