// SPDX-License-Identifier: Apache-2.0
/**
 * What is inside CMS structures (RFC 5652), in BER or DER. Bytes are strings with one character a byte, as Thunderbird
 * gives mails. Signatures are checked against the certificates beside them, so that nothing is taken from a structure
 * that was altered on its way: encryption in CBC does not prevent that. Whose a certificate is, and who issued it, is
 * not looked at, since anybody can make one in any name.
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

const MESSAGE_DIGEST = "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x04";
const RSA = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
const PSS = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a";
const EC = "\x2a\x86\x48\xce\x3d\x02\x01";
const CURVES = {
  "\x2a\x86\x48\xce\x3d\x03\x01\x07": { name: "P-256", bytes: 32 },
  "\x2b\x81\x04\x00\x22": { name: "P-384", bytes: 48 },
  "\x2b\x81\x04\x00\x23": { name: "P-521", bytes: 66 },
};
const HASHES = {
  "\x60\x86\x48\x01\x65\x03\x04\x02\x01": "SHA-256",
  "\x60\x86\x48\x01\x65\x03\x04\x02\x02": "SHA-384",
  "\x60\x86\x48\x01\x65\x03\x04\x02\x03": "SHA-512",
};

const MAX_SIGNERS = 4;
const MAX_CERTIFICATES = 12;
const MAX_DEPTH = 24;
const MAX_ELEMENTS = 500_000;

/** The bytes are not the structure that they should be. */
export class MalformedStructureError extends Error {}

/** Tells if bytes begin as a structure that is encrypted: EnvelopedData or AuthEnvelopedData. */
export function isEnveloped(bytes) {
  return isOf(bytes, ENVELOPED) || isOf(bytes, AUTH_ENVELOPED);
}

/** Tells if bytes begin as SignedData. */
export function isSignedData(bytes) {
  return isOf(bytes, SIGNED);
}

function isOf(bytes, oid) {
  const start = /^\x30(?:[\x00-\x80]|\x81.|\x82..|\x83...|\x84....)\x06(?:\x09|\x0b)/s.exec(bytes.slice(0, 16));
  return start !== null && bytes.startsWith(oid, start[0].length);
}

/**
 * The content of SignedData whose signatures hold, each by a certificate beside it.
 *
 * @returns {Promise<string|null>} the bytes; null if nobody signed them, if a signature does not hold, or if it is of
 *   other algorithms than RSASSA-PKCS1-v1_5 and ECDSA with SHA-2
 * @throws {MalformedStructureError} if it is no SignedData, or has its content elsewhere
 */
export async function signedContent(bytes) {
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
  const message = octets(bytes, expect(content, CONTENT)[0]);
  const signers = expect(signed[signed.length - 1], SET);
  const keys = signed.slice(3).filter((each) => each.tag === CONTENT);
  const certificates = keys.flatMap((each) => each.elements).slice(0, MAX_CERTIFICATES);
  if (signers.length === 0 || signers.length > MAX_SIGNERS) {
    return null;
  }
  for (const signer of signers) {
    if (!(await isSignedBy(bytes, message, expect(signer, SEQUENCE), certificates))) {
      return null;
    }
  }
  return message;
}

/** Tells if a SignerInfo holds by one of the certificates. */
async function isSignedBy(bytes, message, signer, certificates) {
  const hash = HASHES[octets(bytes, expect(signer[2], SEQUENCE)[0])];
  const hasAttributes = signer[3]?.tag === CONTENT;
  const [algorithm, signature] = signer.slice(hasAttributes ? 4 : 3);
  if (!hash || octets(bytes, expect(algorithm, SEQUENCE)[0]) === PSS) {
    return false;
  }
  let signed = message;
  if (hasAttributes) {
    const digest = digestIn(bytes, signer[3].elements);
    if (digest !== toText(await crypto.subtle.digest(hash, toBytes(message)))) {
      return false;
    }
    signed = setOf(bytes.slice(signer[3].from, signer[3].to));
  }
  for (const certificate of certificates) {
    if (await verify(publicKey(bytes, certificate), hash, octets(bytes, signature), signed)) {
      return true;
    }
  }
  return false;
}

/** The digest of the message among signed attributes; undefined if there is not exactly one. */
function digestIn(bytes, attributes) {
  const found = attributes.filter((each) => octets(bytes, expect(each, SEQUENCE)[0]) === MESSAGE_DIGEST);
  return found.length === 1 ? octets(bytes, expect(found[0].elements[1], SET)[0]) : undefined;
}

/** Signed attributes as they were hashed: with the tag of a set. */
function setOf(content) {
  const size = content.length;
  const bytes = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return "\x31" + String.fromCharCode(...bytes) + content;
}

/** The key in a certificate: its bytes, and the names of its algorithm and curve. */
function publicKey(bytes, certificate) {
  const fields = expect(expect(certificate, SEQUENCE)[0], SEQUENCE);
  const key = fields[fields[0]?.tag === CONTENT ? 6 : 5];
  const [algorithm, curve] = expect(expect(key, SEQUENCE)[0], SEQUENCE);
  return {
    der: bytes.slice(key.start, key.to),
    isRsa: octets(bytes, algorithm) === RSA,
    curve: octets(bytes, algorithm) === EC && curve?.tag === OID ? CURVES[octets(bytes, curve)] : undefined,
  };
}

async function verify(key, hash, signature, signed) {
  try {
    if (key.isRsa) {
      const algorithm = { name: "RSASSA-PKCS1-v1_5", hash };
      const imported = await crypto.subtle.importKey("spki", toBytes(key.der), algorithm, false, ["verify"]);
      return await crypto.subtle.verify(algorithm.name, imported, toBytes(signature), toBytes(signed));
    }
    if (key.curve) {
      const algorithm = { name: "ECDSA", namedCurve: key.curve.name };
      const imported = await crypto.subtle.importKey("spki", toBytes(key.der), algorithm, false, ["verify"]);
      const raw = expect(parse(signature), SEQUENCE).map((each) => number(signature, each, key.curve.bytes));
      return await crypto.subtle.verify({ name: "ECDSA", hash }, imported, toBytes(raw.join("")), toBytes(signed));
    }
  } catch {
    // Neither a key that can be used nor a signature by it.
  }
  return false;
}

/** An INTEGER in as many bytes as a curve has. */
function number(bytes, element, size) {
  return bytes.slice(element.from, element.to).replace(/^\0+/, "").padStart(size, "\0");
}

function toBytes(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

function toText(buffer) {
  return String.fromCharCode(...new Uint8Array(buffer));
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
    const start = at;
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
    return { tag, start, from, to, elements: inside };
  }

  return element(bytes.length, 0);
}
