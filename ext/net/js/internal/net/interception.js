// Whether a program has replaced how sockets connect, as interceptors of requests do (msw). In: the
// class of sockets, once it is loaded. Out: an answer for `fetch`, which does not use it otherwise.
'use strict';

let Socket;
let connect;

/** Called when the class is complete. */
function setSocket(value) {
  Socket = value;
  ({ connect } = value.prototype);
}

const isConnectReplaced = () => Socket !== undefined && Socket.prototype.connect !== connect;

module.exports = { isConnectReplaced, setSocket };
