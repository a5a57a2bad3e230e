//! Settings (RFC 9113, section 6.5; RFC 8441). In: pairs of an identifier and a value. Out: the
//! settings in force, or the error that a value is.

use crate::error::Http2Error;
use crate::frame::{DEFAULT_PAYLOAD_BYTES, PAYLOAD_BYTES_MAX};
use crate::hpack::DEFAULT_TABLE_BYTES;

/// The largest flow-control window.
pub const WINDOW_BYTES_MAX: u32 = 0x7fff_ffff;
/// The flow-control window before SETTINGS.
pub const DEFAULT_WINDOW_BYTES: u32 = 65_535;
/// Settings of other identifiers that are retained, as Node's MAX_ADDITIONAL_SETTINGS.
pub const ADDITIONAL_SETTINGS_MAX: usize = 10;

pub mod id {
    pub const HEADER_TABLE_SIZE: u16 = 1;
    pub const ENABLE_PUSH: u16 = 2;
    pub const MAX_CONCURRENT_STREAMS: u16 = 3;
    pub const INITIAL_WINDOW_SIZE: u16 = 4;
    pub const MAX_FRAME_SIZE: u16 = 5;
    pub const MAX_HEADER_LIST_SIZE: u16 = 6;
    pub const ENABLE_CONNECT_PROTOCOL: u16 = 8;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http2Settings {
    pub header_table_bytes: u32,
    pub enable_push: bool,
    pub concurrent_streams_max: u32,
    pub initial_window_bytes: u32,
    pub frame_bytes_max: u32,
    pub header_list_bytes_max: u32,
    pub enable_connect_protocol: bool,
    /// Of other identifiers.
    pub additional: Vec<(u16, u32)>,
}

impl Default for Http2Settings {
    fn default() -> Http2Settings {
        Http2Settings {
            header_table_bytes: DEFAULT_TABLE_BYTES as u32,
            enable_push: true,
            concurrent_streams_max: u32::MAX,
            initial_window_bytes: DEFAULT_WINDOW_BYTES,
            frame_bytes_max: DEFAULT_PAYLOAD_BYTES,
            header_list_bytes_max: u32::MAX,
            enable_connect_protocol: false,
            additional: Vec::new(),
        }
    }
}

impl Http2Settings {
    pub fn apply(&mut self, identifier: u16, value: u32) -> Result<(), Http2Error> {
        match identifier {
            id::HEADER_TABLE_SIZE => self.header_table_bytes = value,
            id::ENABLE_PUSH => self.enable_push = flag(value)?,
            id::MAX_CONCURRENT_STREAMS => self.concurrent_streams_max = value,
            id::INITIAL_WINDOW_SIZE if value > WINDOW_BYTES_MAX => return Err(Http2Error::FlowControl),
            id::INITIAL_WINDOW_SIZE => self.initial_window_bytes = value,
            id::MAX_FRAME_SIZE => {
                if !(DEFAULT_PAYLOAD_BYTES..=PAYLOAD_BYTES_MAX).contains(&value) {
                    return Err(Http2Error::Proto);
                }
                self.frame_bytes_max = value;
            }
            id::MAX_HEADER_LIST_SIZE => self.header_list_bytes_max = value,
            id::ENABLE_CONNECT_PROTOCOL => {
                let is_enabled = flag(value)?;
                // It cannot be taken back (RFC 8441, section 3).
                if self.enable_connect_protocol && !is_enabled {
                    return Err(Http2Error::Proto);
                }
                self.enable_connect_protocol = is_enabled;
            }
            _ => self.set_additional(identifier, value),
        }
        Ok(())
    }

    fn set_additional(&mut self, identifier: u16, value: u32) {
        if let Some((_, own)) = self.additional.iter_mut().find(|(own, _)| *own == identifier) {
            *own = value;
        } else if self.additional.len() < ADDITIONAL_SETTINGS_MAX {
            self.additional.push((identifier, value));
        }
    }
}

fn flag(value: u32) -> Result<bool, Http2Error> {
    match value {
        0 | 1 => Ok(value == 1),
        _ => Err(Http2Error::Proto),
    }
}
