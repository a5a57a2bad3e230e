//! Parse errors with llhttp's codes and reasons, which programs test for.

/// llhttp's error codes that occur here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
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

impl ErrorCode {
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::Strict => "HPE_STRICT",
            ErrorCode::CrExpected => "HPE_CR_EXPECTED",
            ErrorCode::LfExpected => "HPE_LF_EXPECTED",
            ErrorCode::UnexpectedContentLength => "HPE_UNEXPECTED_CONTENT_LENGTH",
            ErrorCode::UnexpectedSpace => "HPE_UNEXPECTED_SPACE",
            ErrorCode::ClosedConnection => "HPE_CLOSED_CONNECTION",
            ErrorCode::InvalidMethod => "HPE_INVALID_METHOD",
            ErrorCode::InvalidUrl => "HPE_INVALID_URL",
            ErrorCode::InvalidConstant => "HPE_INVALID_CONSTANT",
            ErrorCode::InvalidVersion => "HPE_INVALID_VERSION",
            ErrorCode::InvalidHeaderToken => "HPE_INVALID_HEADER_TOKEN",
            ErrorCode::InvalidContentLength => "HPE_INVALID_CONTENT_LENGTH",
            ErrorCode::InvalidChunkSize => "HPE_INVALID_CHUNK_SIZE",
            ErrorCode::InvalidStatus => "HPE_INVALID_STATUS",
            ErrorCode::InvalidEofState => "HPE_INVALID_EOF_STATE",
            ErrorCode::InvalidTransferEncoding => "HPE_INVALID_TRANSFER_ENCODING",
            ErrorCode::PausedH2Upgrade => "HPE_PAUSED_H2_UPGRADE",
            ErrorCode::HeaderOverflow => "HPE_HEADER_OVERFLOW",
            ErrorCode::ChunkExtensionsOverflow => "HPE_CHUNK_EXTENSIONS_OVERFLOW",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub code: ErrorCode,
    pub reason: &'static str,
    /// Bytes of the last input before the error.
    pub bytes_read: usize,
}

impl ParseError {
    pub(super) fn new(code: ErrorCode, reason: &'static str) -> ParseError {
        ParseError { code, reason, bytes_read: 0 }
    }

    pub(super) fn at(self, bytes_read: usize) -> ParseError {
        ParseError { bytes_read, ..self }
    }

    /// Moves an error within a line to the line's offset `begin` in the input; `before` bytes of
    /// the line came with an earlier input.
    pub(super) fn offset_by(self, begin: usize, before: usize) -> ParseError {
        self.at((begin + self.bytes_read).saturating_sub(before))
    }
}
