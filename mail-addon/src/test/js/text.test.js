// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visible } from "../../main/addon/text.js";

describe("text that is shown", () => {
  test("writes what is not seen as what it is", () => {
    assert.equal(visible("a\u202eb\u2066c\u0000d\u200de"), "a<U+202E>b<U+2066>c<U+0000>d<U+200D>e");
    assert.equal(visible("\u3164x\u00ad\u{e0041}\ue000\u2028"), "<U+3164>x<U+00AD><U+E0041><U+E000><U+2028>");
    assert.equal(visible("\ud800x"), "<U+D800>x");
  });

  test("leaves letters of all scripts, and blanks as one", () => {
    assert.equal(visible(" Ädä\t\r\n \u3000Öberg  山田 שלום Nguyễn "), "Ädä Öberg 山田 שלום Nguyễn");
  });

  test("bounds length and marks on a letter", () => {
    assert.equal(visible("x".repeat(65536)), "x".repeat(300) + " ... (65536 characters)");
    assert.equal(visible("a" + "\u0301".repeat(50) + "b"), "a" + "\u0301".repeat(4) + "b");
    assert.ok(visible("\u{1f600}".repeat(400)).startsWith("\u{1f600}".repeat(300) + " ..."));
    const start = performance.now();
    visible("\u0301".repeat(30_000_000));
    visible(" ".repeat(30_000_000));
    assert.ok(performance.now() - start < 2000);
  });
});
