//! The proxy delays as much as it should, and no more.

use super::*;
use std::io::{Read, Write};
use std::net::{TcpListener as Listener, TcpStream as Stream};

const ANSWER_BYTES: usize = 2_500_000;

/// A server that responds to each byte with `ANSWER_BYTES`.
fn server() -> SocketAddr {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                while stream.read(&mut [0]).is_ok_and(|count| count == 1) {
                    stream.write_all(&vec![b'x'; ANSWER_BYTES]).unwrap();
                }
            });
        }
    });
    address
}

/// A proxy with its upstream server, and its address.
fn throttled() -> (Throttle, SocketAddr) {
    let upstream = server();
    // The port was free a moment ago; another test's server may have taken it.
    let mut fronts = (0..8).map(|_| Listener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    fronts.find_map(|front| Some((Throttle::listen(front, upstream).ok()?, front))).expect("a free port")
}

/// The time until a complete response has arrived.
fn ask(stream: &mut Stream) -> Duration {
    let started = std::time::Instant::now();
    stream.write_all(b"?").unwrap();
    stream.read_exact(&mut vec![0; ANSWER_BYTES]).unwrap();
    started.elapsed()
}

/// The bytes need 100 ms.
#[test]
fn a_drawn_brake_delays_the_connect_each_way_and_the_bytes() {
    let (throttle, front) = throttled();
    throttle.enable();
    let mut stream = Stream::connect(front).unwrap();
    let (first, second) = (ask(&mut stream), ask(&mut stream));
    assert!(first >= Duration::from_millis(195), "{first:?}");
    assert!(second >= Duration::from_millis(145), "{second:?}");
    let traffic = throttle.disable();
    assert_eq!(traffic, Traffic { bytes: 2 * ANSWER_BYTES as u64, connections: 1 });
}

/// Two connections share the link: together they need 200 ms for their bytes.
#[test]
fn connections_share_the_line() {
    let (throttle, front) = throttled();
    throttle.enable();
    let started = std::time::Instant::now();
    let asks = [0, 1].map(|_| std::thread::spawn(move || ask(&mut Stream::connect(front).unwrap())));
    for ask in asks {
        ask.join().unwrap();
    }
    assert!(started.elapsed() >= Duration::from_millis(295), "{:?}", started.elapsed());
}

#[test]
fn what_passes_before_it_is_drawn_is_not_counted() {
    let (throttle, front) = throttled();
    let mut stream = Stream::connect(front).unwrap();
    ask(&mut stream);
    throttle.enable();
    assert_eq!(throttle.disable(), Traffic::default());
    ask(&mut stream);
}
