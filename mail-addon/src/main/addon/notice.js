// SPDX-License-Identifier: Apache-2.0
/**
 * Asks about the mail in whose window it runs, and shows the answer above the text. A mail in HTML can bring styles: so
 * the notice is in the top layer, where no style of the page moves or covers it, and in a closed shadow tree; a box of
 * its height keeps the place.
 */
"use strict";

const PLACE = {
  all: "initial",
  display: "block",
  position: "absolute",
  inset: "0 0 auto 0",
  width: "auto",
  height: "auto",
  margin: "6px",
  padding: "0",
  border: "none",
  backgroundColor: "transparent",
  overflow: "visible",
  visibility: "visible",
  opacity: "1",
};
const SPACE = { all: "initial", display: "block" };
const MARGIN = 12;

async function showNotice() {
  let seen;
  try {
    seen = await messenger.runtime.sendMessage("describe");
  } catch {
    seen = { kind: "failed" };
  }
  if (!seen || seen.kind === "not sealed") {
    return;
  }
  const space = document.createElement("div");
  style(space, SPACE);
  const host = document.createElement("div");
  host.id = "veilgate-sealed-header";
  style(host, PLACE);
  const box = draw(document, seen);
  style(box, { maxHeight: "60vh" });
  host.attachShadow({ mode: "closed" }).append(box);
  document.documentElement.prepend(space, host);
  host.popover = "manual";
  host.showPopover();
  const keepPlace = () => style(space, { height: `${host.getBoundingClientRect().height + MARGIN}px` });
  new ResizeObserver(keepPlace).observe(host);
  keepPlace();
}

showNotice();
