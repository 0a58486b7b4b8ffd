// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { base64, base64Start, isProtected, quotedPrintable, split, text, values } from "../../main/addon/mime.js";

describe("messages", () => {
  test("splits a message, and unfolds its fields", () => {
    const { fields, body } = split("From : a\r\nSubject: one\r\n\ttwo\r\nsubject:three\r\nTo:\r\n\r\nbody\r\n\r\nmore");
    assert.deepEqual(values(fields, "subject"), ["one\ttwo", "three"]);
    assert.deepEqual(values(fields, "from"), ["a"]);
    assert.deepEqual(values(fields, "to"), []);
    assert.equal(body, "body\r\n\r\nmore");
  });

  test("sees a field behind a carriage return alone", () => {
    assert.deepEqual(values(split("X: a\rSubject: b\r\n\r\n").fields, "subject"), ["b"]);
  });

  test("takes a message without a body, and one without a header", () => {
    assert.deepEqual(split("From: a"), { fields: [{ name: "from", value: "a" }], body: "" });
    assert.deepEqual(split("\r\nFrom: a"), { fields: [], body: "From: a" });
  });

  test("is protected where the only Content-Type says so once", () => {
    const isIt = (...types) => isProtected(types.map((value) => ({ name: "content-type", value })));
    assert.ok(isIt('text/plain; hp="cipher"'));
    assert.ok(isIt("text/plain; charset=utf-8; HP = cipher"));
    assert.ok(!isIt('text/plain; hp="clear"'));
    assert.ok(!isIt("text/plain"));
    assert.ok(!isIt());
    assert.ok(!isIt("text/plain; hp=clear; hp=cipher"));
    assert.ok(!isIt("text/plain; hp=cipher", "text/plain"));
    assert.ok(!isIt("text/plain; xhp=cipher"));
  });

  test("decodes what encodings programs know", () => {
    assert.equal(base64("MIAG\r\nCSo="), "\x30\x80\x06\x09\x2a");
    assert.equal(base64Start(" -\r\n".repeat(1_000_000) + "MIAG"), "\x30\x80\x06");
    assert.equal(base64("A"), "");
    assert.equal(quotedPrintable("=30=8\r\n0= \r\n=80"), "\x30=8\r\n0\x80");
    assert.equal(text("\xc3\xa4"), "ä");
    assert.equal(text("\xe4"), "ä");
  });

  test("takes time by length alone", () => {
    const start = performance.now();
    for (const part of ["a: b\r\n", "a\r\n ", ";hp=", "=   ", "=\r\n", "\r", ": "]) {
      const long = part.repeat(4_000_000 / part.length);
      quotedPrintable(long);
      base64Start(long);
      isProtected([{ name: "content-type", value: long }]);
      split(long);
    }
    assert.ok(performance.now() - start < 10_000);
  });
});
