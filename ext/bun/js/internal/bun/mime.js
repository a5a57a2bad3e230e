// MIME types (RFC 2046) by file extension, as Bun has them. In: a path, or a type. Out: a type.
'use strict';

const BYTES = 'application/octet-stream';

/** Types to which Bun adds a charset. */
const TYPES_WITH_CHARSET = new Set(['text/html', 'text/plain', 'text/css', 'text/javascript', 'application/json']);

const TYPES = {
  'text/javascript': 'js cjs mjs jsx ts tsx cts mts', 'application/json': 'json map', 'text/html': 'html htm', 'text/css': 'css',
  'text/plain': 'txt log ini conf text in list def', 'text/markdown': 'md markdown', 'text/csv': 'csv', 'text/yaml': 'yaml yml', 'text/rtf': 'rtf',
  'text/calendar': 'ics ifb', 'text/x-c': 'c cc cpp cxx dic h hh', 'text/x-java-source': 'java', 'image/png': 'png', 'image/jpeg': 'jpg jpeg jpe',
  'image/gif': 'gif', 'image/svg+xml': 'svg svgz', 'image/webp': 'webp', 'image/x-icon': 'ico', 'image/avif': 'avif',
  'image/tiff': 'tif tiff', 'image/x-ms-bmp': 'bmp', 'audio/mpeg': 'mp3 mpga mp2 m2a m3a', 'audio/ogg': 'ogg oga spx opus', 'audio/x-wav': 'wav',
  'audio/webm': 'weba', 'audio/midi': 'mid midi kar rmi', 'audio/x-aac': 'aac', 'video/mp4': 'mp4 mp4v mpg4', 'video/webm': 'webm',
  'video/quicktime': 'mov qt', 'video/mpeg': 'mpeg mpg mpe m1v m2v', 'video/ogg': 'ogv', 'video/x-msvideo': 'avi', 'font/woff': 'woff',
  'font/woff2': 'woff2', 'font/ttf': 'ttf', 'font/otf': 'otf', 'application/vnd.ms-fontobject': 'eot', 'application/wasm': 'wasm',
  'application/pdf': 'pdf', 'application/zip': 'zip', 'application/gzip': 'gz', 'application/x-tar': 'tar', 'application/x-bzip': 'bz',
  'application/x-bzip2': 'bz2 boz', 'application/x-7z-compressed': '7z', 'application/x-rar-compressed': 'rar', 'application/xml': 'xml xsl',
  'application/toml': 'toml', 'application/x-sh': 'sh', 'application/x-csh': 'csh', 'application/manifest+json': 'webmanifest',
  'application/ld+json': 'jsonld', 'application/msword': 'doc dot', 'application/x-httpd-php': 'php', 'application/epub+zip': 'epub',
  'application/java-archive': 'jar', 'application/x-shockwave-flash': 'swf', 'application/x-abiword': 'abw', 'application/x-freearc': 'arc',
  'application/vnd.amazon.ebook': 'azw', 'application/vnd.ms-powerpoint': 'ppt pps pot', 'application/vnd.ms-excel': 'xls xlm xla xlc xlt xlw',
  'application/vnd.visio': 'vsd vst vss vsw', 'application/xhtml+xml': 'xhtml xht', 'application/vnd.mozilla.xul+xml': 'xul',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

let byExtension;

/** Extensions and types, without the charset. */
function typesByExtension() {
  if (byExtension === undefined) {
    byExtension = new Map();
    for (const [type, extensions] of Object.entries(TYPES)) {
      for (const extension of extensions.split(' ')) byExtension.set(extension, type);
    }
  }
  return byExtension;
}

function typeOfPath(path) {
  const extension = /\.([^./]*)$/.exec(path)?.[1].toLowerCase();
  return withCharset(typesByExtension().get(extension) ?? BYTES);
}

/** Normalizes a type that a program passes. */
function typeOf(type) {
  return /[^\x20-\x7e]/.test(type) ? '' : withCharset(type.toLowerCase());
}

function withCharset(type) { return TYPES_WITH_CHARSET.has(type) ? `${type};charset=utf-8` : type; }

module.exports = { BYTES, typeOf, typeOfPath, typesByExtension, withCharset };
