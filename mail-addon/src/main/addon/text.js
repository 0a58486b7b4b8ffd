// SPDX-License-Identifier: Apache-2.0
/**
 * Text of strangers as it can be shown: in one line, of bounded length, with nothing that hides or turns what is around
 * it.
 */

const MAX_CHARS = 300;
/** Most marks that stand on one letter, as Vietnamese and Hebrew have them. */
const MAX_MARKS = 4;

/** Characters of control and format, unassigned and private ones, line ends of Unicode, letters without ink. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu");

/** A text whose unseen characters are written as what they are, such as <U+202E>. */
export function visible(text) {
  const cut = Array.from(text.slice(0, 2 * MAX_CHARS)).slice(0, MAX_CHARS).join("");
  const shown = cut
    .replace(/[\t\r\n\p{Zs}]+/gu, " ")
    .replace(/^ | $/g, "")
    .replace(UNSEEN, (c) => "<U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + ">")
    .replace(TOO_MANY_MARKS, "$1");
  return cut.length < text.length ? `${shown} ... (${text.length} characters)` : shown;
}
