// Symbols of the internal properties of `tls.TLSSocket` and `tls.Server`.
'use strict';

module.exports = {
  kALPNCallback: Symbol('alpncallback'),
  kConnectOptions: Symbol('connect-options'),
  kDisableRenegotiation: Symbol('disable-renegotiation'),
  kEnableTrace: Symbol('enableTrace'),
  /** The failure of this connection was emitted by the server. */
  kErrorEmitted: Symbol('error-emitted'),
  kHandshakeTimeout: Symbol('handshake-timeout'),
  kIsVerified: Symbol('verified'),
  /** A client's session, which is reported when the server is verified. */
  kPendingSession: Symbol('pendingSession'),
  kPskCallback: Symbol('pskcallback'),
  kPskIdentityHint: Symbol('pskidentityhint'),
  kSNICallback: Symbol('snicallback'),
};
