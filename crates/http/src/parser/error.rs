//! What can be wrong with a message. Out: names and words that llhttp has for it, which programs
//! know.

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Strict,
    CrExpected,
    LfExpected,
    UnexpectedContentLength,
    UnexpectedSpace,
    ClosedConnection,
    InvalidMethod,
    InvalidUrl,
    InvalidConstant,
    InvalidVersion,
    InvalidHeaderToken,
    InvalidContentLength,
    InvalidChunkSize,
    InvalidStatus,
    InvalidEofState,
    InvalidTransferEncoding,
    PausedH2Upgrade,
    HeaderOverflow,
    ChunkExtensionsOverflow,
}

impl Code {
    pub fn name(self) -> &'static str {
        match self {
            Code::Strict => "HPE_STRICT",
            Code::CrExpected => "HPE_CR_EXPECTED",
            Code::LfExpected => "HPE_LF_EXPECTED",
            Code::UnexpectedContentLength => "HPE_UNEXPECTED_CONTENT_LENGTH",
            Code::UnexpectedSpace => "HPE_UNEXPECTED_SPACE",
            Code::ClosedConnection => "HPE_CLOSED_CONNECTION",
            Code::InvalidMethod => "HPE_INVALID_METHOD",
            Code::InvalidUrl => "HPE_INVALID_URL",
            Code::InvalidConstant => "HPE_INVALID_CONSTANT",
            Code::InvalidVersion => "HPE_INVALID_VERSION",
            Code::InvalidHeaderToken => "HPE_INVALID_HEADER_TOKEN",
            Code::InvalidContentLength => "HPE_INVALID_CONTENT_LENGTH",
            Code::InvalidChunkSize => "HPE_INVALID_CHUNK_SIZE",
            Code::InvalidStatus => "HPE_INVALID_STATUS",
            Code::InvalidEofState => "HPE_INVALID_EOF_STATE",
            Code::InvalidTransferEncoding => "HPE_INVALID_TRANSFER_ENCODING",
            Code::PausedH2Upgrade => "HPE_PAUSED_H2_UPGRADE",
            Code::HeaderOverflow => "HPE_HEADER_OVERFLOW",
            Code::ChunkExtensionsOverflow => "HPE_CHUNK_EXTENSIONS_OVERFLOW",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: Code,
    pub reason: &'static str,
    /// Bytes of the last piece that were read before.
    pub bytes_read: usize,
}

impl Fault {
    pub(super) fn new(code: Code, reason: &'static str) -> Fault {
        Fault { code, reason, bytes_read: 0 }
    }

    pub(super) fn at(self, bytes_read: usize) -> Fault {
        Fault { bytes_read, ..self }
    }

    /// It was at its place of a line that begins there, so many bytes of which were not of the last
    /// piece.
    pub(super) fn behind(self, begin: usize, before: usize) -> Fault {
        self.at((begin + self.bytes_read).saturating_sub(before))
    }
}
