// SPDX-License-Identifier: Apache-2.0
/** Headers and bodies of messages, as strings with one character a byte. */

const START_CHARS = 64;

/**
 * A message in two parts. A carriage return alone ends a line too: programs differ there, and a field that only one of
 * them sees should be seen.
 *
 * @returns {{fields: {name: string, value: string}[], body: string}} the fields in their order, with names in lower
 *   case and values unfolded
 */
export function split(message) {
  const empty = /(?:^|\n)\r?\n/.exec(message);
  const header = empty ? message.slice(0, empty.index) : message;
  const fields = [];
  for (const line of header.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line)) {
      fields.at(-1)?.lines.push(line);
    } else if (colon > 0) {
      fields.push({ name: line.slice(0, colon).trim().toLowerCase(), lines: [line.slice(colon + 1)] });
    }
  }
  return {
    fields: fields.map(({ name, lines }) => ({ name, value: lines.join("").trim() })),
    body: empty ? message.slice(empty.index + empty[0].length) : "",
  };
}

/** The values of all fields of a name, in lower case, that say anything. */
export function values(fields, name) {
  return fields.filter((field) => field.name === name && field.value !== "").map((field) => field.value);
}

/** Tells if a header is one that RFC 9788 protects in an encrypted message: its only Content-Type says so. */
export function isProtected(fields) {
  const types = values(fields, "content-type");
  const found = types.length === 1 ? [...types[0].matchAll(/;\s*hp\s*=\s*("?)([^";\s]*)\1/gi)] : [];
  return found.length === 1 && found[0][2].toLowerCase() === "cipher";
}

/** Bytes of base64; empty if it is none. */
export function base64(text) {
  try {
    return atob(text.replace(/[^A-Za-z0-9+/]+/g, ""));
  } catch {
    return "";
  }
}

/** The first bytes of base64. */
export function base64Start(text) {
  let start = "";
  for (const { 0: run } of text.matchAll(/[A-Za-z0-9+/]+/g)) {
    start += run;
    if (start.length >= START_CHARS) {
      break;
    }
  }
  return base64(start.slice(0, START_CHARS));
}

/** Bytes of quoted-printable. */
export function quotedPrintable(text) {
  return text
    .replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** Text of bytes: UTF-8, or else ISO 8859-1. */
export function text(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  } catch {
    return bytes;
  }
}
