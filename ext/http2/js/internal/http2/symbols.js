// Symbols of the internal properties of HTTP/2 sessions and streams.
'use strict';

const names = [
  'kAborted', 'kAlpnProtocol', 'kAuthority', 'kBoundSession', 'kEncrypted', 'kHandle', 'kHeadRequest', 'kID', 'kInit', 'kLocalSettings',
  'kMaybeDestroy', 'kOptions', 'kOrigin', 'kPendingRequests', 'kProceed', 'kProtocol', 'kProxySocket', 'kRemoteSettings', 'kRequest', 'kResponse',
  'kSentHeaders', 'kSentInfoHeaders', 'kSentTrailers', 'kServer', 'kSession', 'kSessions', 'kSocket', 'kState', 'kStrictSingleValueFields', 'kType',
  'kUpdateTimer',
];

/** As in Node, where tests find some of them by it. */
const description = (name) => name.slice(1).replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

module.exports = Object.fromEntries(names.map((name) => [name, Symbol(description(name))]));
