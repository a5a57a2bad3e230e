//! Maps, programs and rings in the kernel, where the rights are there.

use super::*;

/// `r0 = 0; exit`.
const NOTHING: [u64; 2] = [0xb7, 0x95];

/// Where the rights are missing, that is what must be said.
fn allowed<T>(made: Result<T>) -> Option<T> {
    match made {
        Err(error) => {
            assert!(error == Errno::PERM || error == Errno::NOSYS, "{error}");
            None
        }
        Ok(made) => Some(made),
    }
}

#[test]
fn a_table_keeps_what_was_put() {
    let Some(table) = allowed(BpfMap::array(4, 3)) else { return };
    table.update(&2_u32.to_ne_bytes(), &77_u32.to_ne_bytes()).expect("a third entry");
    assert_eq!(table.lookup(&2_u32.to_ne_bytes()), Ok(77_u32.to_ne_bytes().to_vec()));
    assert_eq!(table.lookup(&3_u32.to_ne_bytes()), Err(Errno::NOENT));
}

#[test]
fn an_empty_ring_has_no_records() {
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
fn a_refused_program_is_explained() {
    if allowed(BpfMap::array(4, 1)).is_none() {
        return;
    }
    let (error, said) = load(&[0x95]).expect_err("r0 was never set");
    assert_eq!(error, Errno::ACCESS);
    assert!(said.contains("R0"), "{said}");
}
