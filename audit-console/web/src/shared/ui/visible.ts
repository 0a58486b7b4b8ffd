/** Scripts and pictures that need joiners and selectors to be written; elsewhere these only hide. */
const JOINED =
  '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}'

/**
 * What cannot be seen, or turns the direction of writing round: in a hostile text it would hide or rearrange what is read. All that Unicode ignores where it has no form for it, controls but line feed and tab,
 * fillers, separators of lines, halves of characters.
 */
/* eslint-disable no-misleading-character-class -- each character is meant by itself */
const HIDDEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u2800\\ufff9-\\ufffb]',
    '[\\ud800-\\udfff]',
    `(?<![${JOINED}])[\\u200c\\u200d]`,
    '(?!\\ufe0f\\u20e3)(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{sc=Mong}\\p{sc=Han}])[\\ufe00-\\ufe0f\\u180b-\\u180f]',
    '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{0,6})[\\u{e0000}-\\u{e007f}]',
    '(?<!\\p{sc=Han})[\\u{e0100}-\\u{e01ef}]',
    '(?![\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u200c\\u200d\\ufe00-\\ufe0f\\u180b-\\u180f\\u{e0000}-\\u{e01ef}])(?:\\p{Default_Ignorable_Code_Point}|\\p{Cf})',
  ].join('|'),
  'gu',
)
/* eslint-enable no-misleading-character-class */

/** The text with what cannot be seen in it made visible. For the screen only: what is copied or exported stays as it is. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, character => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
  })
}
