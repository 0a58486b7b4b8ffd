// SPDX-License-Identifier: Apache-2.0
/** The button's page: what the notice says, where no mail can draw. */
import { describeDisplayed } from "./displayed.js";

const [tab] = await messenger.tabs.query({ active: true, currentWindow: true });
const box = globalThis.draw(document, await describeDisplayed(tab.id, messenger));
globalThis.style(box, { width: "420px" });
document.body.append(box);
