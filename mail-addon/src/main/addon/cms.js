// SPDX-License-Identifier: Apache-2.0
/**
 * What is inside CMS structures (RFC 5652), in BER or DER. Bytes are strings with one character a byte, as Thunderbird
 * gives mails. No signature is checked here: whoever seals can sign with a key of their own.
 */

const SEQUENCE = 0x30;
const SET = 0x31;
const OCTETS = 0x04;
const CONSTRUCTED_OCTETS = 0x24;
const OID = 0x06;
const CONTENT = 0xa0;
const CONSTRUCTED = 0x20;

const DATA = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
const SIGNED = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
const ENVELOPED = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03";
const AUTH_ENVELOPED = "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17";

const MAX_DEPTH = 24;
const MAX_ELEMENTS = 500_000;

/** The bytes are not the structure that they should be. */
export class MalformedStructureError extends Error {}

/** Tells if bytes begin as a structure that is encrypted: EnvelopedData or AuthEnvelopedData. */
export function isEnveloped(bytes) {
  const start = /^\x30(?:[\x00-\x80]|\x81.|\x82..|\x83...|\x84....)\x06(?:\x09|\x0b)/s.exec(bytes.slice(0, 16));
  return start !== null && [ENVELOPED, AUTH_ENVELOPED].some((oid) => bytes.startsWith(oid, start[0].length));
}

/**
 * The content of SignedData, and whether anybody signed it.
 *
 * @returns {{content: string, signers: number}} the bytes, and how many signatures there are, good or not
 * @throws {MalformedStructureError} if it is none, or has its content elsewhere
 */
export function signedContent(bytes) {
  const root = parse(bytes);
  const [type, wrapped] = expect(root, SEQUENCE);
  if (octets(bytes, expectTag(type, OID)) !== SIGNED) {
    throw new MalformedStructureError("it is no SignedData");
  }
  const signed = expect(expect(wrapped, CONTENT)[0], SEQUENCE);
  const [contentType, content] = expect(signed[2], SEQUENCE);
  if (octets(bytes, expectTag(contentType, OID)) !== DATA) {
    throw new MalformedStructureError("its content is no message");
  }
  const signers = expect(signed[signed.length - 1], SET);
  return { content: octets(bytes, expect(content, CONTENT)[0]), signers: signers.length };
}

/** The elements inside one of a tag. */
function expect(element, tag) {
  return expectTag(element, tag).elements;
}

function expectTag(element, tag) {
  if (element?.tag !== tag) {
    throw new MalformedStructureError("there is another element where tag " + tag + " should be");
  }
  return element;
}

/** Bytes of an element that may come in pieces. */
function octets(bytes, element) {
  if (element?.tag === OCTETS || element?.tag === OID) {
    return bytes.slice(element.from, element.to);
  }
  return expect(element, CONSTRUCTED_OCTETS)
    .map((piece) => octets(bytes, piece))
    .join("");
}

/** The element that the bytes begin with, as a tree; what is behind it is not looked at, as mail programs do. */
function parse(bytes) {
  let elements = 0;
  let at = 0;

  function byte(limit) {
    if (at >= limit) {
      throw new MalformedStructureError("it ends before its end");
    }
    return bytes.charCodeAt(at++);
  }

  function length(limit) {
    const first = byte(limit);
    if (first <= 0x80) {
      return first === 0x80 ? -1 : first;
    }
    let value = 0;
    if (first > 0x84) {
      throw new MalformedStructureError("a length has too many bytes");
    }
    for (let i = 0x80; i < first; i++) {
      value = value * 256 + byte(limit);
    }
    return value;
  }

  function element(limit, depth) {
    if (depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) {
      throw new MalformedStructureError("it has too many elements");
    }
    const tag = byte(limit);
    const size = length(limit);
    const from = at;
    const end = size < 0 ? limit : from + size;
    if (end > limit || (size < 0 && !(tag & CONSTRUCTED)) || (tag & 0x1f) === 0x1f) {
      throw new MalformedStructureError("an element is not well formed");
    }
    const inside = [];
    if (!(tag & CONSTRUCTED)) {
      at = end;
    } else {
      while (size < 0 ? bytes[at] !== "\0" || bytes[at + 1] !== "\0" : at < end) {
        inside.push(element(end, depth + 1));
      }
    }
    const to = at;
    if (size < 0) {
      at += 2;
    }
    return { tag, from, to, elements: inside };
  }

  return element(bytes.length, 0);
}
