// SPDX-License-Identifier: Apache-2.0
/**
 * What is known of the header of a mail: the fields that are sealed with it, and which of those outside say something
 * else.
 */
import { isEnveloped, isSignedData, MalformedStructureError, signedContent } from "./cms.js";
import { base64, base64Start, isProtected, quotedPrintable, split, text, values } from "./mime.js";
import { visible } from "./text.js";

/** Kinds of what {@link describe} finds. */
export const Kind = Object.freeze({
  /** The mail is not encrypted as a whole. */
  NOT_SEALED: "not sealed",
  /** It is encrypted, and add-ons cannot open it. */
  NOT_OPENED: "not opened",
  /** It is longer than is looked at. */
  TOO_LONG: "too long",
  /** A signature inside does not hold, or is of a kind that is not checked. */
  NOT_CHECKED: "not checked",
  /** No header is in what is signed inside, or nothing is signed. */
  NOT_PROTECTED: "not protected",
  /** There is one, in what is signed by some key; whose that is, is not known. */
  PROTECTED: "protected",
});

/**
 * Longer mails are not opened a second time: Thunderbird 153 does that in the thread that draws its windows, in 0.1 s a
 * megabyte and more.
 */
export const MAX_BYTES = 8 << 20;
/** Of longer mails the header is looked at first, and the rest if that could be of a sealed one. */
const MAX_UNFILTERED_BYTES = 1 << 20;
/** Longer fields are compared as they stand. */
const MAX_FIELD = 8192;
const MAX_MAILBOXES = 12;

const MAILBOXES = ["from", "sender", "reply-to", "to", "cc"];
const COMPARED = [...MAILBOXES, "subject", "date"];
const SPELLED = {
  from: "From",
  sender: "Sender",
  "reply-to": "Reply-To",
  to: "To",
  cc: "Cc",
  subject: "Subject",
  date: "Date",
};
/** What edges and gateways write outside where they write no Subject, and for a From that cannot be read. */
const NO_SUBJECT = "[...]";
const NOBODY = "unreadable@veilgate.invalid";
/** Addresses that a gateway leaves in a header without names. */
const PLAIN_ADDRESS = /^[!#-'*+/-9=?A-Z^-~-]+(?:\.[!#-'*+/-9=?A-Z^-~-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/**
 * Looks at a mail.
 *
 * @param mail    of Thunderbird's messages API
 * @param program Thunderbird's API
 * @returns {Promise<{kind: string, fields?: {name: string, lines: string[]}[], differing?: {name: string,
 *   outside: string[], inside: string[]}[]}>} texts that may be shown as they are, but as text only
 */
export async function describe(mail, program) {
  if (mail.size > MAX_UNFILTERED_BYTES) {
    const header = await program.messages.getHeaders(mail.id, { decodeHeaders: false });
    if (!isBinary(header["content-type"] ?? [])) {
      return { kind: Kind.NOT_SEALED };
    }
  }
  if (mail.size > MAX_BYTES) {
    return { kind: Kind.TOO_LONG };
  }
  const outside = split(await program.messages.getRaw(mail.id, { data_format: "BinaryString" }));
  const sealing = sealingOf(outside);
  if (sealing !== Kind.PROTECTED) {
    return { kind: sealing };
  }
  let opened;
  try {
    opened = split(await program.messages.getRaw(mail.id, { data_format: "BinaryString", decrypt: true }));
  } catch {
    return { kind: Kind.NOT_OPENED };
  }
  const inside = await signedFields(opened);
  if (!Array.isArray(inside)) {
    return { kind: inside };
  }
  const reader = new FieldReader(program);
  return {
    kind: Kind.PROTECTED,
    fields: await shownFields(inside, reader),
    differing: await differing(inside, outside.fields, reader),
  };
}

/** Tells if any of these values of Content-Type is of something that a program could take for S/MIME. */
function isBinary(types) {
  return !types.every((type) => /^\s*(?:text|multipart|message|image|audio|video)\//i.test(type));
}

/**
 * Tells what a mail is before it is opened: it may be PROTECTED if it is an encrypted structure. Types and encodings
 * are not believed, since they can be altered and Thunderbird opens a mail under many.
 */
function sealingOf({ fields, body }) {
  const decoded = [base64Start(body), quotedPrintable(body), body];
  if (decoded.some(isEnveloped)) {
    return Kind.PROTECTED;
  }
  const encodings = values(fields, "content-transfer-encoding");
  const isKnown = encodings.every((each) => /^(?:base64|quoted-printable|7bit|8bit|binary)$/i.test(each));
  const isOther = isKnown || !isBinary(values(fields, "content-type")) || decoded.some(isSignedData);
  return isOther ? Kind.NOT_SEALED : Kind.NOT_OPENED;
}

/** The fields of the message in an opened mail, or the kind of mail that has none. */
async function signedFields(opened) {
  const types = values(opened.fields, "content-type");
  let bytes = base64(opened.body);
  if (!bytes.startsWith("0")) {
    bytes = base64(bytes); // Thunderbird 153 encodes what it opened once more
  }
  if (isEnveloped(bytes)) {
    return Kind.NOT_OPENED;
  }
  if (types.length !== 1 || !/^application\/(?:x-)?pkcs7-mime\b/i.test(types[0]) || !isSignedData(bytes)) {
    return Kind.NOT_PROTECTED;
  }
  let content;
  try {
    content = await signedContent(bytes);
  } catch (e) {
    if (!(e instanceof MalformedStructureError)) {
      throw e;
    }
    content = null;
  }
  if (content === null) {
    return Kind.NOT_CHECKED;
  }
  const { fields } = split(content);
  return isProtected(fields) ? fields : Kind.NOT_PROTECTED;
}

/** Reads fields as Thunderbird shows them. */
class FieldReader {
  constructor(program) {
    this.program = program;
  }

  /** Mailboxes, with names and addresses; one that is the whole text where it is not sure where they end. */
  async mailboxes(value) {
    const decoded = await this.program.messengerUtilities.decodeMimeHeader("From", text(value), true);
    const boxes = await this.program.messengerUtilities.parseMailboxString(decoded.join(", "));
    if (boxes.length !== decoded.length) {
      return [{ name: "", email: text(value) }];
    }
    return boxes.map(({ name, email }) => ({ name: name ?? "", email: email ?? "" }));
  }

  /** The text of a field. */
  async text(name, value) {
    return (await this.program.messengerUtilities.decodeMimeHeader(name, text(value), false)).join(" ");
  }

  /** What is shown of a field: a line for each mailbox, or one. */
  async lines(name, value) {
    if (value.length > MAX_FIELD) {
      return [visible(text(value))];
    }
    if (!MAILBOXES.includes(name)) {
      return [visible(await this.text(name, value))];
    }
    const boxes = await this.mailboxes(value);
    if (boxes.length === 0) {
      return [visible(text(value))];
    }
    const lines = boxes.slice(0, MAX_MAILBOXES).map(shownMailbox);
    return boxes.length > MAX_MAILBOXES ? [...lines, `and ${boxes.length - MAX_MAILBOXES} more`] : lines;
  }
}

/** A name in which somebody could see an address stands behind the address. */
function shownMailbox({ name, email }) {
  if (name === "") {
    return visible(email);
  }
  const isMistakable = /[@<>"]/.test(name.normalize("NFKC"));
  return isMistakable ? `${visible(email)}, under the name "${visible(name)}"` : `${visible(name)} <${visible(email)}>`;
}

async function shownFields(fields, reader) {
  const shown = [];
  for (const name of COMPARED) {
    const all = values(fields, name);
    if (all.length > 0) {
      shown.push({ name: SPELLED[name], lines: await linesOf(name, all, reader) });
    }
  }
  return shown;
}

const MAX_REPETITIONS = 5;

async function linesOf(name, all, reader) {
  const lines = [];
  for (const value of all.slice(0, MAX_REPETITIONS)) {
    lines.push(...(await reader.lines(name, value)));
  }
  return lines;
}

/** The fields outside that say something else than those inside; not those that say less. */
async function differing(inside, outside, reader) {
  const found = [];
  for (const name of COMPARED) {
    const here = values(outside, name);
    const there = values(inside, name);
    const isSame = here.length === 0 || (here.length === 1 && (await isTaken(name, here[0], there, reader)));
    if (!isSame) {
      found.push({
        name: SPELLED[name],
        outside: await linesOf(name, here, reader),
        inside: await linesOf(name, there, reader),
      });
    }
  }
  return found;
}

/** Tells if a field outside says what one of those inside says, or less. */
async function isTaken(name, outside, inside, reader) {
  if (name === "subject" && outside === NO_SUBJECT) {
    return true;
  }
  for (const value of inside) {
    if (await isSame(name, outside, value, reader)) {
      return true;
    }
  }
  return false;
}

async function isSame(name, outside, inside, reader) {
  if (normal(outside) === normal(inside)) {
    return true;
  }
  if (outside.length > MAX_FIELD || inside.length > MAX_FIELD) {
    return false;
  }
  if (name === "date") {
    return Date.parse(outside) === Date.parse(inside);
  }
  if (!MAILBOXES.includes(name)) {
    return normal(await reader.text(name, outside)) === normal(await reader.text(name, inside));
  }
  const here = await reader.mailboxes(outside);
  const there = await reader.mailboxes(inside);
  return JSON.stringify(here) === JSON.stringify(there) || isBare(here, there, name);
}

/** Tells if mailboxes outside are the addresses of those inside without their names. */
function isBare(outside, inside, name) {
  if (outside.some((box) => box.name !== "")) {
    return false;
  }
  const here = new Set(outside.map((box) => box.email.toLowerCase()));
  const there = new Set(inside.map((box) => box.email.toLowerCase()));
  if (name === "from" && here.size === 1 && here.has(NOBODY)) {
    return true;
  }
  const isNoneAdded = [...here].every((email) => there.has(email));
  const isNoneMissing = [...there].every((email) => here.has(email) || !PLAIN_ADDRESS.test(email));
  return isNoneAdded && isNoneMissing;
}

function normal(value) {
  return text(value).replace(/[ \t]+/g, " ").trim();
}
