//! Network probe: latency and bandwidth of the throttled registry, as a client sees them. In: the
//! running proxy and nginx. Out: the time of a small request, and the rate of a large response.

use super::registry::{self, PORT};
use super::throttle::Throttle;
use crate::files;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

/// Half a second at the full rate.
const LARGE_BYTES: u64 = 12_500_000;
const LARGE: &str = "throttle/-/throttle-1.0.0.tgz";

/// In ms, and in MB per second.
pub fn measure(throttle: &Throttle) -> Result<(f64, f64), String> {
    let large = registry::directory().join("tarballs").join(LARGE);
    files::write(&large, "")?;
    // A sparse file of zeros.
    let file = std::fs::OpenOptions::new().write(true).open(&large);
    file.and_then(|file| file.set_len(LARGE_BYTES)).map_err(|error| format!("{LARGE}: {error}"))?;
    throttle.enable();
    let measured = measure_enabled().map_err(|error| format!("the throttled registry: {error}"));
    throttle.disable();
    measured
}

fn measure_enabled() -> std::io::Result<(f64, f64)> {
    let mut stream = BufReader::new(TcpStream::connect(("127.0.0.1", PORT))?);
    // The first response includes the time to connect.
    request(&mut stream, "throttle")?;
    let (_, round_trip_s) = request(&mut stream, "throttle")?;
    let (bytes, took_s) = request(&mut stream, LARGE)?;
    Ok((round_trip_s * 1000.0, bytes as f64 / 1e6 / (took_s - round_trip_s)))
}

/// One request with its complete response: body bytes, and seconds.
fn request(stream: &mut BufReader<TcpStream>, path: &str) -> std::io::Result<(u64, f64)> {
    let started = Instant::now();
    stream.get_mut().write_all(format!("GET /{path} HTTP/1.1\r\nHost: throttle\r\n\r\n").as_bytes())?;
    let mut bytes = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if line == "\r\n" {
            break;
        }
        let length = line.to_ascii_lowercase();
        bytes = length
            .strip_prefix("content-length:")
            .and_then(|digits| digits.trim().parse().ok())
            .unwrap_or(bytes);
    }
    // A buffer of that size would count toward the peak memory of the programs measured next: a
    // child inherits the maximum of its parent.
    std::io::copy(&mut stream.take(bytes), &mut std::io::sink())?;
    Ok((bytes, started.elapsed().as_secs_f64()))
}
