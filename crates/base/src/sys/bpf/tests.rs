//! BPF maps, programs and ring buffers, if this process has the privileges.

use super::*;

/// `r0 = 0; exit`.
const NOTHING: [u64; 2] = [0xb7, 0x95];

/// Without the privileges, the error must say so.
fn allowed<T>(result: Result<T>) -> Option<T> {
    match result {
        Err(error) => {
            assert!(error == Errno::PERM || error == Errno::NOSYS, "{error}");
            None
        }
        Ok(result) => Some(result),
    }
}

#[test]
fn a_map_returns_updated_entries() {
    let Some(map) = allowed(BpfMap::array(4, 3)) else { return };
    map.update(&2_u32.to_ne_bytes(), &77_u32.to_ne_bytes()).expect("a third entry");
    assert_eq!(map.lookup(&2_u32.to_ne_bytes()), Ok(77_u32.to_ne_bytes().to_vec()));
    assert_eq!(map.lookup(&3_u32.to_ne_bytes()), Err(Errno::NOENT));
}

#[test]
fn an_empty_ring_buffer_has_no_records() {
    let Some(mut ring) = allowed(RingBuffer::new(65_536)) else { return };
    ring.drain(|record| panic!("{record:?}"));
}

#[test]
fn a_program_is_loaded_and_attached() {
    if allowed(BpfMap::array(4, 1)).is_none() {
        return;
    }
    let program = load(&NOTHING).expect("it does nothing");
    attach(c"sys_exit", program.as_fd()).expect("a tracepoint of every kernel with them");
    assert_eq!(attach(c"no_such_point", program.as_fd()).err(), Some(Errno::NOENT));
}

#[test]
fn a_rejected_program_has_the_verifiers_log() {
    if allowed(BpfMap::array(4, 1)).is_none() {
        return;
    }
    let (error, log) = load(&[0x95]).expect_err("r0 was never set");
    assert_eq!(error, Errno::ACCESS);
    assert!(log.contains("R0"), "{log}");
}
