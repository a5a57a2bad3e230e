// Extensions of certificates as text: alternative names, access to authority information, extended
// key usages. In: the DER value of an extension, which is untrusted. Out: Node's text; values that
// could be mistaken for others are quoted as JSON.

'use strict';

const { Buffer } = require('buffer');
const binding = internalBinding('openssl');

/** NIDs of `obj_mac.h`. */
const SUBJECT_ALT_NAME = 85;
const EXTENDED_KEY_USAGE = 126;
const INFO_ACCESS = 177;

const METHODS = { __proto__: null, '1.3.6.1.5.5.7.48.1': 'OCSP', '1.3.6.1.5.5.7.48.2': 'CA Issuers', '1.3.6.1.5.5.7.48.3': 'AD Time Stamping', '1.3.6.1.5.5.7.48.5': 'CA Repository' };
/** Names of other types whose values are strings. */
const OTHER_NAMES = { __proto__: null, '1.3.6.1.4.1.311.20.2.3': 'UPN', '1.3.6.1.5.5.7.8.7': 'SRVName', '1.3.6.1.5.5.7.8.5': 'XmppAddr', '1.3.6.1.5.5.7.8.8': 'NAIRealm' };
const ATTRIBUTES = {
  __proto__: null, '2.5.4.3': 'CN', '2.5.4.5': 'serialNumber', '2.5.4.6': 'C', '2.5.4.7': 'L', '2.5.4.8': 'ST', '2.5.4.10': 'O', '2.5.4.11': 'OU',
  '1.2.840.113549.1.9.1': 'emailAddress', '0.9.2342.19200300.100.1.25': 'DC', '0.9.2342.19200300.100.1.1': 'UID',
};
const UTF8_STRING = 0x0c;
const BMP_STRING = 0x1e;

/** One element of DER: { tag, content, end }; undefined: malformed. */
function readElement(bytes, at) {
  if (at + 2 > bytes.length) return undefined;
  let count = bytes[at + 1];
  let start = at + 2;
  if (count & 0x80) {
    const digits = count & 0x7f;
    if (digits === 0 || digits > 4 || start + digits > bytes.length) return undefined;
    count = bytes.readUIntBE(start, digits);
    start += digits;
  }
  const end = start + count;
  return end > bytes.length ? undefined : { tag: bytes[at], content: bytes.subarray(start, end), end };
}

function elements(bytes) {
  const list = [];
  for (let at = 0; at < bytes.length;) {
    const element = readElement(bytes, at);
    if (element === undefined) return undefined;
    list.push(element);
    at = element.end;
  }
  return list;
}

/** The elements of the sequence that is the value; undefined: there is none. */
function sequenceOf(handle, nid) {
  const value = binding.certificateExtension(handle, nid);
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const outer = readElement(bytes, 0);
  return outer?.tag === 0x30 ? elements(outer.content) : undefined;
}

function objectId(bytes) {
  const parts = [];
  let part = 0n;
  for (const byte of bytes) {
    part = (part << 7n) | BigInt(byte & 0x7f);
    if (byte & 0x80) continue;
    if (parts.length === 0) {
      const top = part < 80n ? part / 40n : 2n;
      parts.push(top, part - top * 40n);
    } else {
      parts.push(part);
    }
    part = 0n;
  }
  return parts.join('.');
}

/** A text that cannot be mistaken for more than one name. */
function safeText(bytes, isUtf8, prefix = '') {
  const text = bytes.toString(isUtf8 ? 'utf8' : 'latin1');
  const isSafe = !/["\\,']/.test(text) && (isUtf8 ? !/[\0-\x1f\x7f]/.test(text) : /^[ -~]*$/.test(text));
  if (isSafe) return prefix + text;
  const escaped = [...text].map((character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    const code = character.codePointAt(0);
    const isPlain = isUtf8 ? code >= 0x20 && code !== 0x7f : code >= 0x20 && code < 0x7f;
    return isPlain ? character : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${prefix}${escaped.join('')}"`;
}

function ipAddress(bytes) {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return `<invalid length=${bytes.length}>`;
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16).toUpperCase()).join(':');
}

const decode = ({ tag, content }) => (tag === BMP_STRING ? Buffer.from(content).swap16().toString('utf16le') : content.toString(tag === UTF8_STRING ? 'utf8' : 'latin1'));

/** A distinguished name as RFC 2253 writes it: the last attribute first. */
function directoryName(content) {
  const name = readElement(content, 0);
  const sets = name === undefined ? undefined : elements(name.content);
  const attributes = sets?.flatMap((set) => elements(set.content) ?? []).map((attribute) => elements(attribute.content) ?? []);
  const texts = attributes?.filter((pair) => pair.length === 2).map(([type, value]) => {
    const id = objectId(type.content);
    const text = decode(value).replace(/[,+"\\<>;]/g, '\\$&').replace(/^[ #]/, '\\$&').replace(/ $/, '\\ ');
    return `${ATTRIBUTES[id] ?? id}=${text}`;
  });
  return (texts ?? []).reverse().join(',');
}

function otherName(content) {
  const [type, wrapper] = elements(content) ?? [];
  const value = wrapper === undefined ? undefined : readElement(wrapper.content, 0);
  const name = type === undefined ? undefined : OTHER_NAMES[objectId(type.content)];
  const isText = value !== undefined && (value.tag === UTF8_STRING || value.tag === 0x16);
  return name === undefined || !isText ? 'othername:<unsupported>' : `othername:${safeText(value.content, value.tag === UTF8_STRING, `${name}:`)}`;
}

/** A GeneralName of RFC 5280. */
function generalName({ tag, content }) {
  switch (tag & 0x1f) {
    case 0: return otherName(content);
    case 1: return `email:${safeText(content, false)}`;
    case 2: return `DNS:${safeText(content, false)}`;
    case 3: return 'X400Name:<unsupported>';
    case 4: return `DirName:${safeText(Buffer.from(directoryName(content)), true)}`;
    case 5: return 'EdiPartyName:<unsupported>';
    case 6: return `URI:${safeText(content, false)}`;
    case 7: return `IP Address:${ipAddress(content)}`;
    case 8: return `Registered ID:${objectId(content)}`;
    default: return '';
  }
}

const subjectAltName = (handle) => sequenceOf(handle, SUBJECT_ALT_NAME)?.map(generalName).join(', ');

/** Pairs of method and name. */
function accessDescriptions(handle) {
  const list = sequenceOf(handle, INFO_ACCESS);
  return list?.map(({ content }) => elements(content)).filter((pair) => pair?.length === 2).map(([method, location]) => {
    const id = objectId(method.content);
    return [METHODS[id] ?? id, generalName(location)];
  });
}

const infoAccess = (handle) => accessDescriptions(handle)?.map(([method, name]) => `${method} - ${name}`).join('\n');

/** Values by method and kind, as { 'OCSP - URI': [...] }. */
function infoAccessObject(handle) {
  const list = accessDescriptions(handle);
  if (list === undefined) return undefined;
  const object = { __proto__: null };
  for (const [method, name] of list) {
    const colon = name.indexOf(':');
    const key = `${method} - ${name.slice(0, colon)}`;
    const text = name.slice(colon + 1);
    (object[key] ??= []).push(text.startsWith('"') ? JSON.parse(text) : text);
  }
  return object;
}

const extendedKeyUsage = (handle) => sequenceOf(handle, EXTENDED_KEY_USAGE)?.map(({ content }) => objectId(content));

module.exports = { extendedKeyUsage, infoAccess, infoAccessObject, subjectAltName };
