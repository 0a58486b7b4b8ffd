// SPDX-License-Identifier: Apache-2.0
/**
 * Draws what is known of a mail's header. Loaded as a plain script by the popup and beside notice.js, as scripts in
 * messages cannot import. Texts go in by textContent alone, and looks by the style of each element, which no page
 * overrides.
 */
"use strict";

const WORDS = {
  "not sealed": "This mail is not sealed as a whole. Its header could be changed on the way.",
  "not opened":
    "This mail is sealed in a way that no add-on can open. " +
    "The header above could be changed on the way: it was compared with nothing.",
  "too long": "This mail is too long to be looked at. If it is sealed, the header above was compared with nothing.",
  "not checked":
    "What is signed inside this sealed mail was altered, or cannot be checked. " +
    "The header above was compared with nothing.",
  "not protected":
    "This mail is sealed, but no signed header is inside. From, To, Cc and Subject above could be changed on the way.",
  failed: "This mail could not be looked at. The header above was compared with nothing.",
};
const INSIDE = "Header inside the sealed mail, as whoever sealed it wrote it:";
const DIFFERS =
  "The header outside says something else than the sealed mail. " +
  "Somebody changed it on the way, or put it above another mail.";
const FROM_DIFFERS =
  "If Thunderbird shows a good signature, it is of an address outside: nothing shows that the one inside sent this.";
const SIGNED =
  "Thunderbird does not tell add-ons who signed. Its S/MIME button says who, and if the signature is good.";

const LOOKS = {
  box: {
    all: "initial",
    display: "block",
    boxSizing: "border-box",
    font: "13px/1.4 sans-serif",
    color: "#15141a",
    backgroundColor: "#f2f4f7",
    border: "1px solid #8f9bab",
    borderRadius: "4px",
    padding: "6px 10px",
    contain: "paint",
    overflow: "auto",
    overflowWrap: "anywhere",
    textAlign: "left",
    direction: "ltr",
    colorScheme: "light",
  },
  warning: { backgroundColor: "#ffe9e6", borderColor: "#b3261e" },
  paragraph: { display: "block", margin: "2px 0" },
  strong: { fontWeight: "bold", color: "#b3261e" },
  name: { fontWeight: "bold" },
  value: { unicodeBidi: "isolate" },
  small: { color: "#4a4a55", fontSize: "12px" },
};

/**
 * A box with what is known.
 *
 * @param document where it goes
 * @param seen     as describe of header.js gives it
 */
function draw(document, seen) {
  const box = element(document, "div", "", LOOKS.box);
  const add = (text, ...looks) => box.append(element(document, "div", text, LOOKS.paragraph, ...looks));
  if (seen.kind !== "protected") {
    add(WORDS[seen.kind] ?? WORDS.failed);
    return box;
  }
  const names = seen.differing.map((field) => field.name);
  if (names.length > 0) {
    style(box, LOOKS.warning);
    add(DIFFERS, LOOKS.strong);
    for (const field of seen.differing) {
      box.append(row(document, `${field.name} outside`, field.outside, LOOKS.strong));
      box.append(row(document, `${field.name} inside`, field.inside.length > 0 ? field.inside : ["(there is none)"]));
    }
    if (names.includes("From")) {
      add(FROM_DIFFERS, LOOKS.strong);
    }
  }
  add(INSIDE);
  for (const field of seen.fields) {
    box.append(row(document, field.name, field.lines));
  }
  add(SIGNED, LOOKS.small);
  return box;
}

/** A field: its name, and a line for each of its values. */
function row(document, name, lines, ...looks) {
  const all = element(document, "div", "", LOOKS.paragraph);
  all.append(element(document, "span", `${name}: `, LOOKS.name, ...looks));
  lines.forEach((line, i) => {
    all.append(element(document, "bdi", line, LOOKS.value));
    if (i < lines.length - 1) {
      all.append(element(document, "span", ", "));
    }
  });
  return all;
}

function element(document, tag, text, ...looks) {
  const made = document.createElement(tag);
  made.textContent = text;
  looks.forEach((look) => style(made, look));
  return made;
}

/** Sets properties so that no style of a page overrides them. */
function style(element, look) {
  for (const [name, value] of Object.entries(look)) {
    const spelled = name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase());
    element.style.setProperty(spelled, value, "important");
  }
}
