// SPDX-License-Identifier: Apache-2.0
/** Answers notices in message windows, and marks the button of a mail whose header differs. */
import { describeDisplayed } from "./displayed.js";

const SCRIPT = { id: "notice", js: ["view.js", "notice.js"] };

messenger.runtime.onMessage.addListener((message, sender, answer) => {
  if (message !== "describe" || !sender.tab) {
    return false;
  }
  describe(sender.tab.id).then(answer);
  return true;
});

async function describe(tabId) {
  await messenger.messageDisplayAction.setBadgeText({ tabId, text: "" });
  const seen = await describeDisplayed(tabId, messenger);
  if (seen.differing?.length > 0) {
    await messenger.messageDisplayAction.setBadgeText({ tabId, text: "!" });
  }
  return seen;
}

/**
 * Scripts outlive this page, which Thunderbird ends when it is idle, but not Thunderbird: it runs this page when it
 * starts.
 */
async function register() {
  const there = await messenger.scripting.messageDisplay.getRegisteredScripts({ ids: [SCRIPT.id] });
  if (there.length === 0) {
    await messenger.scripting.messageDisplay.registerScripts([SCRIPT]);
  }
}

register();
