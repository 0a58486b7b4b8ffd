// Controls but line feed and tab, and what turns the direction of writing round: in a hostile line they would hide or rearrange what is read.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** The text with what cannot be seen in it made visible. For the screen only: what is copied or exported stays as it is. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, character => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
  })
}
