//! Limits of a session, with Node's and nghttp2's defaults.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionRole {
    Client,
    Server,
}

/// How many bytes are added to frames, so that their sizes say less about their content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaddingStrategy {
    #[default]
    None,
    /// The size of a frame becomes a multiple of eight.
    Aligned,
    Max,
}

#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The largest dynamic table for what is sent.
    pub encoder_table_bytes_max: usize,
    /// How many streams a client opens before it knows the server's limit.
    pub peer_concurrent_streams_max: u32,
    pub reserved_streams_max: u32,
    /// Entries of one SETTINGS frame.
    pub settings_entries_max: usize,
    pub header_pairs_max: usize,
    /// Bytes of a header list; 0: the setting in force.
    pub header_list_bytes_max: usize,
    pub send_header_block_bytes_max: usize,
    /// CONTINUATION frames of one header block.
    pub continuations_max: usize,
    /// Acknowledgements that were not sent yet: of a peer that does not read.
    pub unsent_acks_max: usize,
    /// RST_STREAM frames of a client: at once, and then each second (CVE-2023-44487).
    pub reset_burst: u64,
    pub resets_per_second: u64,
    /// Frames that break the protocol or are empty.
    pub invalid_frames_max: u32,
    /// Streams that were refused because of `refuses_streams`.
    pub rejected_streams_max: u32,
    /// Values with white space around them are ignored.
    pub is_whitespace_strict: bool,
    pub padding: PaddingStrategy,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            encoder_table_bytes_max: crate::hpack::DEFAULT_TABLE_BYTES,
            peer_concurrent_streams_max: 100,
            reserved_streams_max: 200,
            settings_entries_max: 32,
            header_pairs_max: 128,
            header_list_bytes_max: 0,
            send_header_block_bytes_max: 64 * 1024,
            continuations_max: 8,
            unsent_acks_max: 1000,
            reset_burst: 1000,
            resets_per_second: 33,
            invalid_frames_max: 1000,
            rejected_streams_max: 100,
            is_whitespace_strict: true,
            padding: PaddingStrategy::None,
        }
    }
}
