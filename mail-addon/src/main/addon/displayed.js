// SPDX-License-Identifier: Apache-2.0
import { describe } from "./header.js";

/** What is known of the mail that a tab shows; of none and of several that it failed. */
export async function describeDisplayed(tabId, program) {
  const failed = { kind: "failed" };
  try {
    const { messages } = await program.messageDisplay.getDisplayedMessages(tabId);
    return messages.length === 1 ? await describe(messages[0], program) : failed;
  } catch {
    return failed;
  }
}
