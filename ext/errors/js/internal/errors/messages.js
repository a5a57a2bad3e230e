// Message templates of error codes. In: a code. Out: the initial of its class (E Error, T
// TypeError, R RangeError, S SyntaxError, U URIError, Y SystemError), and a template, or a function
// of the arguments that is called with the error as `this`. Plain templates are one string that is
// searched: a program needs few of them, and parsing all costs startup time.
'use strict';

const { determineSpecificType, formatList } = require('internal/errors');

const PLAIN = `
ERR_AMBIGUOUS_ARGUMENT T The "%s" argument is ambiguous. %s
ERR_ARG_NOT_ITERABLE T %s must be iterable
ERR_ASSERTION E %s
ERR_ASYNC_CALLBACK T %s must be a function
ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED E Async loader request never settled
ERR_ASYNC_TYPE T Invalid name for async "type": %s
ERR_BROTLI_INVALID_PARAM R %s is not a valid Brotli parameter
ERR_BUFFER_TOO_LARGE R Cannot create a Buffer larger than %s bytes
ERR_CANNOT_WATCH_SIGINT E Cannot watch for SIGINT signals
ERR_CHILD_CLOSED_BEFORE_REPLY E Child closed before reply received
ERR_CHILD_PROCESS_IPC_REQUIRED E Forked processes must have an IPC channel, missing value 'ipc' in %s
ERR_CHILD_PROCESS_STDIO_MAXBUFFER R %s maxBuffer length exceeded
ERR_CLOSED_MESSAGE_PORT E Cannot send data on closed MessagePort
ERR_CONSOLE_WRITABLE_STREAM T Console expects a writable stream instance for %s
ERR_CONSTRUCT_CALL_INVALID T Constructor cannot be called
ERR_CONSTRUCT_CALL_REQUIRED T Class constructor %s cannot be invoked without \`new\`
ERR_CONTEXT_NOT_INITIALIZED E context used is not initialized
ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED E Custom engines not supported by this OpenSSL
ERR_CRYPTO_ECDH_INVALID_FORMAT T Invalid ECDH format: %s
ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY E Public key is not valid for specified curve
ERR_CRYPTO_FIPS_UNAVAILABLE E Cannot set FIPS mode in a non-FIPS build.
ERR_CRYPTO_HASH_FINALIZED E Digest already called
ERR_CRYPTO_INCOMPATIBLE_KEY E Incompatible %s: %s
ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS E The selected key encoding %s %s.
ERR_CRYPTO_INVALID_CURVE T Invalid EC curve name
ERR_CRYPTO_INVALID_DIGEST T Invalid digest: %s
ERR_CRYPTO_INVALID_JWK T Invalid JWK data
ERR_CRYPTO_INVALID_KEYLEN R Invalid key length
ERR_CRYPTO_INVALID_KEYPAIR R Invalid key pair
ERR_CRYPTO_INVALID_KEYTYPE R Invalid key type
ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE T Invalid key object type %s, expected %s.
ERR_CRYPTO_INVALID_SCRYPT_PARAMS R Invalid scrypt params
ERR_CRYPTO_INVALID_STATE E Invalid state for operation %s
ERR_CRYPTO_JWK_UNSUPPORTED_CURVE E Unsupported JWK EC curve: %s.
ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE E Unsupported JWK Key Type.
ERR_CRYPTO_OPERATION_FAILED E Operation failed
ERR_CRYPTO_SIGN_KEY_REQUIRED E No key provided to sign
ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH R Input buffers must have the same byte length
ERR_CRYPTO_UNKNOWN_CIPHER E Unknown cipher
ERR_CRYPTO_UNKNOWN_DH_GROUP E Unknown DH group
ERR_CRYPTO_UNSUPPORTED_OPERATION E Unsupported crypto operation
ERR_DIR_CLOSED E Directory handle was closed
ERR_DIR_CONCURRENT_OPERATION E Cannot do synchronous work on directory handle with concurrent asynchronous operations
ERR_DLOPEN_FAILED E %s
ERR_DNS_SET_SERVERS_FAILED E c-ares failed to set servers: "%s" [%s]
ERR_ENCODING_NOT_SUPPORTED R The "%s" encoding is not supported
ERR_EVAL_ESM_CANNOT_PRINT E --print cannot be used with ESM input
ERR_EVENT_RECURSION E The event "%s" is already being dispatched
ERR_FEATURE_UNAVAILABLE_ON_PLATFORM T The feature %s is not available in rusk
ERR_FS_FILE_TOO_LARGE R File size (%s) is greater than 2 GiB
ERR_FS_WATCH_QUEUE_OVERFLOW E fs.watch() queued more than %d events
ERR_HTTP2_ALTSVC_INVALID_ORIGIN T HTTP/2 ALTSVC frames require a valid origin
ERR_HTTP2_ALTSVC_LENGTH T HTTP/2 ALTSVC frames are limited to 16382 bytes
ERR_HTTP2_CONNECT_AUTHORITY E :authority header is required for CONNECT requests
ERR_HTTP2_CONNECT_PATH E The :path header is forbidden for CONNECT requests
ERR_HTTP2_CONNECT_SCHEME E The :scheme header is forbidden for CONNECT requests
ERR_HTTP2_GOAWAY_SESSION E New streams cannot be created after receiving a GOAWAY
ERR_HTTP2_HEADERS_AFTER_RESPOND E Cannot specify additional headers after response initiated
ERR_HTTP2_HEADERS_SENT E Response has already been initiated.
ERR_HTTP2_HEADER_SINGLE_VALUE T Header field "%s" must only have a single value
ERR_HTTP2_INFO_STATUS_NOT_ALLOWED R Informational status codes cannot be used
ERR_HTTP2_INVALID_CONNECTION_HEADERS T HTTP/1 Connection specific headers are forbidden: "%s"
ERR_HTTP2_INVALID_HEADER_VALUE T Invalid value "%s" for header "%s"
ERR_HTTP2_INVALID_INFO_STATUS R Invalid informational status code: %s
ERR_HTTP2_INVALID_ORIGIN T HTTP/2 ORIGIN frames require a valid origin
ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH R Packed settings length must be a multiple of six
ERR_HTTP2_INVALID_PSEUDOHEADER T "%s" is an invalid pseudoheader or is used incorrectly
ERR_HTTP2_INVALID_SESSION E The session has been destroyed
ERR_HTTP2_INVALID_SETTING_VALUE T Invalid value for setting "%s": %s
ERR_HTTP2_INVALID_STREAM E The stream has been destroyed
ERR_HTTP2_MAX_PENDING_SETTINGS_ACK E Maximum number of pending settings acknowledgements
ERR_HTTP2_NESTED_PUSH E A push stream cannot initiate another push stream.
ERR_HTTP2_NO_SOCKET_MANIPULATION E HTTP/2 sockets should not be directly manipulated (e.g. read and written)
ERR_HTTP2_ORIGIN_LENGTH T HTTP/2 ORIGIN frames are limited to 16382 bytes
ERR_HTTP2_OUT_OF_STREAMS E No stream ID is available because maximum stream ID has been reached
ERR_HTTP2_PAYLOAD_FORBIDDEN E Responses with %s status must not have a payload
ERR_HTTP2_PING_CANCEL E HTTP2 ping cancelled
ERR_HTTP2_PING_LENGTH R HTTP2 ping payload must be 8 bytes
ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED T Cannot set HTTP/2 pseudo-headers
ERR_HTTP2_PUSH_DISABLED E HTTP/2 client has disabled push streams
ERR_HTTP2_SEND_FILE E Directories cannot be sent
ERR_HTTP2_SEND_FILE_NOSEEK E Offset or length can only be specified for regular files
ERR_HTTP2_SESSION_ERROR E Session closed with error code %s
ERR_HTTP2_SETTINGS_CANCEL E HTTP2 session settings canceled
ERR_HTTP2_SOCKET_BOUND E The socket is already bound to an Http2Session
ERR_HTTP2_SOCKET_UNBOUND E The socket has been disconnected from the Http2Session
ERR_HTTP2_STATUS_101 E HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2
ERR_HTTP2_STATUS_INVALID R Invalid status code: %s
ERR_HTTP2_STREAM_ERROR E Stream closed with error code %s
ERR_HTTP2_STREAM_SELF_DEPENDENCY E A stream cannot depend on itself
ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS E Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS
ERR_HTTP2_TOO_MANY_INVALID_FRAMES E Too many invalid HTTP/2 frames
ERR_HTTP2_TRAILERS_ALREADY_SENT E Trailing headers have already been sent
ERR_HTTP2_TRAILERS_NOT_READY E Trailing headers cannot be sent until after the wantTrailers event is emitted
ERR_HTTP2_UNSUPPORTED_PROTOCOL E protocol "%s" is unsupported.
ERR_HTTP_BODY_NOT_ALLOWED E Adding content for this request method or response status is not allowed.
ERR_HTTP_CONTENT_LENGTH_MISMATCH E Response body's content-length of %s byte(s) does not match the content-length of %s byte(s) set in header
ERR_HTTP_HEADERS_SENT E Cannot %s headers after they are sent to the client
ERR_HTTP_INVALID_HEADER_VALUE T Invalid value "%s" for header "%s"
ERR_HTTP_INVALID_STATUS_CODE R Invalid status code: %s
ERR_HTTP_REQUEST_TIMEOUT E Request timeout
ERR_HTTP_SOCKET_ASSIGNED E ServerResponse has an already assigned socket
ERR_HTTP_SOCKET_ENCODING E Changing the socket encoding is not allowed per RFC7230 Section 3.
ERR_HTTP_TRAILER_INVALID E Trailers are invalid with this transfer encoding
ERR_ILLEGAL_CONSTRUCTOR T Illegal constructor
ERR_IMPORT_ATTRIBUTE_MISSING T Module "%s" needs an import attribute of "%s: %s"
ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE T Module "%s" is not of type "%s"
ERR_IMPORT_ATTRIBUTE_UNSUPPORTED T Import attribute "%s" with value "%s" is not supported
ERR_INCOMPATIBLE_OPTION_PAIR T Option "%s" cannot be used in combination with option "%s"
ERR_INSPECTOR_ALREADY_CONNECTED E %s is already connected
ERR_INSPECTOR_CLOSED E Session was closed
ERR_INSPECTOR_COMMAND E Inspector error %d: %s
ERR_INSPECTOR_NOT_ACTIVE E Inspector is not active
ERR_INSPECTOR_NOT_AVAILABLE E Inspector is not available: rusk has no debugger server
ERR_INSPECTOR_NOT_CONNECTED E Session is not connected
ERR_INSPECTOR_NOT_WORKER E Current thread is not a worker
ERR_INVALID_ADDRESS E Invalid socket address
ERR_INVALID_ASYNC_ID R Invalid %s value: %s
ERR_INVALID_BUFFER_SIZE R Buffer size must be a multiple of %s
ERR_INVALID_CURSOR_POS T Cannot set cursor row without setting its column
ERR_INVALID_FD R "fd" must be a positive integer: %s
ERR_INVALID_FD_TYPE T Unsupported fd type: %s
ERR_INVALID_FILE_URL_HOST T File URL host must be "localhost" or empty on %s
ERR_INVALID_HANDLE_TYPE T This handle type cannot be sent
ERR_INVALID_HTTP_TOKEN T %s must be a valid HTTP token ["%s"]
ERR_INVALID_IP_ADDRESS T Invalid IP address: %s
ERR_INVALID_MODULE E No such module: %s
ERR_INVALID_OBJECT_DEFINE_PROPERTY T %s
ERR_INVALID_PROTOCOL T Protocol "%s" not supported. Expected "%s"
ERR_INVALID_STATE E Invalid state: %s
ERR_INVALID_SYNC_FORK_INPUT T Asynchronous forks do not support Buffer, TypedArray, DataView or string input: %s
ERR_INVALID_THIS T Value of "this" must be of type %s
ERR_INVALID_TUPLE T %s must be an iterable %s tuple
ERR_INVALID_URI U URI malformed
ERR_IPC_CHANNEL_CLOSED E Channel closed
ERR_IPC_DISCONNECTED E IPC channel is already disconnected
ERR_IPC_ONE_PIPE E Child process can have only one IPC pipe
ERR_IPC_SYNC_FORK E IPC cannot be used with synchronous forks
ERR_IP_BLOCKED E IP(%s) is blocked by net.BlockList
ERR_LOADER_CHAIN_INCOMPLETE E "%s" did not call the next hook in its chain and did not explicitly signal a short circuit. If this is intentional, include \`shortCircuit: true\` in the hook's return.
ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE E A message object could not be deserialized successfully in the target vm.Context
ERR_METHOD_NOT_IMPLEMENTED E The %s method is not implemented
ERR_MISSING_LIBRARY E %s
ERR_MISSING_OPTION T %s is required
ERR_MISSING_PASSPHRASE T Passphrase required for encrypted key
ERR_MODULE_LINK_MISMATCH T %s
ERR_MULTIPLE_CALLBACK E Callback called multiple times
ERR_NOT_BUILDING_SNAPSHOT E Operation cannot be invoked when not building startup snapshot
ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION E Operation cannot be invoked when not in a single-executable application
ERR_OPERATION_FAILED E Operation failed: %s
ERR_PARSE_ARGS_INVALID_OPTION_VALUE T %s
ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL T Unexpected argument '%s'. This command does not take positional arguments
ERR_PERFORMANCE_INVALID_TIMESTAMP T %d is not a valid timestamp
ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS T %s
ERR_PROXY_INVALID_CONFIG E %s
ERR_PROXY_TUNNEL E %s
ERR_REQUIRE_CYCLE_MODULE E %s
ERR_SCRIPT_EXECUTION_INTERRUPTED E Script execution was interrupted by \`SIGINT\`
ERR_SCRIPT_EXECUTION_TIMEOUT E Script execution timed out after %sms
ERR_SERVER_ALREADY_LISTEN E Listen method has been called more than once without closing.
ERR_SERVER_NOT_RUNNING E Server is not running.
ERR_SOCKET_ALREADY_BOUND E Socket is already bound
ERR_SOCKET_BAD_BUFFER_SIZE T Buffer size must be a positive integer
ERR_SOCKET_BAD_TYPE T Bad socket type specified. Valid types are: udp4, udp6
ERR_SOCKET_CLOSED E Socket is closed
ERR_SOCKET_CLOSED_BEFORE_CONNECTION E Socket closed before the connection was established
ERR_SOCKET_CONNECTION_TIMEOUT E Socket connection timeout
ERR_SOCKET_DGRAM_IS_CONNECTED E Already connected
ERR_SOCKET_DGRAM_NOT_CONNECTED E Not connected
ERR_SOCKET_DGRAM_NOT_RUNNING E Not running
ERR_SOURCE_MAP_CORRUPT E The source map for '%s' does not exist or is corrupt.
ERR_SOURCE_MAP_MISSING_SOURCE E Cannot find '%s' imported from the source map for '%s'
ERR_STREAM_ALREADY_FINISHED E Cannot call %s after a stream was finished
ERR_STREAM_CANNOT_PIPE E Cannot pipe, not readable
ERR_STREAM_DESTROYED E Cannot call %s after a stream was destroyed
ERR_STREAM_NULL_VALUES T May not write null values to stream
ERR_STREAM_PREMATURE_CLOSE E Premature close
ERR_STREAM_PUSH_AFTER_EOF E stream.push() after EOF
ERR_STREAM_UNABLE_TO_PIPE E Cannot pipe to a closed or destroyed stream
ERR_STREAM_UNSHIFT_AFTER_END_EVENT E stream.unshift() after end event
ERR_STREAM_WRAP E Stream has StringDecoder set or is in objectMode
ERR_STREAM_WRITE_AFTER_END E write after end
ERR_SYNTHETIC E JavaScript Callstack
ERR_TEST_FAILURE E %s
ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS T The ALPNCallback and ALPNProtocols TLS options are mutually exclusive
ERR_TLS_CERT_ALTNAME_FORMAT S Invalid subject alternative name string
ERR_TLS_DH_PARAM_SIZE E DH parameter size %s is less than 2048
ERR_TLS_HANDSHAKE_TIMEOUT E TLS handshake timeout
ERR_TLS_INVALID_CONTEXT T %s must be a SecureContext
ERR_TLS_INVALID_PROTOCOL_METHOD T %s
ERR_TLS_INVALID_PROTOCOL_VERSION T %j is not a valid %s TLS protocol version
ERR_TLS_INVALID_STATE E TLS socket connection must be securely established
ERR_TLS_PROTOCOL_VERSION_CONFLICT T TLS protocol version %j conflicts with secureProtocol %j
ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED E Failed to set PSK identity hint
ERR_TLS_RENEGOTIATION_DISABLED E TLS session renegotiation disabled for this socket
ERR_TLS_REQUIRED_SERVER_NAME E "servername" is required parameter for Server.addContext
ERR_TLS_SESSION_ATTACK E TLS session renegotiation attack detected
ERR_TLS_SNI_FROM_SERVER E Cannot issue SNI from a TLS server-side socket
ERR_TRAILING_JUNK_AFTER_STREAM_END T Trailing junk found after the end of the compressed stream
ERR_UNAVAILABLE_DURING_EXIT E Cannot call function in process exit handler
ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET E \`process.setupUncaughtExceptionCapture()\` was called while a capture callback was already active
ERR_UNESCAPED_CHARACTERS T %s contains unescaped characters
ERR_UNKNOWN_BUILTIN_MODULE E No such built-in module: %s
ERR_UNKNOWN_CREDENTIAL E %s identifier does not exist: %s
ERR_UNKNOWN_ENCODING T Unknown encoding: %s
ERR_UNKNOWN_FILE_EXTENSION T Unknown file extension "%s" for %s
ERR_UNKNOWN_MODULE_FORMAT R Unknown module format: %s for URL %s
ERR_UNKNOWN_SIGNAL T Unknown signal: %s
ERR_UNSUPPORTED_RESOLVE_REQUEST T Failed to resolve module specifier "%s" from "%s": Invalid relative URL or base scheme is not hierarchical.
ERR_USE_AFTER_CLOSE E %s was closed
ERR_VALID_PERFORMANCE_ENTRY_TYPE E At least one valid performance entry type is required
ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING T A dynamic import callback was not specified.
ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG T A dynamic import callback was invoked without --experimental-vm-modules
ERR_VM_MODULE_ALREADY_LINKED E Module has already been linked
ERR_VM_MODULE_CACHED_DATA_REJECTED E cachedData buffer was rejected
ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA E Cached data cannot be created for a module which has been evaluated
ERR_VM_MODULE_DIFFERENT_CONTEXT E Linked modules must use the same context
ERR_VM_MODULE_NOT_MODULE E Provided module is not an instance of Module
ERR_VM_MODULE_STATUS E Module status %s
ERR_WEBASSEMBLY_NOT_SUPPORTED E WebAssembly is not supported in this environment, but is required for %s
ERR_WEBASSEMBLY_RESPONSE T WebAssembly response %s
ERR_WORKER_INIT_FAILED E Worker initialization failure: %s
ERR_WORKER_MESSAGING_ERRORED E The destination thread threw an error while processing the message
ERR_WORKER_MESSAGING_FAILED E Cannot find the destination thread or listener
ERR_WORKER_MESSAGING_SAME_THREAD E Cannot sent a message to the same thread
ERR_WORKER_MESSAGING_TIMEOUT E Sending a message to another thread timed out
ERR_WORKER_NOT_RUNNING E Worker instance not running
ERR_WORKER_OUT_OF_MEMORY E Worker terminated due to reaching memory limit: %s
ERR_WORKER_UNSERIALIZABLE_ERROR E Serializing an uncaught exception failed
ERR_WORKER_UNSUPPORTED_OPERATION T %s is not supported in workers
ERR_ZLIB_INITIALIZATION_FAILED E Initialization failed
ERR_ZSTD_INVALID_PARAM R %s is not a valid zstd parameter
ERR_FS_CP_DIR_TO_NON_DIR Y Cannot overwrite non-directory with directory
ERR_FS_CP_EEXIST Y Target already exists
ERR_FS_CP_EINVAL Y Invalid src or dest
ERR_FS_CP_FIFO_PIPE Y Cannot copy a FIFO pipe
ERR_FS_CP_NON_DIR_TO_DIR Y Cannot overwrite directory with non-directory
ERR_FS_CP_SOCKET Y Cannot copy a socket file
ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY Y Cannot overwrite symlink in subdirectory of self
ERR_FS_CP_UNKNOWN Y Cannot copy an unknown file type
ERR_FS_EISDIR Y Path is a directory
ERR_SOCKET_BUFFER_SIZE Y Could not get or set buffer size
ERR_SYSTEM_ERROR Y A system error occurred
ERR_TTY_INIT_FAILED Y TTY initialization failed
`;

function inspect(value, options) {
  return require('internal/util/inspect').inspect(value, options);
}

const BUG = '\nThis is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
  'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n';

const PRIMITIVES = ['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol'];

/**
 * `of type string or an instance of Buffer`: for types, classes, and other expectations.
 */
function describeExpected(expected) {
  const types = [];
  const instances = [];
  const others = [];
  for (const name of [expected].flat()) {
    if (PRIMITIVES.includes(name)) types.push(name.toLowerCase());
    else if (/^[A-Z][a-zA-Z0-9]*$/.test(name)) instances.push(name);
    else others.push(name);
  }
  const object = instances.length > 0 ? types.indexOf('object') : -1;
  if (object !== -1) {
    types.splice(object, 1);
    instances.push('Object');
  }
  const parts = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${formatList(types, 'or')}`);
  if (instances.length > 0) parts.push(`an instance of ${formatList(instances, 'or')}`);
  if (others.length > 1) parts.push(`one of ${formatList(others, 'or')}`);
  else if (others.length === 1) parts.push(others[0].toLowerCase() !== others[0] ? `an ${others[0]}` : others[0]);
  return parts.join(' or ');
}

/** `The "name" argument` or `property`; a name that ends with either is unchanged. */
function describeName(name) {
  if (name.endsWith(' argument')) return `The ${name}`;
  return `The "${name}" ${name.includes('.') ? 'property' : 'argument'}`;
}

function describeNumber(value) {
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 32) return separate(String(value));
  if (typeof value === 'bigint') return `${value > 2n ** 32n || value < -(2n ** 32n) ? separate(String(value)) : value}n`;
  return inspect(value);
}

function separate(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, '_');
}

function describePackage(path, base, word = 'imported') {
  return `${path}package.json${base ? ` ${word} from ${base}` : ''}`;
}

const MADE = {
  __proto__: null,
  ERR_ACCESS_DENIED: ['E', function(message, permission = '', resource = '') {
    this.permission = permission;
    this.resource = resource;
    return message;
  }],
  ERR_BUFFER_OUT_OF_BOUNDS: ['R', (name) => name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds'],
  ERR_ENCODING_INVALID_ENCODED_DATA: ['T', function(encoding, errno) {
    this.errno = errno;
    return `The encoded data was not valid for encoding ${encoding}`;
  }],
  ERR_FALSY_VALUE_REJECTION: ['E', function(reason) {
    this.reason = reason;
    return 'Promise was rejected with falsy value';
  }],
  ERR_HTTP2_STREAM_CANCEL: ['E', function(cause) {
    if (cause) this.cause = cause;
    return `The pending stream has been canceled${cause ? ` (caused by: ${cause.message})` : ''}`;
  }],
  ERR_INTERNAL_ASSERTION: ['E', (message) => `${message}${BUG}`],
  ERR_INVALID_ADDRESS_FAMILY: ['R', function(family, host, port) {
    this.host = host;
    this.port = port;
    return `Invalid address family: ${family} ${host}:${port}`;
  }],
  ERR_INVALID_ARG_TYPE: ['T', (name, expected, actual) =>
    `${describeName(name)} must be ${describeExpected(expected)}. Received ${determineSpecificType(actual)}`],
  ERR_INVALID_ARG_VALUE: ['T', (name, value, reason = 'is invalid') => {
    let shown = inspect(value);
    if (shown.length > 128) shown = `${shown.slice(0, 128)}...`;
    return `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${shown}`;
  }],
  ERR_INVALID_CHAR: ['T', (name, field) => `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`],
  ERR_INVALID_FILE_URL_PATH: ['T', function(reason, input) {
    this.input = input;
    return `File URL path ${reason}`;
  }],
  ERR_INVALID_MIME_SYNTAX: ['T', (production, text, index) =>
    `The MIME syntax for a ${production} in "${text}" is invalid${index === -1 ? '' : ` at ${index}`}`],
  ERR_INVALID_MODULE_SPECIFIER: ['T', (request, reason, base) => `Invalid module "${request}" ${reason}${base ? ` imported from ${base}` : ''}`],
  ERR_INVALID_PACKAGE_CONFIG: ['E', (path, base, message) =>
    `Invalid package config ${path}${base ? ` while importing ${base}` : ''}.${message ? ` ${message}` : ''}`],
  ERR_INVALID_PACKAGE_TARGET: ['E', (path, key, target, isImport = false, base = undefined) => {
    const relative = typeof target === 'string' && !isImport && target.length > 0 && !target.startsWith('./');
    const tail = relative ? '; targets must start with "./"' : '';
    if (key === '.') return `Invalid "exports" main target ${JSON.stringify(target)} defined in the package config ${describePackage(path, base)}${tail}`;
    return `Invalid "${isImport ? 'imports' : 'exports'}" target ${JSON.stringify(target)} defined for '${key}' in the package config ${
      describePackage(path, base)}${tail}`;
  }],
  ERR_INVALID_RETURN_PROPERTY: ['T', (expected, name, property, value) =>
    `Expected a valid ${expected} to be returned for the "${property}" from the "${name}" hook but got ${determineSpecificType(value)}.`],
  ERR_INVALID_RETURN_PROPERTY_VALUE: ['T', (expected, name, property, value) =>
    `Expected ${expected} to be returned for the "${property}" from the "${name}" hook but got ${determineSpecificType(value)}.`],
  ERR_INVALID_RETURN_VALUE: ['T', (expected, name, value) =>
    `Expected ${expected} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`],
  ERR_INVALID_URL: ['T', function(input, base = undefined) {
    this.input = input;
    if (base != null) this.base = base;
    return 'Invalid URL';
  }],
  ERR_INVALID_URL_SCHEME: ['T', (expected) => {
    const list = [expected].flat();
    return `The URL must be ${list.length > 1 ? 'one of' : 'of'} scheme ${formatList(list, 'or')}`;
  }],
  ERR_MISSING_ARGS: ['T', (...names) => {
    const shown = names.map((name) => [name].flat().map((each) => `"${each}"`).join(' or '));
    return `The ${formatList(shown)} argument${shown.length > 1 ? 's' : ''} must be specified`;
  }],
  ERR_MODULE_NOT_FOUND: ['E', function(path, base, exactUrl) {
    if (exactUrl) hideUrl(this, `${exactUrl}`);
    return `Cannot find ${exactUrl ? 'module' : 'package'} '${path}' imported from ${base}`;
  }],
  ERR_OUT_OF_RANGE: ['R', (name, range, received, wholeMessage = false) =>
    `${wholeMessage ? name : `The value of "${name}" is out of range.`} It must be ${range}. Received ${describeNumber(received)}`],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: ['T', (specifier, path, base) =>
    `Package import specifier "${specifier}" is not defined${path ? ` in package ${path}package.json` : ''} imported from ${base}`],
  ERR_PACKAGE_PATH_NOT_EXPORTED: ['E', (path, subpath, base = undefined) => subpath === '.' ?
    `No "exports" main defined in ${describePackage(path, base)}` :
    `Package subpath '${subpath}' is not defined by "exports" in ${describePackage(path, base)}`],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: ['T', (option, allowPositionals) => `Unknown option '${option}'${allowPositionals ?
    `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(option)}` : ''}`],
  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: ['T', (value, protocols) =>
    `ALPN callback returned a value (${value}) that did not match any of the client's offered protocols (${protocols.join(', ')})`],
  ERR_TLS_CERT_ALTNAME_INVALID: ['E', function(reason, host, cert) {
    Object.assign(this, { reason, host, cert });
    return `Hostname/IP does not match certificate's altnames: ${reason}`;
  }],
  ERR_REQUIRE_ASYNC_MODULE: ['E', (file, parent) => {
    let message = 'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the' +
      ' top-level await comes from, use --experimental-print-required-tla.';
    if (parent) message += `\n  From ${parent} `;
    if (file) message += `\n  Requiring ${file} `;
    return message;
  }],
  ERR_REQUIRE_ESM: ['E', describeRequire],
  ERR_SOCKET_BAD_PORT: ['R', (name, port, allowZero = true) =>
    `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`],
  ERR_UNHANDLED_ERROR: ['E', (error = undefined) => error === undefined ? 'Unhandled error.' : `Unhandled error. (${error})`],
  ERR_UNSUPPORTED_DIR_IMPORT: ['E', function(path, base, exactUrl) {
    hideUrl(this, exactUrl);
    return `Directory import '${path}' is not supported resolving ES modules imported from ${base}`;
  }],
  ERR_UNSUPPORTED_ESM_URL_SCHEME: ['E', (url, supported) =>
    `Only URLs with a scheme in: ${formatList(supported)} are supported by the default ESM loader. Received protocol '${url.protocol}'`],
  ERR_VM_MODULE_LINK_FAILURE: ['E', function(message, cause) {
    this.cause = cause;
    return message;
  }],
  ERR_WORKER_PATH: ['T', (path) => {
    const scheme = path.startsWith('file:') ? ' Wrap file:// URLs with `new URL`.' : path.startsWith('data:text/javascript') ? ' Wrap data: URLs with `new URL`.' : '';
    return `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'.${scheme} Received "${path}"`;
  }],
  ERR_WORKER_INVALID_EXEC_ARGV: ['E', (flags, reason = 'invalid execArgv flags') => `Initiated Worker with ${reason}: ${flags.join(', ')}`],
};

function hideUrl(error, url) {
  error.url = url;
}

/** Advice for `require` of an ES module, by the reason why it is one. */
function describeRequire(file, hasSyntax, parent = null, packagePath = null) {
  const from = parent ? ` from ${parent}` : '';
  const last = file.slice(file.lastIndexOf('/') + 1);
  const name = parent?.endsWith(`/${last}`) ? file : last;
  const message = `require() of ES Module ${file}${from} not supported.`;
  if (hasSyntax) {
    return `${message}\nInstead change the require of ${name} in ${parent} to a dynamic import() which is available in all CommonJS modules.`;
  }
  if (!packagePath) {
    if (!file.endsWith('.mjs')) return message;
    return `${message}\nInstead change the require of ${file}${parent ? ` in ${parent}` : ''} to a dynamic import() which is available in all CommonJS modules.`;
  }
  return `${message}\n${name} is treated as an ES module file as it is a .js file whose nearest parent package.json contains "type": "module"` +
    ` which declares all .js files in that package scope as ES modules.\nInstead either rename ${name} to end in .cjs, change the requiring` +
    ` code to use dynamic import() which is available in all CommonJS modules, or change "type": "module" to "type": "commonjs" in ${packagePath}` +
    ' to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n';
}

/** The class's initial and the template or function of `code`. */
function find(code) {
  const made = MADE[code];
  if (made !== undefined) return { base: made[0], text: made[1] };
  const start = PLAIN.indexOf(`\n${code} `);
  if (start === -1) return undefined;
  const text = start + code.length + 4;
  return { base: PLAIN[text - 2], text: PLAIN.slice(text, PLAIN.indexOf('\n', text)) };
}

module.exports = { find };
