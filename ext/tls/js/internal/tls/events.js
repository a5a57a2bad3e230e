// Events of a handshake, for the socket of a TLS handle. In: what the handle reports or asks. Out:
// events and callbacks of the socket and its server, with Node's checks of their answers.
'use strict';

const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MULTIPLE_CALLBACK, ERR_SOCKET_CLOSED, ERR_TLS_ALPN_CALLBACK_INVALID_RESULT, ERR_TLS_RENEGOTIATION_DISABLED,
    ERR_TLS_SESSION_ATTACK,
  },
} = require('internal/errors');
const { validateBuffer, validateObject, validateString } = require('internal/validators');
const { kALPNCallback, kDisableRenegotiation, kIsVerified, kPendingSession, kPskCallback } = require('internal/tls/symbols');

const MILLISECONDS = 1000;

/** A callback for a program, which may be called once; then the socket must be open. */
function onceOpen(socket, body) {
  let isCalled = false;
  return (error, value) => {
    if (isCalled) return socket.destroy(new ERR_MULTIPLE_CALLBACK());
    isCalled = true;
    if (error) return socket.destroy(error);
    if (socket._handle === null) return socket.destroy(new ERR_SOCKET_CLOSED());
    return body(value);
  };
}

class Events {
  constructor(socket, handle) {
    this.socket = socket;
    this.handle = handle;
  }

  keylog(line) { this.socket.emit('keylog', line); }

  failed(error) {
    const { socket } = this;
    if (socket._hadError) return;
    socket._hadError = true;
    if (!socket._secureEstablished) {
      socket.destroy(error);
    } else if (socket._tlsOptions.isServer && socket._rejectUnauthorized && /peer did not return a certificate/.test(error.message)) {
      socket.destroy();
    } else {
      socket._emitTLSError(error);
    }
  }

  /** The answer of a program, or undefined; an error of it destroys the socket. */
  answer(body) {
    try {
      return body();
    } catch (error) {
      this.socket.destroy(error);
      return undefined;
    }
  }
}

class ClientEvents extends Events {
  handshakeStarted() {}
  handshakeDone() { this.socket._finishInit(); }
  ocspResponse(response) { this.socket.emit('OCSPResponse', response); }

  /** Sessions are reported when the server is verified. */
  newSession(_id, session) {
    if (this.socket[kIsVerified]) this.socket.emit('session', session);
    else this.socket[kPendingSession] = session;
  }

  askClientPsk(hint, keyBytesMax, identityBytesMax) {
    return this.answer(() => {
      const result = this.socket[kPskCallback](hint ?? null);
      if (result == null) return undefined;
      validateObject(result, 'ret');
      const { psk, identity } = result;
      validateBuffer(psk, 'psk');
      checkPskLength(psk, keyBytesMax);
      validateString(identity, 'identity');
      if (require('buffer').Buffer.byteLength(identity) > identityBytesMax) {
        throw new ERR_INVALID_ARG_VALUE('identity', identity, `PSK identity exceeds ${identityBytesMax} bytes`);
      }
      return { psk, identity };
    });
  }
}

function checkPskLength(psk, bytesMax) {
  if (psk.length > bytesMax) throw new ERR_INVALID_ARG_VALUE('psk', psk, `Pre-shared key exceeds ${bytesMax} bytes`);
}

class ServerEvents extends Events {
  #lastHandshake = 0;

  /** Limits how often a client may start a handshake again. */
  handshakeStarted() {
    const now = performance.now();
    const last = this.#lastHandshake;
    this.#lastHandshake = now;
    if (last === 0) return;
    const tls = require('tls');
    const { handle } = this;
    handle.handshakes = now - last >= tls.CLIENT_RENEG_WINDOW * MILLISECONDS ? 1 : handle.handshakes + 1;
    if (handle.handshakes > tls.CLIENT_RENEG_LIMIT) this.socket._emitTLSError(new ERR_TLS_SESSION_ATTACK());
    else if (this.socket[kDisableRenegotiation]) this.socket._emitTLSError(new ERR_TLS_RENEGOTIATION_DISABLED());
  }

  handshakeDone() {
    if (this.socket._newSessionPending) this.socket._securePending = true;
    else this.socket._finishInit();
  }

  /** The output waits until the program has saved the session. */
  newSession(id, session) {
    const { socket, handle } = this;
    let isCalled = false;
    const done = () => {
      if (isCalled) return undefined;
      isCalled = true;
      if (socket._handle === null) return socket.destroy(new ERR_SOCKET_CLOSED());
      handle.newSessionDone();
      socket._newSessionPending = false;
      if (socket._securePending) socket._finishInit();
      socket._securePending = false;
      return undefined;
    };
    socket._newSessionPending = true;
    if (!socket.server?.emit('newSession', id, session, done)) done();
  }

  clientHello(sessionId, hasTicket) {
    const { socket, handle } = this;
    const onSession = onceOpen(socket, (session) => {
      handle.loadSession(session);
      handle.continueHello();
    });
    // A session without an ID cannot be resumed; one in a ticket needs no program.
    const isAsked = sessionId.length > 0 && !hasTicket && socket.server?.emit('resumeSession', sessionId, onSession);
    if (!isAsked) handle.continueHello();
  }

  /** Chooses a context by the name that the client asked for, then an OCSP response. */
  certificateNeeded(servername, wantsOcsp) {
    const { socket } = this;
    socket.servername ??= servername ?? null;
    if (!servername || !socket._SNICallback) {
      this.#requestOcsp(wantsOcsp, undefined);
      return;
    }
    const onContext = onceOpen(socket, (context) => this.#requestOcsp(wantsOcsp, context?.context ?? context));
    this.answer(() => socket._SNICallback(servername, onContext));
  }

  #requestOcsp(isWanted, chosen) {
    const { socket } = this;
    const context = chosen ?? socket.server?._sharedCreds?.context;
    if (!isWanted || !context || socket.server.listenerCount('OCSPRequest') === 0) {
      this.#continue(chosen);
      return;
    }
    const onResponse = onceOpen(socket, (response) => {
      if (response) this.handle.setOCSPResponse(response);
      this.#continue(chosen);
    });
    socket.server.emit('OCSPRequest', context.getCertificate(), context.getIssuer(), onResponse);
  }

  #continue(context) {
    this.answer(() => {
      const { NativeContext } = require('internal/tls/native_context');
      if (context !== undefined && context !== null && !(context instanceof NativeContext)) throw new TypeError('Invalid SNI context');
      if (context && this.socket._requestCert) context.attachRoots();
      this.handle.continueCertificate(context?.native);
    });
  }

  /** The offset of the chosen protocol in the offer, or undefined. */
  askProtocol(offer, servername) {
    return this.answer(() => {
      const protocols = require('internal/tls/protocols').decode(offer);
      const selected = this.socket[kALPNCallback]({ servername, protocols });
      if (selected === undefined) return undefined;
      const index = protocols.indexOf(selected);
      if (index === -1) throw new ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(selected, protocols);
      return protocols.slice(0, index).reduce((offset, protocol) => offset + 1 + protocol.length, 0);
    });
  }

  askServerPsk(identity, keyBytesMax) {
    return this.answer(() => {
      const result = this.socket[kPskCallback](this.socket, identity);
      if (result == null) return undefined;
      if (!ArrayBuffer.isView(result) && typeof result !== 'object') throw new ERR_INVALID_ARG_TYPE('ret', ['Object', 'Buffer', 'TypedArray', 'DataView'], result);
      const psk = ArrayBuffer.isView(result) ? result : result.psk;
      if (psk !== result) validateBuffer(psk, 'psk');
      checkPskLength(psk, keyBytesMax);
      return psk;
    });
  }
}

module.exports = { ClientEvents, ServerEvents };
